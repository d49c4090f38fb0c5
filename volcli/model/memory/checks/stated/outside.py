"""The part of an access relation that is outside: which indices leave a buffer, in which dimension.

{ [i] -> [indices, sizes, l] : index_k < 0 or index_k >= sizes_k for some k }
"""

from __future__ import annotations

import islpy as isl

from volcli.language.expressions import loop
from volcli.model.memory.checks.stated.stated import StatedAccess
from volcli.presburger.measures import box
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


def failing(relation: Relation, stated: StatedAccess) -> isl.Map:
    """The part of a relation in which an index is negative, or not less than the size."""
    points = relation.elements()
    bad = isl.Set.empty(build.space((), points.dim(DIM.out)))
    for dimension in range(stated.rank):
        bad = bad.union(_outside(points, dimension, stated))
    return points.intersect_range(bad)


def _outside(points: isl.Map, dimension: int, stated: StatedAccess) -> isl.Set:
    """`{ [indices, sizes, l] }`, the range of POINTS, where an index in DIMENSION is outside."""
    count, rank = points.dim(DIM.out), stated.rank
    sizes = len(stated.indices) * rank
    bad = isl.Set.empty(build.space((), count))
    for position in range(dimension, sizes, rank):
        bad = bad.union(build.nonnegative(count, (-loop(position) - 1,)))
        bad = bad.union(build.nonnegative(count, (loop(position) - loop(sizes + dimension),)))
    return bad


def one_cause(fails: isl.Map, certain: isl.Set, stated: StatedAccess) -> isl.Map:
    """Of what FAILS in any case, in CERTAIN iterations, what does so in one dimension, if one is enough.

    `load %m[%i, 40] : memref<?x40xf32>` fails in dimension 1 whatever the other size is: no example for it is
    one in which %i is too large.
    """
    calls = certain.params()
    if stated.rank < 2 or calls.plain_is_universe():
        return fails
    bad = [_outside(fails, dimension, stated) for dimension in range(stated.rank)]
    for dimension, here in enumerate(bad):
        in_one = fails.intersect_range(here)
        if calls.is_subset(in_one.intersect_domain(certain).domain().params()):
            for other, there in enumerate(bad):
                alone = in_one if other == dimension else in_one.subtract_range(there)
                in_one = in_one if alone.intersect_domain(certain).is_empty() else alone
            return in_one
    return fails


class Points:
    """`{ [i] -> [indices, sizes, l] }`: the iterations of the loops around, and of the operation's own."""

    def __init__(self, relation: isl.Map, stated: StatedAccess) -> None:
        self.relation = relation
        self._numbers = (len(stated.indices) + 1) * stated.rank

    def iterations(self) -> isl.Set:
        """`{ [i] }`"""
        return self.relation.domain()

    def count(self) -> int | None:
        """How many `[i, l]` there are."""
        points = self.relation.project_out(DIM.out, 0, self._numbers).wrap().flatten()
        return box.count(points.coalesce())
