"""Sets of points as SVG: cells in a colour and with the letter of their set, axes, and a legend."""

from __future__ import annotations

from volcli.report.drawing.raster import Raster, SetPicture, raster
from volcli.report.drawing.set_pictures import SEVERAL, letter
from volcli.report.drawing.svg_sheet import COLOURS, LETTER, Sheet, ticks

_MARGIN, _LINE, _SIDE, _MOST = 56.0, 20.0, 560.0, 280
_NOBODY, _BOTH = "#eeeeee", "#777777"
_READABLE = 12.0
"""A cell of this size has room for a letter."""


def set_svg(picture: SetPicture) -> str:
    """PICTURE as the text of an SVG file. Raises NoRaster."""
    grid = raster(picture, most_columns=_MOST, most_rows=_MOST)
    size = min(28.0, max(2.0, _SIDE / max(len(grid.columns), len(grid.rows))))
    legend = _legend(picture, grid)
    wide, high = size * len(grid.columns), size * len(grid.rows)
    longest = max(1.2 * len(picture.heading), *(len(text) + 5.0 for _, text in legend))
    width = max(2 * _MARGIN + wide, longest * LETTER + _MARGIN)
    sheet = Sheet(picture.heading, width, 2 * _MARGIN + high + _LINE * (len(legend) + 0.5))
    sheet.root.set("shape-rendering", "crispEdges")  # no gaps between cells of few pixels
    sheet.shape("rect", width="100%", height="100%", fill="#ffffff")
    sheet.label(picture.heading, _MARGIN / 2, _LINE, weight="bold")
    _axes(sheet, picture, grid, size)
    _cells(sheet, picture, grid, size)
    for line, (number, text) in enumerate(legend):
        y = _MARGIN * 1.6 + high + line * _LINE
        if number is not None:
            sheet.shape("rect", x=f"{_MARGIN / 2:.1f}", y=f"{y - 11:.1f}", width="14", height="14",
                        fill=_colour((number,) if number >= 0 else (0, 1)))  # fmt: skip
        sheet.label(text, _MARGIN / 2 + (22 if number is not None else 0), y)
    return sheet.written()


def _legend(picture: SetPicture, grid: Raster) -> list[tuple[int | None, str]]:
    """The lines below the picture, each with the number of its layer; -1 for several."""
    found: list[tuple[int | None, str]] = [
        (number, f"{letter(number)}  {layer.text}") for number, layer in enumerate(picture.layers)
    ]
    if grid.step > 1:
        found.append((-1, f"{SEVERAL}  several sets; a cell is {grid.step} x {grid.step} elements"))
    return [*found, *((None, note) for note in picture.notes)]


def _colour(layers: tuple[int, ...]) -> str:
    return COLOURS[layers[0] % len(COLOURS)] if len(layers) == 1 else _BOTH


def _axes(sheet: Sheet, picture: SetPicture, grid: Raster, size: float) -> None:
    left, top = _MARGIN, _MARGIN * 1.2
    wide = size * len(grid.columns)
    digits = max(len(str(each * grid.step)) for each in (grid.columns[0], grid.columns[-1]))
    for column in ticks(grid.columns[0], grid.columns[-1], int(wide / ((digits + 1) * LETTER))):
        x = left + (column - grid.columns[0] + 0.5) * size
        sheet.label(str(column * grid.step), x, top - 6, anchor="middle", fill="#555555")
    sheet.label(picture.axes[-1], left + wide + 8, top - 6, weight="bold")
    if len(picture.axes) < 2:
        return
    for row in ticks(grid.rows[0], grid.rows[-1]):
        y = top + (row - grid.rows[0] + 0.5) * size + 4
        sheet.label(str(row * grid.step), left - 6, y, anchor="end", fill="#555555")
    sheet.label(picture.axes[0], left - 6, top - 12, anchor="end", weight="bold")


def _cells(sheet: Sheet, picture: SetPicture, grid: Raster, size: float) -> None:
    left, top = _MARGIN, _MARGIN * 1.2
    sheet.shape("rect", x=f"{left:.1f}", y=f"{top:.1f}", width=f"{size * len(grid.columns):.1f}",
                height=f"{size * len(grid.rows):.1f}", fill=_NOBODY)  # fmt: skip
    for row, columns, layers in grid.runs():
        x, y = left + (columns.start - grid.columns[0]) * size, top + (row - grid.rows[0]) * size
        box = sheet.shape("rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{size * len(columns):.1f}",
                          height=f"{size:.1f}", fill=_colour(layers), stroke="#ffffff")  # fmt: skip
        box.set("stroke-width", "0.5" if size >= _READABLE else "0")
        if size < _READABLE:
            continue
        text = letter(layers[0]) if len(layers) == 1 else SEVERAL
        for k in range(len(columns)):
            sheet.label(text, x + (k + 0.5) * size, y + size / 2 + 4.5, anchor="middle", fill="#ffffff")
