"""xDSL's way through the tokens, without the layers of calls that it makes for each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from xdsl.parser import Parser
from xdsl.utils.mlir_lexer import KIND_BY_PUNCTUATION_SPELLING, MLIRToken, MLIRTokenKind

from volcli.frontend.text.lexer import LexedToken

_NO_PUNCTUATION: Any = object()  # the kind of a spelling that is none: no token has it
_KIND_OF: dict[str, Any] = dict(KIND_BY_PUNCTUATION_SPELLING)

T = TypeVar("T")


class TokenParser(Parser):
    """The same methods with the same answers as xDSL's, each one step from the lexer.

    Two thirds of the time that xDSL takes for a file are calls of these methods: a comma costs ten of them.
    """

    def _consume_token(self, expected_kind: MLIRTokenKind | None = None) -> MLIRToken:
        state = self._parser_state
        token = state.current_token
        assert expected_kind is None or token.kind is expected_kind
        state.current_token = state.lexer.lex()
        return token

    def _parse_optional_token(self, expected_kind: MLIRTokenKind) -> MLIRToken | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            return None
        state.current_token = state.lexer.lex()
        return token

    def _parse_token(self, expected_kind: MLIRTokenKind, error_msg: str) -> MLIRToken:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            self.raise_error(error_msg, token.span)
        state.current_token = state.lexer.lex()
        return token

    def parse_optional_punctuation(self, punctuation: Any) -> Any:
        state = self._parser_state
        if state.current_token.kind is not _KIND_OF.get(punctuation, _NO_PUNCTUATION):
            return None
        state.current_token = state.lexer.lex()
        return punctuation

    def parse_punctuation(self, punctuation: Any, context_msg: str = "") -> Any:
        state = self._parser_state
        if state.current_token.kind is not _KIND_OF.get(punctuation, _NO_PUNCTUATION):
            self.raise_error(f"Expected '{punctuation}'{context_msg}", state.current_token.span)
        state.current_token = state.lexer.lex()
        return punctuation

    def parse_optional_characters(self, text: str) -> str | None:
        state = self._parser_state
        if state.current_token.text != text:
            return None
        state.current_token = state.lexer.lex()
        return text

    def parse_comma_separated_list(
        self, delimiter: Any, parse: Callable[[], T], context_msg: str = ""
    ) -> list[T]:
        brackets = delimiter.value
        if brackets is not None:
            self.parse_characters(brackets[0], context_msg)
            if self.parse_optional_characters(brackets[1]) is not None:
                return []
        elements = [parse()]
        while self.parse_optional_characters(",") is not None:
            elements.append(parse())
        if brackets is not None:
            self.parse_characters(brackets[1], context_msg)
        return elements

    def parse_optional_keyword(self, keyword: str) -> str | None:
        state = self._parser_state
        token = state.current_token
        if token.text != keyword or token.kind is not MLIRTokenKind.BARE_IDENT:
            return None
        state.current_token = state.lexer.lex()
        return keyword

    @property
    def pos(self) -> int:
        token = self._parser_state.current_token
        return token.start if isinstance(token, LexedToken) else token.span.start
