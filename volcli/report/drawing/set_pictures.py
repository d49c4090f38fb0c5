"""Sets of points in the terminal: a letter for each set, a legend with what is said of it.

j \\ i  0 1 2 3
    0  A A B .
    1  A B B C       A  one set: 3

Where that does not fit, rows and columns that are alike are drawn as one, `1..254`; if they are too many, a
letter is a block of elements.
"""

from __future__ import annotations

import string
from collections.abc import Iterator

from volcli.report.drawing.pictures import TooWide
from volcli.report.drawing.raster import Raster, SetPicture, bands, raster
from volcli.report.lines import Line, grid_head, grid_row

LETTERS = string.ascii_uppercase + string.ascii_lowercase
SEVERAL = "*"
_COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red", "bright_cyan", "bright_magenta")
_WIDE, _MOST_ROWS = 120, 60
"""As wide is a picture in a pipe, and as high is one at most."""


def letter(number: int) -> str:
    """The letter of the layer NUMBER; after those there are, all over again."""
    return LETTERS[number % len(LETTERS)]


def set_picture(picture: SetPicture, *, width: int | None = None) -> Iterator[Line]:
    """PICTURE as lines, at most WIDTH columns wide. Raises NoRaster, TooWide."""
    yield Line(picture.heading, "bold")
    yield Line()
    yield from _grid(picture, _WIDE if width is None else width)
    yield Line()
    for number, layer in enumerate(picture.layers):
        colour = _COLOURS[number % len(_COLOURS)]
        yield Line(f"{letter(number)}  {layer.text}", spans=((0, 1, f"bold {colour}"),))
    for note in picture.notes:
        yield Line(note)


def _grid(picture: SetPicture, width: int) -> Iterator[Line]:
    is_flat = len(picture.axes) == 1
    head = picture.axes[0] if is_flat else f"{picture.axes[0]} \\ {picture.axes[1]}"
    grid, margin = _fitting(picture, head, width)
    if grid.step > 1:
        banded = _banded(picture, head, width)
        if banded is not None:
            yield from banded
            return
    cell = 2 if margin + 2 * len(grid.columns) <= width else 1
    yield grid_head(head, margin, [column * grid.step for column in grid.columns], cell)
    for row in grid.rows:
        marks = (_mark(grid.cells.get((row, column), ())) for column in grid.columns)
        text = "" if is_flat else str(row * grid.step)
        yield grid_row(text, margin, ((mark.rjust(cell), colour) for mark, colour in marks))
    if grid.step > 1:
        yield Line()
        yield Line(f"a letter is {grid.step} x {grid.step} elements; {SEVERAL} several sets", "dim")


def _banded(picture: SetPicture, head: str, width: int) -> list[Line] | None:
    """PICTURE with rows and columns that are alike as one, if it fits."""
    found = bands(picture, most_columns=width // 3, most_rows=_MOST_ROWS)
    if found is None:
        return None
    columns = [_band_text(each) for each in found.columns]
    rows = [_band_text(each) if len(picture.axes) > 1 else "" for each in found.rows]
    margin = max(len(head), *map(len, rows))
    if margin + sum(len(text) + 2 for text in columns) > width:
        return None
    lines = [Line(head.ljust(margin) + "".join(f"  {text}" for text in columns), "bold")]
    for r, row in enumerate(rows):
        marks = [_mark(found.cells.get((r, c), ())) for c in range(len(columns))]
        cells = [(f"  {m.ljust(len(t))}", colour) for (m, colour), t in zip(marks, columns, strict=True)]
        lines.append(grid_row(row, margin, cells))
    return lines


def _band_text(band: range) -> str:
    return str(band.start) if len(band) == 1 else f"{band.start}..{band.stop - 1}"


def _fitting(picture: SetPicture, head: str, width: int) -> tuple[Raster, int]:
    """The cells that fit into WIDTH, and how wide the row numbers are. Raises NoRaster, TooWide."""
    margin, room = len(head), width - len(head)
    while room >= 4:
        grid = raster(picture, most_columns=room, most_rows=_MOST_ROWS)
        labels = [str(row * grid.step) for row in (grid.rows[0], grid.rows[-1])]
        margin = max(len(head), *map(len, labels)) + 1
        if margin + len(grid.columns) <= width:
            return grid, margin
        room = width - margin
    raise TooWide(f"the terminal has {width} columns only")


def _mark(layers: tuple[int, ...]) -> tuple[str, str]:
    """The letter of what is in a cell, and its colour."""
    if len(layers) == 1:
        return letter(layers[0]), _COLOURS[layers[0] % len(_COLOURS)]
    return SEVERAL if layers else ".", ""
