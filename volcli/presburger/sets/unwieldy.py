"""Sets whose ends isl may not find in any time: those of many divisions and large numbers."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

import islpy as isl

from volcli.limits import presburger as limits
from volcli.limits.widths import LARGE, STEEP, WRAPPED
from volcli.presburger.limits.budget import BudgetExceeded, TooLarge, budget
from volcli.presburger.sets.build import DIM


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


def price(*points: isl.Set | isl.Map) -> int:
    """How many times what it usually is an operation on POINTS takes: more if one of them is dear."""
    return limits.DEARER if any(map(is_dear, points)) else 1


def is_subset(points: isl.Set, within: isl.Set) -> bool:
    """Whether all POINTS are WITHIN; where that takes long, a point of each part is looked at first.

    Of remainders by 2^32 isl takes seconds to name all quotients, which `is_subset` begins with.
    """
    samples = (part.sample_point() for part in (points.get_basic_sets() if is_dear(points) else ()))
    if any(within.intersect(isl.Set.from_point(p)).is_empty() for p in samples if not p.is_void()):
        return False
    return bool(points.is_subset(within))


def within(operations: int, *points: isl.Set | isl.Map) -> AbstractContextManager[None]:
    """At most so many OPERATIONS for the block if one of POINTS, on which it works, is dear."""
    return budget(operations) if any(map(is_dear, points)) else nullcontext()


def within_nested(points: isl.Set | isl.Map) -> AbstractContextManager[None]:
    """Few operations for the block if a part of POINTS, on which it works, has many divisions.

    An operation then takes 20 times as long: isl names the quotients by parametric integer programming.
    """
    is_nested = any(part.dim(DIM.div) > limits.NESTED_DIVISIONS for part in _parts(points))
    return budget(limits.NESTED_OPERATIONS) if is_nested else nullcontext()


class Allowance:
    """So many OPERATIONS for each query; OF_DEAR for one that is dear: as many as take no longer than these.

    Each of the latter that comes to nothing leaves half as many to the next: together they cost no more than
    two of them. DEAR says what is.
    """

    def __init__(
        self,
        operations: int,
        of_dear: int | None = None,
        dear: str = "sets with large numbers or many divisions",
    ) -> None:
        self._operations = operations
        self._of_dear = operations // limits.DEARER if of_dear is None else of_dear
        self._dear = dear

    @contextmanager
    def of(self, *, is_dear: bool) -> Generator[None]:
        """Run a query, which is dear (`is_dear`) or is not, within a budget."""
        if not is_dear:
            with budget(self._operations):
                yield
            return
        try:
            with budget(self._of_dear):
                yield
        except BudgetExceeded as error:
            self._of_dear = max(self._of_dear // 2, 1)
            if type(error) is not BudgetExceeded:  # a deadline, or an internal error
                raise
            refused = TooLarge(f"more than {self._operations} integer set operations, for all {self._dear}")
            refused.operations = error.operations
            raise refused from None


def divisions(points: isl.Set | isl.Map) -> int:
    """How many divisions the parts of POINTS have together.

    >>> divisions(isl.Set("{ [x] : x mod 2 = 0 or x mod 3 = 0 }"))
    2
    """
    return sum(part.dim(DIM.div) for part in _parts(points))


def is_dear(points: isl.Set | isl.Map) -> bool:
    """Whether an operation on POINTS takes long: of large numbers that are divided, or of many divisions."""
    return divisions(points) > limits.DEAR_DIVISIONS or divides_large(points)


def divides_large(points: isl.Set | isl.Map) -> bool:
    """Whether a part of POINTS has divisions, and numbers that are large.

    Divisions make what their large numbers are multiplied with large, too; without them, most rows are short.
    isl holds numbers of up to 31 bits in a word, and all others on the heap. To eliminate several divisions
    multiplies their coefficients: several of 2^15 are as large as one of 2^24.

    >>> divides_large(isl.Set("{ [x] : x < 4294967296 }"))
    False
    >>> divides_large(isl.Set("{ [x] : x < 8589934592 and x mod 3 = 1 }"))
    True
    >>> divides_large(isl.Set("{ [x, y] : 16777216x + y <= 9 and x mod 3 = 1 }"))
    True
    >>> few = isl.Set("{ [x] : x mod 40000 < 9 and x mod 40001 < 9 }")
    >>> more = isl.Set("{ [x] : x mod 40002 < 9 and x mod 40003 < 9 and x mod 40004 < 9 }")
    >>> divides_large(few), divides_large(few & more)
    (False, True)
    """
    return any(_is_large(part) for part in _parts(points) if part.dim(DIM.div))


def _parts(points: isl.Set | isl.Map) -> Sequence[isl.BasicSet] | Sequence[isl.BasicMap]:
    return points.get_basic_sets() if isinstance(points, isl.Set) else points.get_basic_maps()


def _is_large(part: isl.BasicSet | isl.BasicMap) -> bool:
    """Whether a number of PART is large, or what eliminating its divisions makes of its coefficients."""
    steepest = 0
    for constraint in part.get_constraints():
        if abs(constraint.get_constant_val().to_python()) >= LARGE - 1:
            return True
        steepest = max(steepest, *map(abs, _coefficients(constraint)))
    return steepest >= STEEP or steepest.bit_length() * part.dim(DIM.div) > limits.STEEP_BITS


def _coefficients(constraint: isl.Constraint) -> Iterator[int]:
    for kind in (DIM.param, DIM.in_, DIM.out, DIM.div):
        for k in range(constraint.dim(kind)):
            yield constraint.get_coefficient_val(kind, k).to_python()
