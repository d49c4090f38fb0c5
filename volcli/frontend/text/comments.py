"""Comments in MLIR text: where they are, and the text without them."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A `//` in a string is none, nor one in the body of an attribute or type of a dialect, `#a.b<...>`, which
# MLIR takes as it is.
_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"?|//[^\n]*?(?=\r?\n|\Z)|[#!][A-Za-z_][\w$.-]*<')
_IN_BODY = re.compile(r'"(?:\\.|[^"\\\n])*"?|->|[<\[({>\])}]')
_CLOSING = {"<": ">", "[": "]", "(": ")", "{": "}"}


def comments(text: str) -> Iterator[tuple[int, int]]:
    """The comments of TEXT, each as its first offset and the one after it.

    >>> [text[a:b] for text in ['f "//" // x'] for a, b in comments(text)]
    ['// x']
    """
    at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        at = token.end()
        if token[0].startswith("//"):
            yield token.span()
        elif token[0].endswith("<") and token[0][0] in "#!":
            at = _end_of_body(text, at)


def lines_without_comments(text: str) -> list[str | None]:
    """The lines of TEXT, each with its ending and without its comments; None where there was nothing else.

    >>> lines_without_comments("a // b\\n  // c\\n\\nd")
    ['a\\n', None, '\\n', 'd']
    """
    kept: list[str] = []
    at, commented = 0, set[int]()
    line, counted = 0, 0
    for start, end in comments(text):
        line += text.count("\n", counted, start)
        counted = start
        commented.add(line)
        kept.append(text[at:start])
        at = end
    kept.append(text[at:])
    lines = re.findall(r"[^\n]*\n|[^\n]+", "".join(kept))
    if commented and max(commented) >= len(lines):  # the last line was a comment without an ending
        lines.append("")
    return [_trimmed(each) if number in commented else each for number, each in enumerate(lines)]


def _trimmed(line: str) -> str | None:
    """LINE, of which the end was a comment."""
    content = line.rstrip()
    ending = "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""
    return content + ending if content else None


def _end_of_body(text: str, at: int) -> int:
    """The end of the body of a foreign attribute that opens before AT; AT itself if it is never closed."""
    open_brackets = [">"]
    for token in _IN_BODY.finditer(text, at):
        if token[0] in _CLOSING:
            open_brackets.append(_CLOSING[token[0]])
        elif token[0] in _CLOSING.values():
            if open_brackets.pop() != token[0]:
                return at
            if not open_brackets:
                return token.end()
    return at
