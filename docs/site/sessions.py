"""Sessions in a terminal for Pygments: whose own lexer takes the `%` of values for a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments import token
from pygments.lexer import Lexer

from volcli.frontend.text.words import words

__all__ = ["Session"]  # Pygments asks for it

_KINDS = {
    "variable": token.Name.Variable,
    "function": token.Name.Function,
    "type": token.Keyword.Type,
    "comment": token.Comment,
}


class Session(Lexer):
    """Commands behind `$ `, and what they print, in which what can only be MLIR has its colours."""

    name = "Session with volcli"
    aliases: ClassVar = ["volcli-session"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """The prompt and the rest of a line with a command; the words of a line of output."""
        at = 0
        for line in text.splitlines(keepends=True):
            if line.startswith("$ "):
                yield at, token.Generic.Prompt, "$ "
                yield at + 2, token.Text, line[2:]
            else:
                for start, kind, word in _output(line):
                    yield at + start, kind, word
            at += len(line)


def _output(line: str) -> Iterator[tuple[int, Any, str]]:
    """The words of LINE; a comment fills it, or `//` is a part of an address."""
    at = 0
    for start, end, kind in words(line):
        if kind not in _KINDS or (kind == "comment" and line[:start].strip()):
            continue
        yield at, token.Generic.Output, line[at:start]
        yield start, _KINDS[kind], line[start:end]
        at = end
    yield at, token.Generic.Output, line[at:]


SESSION = ("docs.site.sessions", Session.name, tuple(Session.aliases), (), ())
"""How Pygments knows it, and loads it when it is asked for."""
