"""Which arithmetic on 64 bits wraps around, although index arithmetic is taken not to overflow.

What nothing bounds, an argument of the function, is taken to be small enough: `%n * 4` is four times %n. That
says nothing of numbers that are large whatever the arguments are: of the upper bits of a negative number, of
large constants, of products of integers with 32 bits. Let an operation's result lie in R, by interval
arithmetic in which what is unbounded lies between -16 and 16. If R is not within [-2^63, 2^63), it wraps.

What goes around a loop is not bounded before it is worked out. It is supposed not to wrap around, and what
follows from that is looked at: where numbers between those bounds do not wrap around, none does, by induction
over the iterations. Else the operation wraps around, unless what is known without supposing so excludes it.

Example: `%h = shrui %n, 1` is in [0, 2^63), so `shli %h, 2` is 4 * %h modulo 2^64: -4 for %n = -1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.ir import OpResult, SSAValue

from volcli.language.expressions import Expression
from volcli.model.values.outline import Outline
from volcli.model.values.ranges import Interval, range_of
from volcli.model.values.solver import Solver
from volcli.model.values.variables import Variable, is_wide

_ORDINARY = 16
"""What is not bounded is taken to be as large: a product of many sizes must not count as overflowing."""
_HALF = 2**63


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
        self._refuted: set[SSAValue] = set()

    def wrapped(self, result: SSAValue, number: Expression) -> Expression:
        """NUMBER, which the operation of RESULT computes, or what is left of it in 64 bits."""
        if not self._may_be_large(result):
            return number
        stays, is_provisional = self._solver.traced(self._stays, result, number)
        if stays and is_provisional:
            self._solver.suppose(lambda: self._still_stays(result, number))
        return number if stays else (number + _HALF) % (2 * _HALF) - _HALF

    def _stays(self, result: SSAValue, number: Expression) -> bool:
        """Whether NUMBER has 64 bits."""
        ordinary = partial(self._ordinary, is_refuted=result in self._refuted)
        low, high = range_of(number, ordinary)
        return low is not None and high is not None and low >= -_HALF and high < _HALF

    def _still_stays(self, result: SSAValue, number: Expression) -> bool:
        """Whether that is true of what was found by supposing it; else it is not supposed of RESULT again."""
        stays = self._stays(result, number)
        if not stays:
            self._refuted.add(result)
        return stays

    def _ordinary(self, variable: Variable, *, is_refuted: bool) -> Interval:
        (low, high), is_provisional = self._solver.traced(self._range, variable)
        if is_provisional and is_refuted:  # what bounds it is not known yet
            return -_HALF if low is None else low, _HALF - 1 if high is None else high
        if low is None:
            low = -_ORDINARY if high is None else min(-_ORDINARY, high)
        return low, max(_ORDINARY, low) if high is None else high

    def _may_be_large(self, result: SSAValue) -> bool:
        if not isinstance(result, OpResult) or not is_wide(result.type):
            return False
        return any(operand in self._outline.large for operand in result.op.operands)
