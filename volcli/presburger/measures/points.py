"""The points of small sets, one by one."""

from __future__ import annotations

import math

import islpy as isl

from volcli.limits import presburger as limits
from volcli.presburger.limits.budget import BudgetExceeded, budget, is_spent
from volcli.presburger.measures.extremes import fixed, greatest, least, plain_box
from volcli.presburger.sets.build import DIM, number
from volcli.presburger.sets.callbacks import points_of


def coordinates(point: isl.Point) -> tuple[int, ...]:
    """The coordinates of POINT.

    >>> coordinates(isl.Set("{ [a, b] : a = 2 and b = -1 }").sample_point())
    (2, -1)
    """
    rank = point.get_space().dim(DIM.set)
    return tuple(point.get_coordinate_val(DIM.set, k).to_python() for k in range(rank))


def least_point(points: isl.Set) -> isl.Point:
    """The lexicographically first of POINTS, for given parameters; any, if they have no end; void if none.

    Coordinate by coordinate: isl's lexmin gives the empty set for some sets with divisions, and fails for
    some without (isl 0.27: "affine expression involves some of the domain dimensions").

    >>> least_point(isl.Set("{ [a, b] : 1 <= a <= 9 and a + b = 4 }"))
    Point("{ [1, 3] }")
    """
    if not points.is_bounded():
        return points.sample_point()
    if not any(part.dim(DIM.div) for part in points.get_basic_sets()):
        try:
            return points.lexmin().sample_point()
        except isl.Error:
            if is_spent():
                raise
    chosen = points
    for position in range(points.dim(DIM.set)):
        if fixed(chosen, position) is None:
            chosen = chosen.fix_val(DIM.set, position, number(least(chosen, position) or 0))
    point = chosen.sample_point()
    return points.sample_point() if point.is_void() else point


def few_points(
    points: isl.Set, most: int = limits.FEW_POINTS, operations: int = limits.POINT_OPERATIONS
) -> list[tuple[int, ...]] | None:
    """The points of a set in their order; None if they are more than MOST, or depend on parameters.

    None also if they cost more OPERATIONS, of which a point is some.

    >>> few_points(isl.Set("{ [a, b] : 0 <= a <= 1 and b = 2a }"))
    [(0, 0), (1, 2)]
    >>> few_points(isl.Set("{ [a] : a >= 0 }")) is None
    True
    """
    if points.involves_dims(DIM.param, 0, points.dim(DIM.param)) or not points.is_bounded():
        return None
    try:
        with budget(operations):
            points = points.project_out_all_params()
            if most <= limits.FEW_POINTS and _has_more_than(points, most):
                return None
            if most > limits.FEW_POINTS and points.count_val().to_python() > most:
                return None
            return sorted(map(coordinates, points_of(points)))
    except BudgetExceeded:
        return None


def _has_more_than(points: isl.Set, most: int) -> bool:
    """Whether a bounded set has more points: they are looked for in their order, until there are.

    isl counts a set by going through all of its points, of which there may be many more.
    """
    ends = plain_box(points)
    if ends is not None:
        return math.prod(high - low + 1 for low, high in ends) > most
    return _lines_have_more_than(points, most) or _found(points, 0, most + 1) > most


def _lines_have_more_than(points: isl.Set, most: int) -> bool:
    """Whether more of POINTS, where there are divisions, are on one of the lines through one of them."""
    moving = _moving(points, 0)
    if len(moving) < 2 or not any(part.dim(DIM.div) for part in points.get_basic_sets()):
        return False
    point = points.sample_point()
    return not point.is_void() and any(
        _near(
            isl.Set.from_point(point).eliminate(DIM.set, k, 1).intersect(points),
            k,
            at - limits.NEAR_POINTS,
            at + limits.NEAR_POINTS,
        )
        > most
        for k in reversed(moving[-limits.LINES_OF_A_POINT :])
        for at in (point.get_coordinate_val(DIM.set, k).to_python(),)
    )


def _near(points: isl.Set, position: int, low: int, high: int) -> int:
    """How many of POINTS have a coordinate from LOW to HIGH."""
    near = points.lower_bound_val(DIM.set, position, number(low))
    return near.upper_bound_val(DIM.set, position, number(high)).count_val().to_python()


def _moving(points: isl.Set, position: int) -> list[int]:
    """The dimensions from POSITION on along which not all of POINTS are seen to be one number."""
    return [k for k in range(position, points.dim(DIM.set)) if fixed(points, k) is None]


def _found(points: isl.Set, position: int, enough: int) -> int:
    """How many points there are, if they are fewer than ENOUGH, of which all coordinates before are given."""
    moving = _moving(points, position)
    if not moving:
        return 0 if points.is_empty() else 1
    position = moving[0]
    low = least(points, position)
    if low is None:
        return 0
    if len(moving) == 1:  # a line
        if _is_conjunction(points):
            high = greatest(points, position)  # all numbers between are points: it is convex
            return enough if high is None else min(enough, high - low + 1)
        near = _near(points, position, low, low + limits.NEAR_POINTS)
        behind = points.lower_bound_val(DIM.set, position, number(low + limits.NEAR_POINTS + 1))
        if near >= enough or behind.is_empty():
            return min(near, enough)
    count = 0
    while low is not None and count < enough:
        count += _found(points.fix_val(DIM.set, position, number(low)), position + 1, enough - count)
        points = points.lower_bound_val(DIM.set, position, number(low + 1))
        low = least(points, position)
    return count


def _is_conjunction(points: isl.Set) -> bool:
    """Whether constraints without divisions say what POINTS are."""
    parts = points.get_basic_sets()
    return len(parts) == 1 and not parts[0].dim(DIM.div)


def pairs(relation: isl.Map) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The pairs of a bounded relation without parameters, in their order; ValueError for any other one.

    >>> pairs(isl.Map("{ A[i] -> B[i + 1, 0] : 0 <= i <= 1 }"))
    [((0,), (1, 0)), ((1,), (2, 0))]
    """
    rank = relation.dim(DIM.in_)
    flat = relation.reset_tuple_id(DIM.in_).reset_tuple_id(DIM.out).wrap().flatten()
    found = few_points(flat, limits.LISTED_PAIRS)
    if found is None:
        raise ValueError(f"not a bounded relation of at most {limits.LISTED_PAIRS} pairs: {relation}")
    return [(point[:rank], point[rank:]) for point in found]
