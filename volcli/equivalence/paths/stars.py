"""Any number of steps of a relation, where that is known exactly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import islpy as isl

from volcli.equivalence.paths.paths import Paths, Term
from volcli.language.expressions import constant, loop, loops
from volcli.language.programs.graphs import components
from volcli.limits import equivalence as limits
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


def star(step: Paths, points: isl.Set) -> Paths | None:
    """The paths of any number of STEPs among POINTS; None if that is not known exactly."""
    identity = points.identity()
    if not step:
        return Paths.of(identity)
    relation = step.support
    is_counted = all(term.times == 1 and not term.hidden for term in step.terms)
    vector = _vector(relation)
    if vector is not None:
        found = _along(relation, points, vector)
    elif (in_phases := _in_phases(relation, points)) is not None:
        found = in_phases
        is_counted = is_counted and bool(relation.is_single_valued())
    else:
        if relation.n_basic_map() > limits.STAR_PARTS or any(
            m.dim(DIM.div) for m in relation.get_basic_maps()
        ):
            return None
        closure, is_exact = relation.transitive_closure()
        if not is_exact:
            return None
        found = closure.union(identity)
        is_counted = is_counted and bool(relation.is_single_valued())
    return Paths((Term(coalesced(found), 0, 1 if is_counted else 0),))


def _vector(relation: isl.Map) -> tuple[int, ...] | None:
    """The one vector by which RELATION goes on from each point; None if there are several."""
    deltas = relation.deltas()
    numbers: list[int] = []
    for k in range(deltas.dim(DIM.set)):
        value = deltas.plain_get_val_if_fixed(DIM.set, k)
        if not value.is_int():
            low, high = deltas.dim_min_val(k), deltas.dim_max_val(k)
            if not (low.is_int() and high.is_int() and low.eq(high)):
                return None
            value = low
        numbers.append(value.to_python())
    return tuple(numbers)


def _in_phases(relation: isl.Map, points: isl.Set) -> isl.Map | None:
    """The closure of RELATION, if it goes along one vector after the other, and never back; None if not.

    Each piece of it leads to itself or on to others: those that lead to each other have one vector, or there
    is one that does not lead to itself. In the order P, Q, ... of these, the closure is P*, then Q*, ...

        a[i][j] = a[i - 1][j + 1]       an element stays until row i is its own, then it goes along (-1, 1)
                                        from row to row, up to the border, where it stays
    """
    pieces = [isl.Map.from_basic_map(each) for each in relation.get_basic_maps()]
    if not 1 < len(pieces) <= limits.STAR_PHASES:
        return None
    leads = [
        [k for k, to in enumerate(pieces) if not each.range().is_disjoint(to.domain())] for each in pieces
    ]
    found = points.identity()
    for together in reversed(list(components(range(len(pieces)), lambda k: leads[k]))):
        phase = reduce(isl.Map.union, (pieces[k] for k in together))
        vector = _vector(phase)
        if vector is not None:
            phase = _along(phase, points, vector)
        elif len(together) == 1 and together[0] not in leads[together[0]]:
            phase = phase.union(points.identity())
        else:
            return None
        found = coalesced(found.apply_range(phase))
    return found


def _along(step: isl.Map, points: isl.Set, vector: Sequence[int]) -> isl.Map:
    """`{ [p] -> [p + n v] : n >= 0 }` as far as STEP leads on from each point but the last one."""
    rank = len(vector)
    # over (p, n): p + n v, and p
    to_end = build.relation(rank + 1, tuple(loop(k) + loop(rank) * number for k, number in enumerate(vector)))
    to_start = build.relation(rank + 1, loops(rank))
    any_number = to_start.intersect_domain(_counts(rank)).reverse().apply_range(to_end)
    some = to_start.intersect_domain(_counts(rank, 1)).reverse().apply_range(to_end)
    any_number = any_number.intersect_domain(points).intersect_range(points)
    stops = points.subtract(step.domain())
    if stops.is_empty():
        return any_number
    beyond = any_number.intersect_range(stops).apply_range(some.intersect_range(points))
    return any_number.subtract(beyond)


def _counts(rank: int, least: int = 0) -> isl.Set:
    """`{ [p, n] : n >= least }`"""
    return build.nonnegative(rank + 1, (loop(rank) - constant(least),))
