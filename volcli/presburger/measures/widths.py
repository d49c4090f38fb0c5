"""Sets without remainders by the width of a number that do nothing, where parameters have so many bits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import islpy as isl

from volcli.limits.widths import GREATEST
from volcli.presburger.sets import build

Points = TypeVar("Points", isl.Set, isl.Map)

_WIDE = str(2**64)[:17]
"""How the width of a number begins, and its greatest number."""


def within_words(points: Points, sizes: Iterable[str], numbers: Iterable[str]) -> Points:
    """POINTS for parameters of 64 bits, simplified: SIZES are not negative, NUMBERS have a sign.

    >>> wrapped = "18446744073709551616*floor((n)/18446744073709551616) <= n - i"
    >>> wide = isl.Set(f"[n] -> {{ [i] : 0 <= i <= n and {wrapped} }}")
    >>> str(within_words(wide, ["n"], []))
    '[n] -> { [i] : 0 <= i <= n }'
    """
    if _WIDE not in str(points):
        return points
    space = points.get_space().params()
    possible = isl.Set.universe(space)
    ranges = [(name, 0) for name in sizes] + [(name, -GREATEST - 1) for name in numbers]
    for name, low in ranges:
        position = space.find_dim_by_name(isl.dim_type.param, name)
        if position >= 0:
            possible = possible.lower_bound_val(isl.dim_type.param, position, build.number(low))
            possible = possible.upper_bound_val(isl.dim_type.param, position, build.number(GREATEST))
    found = points
    for _ in range(2):  # without the remainders that the first pass takes out, the second one sees more
        found = found.intersect_params(possible).coalesce().remove_redundancies().gist_params(possible)
    return found if len(str(found)) < len(str(points)) else points
