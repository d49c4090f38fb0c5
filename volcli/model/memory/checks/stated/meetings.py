"""Where two accesses share an element: iterations of both, and the element."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import loop
from volcli.model.memory.occurrence.certainty import first_point
from volcli.presburger.measures.points import coordinates
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class Meeting:
    """`{ [x, y, element] }`: x of the first access and y of the second one go to the element."""

    points: isl.Set
    first: int
    second: int

    def example(self) -> isl.Point:
        """The first point, for small parameters."""
        return first_point(self.points)

    def split(self, point: isl.Point) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The coordinates of a POINT: x, y, and the element."""
        numbers = coordinates(point)
        return (
            numbers[: self.first],
            numbers[self.first : self.first + self.second],
            numbers[self.first + self.second :],
        )


def meeting(left: isl.Map, right: isl.Map, equal: int, position: int) -> Meeting | None:
    """An element of LEFT and RIGHT with x_k = y_k for k < EQUAL, and x_p < y_p at POSITION; None: none."""
    first, second = left.dim(DIM.in_), right.dim(DIM.in_)
    both = left.insert_dims(DIM.in_, first, second).intersect(right.insert_dims(DIM.in_, 0, first))
    points = both.wrap().flatten()
    for k in range(equal):
        points = points.equate(DIM.set, k, DIM.set, first + k)
    later = loop(first + position) - loop(position) - 1
    points = points.intersect(build.nonnegative(points.dim(DIM.set), (later,)))
    return None if points.is_empty() else Meeting(points, first, second)
