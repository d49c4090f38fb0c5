"""The least (or greatest) element of a set of many parts at a few points: they show that no formula is it.

Let f_1, ..., f_n be the bounds of the parts of a set. Its least element is `f = min_k f_k`, each where its
part has points. isl finds f as a function with up to a piece for each order of the f_k, which takes long for
many parts; what f is at one point takes n evaluations. They are enough to see that f is no minimum of forms:

    f = min G for some forms G      each of G is at least f at all points, and one of them is f at each

and likewise for maxima. Example: x is n for n >= 0, else m. It is 5 at (n, m) = (5, 9) and (5, 2), and -4 at
(-1, -4). Of its forms n and m, only n is at least that at all points, and is not -4 at the last one: x is no
minimum. None is at most that at all points: x is no maximum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import islpy as isl

from volcli.presburger.build import DIM, number

_MOST_POINTS = 12
_FAR = (101, 57, 1009, 23, 411, 7, 3001, 89)
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
    points: dict[str, isl.Point] = {}
    numbers: list[int] = []
    own = (function.domain().sample_point() for function in functions)
    for point in chain(_far(functions[0].domain().get_space()), own):
        found = [value for function in functions if not (value := function.eval(point)).is_nan()]
        if found and str(point) not in points:
            points[str(point)] = point
            numbers.append(outer(_number(value) for value in found))
        if len(points) == _MOST_POINTS:
            break
    return Values([*points.values()], numbers, [form for function in functions for form in forms(function)])


def forms(function: isl.PwAff) -> list[isl.Aff]:
    """The forms of the pieces of FUNCTION."""
    found: list[isl.Aff] = []
    function.foreach_piece(lambda _, what: found.append(what))
    return found


def _far(over: isl.Space) -> Iterable[isl.Point]:
    """Points OVER parameters, by fixed numbers: of each sign, and in either order of two."""
    for turn in range(len(_FAR)):
        point = isl.Point.zero(over)
        for position in range(over.dim(DIM.param)):
            sign = -1 if (turn // 2) >> (position % 2) & 1 else 1
            value = sign * _FAR[(3 * position + turn) % len(_FAR)]
            point = point.set_coordinate_val(DIM.param, position, number(value))
        yield point


def _number(value: isl.Val) -> int:
    return int(value.to_python())
