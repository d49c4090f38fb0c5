"""Which buffers outlive a function: what is written to them last may be read after it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from xdsl.ir import Operation, SSAValue, Use
from xdsl.traits import IsTerminator

from volcli import questions
from volcli.expressions import NotAffine
from volcli.model.memory.buffers import Origin, Root
from volcli.model.memory.effects import is_stranger
from volcli.model.memory.model import Memory, is_memory


class Lifetimes:
    """The buffers of one function that somebody else may read once it has returned.

    Those are all but the ones that it allocates; and of these the ones that it returns, stores somewhere, or
    gives to an operation that nobody knows.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def outlives(self, root: Root) -> bool:
        """Whether ROOT may be read after the function."""
        return root.origin is not Origin.ALLOCATION or self._all_escape or root in self._escaping

    @cached_property
    def _escaping(self) -> frozenset[Root]:
        found: set[Root] = set()
        for value in self._escaping_values():
            root = self._memory.buffers.root(value)
            found.update(root.among or (root.behind or root,))
        return frozenset(found)

    @cached_property
    def _all_escape(self) -> bool:
        """Whether a buffer escapes of which nobody knows which one it is."""
        return any(root.origin is Origin.UNKNOWN and self._may_be_local(root) for root in self._escaping)

    def _may_be_local(self, root: Root) -> bool:
        """Whether it may be a buffer that the function allocates: not the result of a call, which is older.

        A call can only give what it was given, and that has escaped itself.
        """
        return not isinstance(root.value.owner, Operation) or not is_stranger(root.value.owner)

    def _escaping_values(self) -> Iterator[SSAValue]:
        for op in self._memory.function.walk():
            blocks = (block for region in op.regions for block in region.blocks)
            for value in (*op.results, *(argument for block in blocks for argument in block.args)):
                if is_memory(value) and any(self._escapes(use) for use in value.uses):
                    yield value

    def _escapes(self, use: Use) -> bool:
        op = use.operation
        if op.parent_op() is self._memory.function and op.has_trait(IsTerminator) and not op.successors:
            return True
        if is_stranger(op):
            return True
        try:
            stated = questions.accesses(op)
        except NotAffine:
            return True
        if stated is None:
            return True
        value = op.operands[use.index]
        return any(access.stored is value for access in stated)
