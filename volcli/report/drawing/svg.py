"""Pictures of dependences as SVG: one file that needs no other one.

Iterations are points, the outer loop downwards and the inner one to the right; dependences are bent arrows,
with a colour and a pattern of dashes for each depth and kind. What depends on its own iteration has a ring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot
from xml.etree import ElementTree as ET

from volcli.limits import printing as limits
from volcli.model.memory.steps.diagrams import Arrow, Diagram, Iteration
from volcli.report.drawing.pictures import group_text, groups
from volcli.report.drawing.svg_sheet import COLOURS, LETTER, Sheet, ticks

_CELL, _MARGIN, _POINT, _LINE = 48.0, 64.0, 5.0, 20.0
_DASHES = ("", "7 4", "2 3", "9 3 2 3")


@dataclass(frozen=True)
class _Style:
    """How one depth and kind is drawn."""

    number: int
    colour: str
    dashes: str
    is_ring: bool
    text: str


def svg(diagram: Diagram, title: str, heads: str = "head") -> str:
    """DIAGRAM as the text of an SVG file; the HEADS of arrows have names that begin so."""
    return _Canvas(diagram, title, heads).text()


class _Canvas:
    """One picture that is being drawn."""

    def __init__(self, diagram: Diagram, title: str, heads: str) -> None:
        self._heads = heads
        self._shapes: dict[tuple[tuple[str, str], ...], ET.Element] = {}
        self._diagram = diagram
        self._is_flat = len(diagram.axes) == 1
        places = diagram.iterations or ((0,) * len(diagram.axes),)
        self._columns = _extent(iteration[-1] for iteration in places)
        self._rows = (0, 0) if self._is_flat else _extent(iteration[0] for iteration in places)
        self._styles = self._made_styles()
        longest = max(1.2 * len(title), *(len(text) for text in self._below()))
        self._width = max(self._x(self._columns[1]) + _MARGIN, longest * LETTER + 1.5 * _MARGIN)
        self._bottom = self._y(self._rows[1]) + _MARGIN
        self._height = self._bottom + _LINE * (len(self._below()) + 1)
        self._sheet = Sheet(title, self._width, self._height)
        self._markers()
        self._sheet.shape("rect", width="100%", height="100%", fill="#ffffff")
        self._sheet.label(title, _MARGIN / 2, _LINE, weight="bold")

    def text(self) -> str:
        self._axes()
        self._arrows()
        self._points()
        self._legend()
        return self._sheet.written()

    # -- places ----------------------------------------------------------------------------------------

    def _x(self, column: int) -> float:
        return _MARGIN * 1.5 + (column - self._columns[0]) * _CELL

    def _y(self, row: int) -> float:
        above = self._arc_room() if self._is_flat else 0.0
        return _MARGIN * 1.75 + above + (row - self._rows[0]) * _CELL

    def _arc_room(self) -> float:
        """How high the highest arc is over a single row."""
        longest = max((abs(arrow.distance[0]) for arrow in self._diagram.arrows), default=0)
        return min(longest, 6) * _CELL / 4

    def _at(self, iteration: Iteration) -> tuple[float, float]:
        return self._x(iteration[-1]), self._y(0 if self._is_flat else iteration[0])

    # -- parts -----------------------------------------------------------------------------------------

    def _made_styles(self) -> dict[tuple[int, str], _Style]:
        found: dict[tuple[int, str], _Style] = {}
        for number, ((depth, kind), by_distance) in enumerate(groups(self._diagram).items()):
            shown = [f"({', '.join(map(str, d))})" for d in list(by_distance)[: limits.DRAWN_DISTANCES]]
            more = len(by_distance) - len(shown)
            said = ", ".join(shown) + (f" and {more} more" if more > 0 else "")
            text = f"{group_text(self._diagram, depth, kind)}: {said}"
            colour, dashes = COLOURS[number % len(COLOURS)], _DASHES[(depth - 1) % len(_DASHES)]
            is_ring = not any(any(distance) for distance in by_distance)
            found[depth, kind.value] = _Style(number, colour, dashes, is_ring, text)
        return found

    def _below(self) -> list[str]:
        """The texts of the legend, one a line."""
        fixed = ", ".join(f"{name} = {number}" for name, number in self._diagram.fixed.items())
        texts = [*(style.text for style in self._styles.values()), *self._diagram.notes]
        return [*texts, *([fixed] if fixed else [])] or ["no dependence"]

    def _markers(self) -> None:
        defs = self._sheet.shape("defs")
        for style in self._styles.values():
            marker = ET.SubElement(defs, "marker", {
                "id": f"{self._heads}{style.number}", "viewBox": "0 0 10 10", "refX": "9", "refY": "5",
                "markerWidth": "7", "markerHeight": "7", "orient": "auto-start-reverse",
            })  # fmt: skip
            ET.SubElement(marker, "path", {"d": "M 0 1 L 10 5 L 0 9 z", "fill": style.colour})

    def _axes(self) -> None:
        diagram = self._diagram
        top, left = self._y(self._rows[0]) - _CELL * 0.8 - (self._arc_room() if self._is_flat else 0), _MARGIN
        right, low = self._x(self._columns[1]) + _CELL / 2, self._y(self._rows[1]) + _CELL / 2
        self._sheet.shape("path", d=f"M {left} {top} H {right}", stroke="#888888", fill="none")
        self._sheet.label(diagram.axes[-1], right, top - 8, anchor="end", weight="bold")
        for column in ticks(*self._columns):
            self._sheet.label(str(column), self._x(column), top + 16, anchor="middle", fill="#555555")
        if not self._is_flat:
            self._sheet.shape("path", d=f"M {left} {top} V {low}", stroke="#888888", fill="none")
            self._sheet.label(diagram.axes[0], left - 8, low, anchor="end", weight="bold")
            for row in ticks(*self._rows):
                self._sheet.label(str(row), left - 8, self._y(row) + 4, anchor="end", fill="#555555")

    def _points(self) -> None:
        sources = {arrow.source for arrow in self._diagram.arrows}
        sinks = {arrow.sink for arrow in self._diagram.arrows}
        for iteration in self._diagram.iterations:
            x, y = self._at(iteration)
            is_end = iteration in sources or iteration in sinks
            place = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{_POINT:g}"}
            point = ET.SubElement(self._group(fill="#333333" if is_end else "#cccccc"), "circle", place)
            names = zip(self._diagram.axes, iteration, strict=True)
            ET.SubElement(point, "title").text = ", ".join(f"{name} = {number}" for name, number in names)

    def _arrows(self) -> None:
        opacity = "0.8" if len(self._diagram.arrows) <= 150 else "0.35"
        beside: Counter[tuple[Iteration, Iteration]] = Counter()
        for arrow in self._diagram.arrows:
            style = self._styles[arrow.depth, arrow.kind.value]
            x, y = self._at(arrow.source)
            lines = self._group(**self._line(style), opacity=opacity)
            if not any(arrow.distance):
                ring = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{_POINT + 4:g}"}
                ET.SubElement(lines, "circle", ring)
                continue
            nth = beside[arrow.source, arrow.sink]
            beside[arrow.source, arrow.sink] += 1
            shape = ET.SubElement(lines, "path", {"d": self._bent((x, y), self._at(arrow.sink), nth)})
            ET.SubElement(shape, "title").text = _arrow_text(arrow)

    def _bent(self, start: tuple[float, float], end: tuple[float, float], nth: int) -> str:
        """A curve from START to END that passes by the points between them, and ends before the last.

        The NTH of these two ends is less bent, or to the other side.
        """
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = hypot(dx, dy)
        bend = min(length / 2, 6 * _CELL / 2) if self._is_flat else min(length / 6, _CELL / 2.5)
        bend *= 0.5**nth if self._is_flat else (-1) ** nth * 0.6 ** (nth // 2)
        middle = (start[0] + end[0]) / 2 + dy / length * bend, (start[1] + end[1]) / 2 - dx / length * bend
        begin, finish = (_towards(point, middle, _POINT + 2) for point in (start, end))
        points = [f"{x:.1f} {y:.1f}" for x, y in (begin, middle, finish)]
        return f"M {points[0]} Q {points[1]} {points[2]}"

    def _legend(self) -> None:
        styles = list(self._styles.values())
        for line, text in enumerate(self._below()):
            y = self._bottom + line * _LINE
            if line < len(styles):
                self._sample(styles[line], y)
            self._sheet.label(text, _MARGIN / 2 + 44, y + 4)

    def _sample(self, style: _Style, y: float) -> None:
        if style.is_ring:
            place = {"cx": f"{_MARGIN / 2 + 17}", "cy": f"{y}", "r": f"{_POINT + 4:g}"}
            self._sheet.shape("circle", **self._line(style), **place)
            return
        self._sheet.shape("path", **self._line(style), d=f"M {_MARGIN / 2} {y} h 34")

    # -- elements --------------------------------------------------------------------------------------

    def _group(self, **attributes: str) -> ET.Element:
        """The shapes with these ATTRIBUTES."""
        key = tuple(attributes.items())
        if key not in self._shapes:
            self._shapes[key] = self._sheet.shape("g", **attributes)
        return self._shapes[key]

    def _line(self, style: _Style) -> dict[str, str]:
        """The attributes of a line of STYLE."""
        dashes = {"stroke-dasharray": style.dashes} if style.dashes else {}
        head = f"url(#{self._heads}{style.number})"
        return {"fill": "none", "stroke": style.colour, "stroke-width": "1.6", "marker-end": head, **dashes}


def _extent(numbers: Iterable[int]) -> tuple[int, int]:
    known = list(numbers)
    return min(known), max(known)


def _towards(point: tuple[float, float], other: tuple[float, float], by: float) -> tuple[float, float]:
    dx, dy = other[0] - point[0], other[1] - point[1]
    length = hypot(dx, dy) or 1.0
    return point[0] + dx / length * by, point[1] + dy / length * by


def _arrow_text(arrow: Arrow) -> str:
    source, sink = (f"({', '.join(map(str, each))})" for each in (arrow.source, arrow.sink))
    return f"{source} -> {sink}, {arrow.kind.value} at depth {arrow.depth}"
