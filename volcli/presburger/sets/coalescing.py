"""Sets and relations in fewer pieces.

isl's own coalesce does not end well for some relations with divisions (isl 0.27, islpy 2026.2): "original
tableau does not correspond to original basic map". These stay in the pieces that they have. Where quantified
variables are not known to be divisions, it may end the process (isl_set_wrap_facet): they are computed first.

Of many pieces it finds one text or another, even of the same text in a new context: where things lie in
memory seems to matter. Of pieces that come one by one, to those that are joined already, it finds the same,
and often fewer.
"""

from __future__ import annotations

from functools import reduce
from typing import TypeVar

import islpy as isl

from volcli.limits import presburger as limits
from volcli.presburger.limits.budget import is_spent

Points = TypeVar("Points", isl.Set, isl.Map)

_DIVISIONS = ("floor", "mod", "exists")
"""What isl writes of a set with divisions."""


def parts_of(points: isl.Set | isl.Map) -> int:
    """How many basic sets, or basic relations, POINTS are a union of."""
    return points.n_basic_set() if isinstance(points, isl.Set) else points.n_basic_map()


def coalesced(points: Points) -> Points:
    """POINTS, with pieces joined where isl can join them.

    >>> coalesced(isl.Set("{ [i] : 0 <= i < 4; [i] : 4 <= i < 8 }"))
    Set("{ [i] : 0 <= i <= 7 }")
    """
    try:
        return points.compute_divs().coalesce()
    except isl.Error:
        if is_spent():
            raise
        return points


def reproducibly_coalesced(points: Points) -> Points:
    """POINTS, with pieces joined where isl can join them, alike in each process: for what is printed.

    >>> reproducibly_coalesced(isl.Set("{ [i] : 0 <= i < 4; [i] : 4 <= i < 8 }"))
    Set("{ [i] : 0 <= i <= 7 }")
    """
    text = str(points) if parts_of(points) > 1 else ""
    if not any(word in text for word in _DIVISIONS):
        return coalesced(points)
    context = isl.Context()
    context.set_max_operations(limits.COALESCED)
    try:
        joined = str(_one_by_one(type(points).read_from_str(context, text)))
    except isl.Error:
        return points
    return points if joined == text else type(points)(joined)  # to read ten parts takes 0.2 s


def _one_by_one(points: Points) -> Points:
    """POINTS with each piece joined to those before it, in the order of their texts."""
    if isinstance(points, isl.Set):
        sets = sorted(map(isl.Set.from_basic_set, points.get_basic_sets()), key=str)
        return reduce(lambda found, piece: found.union(piece).coalesce(), sets)
    maps = sorted(map(isl.Map.from_basic_map, points.get_basic_maps()), key=str)
    return reduce(lambda found, piece: found.union(piece).coalesce(), maps)
