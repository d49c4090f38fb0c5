"""Which arithmetic on 64 bits wraps around, although index arithmetic is taken not to overflow.

What nothing bounds, an argument of the function, is taken to be small enough: `%n * 4` is four times %n. That
says nothing of numbers that are large whatever the arguments are: of the upper bits of a negative number, of
large constants, of products of integers with 32 bits. Let an operation's result lie in R, by interval
arithmetic in which what is unbounded lies between -16 and 16. If R is not within [-2^63, 2^63), it wraps.
Nor does it say anything of what is multiplied again and again: products of products, of constants or around a
loop (`growth`). There, what is unbounded lies between -1 and 1, so that it is the program alone that counts.

What goes around a loop is not bounded before it is worked out. It is supposed not to wrap around, and what
follows from that is looked at: where numbers between those bounds do not wrap around, none does, by induction
over the iterations. Else the operation wraps around, unless what is known without supposing so excludes it:
wherever what is unbounded lies in [-2^63, 2^63). That may rest on what is supposed of other operations, which
is looked at itself. What is still unbounded then grows from iteration to iteration: it is taken to stay small
only where the next number is less than 2^40. `a + 2^62` does not, though its first value, for a = 7, has 64
bits; what grows exponentially, and no condition guards, does not at all.

Products may be asked about where they are not `trusted`: what is unbounded is then between -2^31 and 2^31, so
that s^8 wraps, and s^2 does not. What is claimed of products is claimed twice (`assuming`).

Example: `%h = shrui %n, 1` is in [0, 2^63), so `shli %h, 2` is 4 * %h modulo 2^64: -4 for %n = -1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.ir import OpResult, SSAValue

from volcli.language.atoms import WHOLE
from volcli.language.expressions import Expression, Value, has_product
from volcli.language.normal_form import operands_of
from volcli.limits.widths import HALF, LARGE
from volcli.model.values.outline.outline import Outline
from volcli.model.values.terms.ranges import Interval, range_of
from volcli.model.values.terms.solver import Solver
from volcli.model.values.terms.variables import Variable, is_wide, variables_of

Ends = Callable[[Variable], Interval]
"""What a variable lies between; None where there is no bound."""
NUMBERS_OF_64_BITS = (-HALF, HALF - 1)
_ORDINARY = 16
"""What is not bounded is taken to be as large: a product of many sizes must not count as overflowing."""
_GROWN = 2**40
"""What has no bound and goes around a loop passes 2^63 in an ordinary number of steps to more than this."""


class Overflows:
    """The operations on 64 bits that wrap around, of a function by its OUTLINE, by RANGE of variables."""

    def __init__(
        self,
        outline: Outline,
        range: Ends,
        solver: Solver,
        ends: Ends,
        of_32_bits: Ends,
        *,
        trusted: bool = True,
    ) -> None:
        self._trusted = trusted
        self._range_of_32_bits = of_32_bits
        """What variables lie between where arguments have 32 bits."""
        self._reach: dict[Variable, Interval] = {}
        """What was computed from numbers of 32 bits, where products are not trusted."""
        self._outline = outline
        self._range = range
        self._solver = solver
        self._ends = ends
        """As RANGE, by sets, which cost more: asked only where intervals would refute what is supposed."""

    def wrapped(self, result: SSAValue, number: Expression) -> Expression:
        """NUMBER, which the operation of RESULT computes, or what is left of it in 64 bits."""
        if not self._may_be_large(result, number):
            return number
        if not self._trusted:
            ends = range_of(number, self._of_32_bits)
            if not has_64_bits(number, self._of_32_bits):
                return (number + HALF) % (2 * HALF) - HALF
            self._reach[Value(result)] = ends
        stays, is_provisional = self._solver.traced(self._stays, result, number)
        if stays and is_provisional and not self._solver.is_refuted(result):
            self._solver.suppose(result, lambda: self._still_stays(result, number))
        if not stays and not is_provisional and self._solver.is_confirmed(result):
            return number
        return number if stays else (number + HALF) % (2 * HALF) - HALF

    def size(self, number: Expression) -> Expression | None:
        """NUMBER, which an operation says that a size is; None if it is more than a size can be."""
        if not _has_large_factors(number):
            return number
        low, _ = range_of(number, self._range)
        return number if low is None or low < HALF else None

    def _of_32_bits(self, variable: Variable) -> Interval:
        return self._reach.get(variable) or self._range_of_32_bits(variable)

    def _stays(self, result: SSAValue, number: Expression) -> bool:
        """Whether NUMBER, of which RESULT has the lower 64 bits, has no more."""
        is_refuted = self._solver.is_refuted(result)
        ends = partial(self._ordinary, self._unbounded(result), ends=self._range, is_refuted=is_refuted)
        return self._is_below(HALF, number, ends)

    def _still_stays(self, result: SSAValue, number: Expression) -> bool:
        """Whether that is true of what was found by supposing it."""
        return any(self._stays_between(ends, result, number) for ends in (self._range, self._ends))

    def _stays_between(self, ends: Ends, result: SSAValue, number: Expression) -> bool:
        """Whether NUMBER stays small for variables between these ENDS, and does not grow out of them."""
        grows = any(self._grows(variable, ends) for variable in variables_of(number))
        limit = _GROWN if grows else HALF
        found = partial(self._ordinary, self._unbounded(result), ends=ends, is_refuted=False, is_found=True)
        return self._is_below(limit, number, found)

    def _is_below(self, limit: int, number: Expression, ends: Ends) -> bool:
        """Whether NUMBER is in [-LIMIT, LIMIT) for variables between ENDS."""
        low, high = range_of(number, ends)
        return low is not None and high is not None and low >= -limit and high < limit

    def _grows(self, variable: Variable, ends: Ends) -> bool:
        """Whether VARIABLE goes around a loop that is being solved, and has no bound on some side."""
        found, is_provisional = self._solver.traced(ends, variable)
        return is_provisional and None in found

    def _ordinary(
        self, unbounded: int, variable: Variable, *, ends: Ends, is_refuted: bool, is_found: bool = False
    ) -> Interval:
        """What VARIABLE lies between, if it is at most UNBOUNDED where nothing bounds it."""
        (low, high), is_provisional = self._solver.traced(ends, variable)
        is_unknown = is_provisional and is_refuted  # what bounds it is not known yet
        is_fast = (is_found or not is_provisional) and self._outline.growth.is_fast(variable.value)
        guarded = self._outline.growth.guarded.get(variable.value, ()) if is_fast else ()
        if low is None:
            is_any = is_unknown or (is_fast and -1 not in guarded)
            low = -HALF if is_any else -unbounded if high is None else min(-unbounded, high)
        if high is None:
            is_any = is_unknown or (is_fast and 1 not in guarded)
            high = HALF - 1 if is_any else max(unbounded, low)
        return low, high

    def _unbounded(self, result: SSAValue) -> int:
        """How large what nothing bounds is taken to be, among the operands of RESULT."""
        assert isinstance(result, OpResult)
        is_of_large = any(operand in self._outline.large for operand in result.op.operands)
        return _ORDINARY if is_of_large else 1

    def _may_be_large(self, result: SSAValue, number: Expression) -> bool:
        """Whether NUMBER, which RESULT is computed as, is worth to be looked at."""
        if not isinstance(result, OpResult) or not is_wide(result.type):
            return False
        if _has_large_factors(number) or result in self._outline.outgrowing:
            return True
        return any(operand in self._outline.outgrowing for operand in result.op.operands)


def ordinary(known: Interval) -> Interval:
    """What a number of KNOWN bounds lies between, if it is small where nothing bounds it."""
    return _of_at_most(_ORDINARY, known)


def unwrapped(inner: Expression, divisor: int, ends: Ends, *, is_number: bool) -> Expression:
    """`inner mod divisor`: without the remainder where INNER lies between two multiples of DIVISOR.

    Numbers of the program have 64 bits and a sign: %d mod 2^64 is %d if %d >= 0. So is INNER itself if it
    IS_NUMBER; else it is made of such numbers, and (max(%a, 2^64 - 2) + 2^63) mod 2^64 has two values.
    """
    if divisor != 2 * HALF:
        low, high = range_of(inner, ends)
    elif is_number:
        low, high = _of_64_bits(range_of(inner, ends))
    else:
        low, high = range_of(inner, lambda variable: _of_64_bits(ends(variable)))
    if low is None or high is None or low // divisor != high // divisor:
        return inner % divisor
    return inner - divisor * (low // divisor)


def _of_64_bits(known: Interval) -> Interval:
    """The range of a number of 64 bits with a sign, of which KNOWN bounds are known."""
    low, high = known
    return -HALF if low is None else low, HALF - 1 if high is None else high


def of_32_bits(known: Interval) -> Interval:
    """What a number of KNOWN bounds lies between, if it has 32 bits where nothing bounds it."""
    return _of_at_most(LARGE, known)


def _of_at_most(unbounded: int, known: Interval) -> Interval:
    """What a number of KNOWN bounds lies between, if it is at most UNBOUNDED where nothing bounds it."""
    low, high = known
    if low is None:
        low = -unbounded if high is None else min(-unbounded, high)
    return low, max(unbounded, low) if high is None else high


def has_64_bits(expression: Expression, ends: Ends) -> bool:
    """Whether EXPRESSION has 64 bits for all variables between these ENDS."""
    low, high = range_of(expression, ends)
    return low is not None and high is not None and low >= -HALF and high < HALF


def has_large_parts(number: Expression) -> bool:
    """Whether NUMBER, or an expression inside of it, is large for small values of its variables."""
    inner = (
        operand for atom in number.atoms() if not isinstance(atom, WHOLE) for operand in operands_of(atom)
    )
    return _has_large_factors(number) or any(map(_has_large_factors, inner))


def _has_large_factors(number: Expression) -> bool:
    """Whether NUMBER is large for small values of its variables, or a product of several ones."""
    factors = (number.constant, *(factor for _, factor in number.terms))
    return any(abs(each) >= LARGE for each in factors) or has_product(number)
