"""Comments that speak to the gate: `// volcli: expect ...` and `// volcli: ignore ...`.

One on a line of its own is about the first operation that begins in a line after it; one after code is
about the first operation that begins in its line. `// volcli: ignore-file ...` is about all of the file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volcli.frontend.text.comments import comments
from volcli.frontend.text.directives import spoken
from volcli.frontend.text.source import Source


@dataclass(frozen=True)
class Directive:
    """One such comment: what it says, its place, and whether code stands in front of it.

    `kind` is one of DIRECTIVES. A comment that is nearly one has a `mistake`, and says nothing else.
    """

    kind: str
    text: str
    line: int
    column: int
    is_behind: bool
    mistake: str | None = None

    def line_of(self, lines: Sequence[int]) -> int | None:
        """The line that it is about, one of LINES, in which operations begin; None if there is none."""
        at = bisect_left(lines, self.line if self.is_behind else self.line + 1)
        if at == len(lines) or (self.is_behind and lines[at] != self.line):
            return None
        return lines[at]


def directives(source: Source) -> Iterator[Directive]:
    """Those of SOURCE, in the order of the text.

    >>> text = "a // volcli: ignore V203 a reason\\n  // volcli: expect in-bounds\\n b // volcli: shape"
    >>> [(each.kind, each.text, each.line, each.is_behind) for each in directives(Source("-", text))]
    [('ignore', 'V203 a reason', 1, True), ('expect', 'in-bounds', 2, False)]
    """
    text = source.text
    if "volcli" not in text:
        return
    line, counted = source.first_line, 0
    for start, end in comments(text):
        found = spoken(text[start:end])
        if found is None:
            continue
        line += text.count("\n", counted, start)
        counted = start
        before = text[text.rfind("\n", 0, start) + 1 : start]
        column = len(before.encode("utf-8", "surrogateescape")) + 1
        is_behind = bool(before.strip())
        yield Directive(found.kind, found.text, line, column, is_behind, found.mistake)


def is_about_file(text: str) -> bool:
    """Whether a directive in TEXT is about all of it."""
    return any(each.kind == "ignore-file" for each in directives(Source("", text)))
