"""An open document: its text, its pieces, and places as files and as editors count them.

A file counts lines and columns from 1, columns in bytes or characters; an editor counts from 0, in the units
that it has agreed on (UTF-16, if nothing else). In between, places are lines and characters from 0.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from volcli.frontend.text.lexer import SUFFIX
from volcli.frontend.text.source import SKIPPED, SYMBOL
from volcli.gate.work.pieces import FilePiece, pieces_of

_SYMBOL = re.compile(f"{SKIPPED}|{SYMBOL}")
_DEFINES = re.compile(r"(?:\bfunc|\bglobal|\bmodule)(?:\s+(?:public|private|nested|constant))*\s+$")
VALUE = re.compile(f"%{SUFFIX}")
"""The name of a value, as rename takes it."""


@dataclass(frozen=True)
class Symbol:
    """A place in a line, characters from 0, where the text names the symbol NAME, with its @."""

    name: str
    line: int
    start: int
    end: int
    is_definition: bool


class Document:
    """A text with a version, at a path ("" if it is in no file); CODEC counts as its editor does.

    BEFORE is the document before an edit.
    """

    def __init__(
        self, uri: str, path: str, version: int, text: str, codec: PositionCodec, before: Document | None
    ) -> None:
        self.uri, self.path, self.version, self.text = uri, path, version, text
        self._codec = codec
        # Edits of which nothing was asked are one edit.
        self._before = before if before is None or "pieces" in vars(before) else before._before

    @property
    def folder(self) -> Path:
        """Where its policy is looked for."""
        return Path(self.path).parent if self.path else Path.cwd()

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, without their ends."""
        return self.text.split("\n")

    @cached_property
    def pieces(self) -> list[FilePiece]:
        """Its functions.

        Of a text that cannot be told apart, they are those before the edit, if that was in one of them;
        without such an edit, all is one piece.
        """
        found = pieces_of(self.text)
        if not found and self._before is not None:
            found = edited(self._before.pieces, self._before.lines, self.lines)
        self._before = None
        everything = 1, len(self.lines)
        return found or [FilePiece("", *everything, _digest(self.text), (everything,))]

    @cached_property
    def symbols(self) -> list[Symbol]:
        """Where its text names symbols."""
        return [*self._symbols()]

    def _symbols(self) -> Iterator[Symbol]:
        for number, line in enumerate(self.lines):
            for match in _SYMBOL.finditer(line):
                if match[0].startswith("@"):
                    is_definition = _DEFINES.search(line, 0, match.start()) is not None
                    yield Symbol(match[0], number, *match.span(), is_definition)

    # Places

    def range(self, line: int, start: int, end: int, last: int | None = None) -> types.Range:
        """The characters from START in LINE to END in LAST, or in LINE, as the editor counts them."""
        begins = types.Position(line, start)
        return self._codec.range_to_client_units(
            self.lines, types.Range(begins, types.Position(line if last is None else last, end))
        )

    def position(self, at: types.Position) -> tuple[int, int]:
        """The line and the character of a place that the editor counts."""
        found = self._codec.position_from_client_units(self.lines, at)
        return found.line, found.character

    def character(self, line: int, column: int) -> int:
        """The character, from 0, of a COLUMN in bytes, from 1."""
        if line >= len(self.lines):
            return 0
        return len(self.lines[line].encode("utf-8", "surrogatepass")[: column - 1].decode(errors="ignore"))

    def word_end(self, line: int, start: int) -> int:
        """Where the word or the name ends that begins at a character."""
        text = self.lines[line] if line < len(self.lines) else ""
        match = re.compile(r"[%@#!^]?[\w$.-]*").match(text, start)
        return max(start + 1, start if match is None else match.end())


def edited(
    pieces: Sequence[FilePiece], before: Sequence[str], after: Sequence[str]
) -> list[FilePiece] | None:
    """PIECES of the lines BEFORE an edit as those of the lines AFTER it; None if it is not within one piece.

    >>> pieces = pieces_of("func.func @f() {\\n}\\nfunc.func @g() {\\n}") or []
    >>> after = ["func.func @f() {", "(", "}", "func.func @g() {", "}"]
    >>> found = edited(pieces, [after[0], *after[2:]], after) or []
    >>> [(each.symbol, each.first, each.last, each.read) for each in found]
    [('@f', 1, 3, ((1, 3),)), ('@g', 4, 5, ((4, 5),))]
    """
    first = alike(before, after)
    last = len(before) - alike(before[first:][::-1], after[first:][::-1])
    changed = next((each for each in pieces if each.first <= first + 1 and last <= each.last), None)
    if changed is None:
        return None
    more = len(after) - len(before)
    own = changed.first, changed.last + more
    text = "\n".join(after[own[0] - 1 : own[1]])

    def moved(lines: tuple[int, int]) -> tuple[int, int]:
        if lines == (changed.first, changed.last):
            return own
        return (lines[0] + more, lines[1] + more) if lines[0] > changed.last else lines

    found: list[FilePiece] = []
    for each in pieces:
        begin, end = moved((each.first, each.last))
        key = _digest(each.key + text) if (changed.first, changed.last) in each.read else each.key
        found.append(replace(each, first=begin, last=end, key=key, read=tuple(map(moved, each.read))))
    return found


def alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines ONE and OTHER have in common at their beginnings."""
    unlike = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(unlike, min(len(one), len(other)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
