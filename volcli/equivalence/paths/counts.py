"""Whether there are as many paths between all pairs of points in two programs."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import islpy as isl

from volcli.equivalence.paths.paths import Paths, Term
from volcli.limits import equivalence as limits
from volcli.presburger.measures.points import pairs
from volcli.presburger.sets.build import DIM


def as_many(one: Paths, other: Paths) -> bool | None:
    """Whether all pairs have as many paths; None if that is not known."""
    if any(term.times == 0 for paths in (one, other) for term in paths.terms):
        return None
    (plain, hidden), (others, further) = _split(one), _split(other)
    if not hidden and not further:
        return _equal(plain, others)
    if _equal(plain, others) and _same_terms(hidden, further):
        return True
    old, new = _enumerated(one), _enumerated(other)
    return None if old is None or new is None else old == new


def one_of_them(old: Sequence[Paths], new: Sequence[Paths], points: isl.Set) -> bool:
    """Whether from each of POINTS as many paths are in one of OLD as in one of NEW, to each point.

    Some may be without what is multiplied by 0, others not.
    """
    both = list(itertools.product(old, new))
    if any(as_many(*each) for each in both):
        return True
    for each in both:
        points = points.intersect(_differing(*each, points))
    return bool(points.is_empty())


def _differing(one: Paths, other: Paths, points: isl.Set) -> isl.Set:
    """Those of POINTS from which it is not known that there are as many paths to each point."""
    found = isl.Set.empty(points.get_space())
    (plain, hidden), (others, further) = _split(one), _split(other)
    for k in plain.keys() | others.keys():
        for left, right in ((plain.get(k), others.get(k)), (others.get(k), plain.get(k))):
            if left is not None and (right is None or k == 0):
                found = found.union(left.domain())
            elif left is not None and right is not None:
                found = found.union(left.subtract(right).domain())
    rest = list(further)
    for term in hidden:
        same = next((t for t in rest if (t.hidden, t.times) == (term.hidden, term.times)), None)
        found = found.union(_unlike(term, same))
        if same is not None:
            rest.remove(same)
    for term in rest:
        found = found.union(term.relation.domain())
    return found.intersect(points)


def _unlike(one: Term, other: Term | None) -> isl.Set:
    """Where ONE and OTHER, with as many hidden dimensions, differ."""
    if other is None or not one.times:
        return one.relation.domain() if other is None else one.relation.union(other.relation).domain()
    both = one.relation.subtract(other.relation), other.relation.subtract(one.relation)
    return both[0].union(both[1]).domain()


def _split(paths: Paths) -> tuple[Mapping[int, isl.Map], list[Term]]:
    plain: dict[int, isl.Map] = {}
    for term in paths.terms:
        if not term.hidden:
            known = plain.get(term.times)
            plain[term.times] = term.relation if known is None else known.union(term.relation)
    return plain, [term for term in paths.terms if term.hidden]


def _equal(one: Mapping[int, isl.Map], other: Mapping[int, isl.Map]) -> bool:
    return one.keys() == other.keys() and all(bool(one[k].is_equal(other[k])) for k in one)


def _same_terms(one: Sequence[Term], other: Sequence[Term]) -> bool:
    rest = list(other)
    for term in one:
        found = next((t for t in rest if (t.hidden, t.times) == (term.hidden, term.times)
                      and t.relation.is_equal(term.relation)), None)  # fmt: skip
        if found is None:
            return False
        rest.remove(found)
    return not rest


def _enumerated(paths: Paths) -> Counter[tuple[tuple[int, ...], tuple[int, ...]]] | None:
    """How many paths there are between each two points, if they are few."""
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for term in paths.terms:
        relation = term.relation
        if relation.involves_dims(DIM.param, 0, relation.dim(DIM.param)):
            return None
        relation = relation.project_out_all_params()
        if not relation.wrap().is_bounded() or relation.wrap().count_val().to_python() > limits.COUNTED_PATHS:
            return None
        reached = relation.dim(DIM.out) - term.hidden
        try:
            few = pairs(relation)
        except ValueError:
            return None
        for source, end in few:
            found[source, end[:reached]] += term.times
    return found
