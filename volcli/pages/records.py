"""What a page shows of a file: plain data, that is sent between processes and into the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from volcli.api.notes import Note
from volcli.gate.work.pieces import pieces_of
from volcli.report.drawing.layers import LayerRow

_HEAD = 20
"""A first function that begins by this line is shown with what is before it: a module, some maps."""
Beginning = tuple[int, str]
"""The first line of a function, and its symbol, with its @."""


@dataclass(frozen=True)
class Drawing:
    """A picture of what is at a `line`: an `svg`, or `sets` that the page draws in any plane.

    `kind` says what it shows, and `title` of what.
    """

    line: int
    kind: str
    title: str
    svg: str = ""
    sets: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnswerCount:
    """How many answers to a `question` are exact, approximate and unknown, with the reasons, most first."""

    question: str
    exact: int
    approximate: int
    unknown: int
    reasons: tuple[tuple[str, int], ...] = ()

    @property
    def total(self) -> int:
        """How many answers there are."""
        return self.exact + self.approximate + self.unknown


@dataclass(frozen=True)
class FileRecord:
    """What is known of the file called `name`; `error` says why it is not more.

    `parts` are the first lines of its functions with their symbols, in order; what is before the first one
    has none. `seconds` are those of the processor.
    """

    name: str
    text: str
    parts: tuple[Beginning, ...] = ((1, ""),)
    notes: tuple[Note, ...] = ()
    known: tuple[AnswerCount, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    layers: tuple[LayerRow, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    error: str = ""

    @property
    def lines(self) -> list[str]:
        """Its lines, from 1 on."""
        return [each.removesuffix("\r") for each in self.text.removesuffix("\n").split("\n")]


def most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    """COUNTS, the largest first, and equal ones by name."""
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def parts_of(text: str) -> tuple[Beginning, ...]:
    """The first lines of the functions in TEXT, with the symbols, and of what is before them."""
    return with_beginning([(each.first, each.symbol) for each in pieces_of(text) or ()])


def with_beginning(functions: Sequence[Beginning]) -> tuple[Beginning, ...]:
    """FUNCTIONS by their first lines, and what is before them: with the first; if it is much, apart.

    >>> with_beginning([(3, "@f"), (9, "@g")]), with_beginning([(90, "@f")])
    (((1, '@f'), (9, '@g')), ((1, ''), (90, '@f')))
    """
    if functions and functions[0][0] <= _HEAD:
        return ((1, functions[0][1]), *functions[1:])
    return ((1, ""), *functions)
