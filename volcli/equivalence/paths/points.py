"""Points of sets, as examples."""

from __future__ import annotations

import islpy as isl

from volcli.presburger.measures.points import least_point
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space


def sample(points: isl.Set) -> isl.Point:
    """A point of POINTS, which are not empty: the first one, where there is a first one."""
    point = points.sample_point()
    parameters = isl.Set.from_point(point).params()
    return least_point(points.intersect_params(parameters))


def parameters(point: isl.Point) -> tuple[tuple[str, int], ...]:
    """The parameters of POINT, with their names."""
    names = parameters_of_space(isl.Set.from_point(point))
    return tuple((n, point.get_coordinate_val(DIM.param, k).to_python()) for k, n in enumerate(names))


def is_identity(relation: isl.Map) -> bool:
    """Whether RELATION leads from points to themselves alone, if anywhere."""
    return bool(relation.is_subset(isl.Map.identity(relation.get_space())))
