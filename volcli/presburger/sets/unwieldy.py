"""Sets whose ends isl may not find in any time: those of many divisions and large numbers."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from volcli.presburger.sets.build import DIM

MOST_DIVISIONS = 4
_LARGE = 2**32


def is_unwieldy(parts: Sequence[isl.BasicSet], most: int = MOST_DIVISIONS) -> bool:
    """Whether PARTS have more than MOST divisions together, and numbers that are large.

    isl cannot deal with more of them than that.

    >>> is_unwieldy([isl.BasicSet("{ [x] : x >= 4294967296 }")])
    False
    """
    if sum(part.dim(DIM.div) for part in parts) <= most:
        return False
    return any(
        abs(constraint.get_constant_val().to_python()) >= _LARGE
        for part in parts
        for constraint in part.get_constraints()
    )
