"""Text in lines: folded where a terminal is narrow, with styles where it has colours."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from volcli.report.coloured import linked


@dataclass(frozen=True)
class Line:
    """One line, with a style of rich's; `spans` are parts with other ones: from, to, style."""

    text: str = ""
    style: str = ""
    spans: tuple[tuple[int, int, str], ...] = ()


def grid_row(head: str, margin: int, cells: Iterable[tuple[str, str]]) -> Line:
    """HEAD in so wide a MARGIN, and CELLS after it: each a mark between spaces, and its colour or none."""
    text, spans = head.ljust(margin), list[tuple[int, int, str]]()
    for cell, colour in cells:
        if colour:
            begin = len(text) + len(cell) - len(cell.lstrip())
            spans.append((begin, begin + 1, colour))
        text += cell
    return Line(text.rstrip(), spans=tuple(spans))


def grid_head(head: str, margin: int, columns: Sequence[int], cell: int) -> Line:
    """HEAD, and the numbers of COLUMNS that are CELL wide each, or of as many as there is room for."""
    size = max(len(str(column)) for column in (columns[0], columns[-1])) + 1
    every = -(-size // cell)
    text = ""
    for k, column in enumerate(columns):
        if k % every == 0 and len(str(column)) <= cell * (len(columns) - k):
            text = text.ljust(cell * k) + str(column).rjust(cell)
    return Line(head.ljust(margin) + text, "bold")


def as_text(lines: Iterable[Line], *, width: int | None = None, colour: bool = False) -> str:
    """LINES, folded at WIDTH columns (None: not at all), with escape sequences if COLOUR."""
    from rich.console import Console
    from rich.text import Text

    stream = io.StringIO()
    console = Console(
        file=stream,
        width=1_000_000,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        legacy_windows=False,
        emoji=False,
        markup=False,
    )
    for line in lines:
        for number, part in enumerate(_folded(line.text, width)):
            text = Text(part, style=line.style)
            for begin, end, style in line.spans if number == 0 else ():
                text.stylize(style, begin, end)
            console.print(text)
    return linked(stream.getvalue()) if colour else stream.getvalue()


def _folded(text: str, width: int | None) -> list[str]:
    """TEXT in parts of at most WIDTH columns; the ones after the first are indented, if there is room."""
    if width is None or len(text) <= width:
        return [text]
    indent = " " * (len(text) - len(text.lstrip()) + 4)
    if 2 * len(indent) > width:
        indent = ""
    return textwrap.wrap(text, max(width, 1), subsequent_indent=indent, break_on_hyphens=False)
