"""What an editor shows beside the text: facts by place, and where each name stands. Plain data.

`noted` makes it, in a worker process, of a file or of some functions of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from volcli.api.notes import Note, notes_of
from volcli.frontend.text.source import SKIPPED
from volcli.gate.findings.finding import character_at
from volcli.gate.work.work import Work, program_of
from volcli.limits import printing as limits

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from volcli.facts.fact import Fact
    from volcli.frontend.parse.parser import ParsedModule
    from volcli.passes.base import Unit

_WORD = r"%(?:\d+|[A-Za-z$._-][\w$.-]*)"
_NAME = re.compile(rf"{SKIPPED}|({_WORD})(?:#\d+)?")
_RESULTS = re.compile(rf"(?:{_WORD}(?::\d+)?\s*,\s*)*{_WORD}(?::\d+)?\s*=\s*$")


@dataclass(frozen=True)
class NamedPlace:
    """A place where the text names a value: characters of a line, from 0. Those of one `value` are the same.

    `name` is what is said there, which is one of several values in `%r#1`, `type` is that value's, and
    `defined` the line where the operation begins that defines it.
    """

    value: int
    line: int
    start: int
    end: int
    name: str
    type: str
    is_definition: bool
    defined: int

    def moved(self, lines: int) -> NamedPlace:
        """The same so many LINES further down."""
        return replace(self, line=self.line + lines, defined=self.defined + lines)


@dataclass(frozen=True)
class Notes:
    """What is known of a file, or of some functions of it; `is_read`: all of it could be read."""

    notes: tuple[Note, ...] = ()
    occurrences: tuple[NamedPlace, ...] = ()
    is_read: bool = True

    def moved(self, lines: int) -> Notes:
        """The same so many LINES further down."""
        return Notes(
            tuple(replace(each, line=each.line + lines) for each in self.notes),
            tuple(each.moved(lines) for each in self.occurrences),
            self.is_read,
        )

    def numbered(self, first: int) -> Notes:
        """The same with values counted from FIRST."""
        occurrences = (replace(each, value=each.value + first) for each in self.occurrences)
        return replace(self, occurrences=tuple(occurrences))


def noted(work: Work) -> Notes:
    """What is known of the file of WORK, or of the part of it that is shown."""
    from volcli.api.spots import BY_PLACE
    from volcli.frontend.parse.recursion import deep_recursion, no_collector_pauses

    with no_collector_pauses():
        _, program = program_of(work)
        program.run(BY_PLACE)
        shown = None if work.part is None else work.part.lines
        with deep_recursion():
            notes = [_drawn(note, fact) for fact in program.facts for note in notes_of(fact, work.name)]
            found = [each for unit in program.units for each in _occurrences(unit)]
    return Notes(
        tuple(each for each in notes if shown is None or each.line in shown),
        tuple(each for each in found if shown is None or each.line in shown),
        not any(unit.parsed.unread for unit in program.units),
    )


def _drawn(note: Note, fact: Fact) -> Note:
    """NOTE with the picture of FACT, if it has one."""
    from volcli.api.locations import pictures, region_pictures

    lines = pictures(region_pictures([fact]), limits.HOVER_COLUMNS)
    return replace(note, picture=tuple(line.text for line in lines))


def _occurrences(unit: Unit) -> Iterator[NamedPlace]:
    """Where the text of UNIT names values.

    A name belongs to the last operation that begins before it, or, if that knows no such value, to one of
    those around it: a name that is visible in a region has no other meaning there.
    """
    from xdsl.ir import Operation

    parsed = unit.parsed
    lines = parsed.source.text.split("\n")
    begins = _beginnings(parsed, lines)
    numbers: dict[tuple[object, str], int] = {}
    at = -1
    for number, line in enumerate(lines, parsed.source.first_line):
        for match in _NAME.finditer(line):
            if match[1] is None:
                continue
            while at + 1 < len(begins) and begins[at + 1][0] <= (number, match.start()):
                at += 1
            found = None if at < 0 else _value(begins[at][1], match[0], parsed)
            if found is not None:
                value, is_definition = found
                known = numbers.setdefault((value.owner, match[1]), len(numbers))
                around = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
                first = number if around is None else parsed.written_at(around).line
                yield NamedPlace(
                    known, number, *match.span(1), match[0], str(value.type), is_definition, first
                )


def _beginnings(parsed: ParsedModule, lines: Sequence[str]) -> list[tuple[tuple[int, int], Operation]]:
    """The operations, by the line and the character where their results or names begin.

    Of those at one place, the outermost: what the text leaves out is where the operation around it is.
    """
    source = parsed.source
    found: dict[tuple[int, int], Operation] = {}
    for op in parsed.module.walk():
        place = parsed.written_at(op)
        if op is parsed.module or place.file != source.name:
            continue
        line = lines[place.line - source.first_line]
        character = character_at(line, place.column) - 1
        results = _RESULTS.search(line, 0, character) if op.results else None
        found.setdefault((place.line, character if results is None else results.start()), op)
    return sorted(found.items(), key=lambda each: each[0])


def _value(op: Operation, name: str, parsed: ParsedModule) -> tuple[SSAValue, bool] | None:
    """The value called NAME at OP or around it, and whether it is defined there."""
    current: Operation | None = op
    while current is not None:
        arguments = (arg for region in current.regions for block in region.blocks for arg in block.args)
        for values, is_definition in ((current.operands, False), (_defined(current, arguments), True)):
            for value in values:
                if parsed.names.is_called(value, name):
                    return value, is_definition
        current = current.parent_op()
    return None


def _defined(op: Operation, arguments: Iterable[SSAValue]) -> Iterator[SSAValue]:
    yield from op.results
    yield from arguments
