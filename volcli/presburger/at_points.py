"""The least (or greatest) element of a set with many parts, at a few parameters: what shows that no formula is it.

Let f_1, ..., f_n be the bounds of the parts of a set. Its least element is `f = min_k f_k`, each where its part has
points. isl finds f as a function with up to a piece for each order of the f_k, which takes long where n is large; what
f is at one point takes n evaluations. That is enough to see that f is no minimum of any of the forms in it:

    f = min G for some of the forms      each of them is at least f at all points, and one of them is f at each

and likewise for maxima. Example: the parts x = n for n >= 0, and x = 0 for n < 0 and m = n have the forms n and 0; f is
7 at n = 7, and 0 at n = m = -1. Only n is at most f at both, and is not 0 at the latter: f is no maximum. Both are at
least f at both only if 0 >= 7: f is no minimum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import islpy as isl

from volcli.presburger.build import DIM

_MOST_POINTS = 12
_STEPS = (101, -57, 1009, 23, -411, 7, -3001, 89)
"""Of parameters that are far from each other, and from the corners of sets."""


@dataclass(frozen=True)
class Values:
    """What the function is at some POINTS, and which forms it may have there."""

    points: Sequence[isl.Point]
    numbers: Sequence[int]
    forms: Sequence[isl.Aff]

    def may_be_extremum(self) -> bool:
        """Whether the function may be a minimum, or a maximum, of some of its forms (or one of them)."""
        values = [[_number(form.eval(point)) for point in self.points] for form in self.forms]
        columns = range(len(self.points))

        def is_it(among: Iterable[Sequence[int]], choose: Callable[[Iterable[int]], int]) -> bool:
            rows = list(among)
            return bool(rows) and all(choose(row[k] for row in rows) == self.numbers[k] for k in columns)

        above = (row for row in values if all(row[k] >= self.numbers[k] for k in columns))
        below = (row for row in values if all(row[k] <= self.numbers[k] for k in columns))
        return is_it(above, min) or is_it(below, max)

    def may_be_nested(
        self,
        bounds: Sequence[Sequence[isl.Aff]],
        inner: Callable[[Iterable[int]], int],
        outer: Callable[[Iterable[int]], int],
    ) -> bool:
        """Whether the function may be OUTER of the INNER of each of BOUNDS."""
        return all(
            outer(inner(_number(form.eval(point)) for form in each) for each in bounds) == number
            for point, number in zip(self.points, self.numbers, strict=True)
        )


def values(functions: Sequence[isl.PwAff], outer: Callable[[Iterable[int]], int]) -> Values:
    """What OUTER (`min` or `max`) of FUNCTIONS, each where it is defined, is at a few points."""
    points: list[isl.Point] = []
    numbers: list[int] = []
    own = (function.domain().sample_point() for function in functions)
    for point in chain(_far(functions[0].domain().get_space()), own):
        found = [value for function in functions if not (value := function.eval(point)).is_nan()]
        if found and all(point.to_set().is_disjoint(other.to_set()) for other in points):
            points.append(point)
            numbers.append(outer(_number(value) for value in found))
        if len(points) == _MOST_POINTS:
            break
    return Values(points, numbers, [form for function in functions for form in forms(function)])


def forms(function: isl.PwAff) -> list[isl.Aff]:
    """The forms of the pieces of FUNCTION."""
    found: list[isl.Aff] = []
    function.foreach_piece(lambda _, what: found.append(what))
    return found


def _far(over: isl.Space) -> Iterable[isl.Point]:
    """A few points OVER parameters, by fixed numbers."""
    for turn in range(4):
        point = isl.Point.zero(over)
        for position in range(over.dim(DIM.param)):
            value = _STEPS[(position + turn) % len(_STEPS)] * (-1) ** (turn // 2)
            point = point.set_coordinate_val(DIM.param, position, isl.Val(value + position))
        yield point


def _number(value: isl.Val) -> int:
    return int(value.to_python())
