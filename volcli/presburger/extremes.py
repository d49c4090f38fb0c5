"""The least and the greatest coordinate of a set's points.

isl's own `dim_min_val` is wrong for some sets (isl 0.27, islpy 2026.2):

    { [0, b, c] : b > 0 and c mod 3 = 0 and 0 < c <= 2; [0, b, 0] : 0 < b <= 2 }    gives 0 for b, not 1
    { [v] : 3 * floor((-1 - v) / 3) > -2 * v and v >= 0 }                           gives 0, not 2

So each part of a union is asked by itself, for one that is empty says nothing; and where there are
divisions, a number is believed only if some point has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import islpy as isl

from volcli.presburger import build
from volcli.presburger.build import DIM

_MOST_TRIED = 64
"""Numbers beside the one that isl gives; if no point has any of them, that one is a bound all the same."""

Interval = tuple[int | None, int | None]
"""The numbers from the first to the second, both included; None is without end."""

_Part = tuple[isl.Set, bool]


def least(points: isl.Set, position: int) -> int | None:
    """The least coordinate at POSITION, for any parameters; None if there is none.

    >>> least(isl.Set("[n] -> { [x, 2 * x] : 3 <= x <= n }"), 1)
    6
    """
    return _extreme(_parts(points), position, min, isl.Set.dim_min_val, 1)


def greatest(points: isl.Set, position: int) -> int | None:
    """The greatest coordinate at POSITION, for any parameters; None if there is none."""
    return _extreme(_parts(points), position, max, isl.Set.dim_max_val, -1)


def interval(points: isl.Set, position: int) -> Interval:
    """The least and the greatest coordinate at POSITION."""
    return _interval(_parts(points), position)


def fixed(points: isl.Set, position: int) -> int | None:
    """The number that the coordinate at POSITION is in all of POINTS, if it shows at once: else None.

    >>> fixed(isl.Set("{ [x, y] : x = 3 and 0 <= y <= 9 }"), 0)
    3
    """
    found = points.plain_get_val_if_fixed(DIM.set, position)
    return found.to_python() if found.is_int() else None


def hull(points: isl.Set) -> tuple[Interval, ...]:
    """The least and the greatest of each coordinate of POINTS, which are not empty."""
    known = [fixed(points, position) for position in range(points.dim(DIM.set))]
    parts = _parts(points) if None in known else ()
    return tuple(_interval(parts, k) if number is None else (number, number) for k, number in enumerate(known))


def _interval(parts: Sequence[_Part], position: int) -> Interval:
    low = _extreme(parts, position, min, isl.Set.dim_min_val, 1)
    return low, _extreme(parts, position, max, isl.Set.dim_max_val, -1)


def _parts(points: isl.Set) -> list[_Part]:
    """The parts of a union, each with whether there are divisions in it."""
    parts = points.get_basic_sets()
    if len(parts) == 1:
        return [(points, parts[0].dim(DIM.div) > 0)]
    return [(isl.Set.from_basic_set(each), each.dim(DIM.div) > 0) for each in parts]


def _extreme(
    parts: Sequence[_Part],
    position: int,
    choose: Callable[[int, int], int],
    extreme: Callable[[isl.Set, int], isl.Val],
    inwards: int,
) -> int | None:
    chosen: int | None = None
    for part, is_divided in parts:
        found = extreme(part, position)
        if not found.is_int():
            if found.is_nan() or (is_divided and part.is_empty()):
                continue
            return None
        attained = found.to_python()
        if is_divided:
            attained = _attained(part, position, attained, inwards)
        if attained is not None:
            chosen = attained if chosen is None else choose(chosen, attained)
    return chosen


def _attained(part: isl.Set, position: int, end: int, inwards: int) -> int | None:
    """The first number from END inwards that is a coordinate of a point; None if there is no point."""
    for number in range(end, end + inwards * _MOST_TRIED, inwards):
        if not part.fix_val(DIM.set, position, build.number(number)).is_empty():
            return number
    return None if part.is_empty() else end
