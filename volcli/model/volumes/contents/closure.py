"""Dependences that follow each other: the values of writes over what they are computed from in the end.

A write instance is computed from leaves, L, and from other write instances, D, which run before it. So

    V = L + D * V        (first D, then V)

has one solution V: no chain of instances that each run before the last one is endless. L + D+ * L is one
where isl's transitive closure D+ is exact; what is found is proved by the equation.

    c[i, j] += a[i, k] * b[k, j]    D = { [i, j, k] -> [i, j, k - 1] }    V = { [i, j, k] -> a[i, 0..k], ... }
"""

from __future__ import annotations

import islpy as isl

from volcli.limits import volumes as limits
from volcli.presburger.limits.budget import budget
from volcli.presburger.sets.callbacks import maps_of
from volcli.presburger.sets.unwieldy import divisions


def solved(leaves: isl.UnionMap, before: isl.UnionMap) -> tuple[isl.UnionMap, bool]:
    """V of LEAVES and what is BEFORE: a superset, and whether it is V."""
    if before.is_empty():
        return leaves, True
    maps = maps_of(before)
    operations = limits.CHAIN_OPERATIONS * max(limits.SHORT_CHAIN, len(maps))
    with budget(operations // (limits.DIVIDED_CHAINS if any(map(divisions, maps)) else 1)):
        return _solved(leaves, before)


def _solved(leaves: isl.UnionMap, before: isl.UnionMap) -> tuple[isl.UnionMap, bool]:
    closure, _ = before.transitive_closure()
    found = leaves.union(closure.apply_range(leaves)).coalesce()
    if _next(leaves, before, found).is_equal(found):
        return found, True
    reached = leaves
    for _ in range(limits.CHAINED_WRITES):
        following = _next(leaves, before, reached).coalesce()
        if following.is_subset(reached):
            return reached, True
        if _pieces(following) > limits.CHAINED_PIECES:
            break
        reached = following
    return found, False


def _next(leaves: isl.UnionMap, before: isl.UnionMap, values: isl.UnionMap) -> isl.UnionMap:
    return leaves.union(before.apply_range(values))


def _pieces(points: isl.UnionMap) -> int:
    return sum(each.n_basic_map() for each in maps_of(points))
