"""How far a known finding goes: whether that of an earlier run is still the same, or has grown or moved.

A finding is known again by its operation, and what it says of that may be another thing now, since what it
depends on has changed elsewhere: a load that read one element before it was written reads nine. What counts
of a message are its numbers and sets. Its words may be others in another version of volcli, and names and
lines in a program that somebody has renamed or moved.

>>> extent("reads %a[8], element { [d0 = 8] }") == extent("'x.load' op reads %b[8]: { [d0 = 8] } (line 7)")
True
>>> extent("elements { [d0 = 8] }") == extent("elements { [d0] : 0 <= d0 <= 8 }")
False
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from volcli.gate.findings.grounds import without_names

_PLACE = re.compile(r"\blines? \d+(?::\d+)?|[^\s:]*:?\b\d+:\d+\b")
_SYMBOL = re.compile(r"@(\"[^\"]*\"|[\w$.-]*[\w$-])")
_SET = re.compile(r"(?:\[[\w, ]*\] -> )?\{[^{}]*\}")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OF_ISL = frozenset(("and", "or", "not", "mod", "floor", "exists", "floord"))


def without_places(message: str) -> str:
    """MESSAGE without lines and columns, which move."""
    return _PLACE.sub("", message)


def extent(message: str) -> tuple[str, ...]:
    """The sets of MESSAGE, with parameters by their order, and the numbers between them."""
    text = without_names(without_places(message))
    found: list[str] = []
    at = 0
    for points in _SET.finditer(text):
        found += _NUMBER.findall(text, at, points.start())
        found.append(_by_order(points[0]))
        at = points.end()
    return (*found, *_NUMBER.findall(text, at))


def _by_order(points: str) -> str:
    """The text of a set with its names as numbers."""
    known: dict[str, str] = {}
    return _WORD.sub(
        lambda one: one[0] if one[0] in _OF_ISL else known.setdefault(one[0], f"x{len(known)}"), points
    )


class Told(Protocol):
    """A finding of some run: its file, its key (`V203 @f %m`), and its message."""

    @property
    def file(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def message(self) -> str: ...


@dataclass(frozen=True)
class KnownFunctions:
    """Which functions each file is known to have had, and to have; a file that is gone has none now."""

    before: defaultdict[str, set[str]]
    now: defaultdict[str, set[str]]

    @classmethod
    def of(cls, before: Iterable[tuple[str, str]], now: Iterable[tuple[str, str]]) -> KnownFunctions:
        """Those of pairs of a file and a function."""
        found = cls(defaultdict(set), defaultdict(set))
        for pairs, functions in ((before, found.before), (now, found.now)):
            for file, function in pairs:
                functions[file].add(function)
        return found

    def origin(self, old: Told, new: Told) -> str | None:
        """Where OLD was, if NEW is in another function or file than that; None if that has another name only.

        A file that is gone, or a function that is, while the new one was not there, has been renamed.
        """
        function = function_of(old.key)
        if old.file != new.file and old.file in self.now:
            return f"@{function} of {old.file}" if function else old.file
        return None if self._are_same(old, new, [function], [function_of(new.key)]) else f"@{function}"

    def mentions_others(self, old: Told, new: Told) -> bool:
        """Whether the message of NEW is about other functions than that of OLD, as the one that is called."""
        return not self._are_same(old, new, _SYMBOL.findall(old.message), _SYMBOL.findall(new.message))

    def _are_same(self, old: Told, new: Told, before: Sequence[str], now: Sequence[str]) -> bool:
        """Whether functions of the file of OLD are those that the file of NEW has NOW, perhaps renamed."""
        return len(before) == len(now) and all(
            one == other or (one not in self.now[new.file] and other not in self.before[old.file])
            for one, other in zip(before, now, strict=True)
        )


def function_of(key: str) -> str:
    """The function in the KEY of a finding, "" for none.

    >>> function_of("V203 @f %m[%i] #1"), function_of("V103 file")
    ('f', '')
    """
    found = re.match(r"V\d+ @(\S+) ", key)
    return "" if found is None else found[1]
