"""An open document: its text, its pieces, and places as files and as editors count them.

A file counts lines and columns from 1, columns in bytes or characters; an editor counts from 0, in the units
that it has agreed on (UTF-16, if nothing else). In between, places are lines and characters from 0.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from volcli.frontend.text.lexer import SUFFIX
from volcli.gate.work.pieces import FilePiece, pieces_of

_SYMBOL = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|@(?:[\w$.-]+|"(?:[^"\\\n]|\\.)*")')
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
    """A text with a version, at a path ("" if it is in no file); CODEC counts as its editor does."""

    def __init__(self, uri: str, path: str, version: int, text: str, codec: PositionCodec) -> None:
        self.uri, self.path, self.version, self.text = uri, path, version, text
        self._codec = codec

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
        """Its functions; a text that cannot be told apart is one piece."""
        if found := pieces_of(self.text):
            return found
        key = hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
        everything = 1, len(self.lines)
        return [FilePiece("", *everything, key, (everything,))]

    def piece_at(self, line: int) -> FilePiece | None:
        """The piece in which LINE, from 0, is."""
        return next((each for each in self.pieces if each.first <= line + 1 <= each.last), None)

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
