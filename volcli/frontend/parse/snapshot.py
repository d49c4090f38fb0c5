"""A module as it was before something began to change it."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Block, Operation, SSAValue

from volcli.frontend.parse.parser import ParsedModule


class Snapshot:
    """A copy of a module, which can take the place of what has become of it.

    The copies have the places and the names of the originals as they are now.
    """

    def __init__(self, parsed: ParsedModule) -> None:
        self._module = parsed.module
        copies: dict[SSAValue, SSAValue] = {}
        blocks: dict[Block, Block] = {}
        self._copy = parsed.module.clone(copies, blocks)
        for original, copy in blocks.items():
            copy.name_hint = original.name_hint
        pairs = zip(self._copy.walk(), parsed.module.walk(), strict=True)
        self._originals = {copy: original for copy, original in pairs if original is not parsed.module}
        self._copies = {original: copy for copy, original in self._originals.items()}
        parsed.stand_for(self._originals, {copy: original for original, copy in copies.items()})

    def copy_of(self, original: Operation) -> Operation | None:
        """The copy of an ORIGINAL, as it was; None if it was not there."""
        return self._copies.get(original)

    def restore(self) -> Mapping[Operation, Operation]:
        """Put the copies back in the place of what there is; of each original, its copy."""
        block = self._module.body.block
        for op in list(block.ops):
            op.detach()
        for op in list(self._copy.body.block.ops):
            op.detach()
            block.add_op(op)
        return {original: copy for copy, original in self._originals.items()}
