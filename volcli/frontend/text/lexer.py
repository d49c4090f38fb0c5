"""The lexer: MLIR's tokens by one regular expression; an error in the text is a token, not an exception."""

from __future__ import annotations

import re

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import KIND_BY_PUNCTUATION_SPELLING, MLIRLexer, MLIRToken, MLIRTokenKind

SUFFIX = r"(?:[0-9]++|[a-zA-Z$._-][a-zA-Z0-9$._-]*+)"
_STRING = r'"[^"\\\n\v\f]*+"'  # without escapes: xDSL's lexer decodes those

# As MLIR and unlike xDSL, a carriage return ends a comment too.
BLANK = r"(?:[ \t\n\r\f\v]++|//[^\n\r]*+)*+"

_GROUPS: tuple[tuple[MLIRTokenKind | None, str], ...] = (
    (None, r"->|[:,()}\[\]<>=+*?|/-]|\{(?!-\#)"),
    (MLIRTokenKind.PERCENT_IDENT, f"%{SUFFIX}"),
    (MLIRTokenKind.BARE_IDENT, r"[a-zA-Z_][a-zA-Z0-9_$.]*+"),
    (MLIRTokenKind.FLOAT_LIT, r"[0-9]++\.[0-9]*+(?:[eE][+-]?[0-9]++)?"),
    (MLIRTokenKind.INTEGER_LIT, r"0x[0-9a-fA-F]++|[0-9]++"),
    (MLIRTokenKind.STRING_LIT, _STRING),
    (MLIRTokenKind.HASH_IDENT, rf"\#(?!-\}}){SUFFIX}"),
    (MLIRTokenKind.AT_IDENT, rf"@(?:[a-zA-Z_][a-zA-Z0-9_$.]*+|{_STRING})"),
    (MLIRTokenKind.CARET_IDENT, rf"\^{SUFFIX}"),
    (MLIRTokenKind.EXCLAMATION_IDENT, f"!{SUFFIX}"),
)
_SPACE = re.compile(BLANK)
_TOKEN = re.compile(BLANK + "(?:" + "|".join(f"({pattern})" for _, pattern in _GROUPS) + ")")
_KINDS = (MLIRTokenKind.EOF, *(kind for kind, _ in _GROUPS))


class LexedToken(Token[MLIRTokenKind, str]):
    """A token that knows its text and where it begins; its span is made when someone asks."""

    __slots__ = ("_input", "start", "text")

    def __init__(self, kind: MLIRTokenKind, text: str, start: int, source: Input[str]) -> None:
        self.kind = kind
        self.text = text  # pyright: ignore[reportIncompatibleMethodOverride, reportAttributeAccessIssue]
        self.start = start
        self._input = source

    @property
    def end(self) -> int:
        """The offset after the token."""
        return self.start + len(self.text)

    @property
    def span(self) -> Span[str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return Span(self.start, self.start + len(self.text), self._input)


def first_token(text: str, position: int) -> tuple[int, int]:
    """Where the next token after a position begins and ends; twice the position for a rare token."""
    match = _TOKEN.match(text, position)
    return (position, position) if match is None else match.span(match.lastindex or 0)


def skip_blank(text: str, position: int) -> int:
    """The offset after white space and comments."""
    match = _SPACE.match(text, position)
    return position if match is None else match.end()


class Lexer(MLIRLexer):
    """MLIR's tokens; text that is not a token becomes an EOF token that is not empty, with a message.

    The parser looks one token ahead: an exception here would blame the operation that ends before the
    unreadable text. As a token, it fails whoever wants to read it, and nobody accepts EOF.
    """

    _whitespace_regex = _SPACE

    # xDSL's expression without possessive quantifiers takes exponential time on a string that never ends.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    error: ParseError | None = None
    """What is wrong with the text of the latest error token."""

    def lex(self) -> MLIRToken:
        match = _TOKEN.match(self.input.content, self.pos)
        if match is None:
            return self._lex_rare()
        self.pos = match.end()
        group = match.lastindex or 0
        text = match[group]
        kind = _KINDS[group] or KIND_BY_PUNCTUATION_SPELLING[text]
        return LexedToken(kind, text, self.pos - len(text), self.input)

    def _lex_rare(self) -> MLIRToken:
        """The end of the text, strings with escapes, `...`, `{-#`, `#-}`, and text that is not a token."""
        try:
            token = super().lex()
        except (ParseError, ValueError) as error:
            return self._error_token(error)
        return LexedToken(token.kind, token.text, token.span.start, self.input)

    def _error_token(self, error: ParseError | ValueError) -> MLIRToken:
        self.pos = start = error.span.start if isinstance(error, ParseError) else max(self.pos - 1, 0)
        text = self.input.content
        message = f"unexpected character {text[start : start + 1]!r}"
        if text.startswith('"', start) or text.startswith('@"', start):
            message = "this string is not closed on its line, or holds an unknown escape"
        span = Span(start, min(start + 1, len(text)), self.input)
        self.error = ParseError(span, message)
        return Token(MLIRTokenKind.EOF, span)
