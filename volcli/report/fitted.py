"""Lines for people that fit the width of a terminal: broken at spaces, and not in the place of a finding."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from volcli.report.lines import GLUE, glued

_PLACE = re.compile(r".*?:\d+:\d+: ")
_CARET = re.compile(r"\s*\^$")
_CELLS = re.compile(r"(\S+ {2,})+")
_COMMAND = re.compile(r" *(?:\w+: |\$ )?volcli ")
"""A command is copied whole: the terminal itself breaks it, without a newline."""
_SEPARATED = re.compile(r"(?<=;) ")
_WEAKLY_SEPARATED = re.compile(r" (?=(?:and|or|:) )(?!and \S+ are different)")
_CUT = " ..."


def fitted(text: str, width: int) -> str:
    """The lines of TEXT in WIDTH columns; of a line with a caret below it, the words around the caret.

    A word that is longer has a line for itself. What goes on in the last cell of a table begins below that.

    >>> print(fitted("  next: correct the index or the shape\\n", 24), end="")
      next: correct the
          index or the shape
    >>> print(fitted("1  V207  two iterations race\\n", 24), end="")
    1  V207  two iterations
             race
    >>> print(fitted("  %c = arith.addi %a, %b : index\\n       ^\\n", 24), end="")
      %c = arith.addi ...
           ^
    """
    return "\n".join(_rows(text.split("\n"), width))


def _rows(lines: Sequence[str], width: int) -> Iterator[str]:
    for line, below, above in zip(lines, [*lines[1:], ""], ["", *lines[:-1]], strict=True):
        if _CARET.match(below):
            yield _around(line, below, width)[0]
        elif _CARET.match(line):
            yield _around(above, line, width)[1]
        elif len(line) > width and not _COMMAND.match(line):
            yield from _wrapped(line, width)
        else:
            yield line


def _wrapped(line: str, width: int) -> Iterator[str]:
    """LINE in several; what goes on stands further right, or below the last cell of a table."""
    margin = len(line) - len(line.lstrip())
    cells = _CELLS.match(line, margin)
    more = cells.end() if cells is not None and cells.end() < width // 2 else margin + 4
    first = line[: more if cells is not None and more == cells.end() else margin]
    place = _PLACE.match(line)
    at = len(first) if place is None else max(place.end(), len(first))
    text = line[len(first) : at].replace(" ", GLUE).removesuffix(GLUE)
    text += " " * bool(text) + glued(line[at:], width - more)
    rest = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=" " * more,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    yield from (each.replace(GLUE, " ") for each in rest)


def _around(line: str, caret: str, width: int) -> tuple[str, str]:
    """LINE and the CARET below it: from the line's beginning or the caret's word on, as much as fits."""
    words = [each.span() for each in re.finditer(r"\S+", line)]
    at = len(caret) - 1
    if len(line) <= width or not words:
        return line, caret
    here = next((start, end) for start, end in words if at < end or end == words[-1][1])
    is_near = here[1] + len(_CUT) <= width
    start, before = (0, "") if is_near else (here[0], _CUT.lstrip() + " ")
    room = start + width - len(before)
    ends = [end for _, end in words if end >= here[1] and end + len(_CUT) * (end < len(line)) <= room]
    end = max([here[1], *ends])
    return before + line[start:end] + _CUT * (end < words[-1][1]), " " * (len(before) + at - start) + "^"


def broken(text: str, width: int) -> str:
    """TEXT in lines of at most WIDTH columns, as far as `;`, `and`, `or` and `:` let it be broken.

    >>> print(broken("{ a[i] : 0 < i < 9 and i mod 2 = 0; a[i = 9] }", 24))
    { a[i] : 0 < i < 9
      and i mod 2 = 0;
      a[i = 9] }
    """
    if cell_width(text) <= width:
        return text
    indent = "  " if text.startswith(("{", "[")) else ""
    lines: list[str] = []
    for part in _SEPARATED.split(text):
        fits = cell_width(indent * bool(lines) + part) <= width
        lines += [part] if fits else _filled_lines(_WEAKLY_SEPARATED.split(part), width - len(indent))
    return f"\n{indent}".join(lines)


def _filled_lines(parts: Sequence[str], width: int) -> list[str]:
    """PARTS in lines of at most WIDTH columns, as many in each as fit."""
    lines = [parts[0]]
    for part in parts[1:]:
        if cell_width(f"{lines[-1]} {part}") <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return lines


def cell_width(text: str) -> int:
    """The columns that TEXT takes in a terminal: two for a wide character."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
