"""Whether a point is in a set."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from volcli.presburger.sets.build import DIM, number


def has_point(points: isl.Set, point: Sequence[int | None]) -> bool:
    """Whether POINT is in POINTS for some values of the parameters; not, if a coordinate is None.

    >>> has_point(isl.Set("[n] -> { [i] : 0 <= i < n and i mod 3 = 0 }"), [6])
    True
    >>> has_point(isl.Set("{ [i] : i mod 3 = 0 }"), [7])
    False
    """
    points = points.project_out_all_params()
    found = isl.Point.zero(points.get_space())
    for k, coordinate in enumerate(point):
        if coordinate is None:
            return False
        found = found.set_coordinate_val(DIM.set, k, number(coordinate))
    return not isl.Set.from_point(found).intersect(points).is_empty()
