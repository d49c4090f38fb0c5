"""Annotations: `// volcli:` lines in the user's own text, or in that text without its comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from volcli.frontend.text.comments import lines_without_comments
from volcli.frontend.text.directives import spoken

_MARK = "// volcli:"
_INDENT = re.compile(r"[ \t]*")


def _line_ending(line: str, default: str) -> str:
    if line.endswith("\r\n"):
        return "\r\n"
    return "\n" if line.endswith("\n") else default


def annotate(text: str, annotations: Mapping[int, Sequence[str]], *, comments: bool = True) -> str:
    """The text with each annotation on a line of its own above the line it is about.

    `annotations` maps a line of `text` (from 1, counted with the annotations that `text` already has) to
    what is said above it. Older annotations are removed, and all other comments too if not COMMENTS.
    Indentation and line endings follow the line below.

    >>> print(annotate("a\\n  // volcli: old\\n  b\\n", {3: ["new"]}), end="")
    a
      // volcli: new
      b
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    result: list[str] = []
    for number, line in _kept(text) if comments else _bare(text):
        if said := annotations.get(number):
            indent = _INDENT.match(line)
            prefix = f"{indent.group() if indent else ''}{_MARK} "
            own_ending = _line_ending(line, ending)
            lines = [part for statement in said for part in statement.splitlines()]
            result += [f"{prefix}{part}".rstrip() + own_ending for part in lines]
        result.append(line)
    return "".join(result)


def _kept(text: str) -> Iterator[tuple[int, str]]:
    """The lines of TEXT with their numbers, but for older annotations."""
    # Only "\\n" ends a line: see Source.
    for number, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+", text), start=1):
        if not _is_annotation(line):
            yield number, line


def _is_annotation(line: str) -> bool:
    """Whether LINE is an older annotation; what a user asks of `volcli check`, if only nearly, stays."""
    comment = line.lstrip(" \t")
    return comment.startswith(_MARK) and spoken(comment.rstrip("\r\n")) is None


def _bare(text: str) -> Iterator[tuple[int, str]]:
    """The lines of TEXT without comments, with their numbers; of the empty lines around one, the first."""
    blank, dropped = True, False
    for number, line in enumerate(lines_without_comments(text), start=1):
        if line is None:
            dropped = True
        elif line.strip() or not (blank and dropped):
            blank, dropped = not line.strip(), False
            yield number, line


def strip_annotations(text: str) -> str:
    """The text without its `// volcli:` lines.

    >>> strip_annotations("  // volcli: a fact\\n  b")
    '  b'
    """
    return annotate(text, {})


def without_comments(text: str) -> str:
    """The text without comments.

    >>> without_comments("// a\\nb  // c\\n")
    'b\\n'
    """
    return annotate(text, {}, comments=False)
