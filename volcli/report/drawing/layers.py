"""A network as bars, in text and as SVG: of each layer its multiplications, its border, and what it reaches.

    %conv1  1x4x12x12  %x 1x2x3x3  ####################............  10368, 10.8% zero

A bar is as long as the layer's multiplications are many, against the layer with most; its end is what is
structurally zero. Layers that multiply nothing have no bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from volcli.facts.fact import Fact
from volcli.facts.layers import LayerFact, percent, share_of, under
from volcli.language.expressions import Expression
from volcli.report.drawing.svg_sheet import COLOURS, LETTER, Sheet
from volcli.report.lines import Line

_BAR = 32
_ROW, _SIDE, _MARGIN = 22.0, 260.0, 24.0
_LIVE, _ZERO, _EDGE, _NONE = COLOURS[0], COLOURS[1], COLOURS[2], "#eeeeee"


@dataclass(frozen=True)
class LayerRow:
    """A layer: how long its bar is, and which parts of that and of its elements are special; from 0 to 1."""

    name: str
    shape: str
    field: str
    numbers: str
    length: Fraction
    zero: Fraction
    border: Fraction
    padding: Fraction
    line: int


def layer_lines(facts: Sequence[Fact]) -> list[Line]:
    """The layers among FACTS as lines."""
    rows = layer_rows(facts)
    widths = [
        max((len(getattr(row, name)) for row in rows), default=0) for name in ("name", "shape", "field")
    ]
    lines: list[Line] = []
    for row in rows:
        cells = (row.name, row.shape, row.field)
        head = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        zero = round(_BAR * row.length * row.zero)
        bar = "#" * (round(_BAR * row.length) - zero) + "." * zero
        lines.append(Line(f"{head}  {bar.ljust(_BAR)}  {row.numbers}".rstrip()))
    return lines


def layers_svg(facts: Sequence[Fact], title: str) -> str:
    """The layers among FACTS as the text of an SVG file."""
    rows = layer_rows(facts)
    heads = [max((len(getattr(row, name)) for row in rows), default=0) for name in ("name", "shape", "field")]
    starts = [_MARGIN]
    for width in heads:
        starts.append(starts[-1] + width * LETTER + _MARGIN)
    bars, edges = starts[-1], starts[-1] + _SIDE + _MARGIN
    numbers = edges + _SIDE / 2 + _MARGIN
    longest = max((len(row.numbers) for row in rows), default=0) * LETTER
    sheet = Sheet(title, numbers + longest + _MARGIN, _ROW * (len(rows) + 3) + 2 * _MARGIN)
    sheet.shape("rect", width="100%", height="100%", fill="#ffffff")
    sheet.label(title, _MARGIN, _MARGIN, weight="bold")
    heading = _MARGIN + _ROW * 1.5
    for text, x in zip(("layer", "shape", "reaches"), starts, strict=False):
        sheet.label(text, x, heading, fill="#555555")
    sheet.label("multiplications, zero ones at the end", bars, heading, fill="#555555")
    sheet.label("border, padding", edges, heading, fill="#555555")
    for number, row in enumerate(rows):
        y = heading + _ROW * (number + 1)
        for text, x in zip((row.name, row.shape, row.field), starts, strict=False):
            sheet.label(text, x, y)
        length, zero = float(row.length) * _SIDE, float(row.length * row.zero) * _SIDE
        _bar(sheet, bars, y, [(length - zero, _LIVE), (zero, _ZERO)])
        parts = [
            (float(part) * _SIDE / 2, colour) for part, colour in ((row.border, _EDGE), (row.padding, _ZERO))
        ]
        rest = _SIDE / 2 - sum(width for width, _ in parts)
        _bar(sheet, edges, y, [*parts, (rest, _NONE)])
        sheet.label(row.numbers, numbers, y)
    return sheet.written()


def _bar(sheet: Sheet, x: float, y: float, parts: Sequence[tuple[float, str]]) -> None:
    for width, colour in parts:
        if width > 0:
            sheet.shape(
                "rect", x=f"{x:.1f}", y=f"{y - 11:.1f}", width=f"{width:.1f}", height="14", fill=colour
            )
        x += width


def layer_rows(facts: Sequence[Fact]) -> list[LayerRow]:
    """The layers among FACTS."""
    layers = [fact for fact in facts if isinstance(fact, LayerFact) and fact.shown]
    totals = [layer.multiplications for layer in layers if layer.multiplications is not None]
    most = max((each for each in totals if each.is_constant), key=lambda each: each.constant, default=None)
    longest = most or next(iter(totals), None)
    return [_row(layer, longest) for layer in layers]


def _row(layer: LayerFact, longest: Expression | None) -> LayerRow:
    value, shape, source, field, *_, multiplications, _ = layer.rows()[0]
    none, zero = Fraction(0), percent(layer.zeros, layer.multiplications)
    return LayerRow(
        value,
        shape,
        f"{source} {field}".strip(),
        multiplications + f", {zero} zero{under(layer.assumes)}" * bool(zero),
        length=share_of(layer.multiplications, longest) or none,
        zero=share_of(layer.zeros, layer.multiplications) or none,
        border=share_of(layer.border, layer.elements) or none,
        padding=share_of(layer.padding, layer.elements) or none,
        line=layer.place.line,
    )
