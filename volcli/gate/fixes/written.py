"""Where operations stand in the text: from the first token of their results to their last token.

Parsed operations know the place of their name. Before it stand the names of the results, `%a, %b:2 =`, which
are read backwards. An operation ends with the last token before its next neighbour, or before the bracket
that closes the region around it. Space and comments between operations belong to none.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import NamedTuple

from xdsl.ir import Operation
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.frontend.parse.parser import ParsedModule
from volcli.frontend.text.comments import comments
from volcli.frontend.text.lexer import Lexer
from volcli.gate.findings.fix import Edit

_OPENING, _CLOSING = ("(", "{", "["), (")", "}", "]")
_NAMES = (MLIRTokenKind.BARE_IDENT, MLIRTokenKind.STRING_LIT)


class TextToken(NamedTuple):
    """A token with its offsets in the text."""

    kind: MLIRTokenKind
    text: str
    start: int
    end: int


class Extent(NamedTuple):
    """The tokens from `first` to `last` (numbers in the text), and the offsets that they reach from and to.

    `name` is the token that names the operation.
    """

    first: int
    last: int
    start: int
    end: int
    name: int


class WrittenText:
    """The text of a chunk, PARSED, as tokens, lines and operations."""

    def __init__(self, parsed: ParsedModule) -> None:
        self._parsed = parsed
        self.text = parsed.source.text
        self._extents: dict[Operation, Extent | None] = {}

    @cached_property
    def tokens(self) -> list[TextToken]:
        """All tokens of the text, without those of a line from one on that cannot be read."""
        lexer = Lexer(Input(self.text, self._parsed.source.name))
        found: list[TextToken] = []
        while True:
            token = lexer.lex()
            start = token.span.start
            if token.kind is not MLIRTokenKind.EOF:
                found.append(TextToken(token.kind, token.text, start, start + len(token.text)))
            elif (end := self.text.find("\n", start)) >= 0:
                lexer.pos = end
            else:
                return found

    @cached_property
    def _starts(self) -> list[int]:
        return [each.start for each in self.tokens]

    @cached_property
    def _lines(self) -> list[int]:
        """The offset at which each line of the chunk begins."""
        found = [0]
        for line in self.text.split("\n"):
            found.append(found[-1] + len(line) + 1)
        return found

    @cached_property
    def comments(self) -> list[tuple[int, int]]:
        """Where comments begin and end."""
        return list(comments(self.text))

    def offset(self, line: int, column: int) -> int:
        """The offset of a LINE and a COLUMN in bytes of the file."""
        source = self._parsed.source
        at = self._lines[line - source.first_line]
        if line == source.first_line:
            column -= source.first_column - 1
        end = self.text.find("\n", at)
        content = self.text[at : len(self.text) if end < 0 else end]
        return at + len(content.encode()[: column - 1].decode(errors="ignore"))

    def edit(self, start: int, end: int, text: str = "") -> Edit:
        """TEXT in the place of what is between two offsets."""
        return Edit(*self._place(start), *self._place(end), text)

    def _place(self, offset: int) -> tuple[int, int]:
        source = self._parsed.source
        line = self.text.count("\n", 0, offset)
        column = offset - self._lines[line] + 1 + (source.first_column - 1 if line == 0 else 0)
        return line + source.first_line, column

    def extent(self, op: Operation) -> Extent | None:
        """Where OP stands; None if it is not written here in a way that shows where it ends."""
        if op not in self._extents:
            self._extents[op] = self._found(op)
        return self._extents[op]

    def _found(self, op: Operation) -> Extent | None:
        name = self._name_of(op)
        if name is None:
            return None
        first = self._first(op, name)
        after = self._after(op, name)
        if first is None or after is None:
            return None
        last = after - 1
        return Extent(first, last, self.tokens[first].start, self.tokens[last].end, name)

    def _name_of(self, op: Operation) -> int | None:
        """The token that names OP."""
        place = self._parsed.written_at(op)
        source = self._parsed.source
        if self._parsed.is_taken_over(op) or place.file != source.name or op.parent is None:
            return None
        if not 0 <= place.line - source.first_line < len(self._lines) - 1:
            return None
        start = self.offset(place.line, place.column)
        at = bisect_left(self._starts, start)
        if at == len(self.tokens) or self._starts[at] != start or self.tokens[at].kind not in _NAMES:
            return None
        written, whole = self.tokens[at].text.strip('"'), op.name
        return at if written == whole or whole.endswith("." + written) else None

    def _first(self, op: Operation, name: int) -> int | None:
        """The first token of OP, whose NAME is known: `%a` in `%a, %b:2 = name`."""
        if not op.results or name == 0 or self.tokens[name - 1].text != "=":
            return None if op.results else name
        at = name - 1
        while True:
            at -= 1
            if (
                at >= 2
                and self.tokens[at].kind is MLIRTokenKind.INTEGER_LIT
                and self.tokens[at - 1].text == ":"
            ):
                at -= 2
            if at < 0 or self.tokens[at].kind is not MLIRTokenKind.PERCENT_IDENT:
                return None
            if at == 0 or self.tokens[at - 1].text != ",":
                return at
            at -= 1

    def _after(self, op: Operation, name: int) -> int | None:
        """The number of the token after OP."""
        if (extent := self._parsed.extents.get(op)) is not None:
            return bisect_left(self._starts, extent[1])
        following = op.next_op
        while following is not None:
            at = self._name_of(following)
            if at is not None and at > name:
                return self._first(following, at)
            if at is None and following.next_op is not None:
                return None
            following = following.next_op
        depth = 0
        for at in range(name, len(self.tokens)):
            text = self.tokens[at].text
            if text in _OPENING:
                depth += 1
            elif text in _CLOSING:
                depth -= 1
            if depth < 0 or (depth == 0 and self.is_label(at)):
                return at
        return len(self.tokens) if depth == 0 else None

    def closing(self, opening: int) -> int:
        """The bracket that closes the one at OPENING; the last token if there is none."""
        depth = 0
        for at in range(opening, len(self.tokens)):
            depth += (self.tokens[at].text in _OPENING) - (self.tokens[at].text in _CLOSING)
            if depth == 0:
                return at
        return len(self.tokens) - 1

    def is_label(self, at: int) -> bool:
        """Whether a block begins with the token AT: `^name:` or `^name(%a: type):`."""
        if self.tokens[at].kind is not MLIRTokenKind.CARET_IDENT or at + 1 == len(self.tokens):
            return False
        end = self.closing(at + 1) + 1 if self.tokens[at + 1].text == "(" else at + 1
        return end < len(self.tokens) and self.tokens[end].text == ":"

    def bodies(self, extent: Extent) -> list[tuple[int, int]]:
        """The tokens `{` and `}` of what stands in braces in EXTENT, and not in other brackets."""
        found: list[tuple[int, int]] = []
        depth, opened = 0, extent.name
        for at in range(extent.name, extent.last + 1):
            text = self.tokens[at].text
            if text in _OPENING:
                if depth == 0:
                    opened = at
                depth += 1
            elif text in _CLOSING:
                depth -= 1
                if depth == 0 and text == "}":
                    found.append((opened, at))
        return found
