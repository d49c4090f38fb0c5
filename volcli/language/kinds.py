"""Kinds of numbers: what a float may be, as far as zeros and their signs depend on it.

A set of kinds says what a number may be; an operation takes the kinds of its operands to those of its result,
which holds for every format, rounded to nearest:

    finite * 0 = +0 or -0, by the signs    inf * 0 = NaN * 0 = NaN    (+0) + (-0) = +0    x / 0 = inf or NaN
    -inf + x = -inf or NaN                 exp(-inf) = +0

So 0 * x is a zero of unknown sign if x is finite, and may be NaN if x may be infinite; added to +0 it is +0.
What a mask sets to -inf is +0 after an exponential, whatever is subtracted before, if that is not NaN.
Integers are negative, ZERO or positive. Source: IEEE 754-2019, sections 6.1 to 6.3.

>>> product(ZERO, POSITIVE | NEGATIVE) == ZERO | NEGATIVE_ZERO
True
>>> total(ZERO, ZERO | NEGATIVE_ZERO) == ZERO
True
>>> quotient(POSITIVE, ZERO) == INFINITY
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from enum import IntFlag
from functools import lru_cache


class Kinds(IntFlag):
    """What a number may be."""

    NEGATIVE = 1
    NEGATIVE_ZERO = 2
    ZERO = 4
    POSITIVE = 8
    INFINITY = 16
    NEGATIVE_INFINITY = 32
    NAN = 64


KindsOf = Callable[..., Kinds]
"""The kinds of a result, given those of each operand."""

NOTHING = Kinds(0)
NEGATIVE, NEGATIVE_ZERO, ZERO, POSITIVE, INFINITY, NEGATIVE_INFINITY, NAN = Kinds
ZEROS = NEGATIVE_ZERO | ZERO
INFINITIES = NEGATIVE_INFINITY | INFINITY
NOT_FINITE = INFINITIES | NAN
_NEGATIVES = NEGATIVE | NEGATIVE_ZERO | NEGATIVE_INFINITY
INTEGERS = NEGATIVE | ZERO | POSITIVE
FINITE = INTEGERS | NEGATIVE_ZERO
ANYTHING = FINITE | NOT_FINITE


def kind_of(number: float) -> Kinds:
    """The kind of one number.

    >>> kind_of(-0.0) == NEGATIVE_ZERO, kind_of(float("inf")) == INFINITY, kind_of(0) == ZERO
    (True, True, True)
    """
    if isinstance(number, float) and not math.isfinite(number):
        return NAN if math.isnan(number) else INFINITY if number > 0 else NEGATIVE_INFINITY
    if number == 0:
        return NEGATIVE_ZERO if math.copysign(1.0, number) < 0 else ZERO
    return POSITIVE if number > 0 else NEGATIVE


def is_zero(kinds: Kinds) -> bool:
    """Whether a number of KINDS is known to be 0, of whatever sign."""
    return not kinds & ~ZEROS


def is_one_zero(kinds: Kinds) -> bool:
    """Whether it is known to be 0, and of which sign."""
    return kinds in (ZERO, NEGATIVE_ZERO)


def _each(kinds: Kinds) -> Iterator[Kinds]:
    return (kind for kind in Kinds if kind & kinds)


def _by_pairs(of_two: Callable[[Kinds, Kinds], Kinds]) -> Callable[[Kinds, Kinds], Kinds]:
    """What OF_TWO single kinds give, for sets of them."""

    @lru_cache(maxsize=1024)
    def of_sets(left: Kinds, right: Kinds) -> Kinds:
        found = NOTHING
        for a in _each(left):
            for b in _each(right):
                found |= of_two(a, b)
        return found

    return of_sets


def _signed(left: Kinds, right: Kinds) -> tuple[Kinds, Kinds, Kinds]:
    """The zero, the other finite numbers and the infinity with the sign of a product."""
    alike = bool(left & _NEGATIVES) is bool(right & _NEGATIVES)
    return (ZERO, POSITIVE, INFINITY) if alike else (NEGATIVE_ZERO, NEGATIVE, NEGATIVE_INFINITY)


def _product(left: Kinds, right: Kinds) -> Kinds:
    if NAN in (left, right):
        return NAN
    zero, other, infinity = _signed(left, right)
    if (left | right) & INFINITIES:
        return NAN if (left | right) & ZEROS else infinity
    return zero if (left | right) & ZEROS else zero | other | infinity  # it may underflow, or overflow


def _sum(left: Kinds, right: Kinds) -> Kinds:
    if NAN in (left, right) or left | right == INFINITIES:
        return NAN
    if infinite := (left | right) & INFINITIES:
        return infinite
    if left & ZEROS and right & ZEROS:
        return left if left is right else ZERO
    if left & ZEROS or right & ZEROS:
        return (left | right) & ~ZEROS
    if left is right:
        return left | (NEGATIVE_INFINITY if left is NEGATIVE else INFINITY)
    return ZERO | left | right


def _quotient(left: Kinds, right: Kinds) -> Kinds:
    if NAN in (left, right):
        return NAN
    zero, other, infinity = _signed(left, right)
    if left & INFINITIES:
        return NAN if right & INFINITIES else infinity
    if right & ZEROS:
        return NAN if left & ZEROS else infinity
    if left & ZEROS or right & INFINITIES:
        return zero
    return zero | other | infinity


_of_product, _of_sum, _of_quotient = _by_pairs(_product), _by_pairs(_sum), _by_pairs(_quotient)


def product(left: Kinds, right: Kinds) -> Kinds:
    """The kinds of a product of two floats."""
    return _of_product(left, right)


def total(left: Kinds, right: Kinds) -> Kinds:
    """The kinds of a sum of two floats: x + (-x) is +0."""
    return _of_sum(left, right)


def quotient(left: Kinds, right: Kinds) -> Kinds:
    """The kinds of a quotient of two floats."""
    return _of_quotient(left, right)


def negated(kinds: Kinds) -> Kinds:
    """The kinds of -x."""
    opposite = {
        NEGATIVE: POSITIVE, NEGATIVE_ZERO: ZERO, NEGATIVE_INFINITY: INFINITY,
        POSITIVE: NEGATIVE, ZERO: NEGATIVE_ZERO, INFINITY: NEGATIVE_INFINITY,
    }  # fmt: skip
    return Kinds(sum(opposite.get(kind, kind) for kind in _each(kinds)))


def difference(left: Kinds, right: Kinds) -> Kinds:
    """The kinds of a difference of two floats."""
    return total(left, negated(right))


def multiply_add(left: Kinds, right: Kinds, addend: Kinds) -> Kinds:
    """The kinds of left * right + addend, rounded once: it may underflow to a zero of either sign."""
    found = total(product(left, right), addend)
    return found | (NEGATIVE_ZERO if found & NEGATIVE else NOTHING) | (ZERO if found & POSITIVE else NOTHING)


def either(*kinds: Kinds) -> Kinds:
    """One of the operands: an extremum."""
    found = NOTHING
    for each in kinds:
        found |= each
    return found


def magnitude(kinds: Kinds) -> Kinds:
    """The kinds of |x|."""
    return kinds & ~_NEGATIVES | negated(kinds & _NEGATIVES)


def integer_product(left: Kinds, right: Kinds) -> Kinds:
    """The kinds of a product of integers, which may wrap around, or of their common bits."""
    return ZERO if ZERO in (left, right) else INTEGERS


def rounded(kinds: Kinds) -> Kinds:
    """The kinds of x in a narrower format: what is not a zero may underflow or overflow."""
    return kinds | product(kinds, POSITIVE)


def zero_of_zero(others: Kinds) -> KindsOf:
    """+0 of +0, and OTHERS of all else."""

    def of(kinds: Kinds) -> Kinds:
        return ZERO if kinds == ZERO else others

    return of


def with_sign(kinds: Kinds, sign: Kinds) -> Kinds:
    """The kinds of |x| with the sign of another number: a zero of either sign, of a zero."""
    return ZEROS if is_zero(kinds) else ANYTHING


def zero_of_zeros(*kinds: Kinds) -> Kinds:
    """A zero of some sign if all operands are zeros, else anything."""
    return ZEROS if all(map(is_zero, kinds)) else ANYTHING


def same_zero(kinds: Kinds) -> Kinds:
    """f(+0) = +0 and f(-0) = -0; anything elsewhere."""
    return kinds if is_zero(kinds) else ANYTHING


def pole_at_zero(kinds: Kinds) -> Kinds:
    """f(0) is infinite, f(x) NaN for negative x: logarithms, the reciprocal square root."""
    return NOT_FINITE if not kinds & ~(ZEROS | NEGATIVE) else ANYTHING


_EXPONENTIALS = {
    NEGATIVE_INFINITY: ZERO, NEGATIVE: ZERO | POSITIVE, NEGATIVE_ZERO: POSITIVE, ZERO: POSITIVE,
    POSITIVE: POSITIVE | INFINITY, INFINITY: INFINITY, NAN: NAN,
}  # fmt: skip


def exponential(kinds: Kinds) -> Kinds:
    """f(x) >= +0; f(-inf) = +0, and f(x) is +0 where it underflows."""
    return either(*(_EXPONENTIALS[kind] for kind in _each(kinds)))
