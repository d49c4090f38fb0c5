"""Sets whose ends isl may not find in any time: those of many divisions and large numbers."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

import islpy as isl

from volcli.limits import presburger as limits
from volcli.limits.widths import WRAPPED
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.build import DIM

_DEARER = 25
"""An operation takes so many times as long on large numbers, which isl does not hold in words."""
_LEAST = 16
"""So many times fewer operations are left to the next queries at the least."""


def is_unwieldy(parts: Sequence[isl.BasicSet], most: int = limits.LARGE_DIVISIONS) -> bool:
    """Whether PARTS have more than MOST divisions together, and numbers that are large.

    isl cannot deal with more of them than that.

    >>> is_unwieldy([isl.BasicSet("{ [x] : x >= 4294967296 }")])
    False
    """
    if sum(part.dim(DIM.div) for part in parts) <= most:
        return False
    return any(
        abs(constraint.get_constant_val().to_python()) >= WRAPPED
        for part in parts
        for constraint in part.get_constraints()
    )


class Allowance:
    """So many OPERATIONS for each query; OF_HARD for one on a hard set, on which each takes longer.

    Each query that comes to nothing leaves half as many to the next: those on hard sets cost no more together
    than two of them. Others keep a sixteenth.
    """

    def __init__(self, operations: int, of_hard: int | None = None) -> None:
        self._left = operations
        self._least = operations // _LEAST
        self._of_hard = operations // _DEARER if of_hard is None else of_hard

    @contextmanager
    def of(self, *, is_hard: bool) -> Generator[None]:
        """Run a query, on a set that IS_HARD or is not, within a budget."""
        try:
            with budget(self._of_hard if is_hard else self._left):
                yield
        except BudgetExceeded:
            if is_hard:
                self._of_hard = max(self._of_hard // 2, 1)
            else:
                self._left = max(self._left // 2, self._least)
            raise


def is_hard(points: isl.Set | isl.Map) -> bool:
    """Whether a part of POINTS has divisions, and numbers that are large; or they have many divisions.

    Divisions make what their large numbers are multiplied with large, too; without them, most rows are short.
    The divisions of two parts come together wherever these are compared.

    >>> is_hard(isl.Set("{ [x] : x < 4294967296 }"))
    False
    >>> is_hard(isl.Set("{ [x] : x < 8589934592 and x mod 3 = 1 }"))
    True
    """
    parts = points.get_basic_sets() if isinstance(points, isl.Set) else points.get_basic_maps()
    divided = [part for part in parts if part.dim(DIM.div)]
    if sum(part.dim(DIM.div) for part in divided) > limits.MANY_DIVISIONS:
        return True
    return any(any(map(_is_large, part.get_constraints())) for part in divided)


def _is_large(constraint: isl.Constraint) -> bool:
    numbers = [constraint.get_constant_val()]
    for kind in (DIM.param, DIM.in_, DIM.out, DIM.div):
        numbers += [constraint.get_coefficient_val(kind, k) for k in range(constraint.dim(kind))]
    return any(abs(each.to_python()) >= WRAPPED for each in numbers)
