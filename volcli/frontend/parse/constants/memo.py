"""Types and attributes are parsed once for each text that spells them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.frontend.text.lexer import LexedToken, first_token
from volcli.frontend.text.tokens import TokenParser
from volcli.limits import frontend as limits

_END = r"(?![\w.$])"
_NAME = r"[A-Za-z_][\w.$]*+"

# In angle brackets, at most two deep; a string or a minus sign is left to the parser, `->` is not a bracket.
_INNER = r"<(?:[^<>\"-]|->)*+>"
_BRACKETS = rf"<(?:[^<>\"-]|->|<(?:[^<>\"-]|->|{_INNER})*+>)*+>"
_TYPE_TEXT = rf"(?:tensor|memref|vector){_BRACKETS}|!{_NAME}(?:{_BRACKETS}|(?!\s*<))"
_SCALAR_TYPE_TEXT = rf"(?:index|[su]?i[0-9]+|b?f[0-9]+|tf32){_END}"

_TYPE = re.compile(_TYPE_TEXT, re.ASCII)
_ATTRIBUTE = re.compile(
    rf"""[0-9][0-9.eE+-]*\ :\ {_SCALAR_TYPE_TEXT}
      | 0x[0-9A-Fa-f]+\ :\ {_SCALAR_TYPE_TEXT}
      | array<i[0-9]+(?::[-0-9,\ ]++)?>
      | (?:dense|dense_resource)<[^<>"]{{0,200}}+>\ :\ (?:{_TYPE_TEXT})
      | affine_map<(?:[^<>-]|->?)*+>
      | affine_set<(?:[^<>-]|->?|[<>]=)*+>
      | \[[^][(){{}}<>]{{0,200}}+\]
      | {_TYPE_TEXT}""",
    re.VERBOSE | re.ASCII,
)  # fmt: skip

_SCALAR_TYPE = re.compile(_SCALAR_TYPE_TEXT, re.ASCII)
_BRACKETED = frozenset(("tensor", "memref", "vector"))
_BEGINS_TYPE = frozenset((MLIRTokenKind.BARE_IDENT, MLIRTokenKind.EXCLAMATION_IDENT))
_BEGINS_ATTRIBUTE = frozenset((MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.FLOAT_LIT, MLIRTokenKind.L_SQUARE))


T = TypeVar("T")


class MemoParser(TokenParser):
    """A parser that looks a type's or attribute's text up before it parses it.

    Attributes are immutable, aliases are never defined twice, and a text is parsed only if it is complete in
    itself: so the same text is the same attribute, wherever it stands in one file. Texts that none of the
    expressions above matches are parsed each time.
    """

    def remember_texts(self) -> None:
        """Begin with an empty memory; a part of the initialisation."""
        self._types_by_text: dict[str, Any] = {}
        self._scalars: dict[str, Any] = {}
        self._attributes_by_text: dict[str, Any] = {}

    def parse_optional_type(self) -> Any:
        state = self._parser_state
        token = state.current_token
        found = self._scalars.get(token.text)
        if found is not None:
            state.current_token = state.lexer.lex()
            return found
        if token.text in _BRACKETED or token.kind is MLIRTokenKind.EXCLAMATION_IDENT:
            return self._remembered(_TYPE, self._types_by_text, super().parse_optional_type)
        found: Any = super().parse_optional_type()
        if _SCALAR_TYPE.fullmatch(token.text):
            width = getattr(cast("Any", found), "bitwidth", 0) if isinstance(found, IntegerType) else 0
            if width > limits.INTEGER_BITS:
                raise ParseError(token.span, f"integer bitwidth is limited to {limits.INTEGER_BITS} bits")
            self._scalars[token.text] = found
        return cast("Any", found)

    def parse_type(self) -> Any:
        found = self.parse_optional_type()
        if found is None:
            self.raise_error("type expected")
        return found

    def parse_attribute(self) -> Attribute:
        found = self.parse_optional_attribute()
        if found is None:
            self.raise_error("attribute expected")
        return found

    def parse_optional_attribute(self) -> Attribute | None:
        kind = self._parser_state.current_token.kind
        if kind in _BEGINS_TYPE:
            found = self._scalars.get(self._parser_state.current_token.text)
            if found is not None:
                self._consume_token()
                return found
        elif kind not in _BEGINS_ATTRIBUTE:
            return super().parse_optional_attribute()
        return self._remembered(_ATTRIBUTE, self._attributes_by_text, super().parse_optional_attribute)

    def _remembered(
        self, pattern: re.Pattern[str], memory: dict[str, T], parse: Callable[[], T | None]
    ) -> T | None:
        state = self._parser_state
        text = state.lexer.input.content
        start = self.pos
        match = pattern.match(text, start)
        if match is None:
            return parse()
        key = match[0]
        found = memory.get(key)
        if found is not None:
            state.lexer.pos = match.end()
            state.current_token = state.lexer.lex()
            return found
        value = parse()
        # Only if exactly the matched text was consumed: the next token is the first one after it.
        token = state.current_token
        if (
            value is not None
            and isinstance(token, LexedToken)
            and first_token(text, match.end()) == (token.start, token.end)
        ):
            memory[key] = value
        return value
