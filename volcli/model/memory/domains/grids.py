"""The iterations of loops whose bounds are numbers: the product of their ranges, made once."""

from __future__ import annotations

import islpy as isl

from volcli.language.expressions import (
    Expression,
    loop,
)
from volcli.language.unchanged import cached_method
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


class Grids:
    """`{ [i] : i_k in the k-th range }`, by the ranges."""

    @cached_method
    def points(self, ranges: tuple[range, ...]) -> isl.Set:
        """`{ [i] : i_k in the k-th of RANGES }`."""
        points = isl.Set.universe(build.space((), len(ranges)))
        for k, iterations in enumerate(ranges):
            points = within(points, k, iterations)
        return points

    def linear(self, ranges: tuple[range, ...], index: tuple[Expression, ...]) -> isl.Map:
        """`{ [i] -> [index(i)] : i_k in the k-th of RANGES }`, whatever becomes of the program."""
        return build.relation(len(ranges), index).intersect_domain(self.points(ranges))


def within(points: isl.Set, position: int, iterations: range) -> isl.Set:
    """POINTS with the coordinate at POSITION among ITERATIONS."""
    if not iterations:
        return isl.Set.empty(points.get_space())
    points = points.lower_bound_val(DIM.set, position, build.number(iterations[0]))
    points = points.upper_bound_val(DIM.set, position, build.number(iterations[-1]))
    if iterations.step == 1 or len(iterations) == 1:
        return points
    distance = (loop(position) - iterations[0]) % iterations.step
    return points.intersect(build.nonnegative(points.dim(DIM.set), (-distance,)))
