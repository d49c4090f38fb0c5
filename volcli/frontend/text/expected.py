"""Comments of tests of mlir-opt, `// expected-error {{...}}`, that say which diagnostics a file must cause.

    // expected-error@+1 {{provably differ}}       error, warning or remark; @+N, @-N, @above, @below,
    %0 = linalg.matmul ...                         without @ this line; @unknown: no place

The text must occur in the diagnostic's `CODE: message`; after `expected-error-re` the parts of it in `{{}}`
are regular expressions. `expected-note` expects the next step of a diagnostic; they need not be expected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from volcli.diagnostics import Diagnostic, Place
from volcli.frontend.text.source import Source

_DESIGNATOR = re.compile(
    r"expected-(?P<kind>error|warning|remark|note)(?P<regex>-re)?\s*"
    r"(?:@(?P<at>[+-]\d+|above|below|unknown))?\s*\{\{(?P<text>.*)\}\}\s*$"
)

# Annotations come and go with each run: they do not count as lines.
_ANNOTATION = re.compile(r"^\s*// volcli:")
# @above and @below also look over other expectations, which may stand in a row.
_SKIPPED = re.compile(f"{_ANNOTATION.pattern}|{_DESIGNATOR.pattern}")


@dataclass(frozen=True)
class Expectation:
    """One expected diagnostic: LINE is None if it has no place, PATTERN is searched in its text."""

    kind: str
    line: int | None
    pattern: re.Pattern[str]
    text: str
    place: Place

    def meets(self, diagnostic: Diagnostic) -> bool:
        """Whether DIAGNOSTIC is the expected one."""
        if (diagnostic.place.line if diagnostic.place else None) != self.line:
            return False
        if self.kind == "note":
            return self.pattern.search(diagnostic.next_step) is not None
        said = f"{diagnostic.code}: {diagnostic.message}"
        return diagnostic.severity.value == self.kind and self.pattern.search(said) is not None


def expectations(source: Source) -> list[Expectation]:
    """The expectations in SOURCE, with lines that count in the file."""
    if "expected-" not in source.text:
        return []
    lines = source.text.split("\n")
    found: list[Expectation] = []
    for number, line in enumerate(lines):
        match = _DESIGNATOR.search(line)
        if match is not None:
            at = _target(lines, number, match["at"])
            place = Place(source.name, source.first_line + number, match.start() + 1)
            pattern = _pattern(match["text"], match["regex"] is not None)
            line_in_file = None if at is None else source.first_line + at
            found.append(Expectation(match["kind"], line_in_file, pattern, match["text"], place))
    return found


def _target(lines: Sequence[str], number: int, at: str | None) -> int | None:
    """The index of the line that the expectation in line NUMBER is about."""
    if at == "unknown":
        return None
    if at in ("above", "below"):
        over, count = _SKIPPED, -1 if at == "above" else 1
    else:
        over, count = _ANNOTATION, int(at or 0)
    step = -1 if count < 0 else 1
    target = number
    for _ in range(abs(count)):
        target += step
        while 0 <= target < len(lines) and over.search(lines[target]):
            target += step
    return target


def _pattern(text: str, is_regex: bool) -> re.Pattern[str]:
    """TEXT as a pattern: literal but for the parts in {{}} if IS_REGEX."""
    if not is_regex:
        return re.compile(re.escape(text))
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return re.compile("".join(part if i % 2 else re.escape(part) for i, part in enumerate(parts)))
