"""What stands at the outermost level of a text, or in its module, by its brackets: nothing is parsed.

Brackets of a text that somebody is writing need not match. A function that is not closed ends where a line
with the same indentation begins the next one, and what stands behind one that is closed too early belongs to
it, as for the parser, which finds an error in both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from volcli.frontend.text.source import SKIPPED, SYMBOL

BLANK = re.compile(r"\s*(//.*)?$")
ALIAS = re.compile(r"([#!][A-Za-z_][\w$-]*)\s*=")

_SPEAKS = re.compile(r"//\s*volcli")
"""A comment that may speak to volcli."""
_TOKEN = re.compile(SKIPPED + r'|"[^\n]*|[()\[\]{}]|\n')
_MODULE = re.compile(r"\s*module\b(?!.*//).*\{\s*$")
_FUNCTION = re.compile(rf"\s*(?:func\.)?func\s+(?:(public|private|nested)\s+)?({SYMBOL})")
_INDENTED = re.compile(r"(\s*)func\.func\b")
_GLOBAL = re.compile(rf"\s*memref\.global\s[^@\n]*({SYMBOL})")
_CONTINUED = re.compile(r"\s*(->|attributes\b)")
_CLOSING = re.compile(r"\s*(\}[^/]*)?(//.*)?$")
_CLOSES = {")": "(", "]": "[", "}": "{"}


@dataclass
class Item:
    """What stands at the outermost level, or in its module: lines from `first` on, up to `last`.

    `kind` is "function", "private" for a private one, "other" for a global or an alias, "frame" for the lines
    of the module around. The brackets of one that is `broken` do not match. A func.func has an `indentation`.
    """

    kind: str
    symbol: str
    first: int
    last: int
    indentation: str | None = None
    broken: bool = False

    @property
    def is_function(self) -> bool:
        return self.kind in ("function", "private")


def items_in(lines: Sequence[str], first_line: int) -> list[Item] | None:
    """What LINES hold, in order; the first has the number FIRST_LINE. None where that is not known."""
    splitter = _Splitter(lines, first_line)
    return splitter.items if splitter.splits() else None


@dataclass
class _Splitter:
    """A walk over LINES: outside of the last item, brackets are open of the module, and some that functions
    have `left` open (or closed too often, if that is negative).
    """

    lines: Sequence[str]
    first_line: int
    items: list[Item] = field(default_factory=list[Item])
    left: int = 0
    gap: int | None = None
    """Where comments begin that may belong to the next item."""
    module: str = "before"
    """Where the walk is: before a module, if there is one, inside, or behind it."""
    is_over: bool = True
    """Whether the last item is."""

    @property
    def _base(self) -> int:
        return self.left + (self.module == "inside")

    def splits(self) -> bool:
        """Whether each line belongs to an item, and each symbol to one."""
        depths = [*_depths("\n".join(self.lines))]
        for number, (line, (depth, _)) in enumerate(zip(self.lines, depths, strict=False), self.first_line):
            after, is_crossed = depths[number - self.first_line + 1]
            if not self._takes(number, line, depth, after):
                return False
            if is_crossed and self.items:
                self.items[-1].broken = True
        last = self.items[-1] if self.items else None
        if last is not None and not self.is_over:
            last.broken = True
            begins = re.compile(rf"{last.indentation}[^\s/)\]}}]")
            if len([line for line in self._own(last) if begins.match(line)]) > 1:
                return False  # it is read from there
        names = Counter(each.symbol for each in self.items if each.symbol)
        return (
            self.module != "inside"
            and (last is None or last.is_function or not last.broken)
            and not self._speaks(self.gap, self.first_line + len(self.lines))
            and all(count == 1 for count in names.values())
            and not any(map(self._is_loose, self.items))
        )

    def _takes(self, number: int, line: str, depth: int, after: int) -> bool:
        """Whether LINE belongs to an item; DEPTH brackets are open before it, and AFTER behind it."""
        last = self.items[-1] if self.items else None
        if depth > self._base and last is not None and _follows(last, line):
            last.broken, self.is_over = True, True
            self.left += depth - self._base
        if depth > self._base:
            return last is not None and self._goes_on(last, number, after)
        if BLANK.match(line):
            if line.strip():
                self.gap = self.gap or number
            elif not self._speaks(self.gap, number):
                self.gap = None  # comments that say nothing to volcli, and stand apart
            return True
        if (frame := self._framed(line, after)) is not None:
            if self._speaks(self.gap, number) or (last is not None and last.broken):
                return False
            self.items.append(Item("frame", "", number, number))
            self.module, self.gap = frame, None
            return True
        item = _begun(line, self.gap or number, number)
        if item is None:
            is_continued = self.gap is None and after >= self._base and _CONTINUED.match(line) is not None
            return (
                last is not None
                and (is_continued or self._is_behind(last, number))
                and self._goes_on(last, number, after)
            )
        if after < self._base or (self.module == "behind" and item.kind != "other"):
            return False
        if last is not None and last.broken and not _follows(last, line):
            return False
        if item.kind == "other" and self._speaks(self.gap, number):
            return False  # comments about an operation further down
        self.items.append(item)
        self.gap, self.is_over = None, after == self._base
        return True

    def _framed(self, line: str, after: int) -> str | None:
        """Where the walk is behind a LINE that begins or ends the module around."""
        if self.module == "inside" and line.lstrip().startswith("}") and after == self._base - 1:
            return "behind"
        is_first = self.module == "before" and all(each.kind == "other" for each in self.items)
        return "inside" if is_first and after == 1 and _MODULE.match(line) else None

    def _is_behind(self, last: Item, number: int) -> bool:
        """Whether a line that begins nothing is what is left of the LAST item, which was closed too early."""
        if self.module != "before" or not last.is_function or self._speaks(self.gap, number):
            return False
        last.broken, self.gap = True, None
        return True

    def _goes_on(self, last: Item, number: int, after: int) -> bool:
        """Whether a line belongs to the LAST item."""
        if after < self._base:
            if self.module != "before" or not last.is_function:
                return False
            last.broken = True
            self.left += after - self._base
        last.last, self.is_over = number, after == self._base
        return True

    def _own(self, item: Item) -> Sequence[str]:
        return self.lines[item.first - self.first_line : item.last - self.first_line + 1]

    def _speaks(self, first: int | None, number: int) -> bool:
        """Whether comments that speak to volcli are in the lines from FIRST on, before that NUMBER."""
        if first is None:
            return False
        return any(map(_SPEAKS.search, self.lines[first - self.first_line : number - self.first_line]))

    def _is_loose(self, item: Item) -> bool:
        """Whether a comment in ITEM may be about what stands after it."""
        own = self._own(item)
        if not item.is_function:
            return any(map(_SPEAKS.search, own))
        for line in reversed(own):
            if not _CLOSING.match(line):
                return False
            if _SPEAKS.search(line):
                return True
        return False


def _follows(last: Item, line: str) -> bool:
    """Whether LINE begins a function as the LAST item, with the same indentation."""
    found = _INDENTED.match(line)
    return found is not None and last.is_function and last.indentation == found[1]


def _begun(line: str, first: int, number: int) -> Item | None:
    """The item that begins with LINE, or with the comments above it from the line FIRST on."""
    if (found := _FUNCTION.match(line)) is not None:
        kind = "private" if found[1] == "private" else "function"
        indented = _INDENTED.match(line)
        return Item(kind, found[2], first, number, None if indented is None else indented[1])
    if (found := _GLOBAL.match(line) or ALIAS.match(line)) is not None:
        return Item("other", found[1], number, number)
    return None


def _depths(text: str) -> Iterator[tuple[int, bool]]:
    """How many brackets are open where each line of TEXT begins, and at its end.

    With it, whether one was closed before that by a bracket of another kind.
    """
    depth, kinds, is_crossed = 0, list[str](), False
    yield depth, False
    for token in _TOKEN.finditer(text):
        character = token[0]
        if character == "\n":
            yield depth, is_crossed
            is_crossed = False
        elif character in "([{":
            depth += 1
            kinds.append(character)
        elif character in ")]}":
            depth -= 1
            is_crossed |= not kinds or kinds.pop() != _CLOSES[character]
    yield depth, is_crossed
