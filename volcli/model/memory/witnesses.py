"""One concrete pair of iterations for each dependence."""

from __future__ import annotations

import islpy as isl

from volcli.model.memory.instances import Relation
from volcli.presburger.build import DIM, number
from volcli.presburger.extremes import least


def pair(source: Relation, sink: Relation, common: int, depth: int) -> isl.Point | None:
    """A point [i, j, element] at which SOURCE in iteration i and SINK in iteration j meet at DEPTH.

    The first such iterations, if there is a first one; None if there is no such point at all.
    """
    # [i] -> [element] and [j] -> [element], as [i, j] -> [element], once both are made maps from [i, j]
    first, second = source.points.dim(DIM.in_), sink.points.dim(DIM.in_)
    before = source.elements().insert_dims(DIM.in_, first, second)
    after = sink.elements().insert_dims(DIM.in_, 0, first)
    points = before.intersect(after).wrap().flatten()
    for k in range(min(depth - 1, common)):
        points = points.equate(DIM.set, k, DIM.set, first + k)
    if depth <= common:
        points = points.intersect(_in_order(points.get_space(), depth - 1, first + depth - 1))
    point = _first(points)
    return None if point.is_void() else point


def _in_order(space: isl.Space, before: int, after: int) -> isl.Set:
    """The points whose coordinate BEFORE is less than that at AFTER."""
    constraint = isl.Constraint.alloc_inequality(isl.LocalSpace.from_space(space))
    constraint = constraint.set_coefficient_val(DIM.set, before, isl.Val.negone(isl.DEFAULT_CONTEXT))
    constraint = constraint.set_coefficient_val(DIM.set, after, isl.Val.one(isl.DEFAULT_CONTEXT))
    constraint = constraint.set_constant_val(isl.Val.negone(isl.DEFAULT_CONTEXT))
    return isl.Set.universe(space).add_constraint(constraint)


def _first(points: isl.Set) -> isl.Point:
    """The lexicographically first point of POINTS for some parameters, if there is a first one.

    Coordinate by coordinate: isl's lexmin gives the empty set for some sets with divisions that are not
    empty.
    """
    parameters = points.params().sample_point()
    if parameters.is_void():
        return parameters
    fixed = points.intersect_params(isl.Set.from_point(parameters))
    if fixed.is_bounded():
        for position in range(fixed.dim(DIM.set)):
            fixed = fixed.fix_val(DIM.set, position, number(least(fixed, position) or 0))
    return fixed.sample_point()
