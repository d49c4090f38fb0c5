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

from volcli.limits import presburger as limits
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.points import has_point

Interval = tuple[int | None, int | None]
"""The numbers from the first to the second, both included; None is without end."""

_WIDER = 8
"""So many times as far is looked for the next ones, if no point has those before."""

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
    ends = plain_box(points)
    if ends is not None:
        return ends
    known = [fixed(points, position) for position in range(points.dim(DIM.set))]
    parts = _parts(points) if None in known else ()
    if len(parts) == 1 and parts[0][1] and not points.dim(DIM.param):
        return _hull_of_divided(parts[0][0], known)
    return tuple(
        _interval(parts, k) if number is None else (number, number) for k, number in enumerate(known)
    )


def plain_box(points: isl.Set) -> tuple[tuple[int, int], ...] | None:
    """The ends of each coordinate, if POINTS are all between these, as constraints say: else None.

    A linear program for each side of each of n dimensions costs n * n * n steps; a nest has n such sets.

    >>> plain_box(isl.Set("{ [x, y] : 0 <= x <= 3 and y = 5 }"))
    ((0, 3), (5, 5))
    """
    rank = points.dim(DIM.set)
    if not rank or points.dim(DIM.param) or not points.is_box():
        return None
    ends: list[list[int | None]] = [[None, None] for _ in range(rank)]
    for constraint in points.get_basic_sets()[0].get_constraints():
        k = next((k for k in range(rank) if constraint.involves_dims(DIM.set, k, 1)), None)
        factor = 0 if k is None else constraint.get_coefficient_val(DIM.set, k).to_python()
        if k is None or abs(factor) != 1:
            return None
        end = -factor * constraint.get_constant_val().to_python()
        for side in (0, 1) if constraint.is_equality() else ((1 - factor) // 2,):
            if ends[k][side] is not None:
                return None
            ends[k][side] = end
    found = tuple((low, high) for low, high in ends if low is not None and high is not None and low <= high)
    return found if len(found) == rank else None


def _hull_of_divided(part: isl.Set, known: Sequence[int | None]) -> tuple[Interval, ...]:
    """The hull of a set with divisions, of whose coordinates those are KNOWN that are one number.

    A number is believed if some point has it: mostly a corner has several of them, or a point that was found.
    """
    sides: list[list[int | None]] = []
    for extreme, inwards in ((isl.Set.dim_min_val, 1), (isl.Set.dim_max_val, -1)):
        ends = [extreme(part, k) if n is None else build.number(n) for k, n in enumerate(known)]
        numbers = [end.to_python() if end.is_int() else None for end in ends]
        if not has_point(part, numbers):
            points: list[tuple[int, ...]] = []
            for k, end in enumerate(numbers):
                if known[k] is None and end is not None and all(point[k] != end for point in points):
                    numbers[k] = _attained(part, k, end, inwards, points)
        sides.append(numbers)
    return tuple(zip(*sides, strict=True))


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


def _attained(
    part: isl.Set, position: int, end: int, inwards: int, points: list[tuple[int, ...]] | None = None
) -> int | None:
    """The first number from END inwards that is a coordinate of a point; None if there is no point.

    Such a point is added to POINTS. The numbers are not tried one by one: where some of several have points,
    those before the one that was found are what remains.
    """
    found: int | None = None
    before, behind = 0, 1  # how far from END are those that are looked at
    while before < limits.TRIED_EXTREMES:
        point = _between(part, position, end + inwards * before, end + inwards * (behind - 1)).sample_point()
        if not point.is_void():
            rank = part.dim(DIM.set)
            numbers = tuple(point.get_coordinate_val(DIM.set, k).to_python() for k in range(rank))
            if points is not None:
                points.append(numbers)
            found = numbers[position]
            behind = abs(found - end)
        elif found is None:
            before, behind = behind, min(_WIDER * behind, limits.TRIED_EXTREMES)
        else:
            return found
        if found is not None and before == behind:
            return found
    return None if part.is_empty() else end


def _between(points: isl.Set, position: int, one: int, other: int) -> isl.Set:
    """POINTS with a coordinate from ONE number to the OTHER one, both included."""
    if one == other:
        return points.fix_val(DIM.set, position, build.number(one))
    points = points.lower_bound_val(DIM.set, position, build.number(min(one, other)))
    return points.upper_bound_val(DIM.set, position, build.number(max(one, other)))
