"""The lexer: xDSL's, but an error in the text is a token, not an exception."""

from __future__ import annotations

import re

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span, Token
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind


class Lexer(MLIRLexer):
    """MLIR's tokens; text that is no token becomes an EOF token that is not empty, with a message.

    The parser looks one token ahead: an exception here would blame the operation that ends before the
    unreadable text. As a token, it fails whoever wants to read it, and nobody accepts EOF.
    """

    # As MLIR and unlike xDSL, a carriage return ends a comment too.
    _whitespace_regex = re.compile(r"(?:[ \t\n\r\f\v]++|//[^\n\r]*+)*+")

    # xDSL's expression without possessive quantifiers takes exponential time on a string that never ends.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    error: ParseError | None = None
    """What is wrong with the text of the latest error token."""

    def lex(self) -> MLIRToken:
        try:
            return super().lex()
        except (ParseError, ValueError) as error:
            return self._error_token(error)

    def _error_token(self, error: ParseError | ValueError) -> MLIRToken:
        self.pos = start = error.span.start if isinstance(error, ParseError) else max(self.pos - 1, 0)
        text = self.input.content
        message = f"unexpected character {text[start : start + 1]!r}"
        if text.startswith('"', start) or text.startswith('@"', start):
            message = "this string is not closed on its line, or holds an unknown escape"
        span = Span(start, min(start + 1, len(text)), self.input)
        self.error = ParseError(span, message)
        return Token(MLIRTokenKind.EOF, span)
