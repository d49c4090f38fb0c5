"""Edits of one text, put together: what is removed, with the space that it leaves, and replaced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from xdsl.ir import SSAValue

from volcli.frontend.text.directives import spoken
from volcli.gate.findings.fix import Edit, Fix
from volcli.gate.fixes.written import WrittenText

_GENERATED = re.compile(r"//\s*(pred:|\d+ preds:|no predecessors|volcli:)")
"""Comments that mlir-opt and `volcli annotate` write: nothing is lost with them."""


class TextChanges:
    """What is removed from the text WRITTEN, and put into it."""

    def __init__(self, written: WrittenText) -> None:
        self._written = written
        self._removed: list[tuple[int, int]] = []
        self._replaced: list[tuple[int, int, str]] = []
        self.kept: set[SSAValue] = set()
        """Values that the text uses more than before: what makes them stays."""

    def remove(self, start: int, end: int) -> None:
        """Remove the text from START to END."""
        self._removed.append((start, end))

    def replace(self, start: int, end: int, text: str) -> None:
        """Put TEXT in the place of what is from START to END."""
        self._replaced.append((start, end, text))

    def fix(self, title: str) -> Fix | None:
        """All of this as a fix called TITLE.

        None if parts of it overlap, or if a comment to volcli is about what is removed: it would be about
        what comes next.
        """
        text = self._written.text
        merged = list(_merged(text, self._removed))
        if any(self._is_spoken_of(*each) for each in merged):
            return None
        inside = [text[c:d] for c, d in self._written.comments if any(a <= c < b for a, b in merged)]
        loses = any(_GENERATED.match(each) is None or spoken(each) is not None for each in inside)
        spans = [(*with_space(text, a, b), "") for a, b in merged]
        spans += [each for each in self._replaced if not any(_is_in(each, one) for one in spans)]
        spans.sort()
        if any(one[1] > other[0] for one, other in pairwise(spans)):
            return None
        edits: list[Edit] = [self._written.edit(*each) for each in spans]
        return Fix(title, tuple(edits), loses)

    def _is_spoken_of(self, start: int, end: int) -> bool:
        """Whether a directive stands behind what is removed from START to END, or above its first line."""
        text = self._written.text
        first = text.rfind("\n", 0, start) + 1
        stop = text.find("\n", end)
        for a, b in reversed(self._written.comments):
            if start <= a < end or a > stop >= 0:
                continue
            begin = text.rfind("\n", 0, a) + 1
            if a < first and (text[begin:a].strip() or text[b:first].strip()):
                return False
            if spoken(text[a:b]) is not None:
                return True
            first = min(first, begin)
        return False


def _is_in(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _merged(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """SPANS, those as one that overlap or have nothing but space between them."""
    current: tuple[int, int] | None = None
    for start, end in sorted(spans):
        if current is None:
            current = start, end
        elif start <= current[1] or not text[current[1] : start].strip():
            current = current[0], max(end, current[1])
        else:
            yield current
            current = start, end
    if current is not None:
        yield current


def with_space(text: str, start: int, end: int) -> tuple[int, int]:
    """What to remove with the text from START to END, so that no space remains of it.

    Lines in which nothing else stands go with their ends. Before other code or a comment in the last line
    the space up to it goes, and behind other code the space in front.

    >>> text = "  a b // c\\n  d\\n"
    >>> [text[slice(*with_space(text, at, at + 1))] for at in (2, 4, 13)]
    ['a ', ' b', '  d\\n']
    """
    first = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    last = len(text) if stop < 0 else stop
    is_first, behind = not text[first:start].strip(), text[end:last].strip()
    if not behind:
        if is_first:
            return first, min(last + 1, len(text))
        return first + len(text[first:start].rstrip()), end
    if behind.startswith("//") and not is_first:
        return first + len(text[first:start].rstrip()), end
    return start, last - len(text[end:last].lstrip())
