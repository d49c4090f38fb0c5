"""A fix: edits of the text of a file that take away what a finding is about. Plain data."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Edit:
    """TEXT takes the place of the characters from a line and column up to another one, all from 1.

    Columns count characters. Where both places are the same, TEXT is put in.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    text: str = ""

    def moved(self, lines: int) -> Edit:
        """The same edit as many LINES further down."""
        return replace(self, line=self.line + lines, end_line=self.end_line + lines)


@dataclass(frozen=True)
class Fix:
    """EDITS, in the order of the text and apart from each other, and a TITLE that says what they do.

    They are a proposal: `volcli check --fix` makes them where the program is proved to stay equal. With
    `loses`, comments vanish with the code that they stand in.
    """

    title: str
    edits: tuple[Edit, ...]
    loses: bool = False

    def moved(self, lines: int) -> Fix:
        """The same fix as many LINES further down."""
        return replace(self, edits=tuple(each.moved(lines) for each in self.edits))

    def to_json(self) -> dict[str, Any]:
        """It as a JSON object."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fix:
        """What `to_json` gave DATA of."""
        edits = tuple(Edit(**each) for each in data["edits"])
        return cls(data["title"], edits, data["loses"])


def applied(text: str, edits: Iterable[Edit]) -> str:
    """TEXT after EDITS, which are apart from each other.

    >>> applied("a b\\nc", [Edit(1, 2, 1, 4), Edit(2, 1, 2, 1, "x")])
    'a\\nxc'
    """
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for each in sorted(edits, key=lambda one: (one.line, one.column), reverse=True):
        first = starts[each.line - 1] + each.column - 1
        last = starts[each.end_line - 1] + each.end_column - 1
        text = text[:first] + each.text + text[last:]
    return text
