"""Whether a point is in a set."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl


def has_point(points: isl.Set, point: Sequence[int]) -> bool | None:
    """Whether POINT is in POINTS for some values of the parameters; None if it has another dimension.

    >>> has_point(isl.Set("[n] -> { [i] : 0 <= i < n and i mod 3 = 0 }"), [6])
    True
    >>> has_point(isl.Set("{ [i] : i mod 3 = 0 }"), [7])
    False
    """
    if points.dim(isl.dim_type.set) != len(point):
        return None
    for k, number in enumerate(point):
        points = points.fix_val(isl.dim_type.set, k, isl.Val(number))
    return not points.is_empty()
