"""Sets of points in a plane as a grid of cells: what terminals and SVG files draw.

A cell is one point, or a block of k x k points where there are more than fit; a block that several sets
intersect belongs to none of them, and is drawn as such: a picture may be coarse, but shows nothing that is
not so.

>>> layers = [Layer("a", isl.Set("{ [y, x] : 0 <= y < 4 and 0 <= x < 9 and x <= y }"))]
>>> grid = raster(SetPicture("triangle", ("y", "x"), tuple(layers)), most_columns=2, most_rows=9)
>>> grid.step, sorted(grid.cells)
(2, [(0, 0), (1, 0), (1, 1)])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise, product

import islpy as isl

from volcli.limits import printing as limits
from volcli.presburger.measures.extremes import hull
from volcli.presburger.measures.points import few_points

Cell = tuple[int, int]


class NoRaster(Exception):
    """There is nothing that can be drawn; the text says why."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One set of points in the plane, bounded and without parameters, and what is said of it."""

    text: str
    points: isl.Set


@dataclass(frozen=True, eq=False)
class SetPicture:
    """Sets over one axis or two, the one downwards first; `fixed` are other coordinates and parameters."""

    title: str
    axes: tuple[str, ...]
    layers: tuple[Layer, ...]
    fixed: Mapping[str, int] = field(default_factory=dict[str, int])
    notes: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The title, with what is fixed."""
        at = ", ".join(f"{name} = {number}" for name, number in self.fixed.items())
        return f"{self.title} at {at}" if at else self.title


@dataclass(frozen=True)
class Raster:
    """Cells, each with the layers that intersect it; block (r, c) holds the points from (r, c) * step on."""

    rows: range
    columns: range
    step: int
    cells: Mapping[Cell, tuple[int, ...]]

    def runs(self) -> Sequence[tuple[int, range, tuple[int, ...]]]:
        """Neighbouring cells of one row that are alike: row, columns, layers."""
        found: list[tuple[int, range, tuple[int, ...]]] = []
        for (row, column), layers in sorted(self.cells.items()):
            if found:
                last, columns, known = found[-1]
                if (last, columns.stop, known) == (row, column, layers):
                    found[-1] = row, range(columns.start, column + 1), known
                    continue
            found.append((row, range(column, column + 1), layers))
        return found


def raster(picture: SetPicture, *, most_columns: int, most_rows: int) -> Raster:
    """PICTURE in a limited number of cells. Raises NoRaster."""
    planes = [_in_plane(layer.points) for layer in picture.layers]
    everything = reduce(isl.Set.union, planes) if planes else None
    if everything is None or everything.is_empty():
        raise NoRaster("there is no element")
    if not everything.is_bounded():
        raise NoRaster("it has no end")
    ends = [(low, high) for low, high in hull(everything) if low is not None and high is not None]
    (top, bottom), (left, right) = ends
    step = max(_steps(right - left + 1, most_columns), _steps(bottom - top + 1, most_rows))
    while right // step - left // step >= most_columns or bottom // step - top // step >= most_rows:
        step += 1
    blocks = isl.Map(f"{{ [y, x] -> [floor(y/{step}), floor(x/{step})] }}")
    cells: dict[Cell, tuple[int, ...]] = {}
    for number, points in enumerate(planes):
        most = most_columns * most_rows
        met = few_points(points.apply(blocks).coalesce(), most, most * limits.CELL_OPERATIONS)
        if met is None:
            raise NoRaster("it depends on parameters, or takes too many integer set operations")
        for row, column in met:
            cells[row, column] = (*cells.get((row, column), ()), number)
    return Raster(range(top // step, bottom // step + 1), range(left // step, right // step + 1), step, cells)


@dataclass(frozen=True)
class Bands:
    """Rows and columns, of which neighbours that are alike are one band; each cell has at most one layer."""

    rows: tuple[range, ...]
    columns: tuple[range, ...]
    cells: Mapping[Cell, tuple[int, ...]]


def bands(picture: SetPicture, *, most_columns: int, most_rows: int) -> Bands | None:
    """PICTURE with as many rows and columns as there are different ones; None if these are more.

    >>> even = Layer("a", isl.Set("{ [y, x] : 0 <= y < 90 and 5 <= x < 300 }"))
    >>> bands(SetPicture("a", ("y", "x"), (even,)), most_columns=9, most_rows=9)
    Bands(rows=(range(0, 90),), columns=(range(5, 300),), cells={(0, 0): (0,)})
    """
    planes = [_in_plane(layer.points) for layer in picture.layers]
    found: list[tuple[range, ...]] = []
    for axis, most in ((0, most_rows), (1, most_columns)):
        begins = _begins(planes, axis, most)
        if begins is None:
            return None
        found.append(tuple(range(a, b) for a, b in pairwise(begins)))
    rows, columns = found
    cells: dict[Cell, tuple[int, ...]] = {}
    for (r, row), (c, column) in product(enumerate(rows), enumerate(columns)):
        point = isl.Set(f"{{ [{row.start}, {column.start}] }}")
        for number, points in enumerate(planes):
            if not points.is_disjoint(point):
                cells[r, c] = (number,)
    return Bands(rows, columns, cells)


def _begins(planes: Sequence[isl.Set], axis: int, most: int) -> list[int] | None:
    """The coordinates along AXIS at which a band begins, and the one after the last."""
    step = "[y, x] -> [y + 1, x]" if axis == 0 else "[y, x] -> [y, x + 1]"
    found = set[int]()
    for points in planes:
        before = points.apply(isl.Map(f"{{ {step} }}"))
        changed = points.subtract(before).union(before.subtract(points))
        line = changed.project_out(isl.dim_type.set, 1 - axis, 1)
        some = few_points(line, most + 1)
        if some is None:
            return None
        found.update(x for (x,) in some)
    return sorted(found) if len(found) <= most + 1 else None


def _steps(extent: int, most: int) -> int:
    return -(-extent // most)


def _in_plane(points: isl.Set) -> isl.Set:
    """POINTS with two coordinates and no names; a line is a row."""
    count = points.dim(isl.dim_type.set)
    points = points.reset_tuple_id() if points.has_tuple_id() else points
    return (
        points if count == 2 else points.insert_dims(isl.dim_type.set, 0, 1).fix_val(isl.dim_type.set, 0, 0)
    )
