"""Where a name is defined and used, and what it becomes: of values in their function, of symbols anywhere."""

from __future__ import annotations

import re

from lsprotocol import types

from volcli.lsp.documents import VALUE, Document
from volcli.lsp.notes import Notes
from volcli.lsp.shown import occurrence_at

_SYMBOL = re.compile(r"@[A-Za-z_][\w$.]*")


class NotRenamedError(Exception):
    """Why a name cannot become another one."""


class Named:
    """The places of one name: those that DOCUMENT has of what stands at a character of LINE, from 0."""

    def __init__(self, document: Document, notes: Notes, line: int, character: int) -> None:
        self.name, self.here = "", None
        self.definitions: list[types.Range] = []
        self.uses: list[types.Range] = []
        self._others: set[str] = set()
        if (named := occurrence_at(notes, line, character)) is not None:
            self._of_value(document, notes, named.value)
            self.name = named.name.partition("#")[0]
            self.here = document.range(line, named.start, named.end)
            return
        for symbol in document.symbols:
            if symbol.line == line and symbol.start <= character <= symbol.end:
                self.name, self.here = symbol.name, document.range(line, symbol.start, symbol.end)
        for symbol in document.symbols if self.name else ():
            if symbol.name == self.name:
                place = document.range(symbol.line, symbol.start, symbol.end)
                (self.definitions if symbol.is_definition else self.uses).append(place)
            self._others.add(symbol.name)

    def _of_value(self, document: Document, notes: Notes, value: int) -> None:
        for each in notes.occurrences:
            if each.value == value:
                place = document.range(each.line - 1, each.start, each.end)
                (self.definitions if each.is_definition else self.uses).append(place)
            self._others.add(each.name.partition("#")[0])

    def edits(self, new: str) -> list[types.TextEdit]:
        """What makes the name NEW. Raises NotRenamedError.

        NEW may lack its sign, and may be no other name of the function, or of the document.
        """
        if not self.definitions:
            raise NotRenamedError(f"the definition of {self.name} is not in this document")
        sign = self.name[0]
        new = new if new.startswith(sign) else sign + new
        if not (VALUE if sign == "%" else _SYMBOL).fullmatch(new):
            raise NotRenamedError(f"{new} is not a name")
        if new != self.name and new in self._others:
            raise NotRenamedError(f"{new} is another name here")
        return [types.TextEdit(place, new) for place in (*self.definitions, *self.uses)]
