"""Sets and relations in fewer pieces.

isl's own coalesce does not end well for some relations whose pieces have different divisions (isl 0.27, islpy
2026.2): "original tableau does not correspond to original basic map", or a crash in isl_set_wrap_facet. So
only pieces of the same divisions are joined, and what isl refuses stays in its pieces. Of many pieces it
finds one text or another, even of the same text in a new context: where things lie in memory seems to matter.
Of pieces that come one by one, to those that are joined already, it finds the same, and often fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TypeVar, cast

import islpy as isl

from volcli.presburger.budget import is_spent
from volcli.presburger.build import DIM

Points = TypeVar("Points", isl.Set, isl.Map)

_DIVISIONS = ("floor", "mod", "exists")
"""What isl writes of a set with divisions."""
_MOST_OPERATIONS = 100_000
"""For one set in a context of its own, which no budget counts."""


def coalesced(points: Points) -> Points:
    """POINTS, with pieces joined where isl can join them, of the same divisions.

    >>> coalesced(isl.Set("{ [i] : 0 <= i < 4; [i] : 4 <= i < 8 }"))
    Set("{ [i] : 0 <= i <= 7 }")
    """
    try:
        groups = _by_divisions(points)
        return points.coalesce() if len(groups) < 2 else _joined([group.coalesce() for group in groups])
    except isl.Error:
        if is_spent():
            raise
        return points


def _by_divisions(points: Points) -> Sequence[Points]:
    """POINTS in parts, each of the pieces that have the same divisions."""
    if isinstance(points, isl.Set):
        sets: dict[tuple[str, ...], isl.Set] = {}
        for piece in points.get_basic_sets():
            part, key = isl.Set.from_basic_set(piece), _divisions(piece)
            sets[key] = sets[key].union(part) if key in sets else part
        return cast(Sequence[Points], tuple(sets.values()))
    maps: dict[tuple[str, ...], isl.Map] = {}
    for piece in points.get_basic_maps():
        part, key = isl.Map.from_basic_map(piece), _divisions(piece)
        maps[key] = maps[key].union(part) if key in maps else part
    return cast(Sequence[Points], tuple(maps.values()))


def _divisions(piece: isl.BasicSet | isl.BasicMap) -> tuple[str, ...]:
    return tuple(str(piece.get_div(k)) for k in range(piece.dim(DIM.div)))


def _joined(parts: Sequence[Points]) -> Points:
    found = parts[0]
    for part in parts[1:]:
        found = found.union(part)
    return found


def reproducibly_coalesced(points: Points) -> Points:
    """POINTS, with pieces joined where isl can join them, alike in each process: for what is printed.

    >>> reproducibly_coalesced(isl.Set("{ [i] : 0 <= i < 4; [i] : 4 <= i < 8 }"))
    Set("{ [i] : 0 <= i <= 7 }")
    """
    pieces = points.n_basic_set() if isinstance(points, isl.Set) else points.n_basic_map()
    text = str(points) if pieces > 1 else ""
    if not any(word in text for word in _DIVISIONS):
        return coalesced(points)
    context = isl.Context()
    context.set_max_operations(_MOST_OPERATIONS)
    try:
        joined = str(_one_by_one(type(points).read_from_str(context, text)))
    except isl.Error:
        return type(points)(text)
    return type(points)(joined)


def _one_by_one(points: Points) -> Points:
    """POINTS with each piece joined to those before it, in the order of their texts."""
    if isinstance(points, isl.Set):
        sets = sorted(map(isl.Set.from_basic_set, points.get_basic_sets()), key=str)
        return reduce(lambda found, piece: found.union(piece).coalesce(), sets)
    maps = sorted(map(isl.Map.from_basic_map, points.get_basic_maps()), key=str)
    return reduce(lambda found, piece: found.union(piece).coalesce(), maps)
