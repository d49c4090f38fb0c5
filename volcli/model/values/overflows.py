"""Which arithmetic on 64 bits wraps around, although index arithmetic is taken not to overflow.

What nothing bounds, an argument of the function, is taken to be small enough: `%n * 4` is four times %n. That
says nothing of numbers that are large whatever the arguments are: of the upper bits of a negative number, of
large constants, of products of integers with 32 bits. Let an operation's result lie in R, by interval
arithmetic in which what is unbounded lies between -16 and 16. If R is not within [-2^63, 2^63), it wraps.

What goes around a loop is not bounded before it is worked out. It is supposed not to wrap around, and what
follows from that is looked at: where numbers between those bounds do not wrap around, none does, by induction
over the iterations. Else the operation wraps around, unless what is known without supposing so excludes it:
wherever what is unbounded lies in [-2^63, 2^63). That may rest on what is supposed of other operations, which
is looked at itself. What is still unbounded then grows from iteration to iteration: it is taken to stay small
only where the next number is less than 2^40. `a + 2^62` does not, though its first value, for a = 7, has 64
bits.

Example: `%h = shrui %n, 1` is in [0, 2^63), so `shli %h, 2` is 4 * %h modulo 2^64: -4 for %n = -1.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import OpResult, SSAValue

from volcli.language.expressions import Expression, Monomial
from volcli.model.values.outline import Outline
from volcli.model.values.ranges import Interval, range_of
from volcli.model.values.solver import Solver
from volcli.model.values.variables import Variable, is_wide, variables_of

_ORDINARY = 16
"""What is not bounded is taken to be as large: a product of many sizes must not count as overflowing."""
_HALF = 2**63
_LARGE = 2**31
_GROWN = 2**40
"""What has no bound and goes around a loop passes 2^63 in an ordinary number of steps to more than this."""


class Overflows:
    """The operations on 64 bits that wrap around, of a function by its OUTLINE, by RANGE of variables."""

    def __init__(
        self,
        outline: Outline,
        range: Callable[[Variable], Interval],
        solver: Solver,
    ) -> None:
        self._outline = outline
        self._range = range
        self._solver = solver

    def wrapped(self, result: SSAValue, number: Expression) -> Expression:
        """NUMBER, which the operation of RESULT computes, or what is left of it in 64 bits."""
        if not self._may_be_large(result, number):
            return number
        stays, is_provisional = self._solver.traced(self._stays, result, number)
        if stays and is_provisional and not self._solver.is_refuted(result):
            self._solver.suppose(result, lambda: self._still_stays(result, number))
        return number if stays else (number + _HALF) % (2 * _HALF) - _HALF

    def size(self, number: Expression) -> Expression | None:
        """NUMBER, which an operation says that a size is; None if it is more than a size can be."""
        if not _has_large_factors(number):
            return number
        low, _ = range_of(number, self._range)
        return number if low is None or low < _HALF else None

    def _stays(self, result: SSAValue, number: Expression) -> bool:
        """Whether NUMBER, of which RESULT has the lower 64 bits, has no more."""
        return self._is_below(_HALF, result, number, is_refuted=self._solver.is_refuted(result))

    def _still_stays(self, result: SSAValue, number: Expression) -> bool:
        """Whether that is true of what was found by supposing it."""
        grows = any(self._grows(variable) for variable in variables_of(number))
        return self._is_below(_GROWN if grows else _HALF, result, number, is_refuted=False, is_found=True)

    def _is_below(
        self, limit: int, result: SSAValue, number: Expression, *, is_refuted: bool, is_found: bool = False
    ) -> bool:
        """Whether NUMBER is in [-LIMIT, LIMIT)."""
        ordinary = _ORDINARY if self._is_of_large(result) else 1

        def ends(variable: Variable) -> Interval:
            return self._ends(variable, ordinary, is_refuted=is_refuted, is_found=is_found)

        low, high = range_of(number, ends)
        return low is not None and high is not None and low >= -limit and high < limit

    def _grows(self, variable: Variable) -> bool:
        """Whether VARIABLE goes around a loop that is being solved, and has no bound on some side."""
        ends, is_provisional = self._solver.traced(self._range, variable)
        return is_provisional and None in ends

    def _ends(self, variable: Variable, ordinary: int, *, is_refuted: bool, is_found: bool) -> Interval:
        """What VARIABLE lies between, if it is ORDINARY where nothing bounds it, or is not known yet."""
        (low, high), is_provisional = self._solver.traced(self._range, variable)
        is_unknown = is_provisional and is_refuted
        is_fast = (is_found or not is_provisional) and self._outline.growth.is_fast(variable.value)
        guarded = self._outline.growth.guarded.get(variable.value, ()) if is_fast else ()
        if low is None:
            is_any = is_unknown or (is_fast and -1 not in guarded)
            low = -_HALF if is_any else -ordinary if high is None else min(-ordinary, high)
        if high is None:
            is_any = is_unknown or (is_fast and 1 not in guarded)
            high = _HALF - 1 if is_any else max(ordinary, low)
        return low, high

    def _may_be_large(self, result: SSAValue, number: Expression) -> bool:
        """Whether NUMBER, which RESULT is computed as, is worth to be looked at."""
        if not isinstance(result, OpResult) or not is_wide(result.type):
            return False
        if _has_large_factors(number) or result in self._outline.outgrowing:
            return True
        return any(operand in self._outline.outgrowing for operand in result.op.operands)

    def _is_of_large(self, result: SSAValue) -> bool:
        """Whether RESULT is computed from what is large for small operands."""
        assert isinstance(result, OpResult)
        return any(operand in self._outline.large for operand in result.op.operands)


def _has_large_factors(number: Expression) -> bool:
    """Whether NUMBER is large for small values of its variables, or a product of several ones."""
    factors = (number.constant, *(factor for _, factor in number.terms))
    return any(abs(each) >= _LARGE for each in factors) or any(
        isinstance(a, Monomial) for a in number.atoms()
    )
