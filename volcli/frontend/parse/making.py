"""Operations that are made by a template: the values that they use, the names that they define."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator
from xdsl.utils.lexer import Span

from volcli.frontend.parse.reader import LocatingParser
from volcli.frontend.parse.templates import Slot, SlotUse, Template, append, beginning
from volcli.language.unchanged import cached_method


class MakingParser(LocatingParser):
    """A parser that can make an operation of which it has a template and the names."""

    def made(
        self,
        template: Template,
        names: Sequence[str],
        start: int,
        line: re.Match[str],
        regions: Sequence[Region] = (),
    ) -> tuple[Operation, int] | None:
        """The operation from START to the end of LINE, and what is after that.

        None if NAMES, REGIONS, or what follows are not as TEMPLATE has them.
        """
        end = line.end()
        if beginning(line.string, end) not in template.after:
            return None
        operands = self.values(template.operands, names)
        if operands is None or self.are_known(names[: template.at.number]):
            return None
        if regions and not self._have_ends(template, regions):
            return None
        location = self.lines.location(template.at.start(start, names))
        for region, ending in zip(regions, template.endings, strict=True) if regions else ():
            if ending is not None and self._is_open(region.block):
                append(region.block, ending.create(location=location))
        successors = [self._block_at(slot, names, start) for slot in template.successors]
        op = template.make(names, operands, successors, regions, location)
        position = 0
        for slot, size in template.results:
            values = op.results if size == len(op.results) else op.results[position : position + size]
            self.define(names[slot.number], values, slot.start(start, names))
            position += size
        return op, end

    def values(self, uses: Sequence[SlotUse], names: Sequence[str]) -> list[SSAValue] | None:
        """The values that NAMES are in these USES; None if one is not visible, or of another type."""
        visible = self.ssa_values
        found: list[SSAValue] = []
        for slot, index, kind in uses:
            values = visible.get(names[slot])
            if values is None or index >= len(values):
                return None
            value = values[index]
            type = value.type
            if type is not kind and type != kind:
                return None
            found.append(value)
        return found

    def are_known(self, names: Sequence[str]) -> bool:
        """Whether one of NAMES is defined already, or was used before its definition."""
        visible, awaited = self.ssa_values, self.forward_ssa_references
        return any(name in visible or name in awaited for name in names)

    def define(self, name: str, values: Any, start: int) -> None:
        """NAME, which is new and has no other use, is that of VALUES: see `_register_ssa_definition`."""
        self._defined_at[name] = start
        self.ssa_values[name] = values
        self.defined.append(name)
        self.names.record(name, values)
        hint = self._hint(name)
        if hint is not None:
            for value in values:
                value._name = hint

    def _block_at(self, slot: Slot, names: Sequence[str], start: int) -> Block:
        """The block with the label in this SLOT of a statement that begins at START."""
        known = self.blocks.get(names[slot.number])
        return super()._get_block_from_name(self.span_of(slot, names, start)) if known is None else known[0]

    def span_of(self, slot: Slot, names: Sequence[str], start: int) -> Span:
        """Where the name in SLOT stands in a statement that begins at START."""
        at = slot.start(start, names)
        return Span(at, at + 1 + len(names[slot.number]), self._lexer.input)

    def _have_ends(self, template: Template, regions: Sequence[Region]) -> bool:
        """Whether REGIONS are blocks with a terminator, or with one that TEMPLATE gives them."""
        for region, ending in zip(regions, template.endings, strict=True):
            block = region.first_block
            if block is None or block is not region.last_block:
                return False
            if self._is_open(block) and (ending is None or isinstance(block.last_op, UnregisteredOp)):
                return False
        return True

    def _is_open(self, block: Block) -> bool:
        last = block.last_op
        return last is None or not self._ends_block(type(last))

    @cached_method
    def _ends_block(self, kind: type[Operation]) -> bool:
        return kind.has_trait(IsTerminator, value_if_unregistered=False)
