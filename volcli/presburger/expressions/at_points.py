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
from dataclasses import dataclass, field
from itertools import chain
from operator import ge, le

import islpy as isl

from volcli.limits import presburger as limits
from volcli.presburger.sets.build import DIM, number
from volcli.presburger.sets.callbacks import pieces

_FAR = (101, 57, 1009, 23, 411, 7, 3001, 89)
"""Of parameters that are far from each other, and from the corners of sets."""


@dataclass
class Values:
    """What a function is at some points, and what the forms of each of its parts are there.

    What is no minimum, no maximum and not nested at some points is none at more of them.
    """

    parts: Sequence[Sequence[isl.Aff]]
    numbers: list[int] = field(default_factory=list[int])
    columns: list[list[list[int]]] = field(default_factory=list[list[list[int]]])
    """At each point, the numbers of the forms of each part."""

    def add(self, point: isl.Point, number: int) -> None:
        """The function is NUMBER at POINT."""
        self.numbers.append(number)
        self.columns.append([[_number(form.eval(point)) for form in each] for each in self.parts])

    def may_be_extremum(self) -> bool:
        """Whether the function may be a minimum, or a maximum, of some of its forms (or one of them)."""
        rows = [
            *zip(*([number for part in column for number in part] for column in self.columns), strict=True)
        ]

        def is_it(among: Iterable[Sequence[int]], choose: Callable[[Iterable[int]], int]) -> bool:
            found = list(among)
            return bool(found) and all(
                choose(each) == n for *each, n in zip(*found, self.numbers, strict=True)
            )

        above = (row for row in rows if all(map(ge, row, self.numbers)))
        below = (row for row in rows if all(map(le, row, self.numbers)))
        return is_it(above, min) or is_it(below, max)

    def may_be_nested(
        self, inner: Callable[[Iterable[int]], int], outer: Callable[[Iterable[int]], int]
    ) -> bool:
        """Whether the function may be OUTER of the INNER of the forms of each part."""
        found = zip(self.columns, self.numbers, strict=True)
        return all(outer(map(inner, column)) == number for column, number in found)


def may_be_formula(
    functions: Sequence[isl.PwAff],
    inner: Callable[[Iterable[int]], int],
    outer: Callable[[Iterable[int]], int],
) -> bool:
    """Whether OUTER (`min` or `max`) of FUNCTIONS, each where it is defined, may be one formula.

    That is a minimum or maximum of forms, or OUTER of the INNER of the forms of each function. As few points
    are looked at as show that it is none of these.
    """
    found = Values([forms(function) for function in functions])
    seen: set[str] = set()
    own = (function.domain().sample_point() for function in functions)
    for point in chain(_far(functions[0].domain().get_space()), own):
        if len(seen) == limits.SAMPLE_POINTS:
            break
        defined = [value for function in functions if not (value := function.eval(point)).is_nan()]
        if not defined or str(point) in seen:
            continue
        seen.add(str(point))
        found.add(point, outer(map(_number, defined)))
        if not found.may_be_extremum() and not found.may_be_nested(inner, outer):
            return False
    return True


def forms(function: isl.PwAff) -> list[isl.Aff]:
    """The forms of the pieces of FUNCTION."""
    return [what for _, what in pieces(function)]


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
