"""MLIR for Pygments, which finds this lexer as `mlir`: in terminals, notebooks and documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pygments import token
from pygments.lexer import Lexer

from volcli.frontend.text.words import words

_KINDS: Mapping[str, Any] = {
    "comment": token.Comment.Single,
    "string": token.String,
    "variable": token.Name.Variable,
    "function": token.Name.Function,
    "type": token.Keyword.Type,
    "macro": token.Name.Attribute,
    "label": token.Name.Label,
    "number": token.Number,
    "keyword": token.Keyword,
}


class MlirLexer(Lexer):
    """The words of MLIR text.

    >>> [text for kind, text in MlirLexer().get_tokens("return %x : f32") if kind in token.Name]
    ['%x']
    """

    name = "MLIR"
    aliases: ClassVar = ["mlir"]
    filenames: ClassVar = ["*.mlir"]
    url = "https://mlir.llvm.org/docs/LangRef/"

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Each word, and what is between words."""
        at = 0
        for start, end, kind in words(text):
            if at < start:
                yield at, token.Text, text[at:start]
            yield start, _KINDS[kind], text[start:end]
            at = end
        if at < len(text):
            yield at, token.Text, text[at:]
