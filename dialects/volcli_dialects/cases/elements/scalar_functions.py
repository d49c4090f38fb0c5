"""What scalar functions make of zeros, for dialects whose element-wise operations take any type of number.

A function has kinds for floats and for integers (`volcli.language.kinds`), a rule of how zeros pass through
it, and the operands of which it does not see the sign of a zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType
from xdsl.ir import Operation

from volcli.language import kinds
from volcli.language.kinds import ANYTHING, INTEGERS, NOT_FINITE, POSITIVE, ZERO, ZEROS, Kinds, KindsOf
from volcli.language.questions import Vanishing, factors, fastmath, ignores_sign, number_kinds, vanishing
from volcli.language.reads import element_type


@dataclass(frozen=True)
class ScalarFunction:
    """A scalar function; None where nothing is known of its kinds."""

    floats: KindsOf | None = None
    integers: KindsOf | None = None
    rule: Vanishing | None = None
    ignores: tuple[int, ...] = ()
    factors: tuple[int, ...] = ()


def anything(*operands: Kinds) -> Kinds:
    """Nothing is known of the result."""
    return ANYTHING


def _zero_of_zeros(*operands: Kinds) -> Kinds:
    """The integer 0 of zeros; anything elsewhere."""
    return ZERO if all(map(kinds.is_zero, operands)) else INTEGERS


def _first_is_zero(first: Kinds, *others: Kinds) -> Kinds:
    return ZERO if kinds.is_zero(first) else INTEGERS


def _quotient(dividend: Kinds, divisor: Kinds) -> Kinds:
    """0 / x = 0 for an integer x that is not 0; a division by 0 has no defined result."""
    return ZERO if kinds.is_zero(dividend) and not divisor & ZEROS else INTEGERS


def _product(left: Kinds, right: Kinds, *shift: Kinds) -> Kinds:
    return kinds.product(left, right)


def _integer_product(left: Kinds, right: Kinds, *shift: Kinds) -> Kinds:
    return kinds.integer_product(left, right)


def _negated(number: Kinds, *zero_points: Kinds) -> Kinds:
    return kinds.negated(number)


def _reciprocal(number: Kinds) -> Kinds:
    return kinds.quotient(POSITIVE, number)


def _selected(truth: Kinds, *branches: Kinds) -> Kinds:
    return kinds.either(*branches)


_ANY, _ALL = Vanishing.IF_ANY_OPERAND, Vanishing.IF_ALL_OPERANDS
_ROUNDED: KindsOf = kinds.rounded

OPAQUE = ScalarFunction()
"""Nothing is known: it may see the sign of a zero."""
ADD = ScalarFunction(kinds.total, _zero_of_zeros, _ALL)
SUBTRACT = ScalarFunction(kinds.difference, _zero_of_zeros, _ALL)
MULTIPLY = ScalarFunction(_product, _integer_product, _ANY, factors=(0, 1))
DIVIDE = ScalarFunction(kinds.quotient, _quotient, ignores=(0,))
EXTREMUM = ScalarFunction(kinds.either, kinds.either, _ALL)
NEGATE = ScalarFunction(_negated, _zero_of_zeros, _ALL)
MAGNITUDE = ScalarFunction(kinds.magnitude, _zero_of_zeros, _ALL)
ODD = ScalarFunction(kinds.same_zero, _zero_of_zeros, _ALL)
"""f(+0) = +0 and f(-0) = -0: sin, tanh, floor."""
EVEN = ScalarFunction(ignores=(0,))
"""f(+0) = f(-0), which is not a zero: cos, a comparison with one operand."""
EXPONENTIAL = ScalarFunction(kinds.exponential, ignores=(0,))
LOGARITHM = ScalarFunction(kinds.pole_at_zero, ignores=(0,))
INVERSE_ROOT = ScalarFunction(kinds.pole_at_zero)
RECIPROCAL = ScalarFunction(_reciprocal)
COMPARE = ScalarFunction(ignores=(0, 1))
OR = ScalarFunction(None, _zero_of_zeros, _ALL)
AND = ScalarFunction(None, kinds.integer_product, _ANY, factors=(0, 1))
SHIFT = ScalarFunction(None, _first_is_zero)
SELECT = ScalarFunction(_selected, _selected, Vanishing.BY_CONDITION)
SAME = ScalarFunction(kinds.either, kinds.either, _ALL)


def is_integer(op: Operation) -> bool:
    """Whether the result of OP holds integers."""
    return isinstance(element_type(op.results[0].type), IntegerType | IndexType)


def is_float(op: Operation) -> bool:
    """Whether the result of OP holds floats. (Quantised numbers are neither: they have zero points.)"""
    return isinstance(element_type(op.results[0].type), AnyFloat)


def convert_kinds(op: Operation) -> KindsOf:
    """A number in another type: a zero stays one, and what is none may underflow, overflow or be cut off."""
    from_integer = isinstance(element_type(op.operands[0].type), IntegerType | IndexType)
    if is_integer(op):
        return _zero_of_zeros
    return kinds.zero_of_zero(INTEGERS | NOT_FINITE) if from_integer else _ROUNDED


def sum_of_products(*terms: Kinds) -> Kinds:
    """Products that are zeros, of whatever sign, sum up to a zero; others to anything."""
    return ZEROS if all(map(kinds.is_zero, terms)) else ANYTHING


def register_function(
    function: ScalarFunction, *operations: type[Operation], has_flags: bool = False
) -> None:
    """OPERATIONS apply FUNCTION to each element; they carry no fastmath flags unless they HAVE_FLAGS."""

    def of(op: Operation) -> KindsOf:
        known = function.integers if is_integer(op) else function.floats if is_float(op) else None
        return known or anything

    for kind in operations:
        if not has_flags:
            fastmath.case(kind)(lambda op: frozenset[str]())
        if function.floats is not None or function.integers is not None:
            number_kinds.case(kind)(of)
        if (rule := function.rule) is not None:
            vanishing.case(kind)(lambda op, rule=rule: rule)
        if function.ignores:
            ignores_sign.case(kind)(lambda op: function.ignores)
        if function.factors:
            factors.case(kind)(lambda op: function.factors)


def conversions(kinds_: Iterable[type[Operation]]) -> None:
    """Operations that take each element to another type."""
    for kind in kinds_:
        fastmath.case(kind)(lambda op: frozenset[str]())
        number_kinds.case(kind)(convert_kinds)
        vanishing.case(kind)(lambda op: _ALL)
