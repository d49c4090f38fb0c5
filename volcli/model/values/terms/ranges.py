"""Interval arithmetic on index expressions: numbers that an expression lies between.

Quotients times their divisors: about as large as what was divided, though their factors may be anything.

    %q = ceildivsi %a, %b        q * b is in [a, a + |b| - 1]
    %o = muli %q, %b

Interval arithmetic of products would have q * b between the products of their ends: of a loop over tiles that
begins at b * ceildiv(l, b), 60 bits for an l that has three.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from xdsl.ir import OpResult

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    Mod,
    Monomial,
    NotAffine,
    Value,
    expression_of_atom,
)

Interval = tuple[int | None, int | None]
"""A least and a greatest number; None where there is none."""


def range_of(expression: Expression, variables: Callable[[Value | Dim], Interval]) -> Interval:
    """Numbers that EXPRESSION lies between, for VARIABLES independent of each other and between theirs.

    Sound always; and attained, if the atoms depend on no common variable and no remainder is taken.

    >>> from volcli.language.expressions import constant, minimum
    >>> range_of(2 * minimum(constant(3), constant(5)) - 1, lambda _: (None, None))
    (5, 5)
    """
    low: int | None = expression.constant
    high: int | None = expression.constant
    for atom, factor in expression.terms:
        least, greatest = _range_of_atom(atom, variables)
        if factor < 0:
            least, greatest = greatest, least
        low = None if low is None or least is None else low + factor * least
        high = None if high is None or greatest is None else high + factor * greatest
    if len(expression.terms) > 1 and any(isinstance(atom, Monomial) for atom, _ in expression.terms):
        least, greatest = _range_as_product(expression, variables)
        return tightest(low, least, max), tightest(high, greatest, min)
    return low, high


def is_within(inner: Interval, outer: Interval) -> bool:
    """Whether INNER has no number that OUTER has not.

    >>> is_within((0, 3), (0, None)), is_within((None, 3), (0, None))
    (True, False)
    """
    low, high = outer
    is_above = low is None or (inner[0] is not None and inner[0] >= low)
    return is_above and (high is None or (inner[1] is not None and inner[1] <= high))


def _range_as_product(expression: Expression, variables: Callable[[Value | Dim], Interval]) -> Interval:
    """The range of a sum by its factors, in which a variable may occur once that occurs in several terms."""
    from volcli.symbolic.polynomials import as_product

    if (found := as_product(expression)) is None:
        return None, None
    coefficient, sums, rest = found
    low: int | None = 1
    high: int | None = 1
    for each, same in groupby(sums):
        power = len(list(same))
        for exponent in [2] * (power // 2) + [1] * (power % 2):
            own = range_of(each, variables)
            ends = _product(own, own, is_square=True) if exponent == 2 else own
            low, high = _product((low, high), ends, is_square=False)
    if coefficient < 0:
        low, high = high, low
    return (
        None if low is None else coefficient * low + rest,
        None if high is None else coefficient * high + rest,
    )


def _range_of_atom(atom: Atom, variables: Callable[[Value | Dim], Interval]) -> Interval:
    match atom:
        case Value() | Dim():
            return variables(atom)
        case FloorDiv(numerator, divisor):
            low, high = range_of(numerator, variables)
            return None if low is None else low // divisor, None if high is None else high // divisor
        case Mod(numerator, divisor):
            low, high = range_of(numerator, variables)
            if low is not None and high is not None and low // divisor == high // divisor:
                return low % divisor, high % divisor
            return 0, divisor - 1
        case Minimum(operands):
            lows, highs = zip(*(range_of(operand, variables) for operand in operands), strict=True)
            known = [high for high in highs if high is not None]
            return None if None in lows else min(lows), min(known, default=None)
        case Maximum(operands):
            lows, highs = zip(*(range_of(operand, variables) for operand in operands), strict=True)
            known = [low for low in lows if low is not None]
            return max(known, default=None), None if None in highs else max(highs)
        case Monomial(left, right):
            return _product(range_of(left, variables), range_of(right, variables), is_square=atom.is_square)
        case _:
            return None, None


def _product(left: Interval, right: Interval, *, is_square: bool) -> Interval:
    """The range of a product of numbers in two ranges; of a square, also that it is not negative."""
    corners = [_times(a, b) for a in _ends(left) for b in _ends(right)]
    low, high = min(corners), max(corners)
    if is_square:
        low = max(low, 0)
    return None if isinstance(low, float) else low, None if isinstance(high, float) else high


_INFINITY = float("inf")


def _ends(ends: Interval) -> tuple[float | int, float | int]:
    low, high = ends
    return (-_INFINITY if low is None else low, _INFINITY if high is None else high)


def _times(a: float | int, b: float | int) -> float | int:
    if a == 0 or b == 0:
        return 0
    if isinstance(a, float) or isinstance(b, float):  # an integer may be too large for a float
        return _INFINITY if (a > 0) == (b > 0) else -_INFINITY
    return a * b


def bits_range(width: int) -> Interval:
    """Integers of WIDTH bits lie in [-2^(width-1), 2^(width-1)); those of one bit are 0 or 1.

    Arithmetic on 64 bits is taken not to overflow, so that nothing is said of these.

    >>> bits_range(3), bits_range(64), bits_range(65) == (-(2**64), 2**64 - 1)
    ((-4, 3), (None, None), True)
    """
    if width == 64:
        return None, None
    half = 2 ** (width - 1)
    return (-half, half - 1) if width > 1 else (0, 1)


def hull(ranges: Sequence[Interval]) -> Interval:
    """The smallest range around all RANGES."""
    lows = [low for low, _ in ranges]
    highs = [high for _, high in ranges]
    low = None if not lows or None in lows else min(x for x in lows if x is not None)
    high = None if not highs or None in highs else max(x for x in highs if x is not None)
    return low, high


def tightest(left: int | None, right: int | None, choose: Callable[[int, int], int]) -> int | None:
    """The tighter of two bounds, of which each may be missing."""
    if left is None or right is None:
        return right if left is None else left
    return choose(left, right)


def range_of_multiple(
    expression: Expression,
    resolve: Callable[[Expression], Expression],
    variables: Callable[[Value | Dim], Interval],
) -> Interval:
    """Numbers that EXPRESSION, which is RESOLVEd, lies between if it is a quotient times its divisor."""
    atom = expression.single_atom
    if not isinstance(atom, Monomial):
        return None, None
    for factor in dict.fromkeys(atom.factors):
        if isinstance(factor, Value) and isinstance(factor.value, OpResult):
            found = _around(factor, expression, resolve, variables)
            if found != (None, None):
                return found
    return None, None


def _around(
    quotient: Value,
    product: Expression,
    resolve: Callable[[Expression], Expression],
    variables: Callable[[Value | Dim], Interval],
) -> Interval:
    """The range of PRODUCT, if it is QUOTIENT times what it is a quotient by."""
    assert isinstance(quotient.value, OpResult)
    try:
        found = questions.determined(quotient.value.op)
        known = None if found is None else found[quotient.value.index]
        if known is None or not _is_quotient(known, quotient):
            return None, None
        # the first is of positive divisors: floor(a / b), or floor((a - 1) / b) + 1
        a, b = map(resolve, next(iter(known.floors.values())))
    except NotAffine:
        return None, None
    if expression_of_atom(quotient) * b != product:
        return None, None
    (low, high), (least, most) = range_of(a, variables), range_of(b, variables)
    if least is None or most is None:
        return None, None
    width = max(abs(least), abs(most)) + 1
    return None if low is None else low - width, None if high is None else high + width


def _is_quotient(known: questions.ResultCases, result: Value) -> bool:
    """Whether the RESULT that is KNOWN is one of its floors, or one more, and not a remainder."""
    facts = (fact for case in known.cases for fact in case if fact.coefficient(result))
    return bool(known.floors) and not any(isinstance(a, Monomial) for fact in facts for a, _ in fact.terms)
