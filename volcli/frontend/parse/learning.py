"""From a statement that was read to its template: which of its names are what in the operation."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.lexer import Span

from volcli.frontend.parse.opaque import OpaqueOperation
from volcli.frontend.parse.templates import (
    LINE,
    NAME,
    Opening,
    Slot,
    SlotSymbol,
    SlotUse,
    Template,
    beginning,
    is_cut,
    symbol_in,
    without_names,
)

_PARTS = frozenset(vars(ModuleOp([]))) | {"parent", "_prev_op", "_next_op"}
"""What any operation has in Python; one that has more is not made by its parts alone."""
_DOTTED = re.compile(r'"?[a-zA-Z_][a-zA-Z0-9_$]*+\.')


class ReadRegion(NamedTuple):
    """A region that was read from the brace at START to the one at END; LAST is its last operation there."""

    start: int
    end: int
    region: Region
    arguments: Sequence[Parser.Argument] | None
    last: Operation | None


class ReadStatement:
    """What is read of a statement beside its operation, whose name stands at `name_at`."""

    def __init__(self) -> None:
        self.name_at = 0
        self.results: Sequence[tuple[Span, int]] = ()
        self.uses: list[tuple[UnresolvedOperand, SSAValue]] = []
        self.labels: list[Span] = []
        self.regions: list[ReadRegion] = []


class Lesson(NamedTuple):
    """An operation as it was READ in this EXTENT of a text, up to the next token, with BLOCKS visible."""

    op: Operation
    extent: slice
    read: ReadStatement
    blocks: Mapping[str, tuple[Block, object]]


class Learned(NamedTuple):
    """A template by the pieces of text that it is for: the first one without its names, the others as they
    are. The regions are between them: each but the last one has an opening."""

    key: Hashable
    openings: Sequence[Opening]
    rest: Sequence[str]
    template: Template


class _Unlike(Exception):
    """What a statement says is not a matter of its text and its values alone."""


def learned(text: str, lesson: Lesson) -> Learned | None:
    """What a LESSON in this TEXT teaches; None if the operation has no template."""
    op, extent, read, blocks = lesson
    if not _is_its_parts(op, read.regions) or _DOTTED.match(text, read.name_at) is None:
        return None
    try:
        pieces = _pieces(text, extent, read.regions)
        slots = _Slots(pieces[0], extent.start, op, read)
        openings = slots.openings()
        template = slots.template(blocks, beginning(text, extent.stop))
    except _Unlike:
        return None
    return Learned(slots.key, openings, pieces[1:], template)


def _is_its_parts(op: Operation, regions: Sequence[ReadRegion]) -> bool:
    """Whether OP can be made from its parts; all of its regions are REGIONS of the text, or none is."""
    if isinstance(op, FuncOp | ModuleOp | OpaqueOperation) or not vars(op).keys() <= _PARTS:
        return False
    if any(own.first_block is None or own.first_block is not own.last_block for own in op.regions):
        return False
    if not regions:
        return all(map(_is_closed, op.regions))
    return list(op.regions) == [each.region for each in regions]


def _is_closed(region: Region) -> bool:
    """Whether what is in REGION, a block, has no regions and uses nothing from outside."""
    ops = region.block.ops
    return all(not op.regions and not op.successors for op in ops) and all(
        operand.owner is region.block or operand.owner.parent is region.block
        for op in ops
        for operand in op.operands
    )


def _without_places(region: Region) -> Region:
    """A copy of REGION, which is closed, with the places of nothing."""
    copy = region.clone()
    for each in (*copy.block.args, *copy.block.ops):
        each.location = UNKNOWN_LOC
    return copy


def _pieces(text: str, extent: slice, regions: Sequence[ReadRegion]) -> list[str]:
    """The pieces of TEXT around REGIONS, each in one line."""
    found: list[str] = []
    start = extent.start
    for region in regions:
        line = LINE.match(text, start)
        if line is None or start + len(line[1].rstrip()) - 1 != region.start:
            raise _Unlike
        found.append(line[1])
        start = region.end + 1
    line = LINE.match(text, start)
    if line is None or line.end() != extent.stop or is_cut(line):
        raise _Unlike
    return [*found, line[1]]


class _Slots:
    """The slots in the first piece of the text of OP, and what they are."""

    def __init__(self, piece: str, start: int, op: Operation, read: ReadStatement) -> None:
        self.key, self._names = without_names(piece)
        found = list(NAME.finditer(piece))
        self._at = {start + name.start(): slot for slot, name in enumerate(found)}
        self._marked = [slot for slot, name in enumerate(found) if name[1] not in "%^"]
        self._start, self._op, self._read = start, op, read
        self._uses = [
            (SlotUse(self._slot(operand.span).number, operand.index, value.type), value)
            for operand, value in read.uses
        ]

    def _slot(self, span: Span) -> Slot:
        number = self._at.get(span.start)
        if number is None:
            raise _Unlike
        return self._before(span.start, number)

    def _before(self, position: int, number: int) -> Slot:
        """What stands at POSITION, after the first NUMBER names."""
        return Slot(number, position - self._start - sum(map(len, self._names[:number])))

    def _name(self) -> Slot:
        return self._before(self._read.name_at, len(self._read.results))

    def openings(self) -> list[Opening]:
        """What the pieces of text before regions say."""
        found: list[Opening] = []
        for region in self._read.regions:
            arguments = self._arguments(region)
            uses = [use for use, _ in self._uses] if arguments else []
            found.append(Opening(type(self._op), self._name(), uses, arguments, {}))
        return found

    def _arguments(self, region: ReadRegion) -> list[tuple[Slot, Attribute]] | None:
        if region.arguments is None:
            return None
        if any(argument.location is not None for argument in region.arguments):
            raise _Unlike
        return [(self._slot(argument.name), argument.type) for argument in region.arguments]

    def template(self, blocks: Mapping[str, tuple[Block, object]], after: str) -> Template:
        """The template of the whole statement, which ends before what begins as AFTER."""
        op, read = self._op, self._read
        results = [(self._slot(span), size) for span, size in read.results]
        labels = {blocks[span.text[1:]][0]: self._slot(span) for span in read.labels}
        arguments = (each for region in read.regions for each in self._arguments(region) or ())
        known = {use.slot for use, _ in self._uses}
        known.update(slot.number for slot, _ in (*results, *arguments))
        known.update(slot.number for slot in labels.values())
        known.update(self._marked)
        if len(known) != len(self._names) or any(slot.number != i for i, (slot, _) in enumerate(results)):
            raise _Unlike
        return Template(
            type(op),
            self._name(),
            self._operands(),
            results,
            [result.type for result in op.results],
            op.properties.copy(),
            op.attributes.copy(),
            [self._symbol(slot) for slot in self._marked],
            [labels[block] for block in op.successors],
            [] if read.regions else [_without_places(region) for region in op.regions],
            [_ending(region) for region in read.regions],
            {after},
        )

    def _symbol(self, slot: int) -> SlotSymbol:
        """The one attribute that says what SLOT names, a symbol or a resource."""
        name, op = self._names[slot], self._op
        attributes = [(True, *item) for item in op.properties.items()]
        attributes += [(False, *item) for item in op.attributes.items()]
        found = [each for each in attributes if symbol_in(each[2]) == name]
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        is_said_again = any(word.search(str(each[2])) for each in attributes if each not in found)
        if len(found) != 1 or is_said_again or self._read.regions or self._names.count(name) > 1:
            raise _Unlike
        return SlotSymbol(slot, *found[0])

    def _operands(self) -> list[SlotUse]:
        """The operands: all values that are used, and no others.

        A name that occurs again has several slots, and one is as good as the other.
        """
        by_value: dict[SSAValue, SlotUse] = {value: use for use, value in self._uses}
        operands = self._op.operands
        if by_value.keys() != set(operands):
            raise _Unlike
        return [by_value[value] for value in operands]


def _ending(region: ReadRegion) -> type[Operation] | None:
    """The class of the terminator that REGION got after it was read, if it did."""
    block = region.region.last_block
    last = None if block is None else block.last_op
    if last is region.last or last is None:
        return None
    if last.prev_op is not region.last or last.operands or last.attributes or last.properties or last.regions:
        raise _Unlike
    return type(last)
