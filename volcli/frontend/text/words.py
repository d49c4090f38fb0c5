"""What each word of MLIR text is, by its spelling alone: for editors and colours, also in broken text."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ELEMENT = r"(?:index|none|[su]?i\d+|tf32|b?f\d+\w*)"
_WORDS = re.compile(
    r"(?P<comment>//[^\n]*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<variable>%[\w$.-]+(?:[:#]\d+)?)"
    r"|(?P<function>@(?:[\w$.-]+|\"[^\"\n]*\"))"
    r"|(?P<type>![\w$.-]+"
    rf"|\b(?:tensor|memref|vector|complex|tuple)\b(?!\.)(?:<(?:(?:\d+|\?|\*|\[\d+\])x)*{_ELEMENT}?)?"
    rf"|\b{_ELEMENT}\b(?=[<,>)\s:x]|$))"
    r"|(?P<macro>#[A-Za-z_][\w$.-]*)"
    r"|(?P<label>\^[\w$.-]+)"
    r"|(?P<number>\b(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\b)"
    r"|(?P<keyword>\b[a-z_]\w*(?:\.\w+)+\b|\b(?:module|return|to|step|ins|outs|iter_args|attributes)\b)"
)
KINDS = ("comment", "string", "variable", "function", "type", "macro", "label", "number", "keyword")
"""What a word can be, in the words of the language server protocol."""


def words(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each word of TEXT begins and ends, and its kind; what is none of `KINDS` is left out.

    >>> list(words("%x = arith.negf %y : f32"))
    [(0, 2, 'variable'), (5, 15, 'keyword'), (16, 18, 'variable'), (21, 24, 'type')]
    """
    for match in _WORDS.finditer(text):
        if match.lastgroup is not None:
            yield match.start(), match.end(), match.lastgroup
