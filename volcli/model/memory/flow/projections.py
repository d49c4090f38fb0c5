"""Relations and sets of which some dimensions are kept, in few pieces; and their greatest points."""

from __future__ import annotations

from functools import reduce

import islpy as isl

from volcli.limits import memory as limits
from volcli.presburger.limits.budget import is_spent
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.unwieldy import divides_large, is_dear, within, within_nested


def outermost(points: isl.Map, kind: isl.dim_type, depth: int) -> isl.Map:
    """POINTS, of whose dimensions the first DEPTH are kept: those of the loops around an operation."""
    return points.project_out(kind, depth, points.dim(kind) - depth)


def first_dimensions(points: isl.Set, depth: int) -> isl.Set:
    """The projection onto the first DEPTH dimensions."""
    return points.project_out(DIM.set, depth, points.dim(DIM.set) - depth)


def difference(points: isl.Set, others: isl.Set) -> isl.Set:
    """POINTS without OTHERS, which mostly have parts written in the same way: these are not computed.

    Of large numbers it may cost little: 10,000 steps take 0.1 s, 20,000 0.7 s, and 200,000 took minutes.
    """
    if points.plain_is_equal(others):
        return isl.Set.empty(points.get_space())
    parts, removed = points.get_basic_sets(), others.get_basic_sets()
    kept = [part for part in parts if not any(map(part.plain_is_equal, removed))]
    if len(kept) < len(parts):
        points = reduce(isl.Set.union, kept, isl.Set.empty(points.get_space()))
    if not kept:
        return points
    with within(limits.DEAR_DIFFERENCE, *filter(divides_large, (points, others))):  # not of many divisions
        return points.subtract(others)


def sure_difference(points: isl.Set, others: isl.Set) -> isl.Set:
    """A part of POINTS without OTHERS: all, but none where numbers are large, which took isl a minute."""
    if any(map(is_dear, (points, others))):
        return isl.Set.empty(points.get_space())
    return difference(points, others)


def tidy(points: isl.Set, within: isl.Set) -> isl.Set:
    """POINTS, a part of WITHIN, in few pieces."""
    if points.plain_is_equal(within):
        return points
    plain = points.coalesce()
    if plain.n_basic_set() < 2:
        return plain
    other = plain.gist(within).coalesce().intersect(within).coalesce()
    return min((plain, other), key=isl.Set.n_basic_set)


def greatest(points: isl.Map) -> isl.Map | None:
    """`{ [x] -> [t] : t is the lexicographically greatest with (x, t) in points }`.

    None if isl errs, or refuses because there is no greatest t for some x.

    >>> greatest(isl.Map("{ [x] -> [t] : 0 <= t <= x }"))
    Map("{ [x] -> [t = x] : x >= 0 }")
    """
    if not points.dim(DIM.out):  # an access in no loop: isl would compute all of its divisions
        return points
    has_divisions = any(part.dim(DIM.div) for part in points.get_basic_maps())
    if has_divisions and points.n_basic_map() >= limits.DIVIDED_PARTS and points.is_single_valued():
        return points
    try:
        with within_nested(points):
            found = points.lexmax()
    except isl.Error:
        if is_spent():
            raise
        return None
    if not has_divisions:
        return found
    behind = isl.Map.lex_lt(points.get_space().range())
    is_right = (
        found.is_subset(points)
        and points.domain().is_subset(found.domain())
        and found.apply_range(behind).intersect(points).is_empty()
    )
    return found if is_right else None
