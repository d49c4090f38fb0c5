"""Places: from an offset in the text to MLIR's file:line:column, and from an operation back to its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import cast

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    StringAttr,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation

from volcli.diagnostics import Place
from volcli.frontend.text.source import Source

_set = object.__setattr__  # of a frozen attribute that is being made


class LineTable:
    """Offsets of a source as the lines and columns that mlir-opt counts.

    Lines end at a newline, and nowhere else; columns count bytes of UTF-8, from 1.

    >>> LineTable(Source("a.mlir", "one\\ntwo", first_line=5)).line_column(5)
    (6, 2)
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self._starts = [0, *(match.end() for match in re.finditer("\n", source.text))]
        self._ascii = source.text.isascii()
        self._file = StringAttr(source.name)
        self._integers: dict[int, IntAttr] = {}

    def line_column(self, offset: int) -> tuple[int, int]:
        index = bisect_right(self._starts, offset) - 1
        start = self._starts[index]
        column = (offset - start if self._ascii else len(self._text[start:offset].encode())) + 1
        if index == 0:
            column += self._source.first_column - 1
        return index + self._source.first_line, column

    def place(self, offset: int) -> Place:
        return Place(self._source.name, *self.line_column(offset))

    def _integer(self, value: int) -> IntAttr:
        if (attribute := self._integers.get(value)) is None:
            attribute = self._integers[value] = object.__new__(IntAttr)
            _set(attribute, "data", value)
        return attribute

    def location(self, offset: int) -> FileLineColLoc:
        """The location attribute of an offset."""
        return self._location(*self.line_column(offset))

    def _location(self, line: int, column: int) -> FileLineColLoc:
        # One for each operation and argument: FileLineColLoc(...) would check the classes of its parameters
        # each time, which takes most of its time; and vars(location) would make a dictionary for each.
        location = object.__new__(FileLineColLoc)
        _set(location, "filename", self._file)
        _set(location, "line", self._integer(line))
        _set(location, "column", self._integer(column))
        return location

    def module_location(self) -> FileLineColLoc:
        """The location of the module that the text implies: 0:0 as in mlir-opt, or where its chunk begins."""
        source = self._source
        if (source.first_line, source.first_column) == (1, 1):
            return self._location(0, 0)
        return self.location(0)


def _file_place(location: Attribute) -> Place | None:
    """The place that a location attribute ends in: the child's, the callee's, the first of a fusion."""
    match location:
        case FileLineColLoc():
            line, column = location.line.data, location.column.data
            return Place(location.filename.data, max(line, 1), max(column, 1))
        case NameLoc():
            return _file_place(location.location)
        case CallSiteLoc():
            return _file_place(location.callee)
        case FusedLoc():
            parts = cast(ArrayAttr[Attribute], location.locations)
            places = (_file_place(part) for part in parts.data)
            return next((place for place in places if place is not None), None)
        case _:
            return None


def is_implicit(location: LocationAttr) -> bool:
    """Whether this location was not given: xDSL's own default, not a `loc(unknown)` of the input."""
    return location is UNKNOWN_LOC


def place_of(op: Operation) -> Place:
    """Where an operation comes from; one without a place has its parent's.

    An explicit `loc(...)` in the input wins over the position in the text: for the latter, see
    `ParsedModule.written_at`. An operation without any place, such as one that a pass made outside any
    module, has `<unknown>:1:1`.
    """
    current: Operation | None = op
    while current is not None:
        if (place := _file_place(current.location)) is not None:
            return place
        current = current.parent_op()
    return Place("<unknown>", 1, 1)


def place_of_argument(argument: BlockArgument) -> Place:
    """Where a block argument comes from; one without a place has the place of the operation around it."""
    if (place := _file_place(argument.location)) is not None:
        return place
    block: Block = argument.block
    parent = block.parent_op()
    return Place("<unknown>", 1, 1) if parent is None else place_of(parent)


def locate_hidden_operations(op: Operation) -> None:
    """Give operations in OP that the text leaves out the locations that mlir-opt gives them.

    A terminator without operands stands where its parent stands. Of linalg's hidden bodies, those of `map`
    and `reduce` in short form stand there too, but not their arguments; the arguments of `transpose` and
    `broadcast` come from the operands; the bodies of named operations come from nowhere: loc(unknown).
    """
    for region in op.regions:
        block = region.last_block
        terminator = None if block is None else block.last_op
        if block is None or terminator is None or not is_implicit(terminator.location):
            continue
        if not terminator.operands:
            terminator.location = op.location
        elif op.name in ("linalg.transpose", "linalg.broadcast"):
            terminator.location = op.location
            for argument, operand in zip(block.args, op.operands, strict=False):
                owner = operand if isinstance(operand, BlockArgument) else operand.owner
                if isinstance(owner, Operation | BlockArgument):
                    argument.location = owner.location
        elif op.name in ("linalg.map", "linalg.reduce"):
            for hidden in block.ops:
                hidden.location = op.location
