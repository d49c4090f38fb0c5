"""Polynomials with integer coefficients over the atoms of index expressions: gcd, exact division, factors.

An `Expression` is such a polynomial already (see `volcli.language.expressions`); FLINT has the algorithms.
Floors, remainders and extrema are indeterminates: `(a floordiv 2) * b` has the factors `a floordiv 2`, `b`.

>>> from volcli.language.expressions import parameter
>>> n, m = parameter("n"), parameter("m")
>>> factors(6 * n * m - 12 * n + 6 * m - 12)
(6, ((m - 2, 1), (n + 1, 1)))
>>> greatest_common_divisor(n * n - 1, 2 * n + 2)
n + 1
>>> exact_quotient(n * m + m, n + 1), exact_quotient(n * m, n + 1)
(m, None)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flint import Ordering, fmpz_mpoly, fmpz_mpoly_ctx

from volcli.language.expressions import Atom, Expression, Monomial, constant, expression_of_atom, sort_key

Factor = tuple[Expression, int]
"""A factor and its power."""


@lru_cache(maxsize=1024)
def factors(expression: Expression) -> tuple[int, tuple[Factor, ...]]:
    """`(c, ((f1, k1), ...))` with expression = c * f1^k1 * ...; each fi irreducible over the integers.

    One with coefficients of more than 64 bits may be reducible. The first one of each fi is positive, and
    the factors are in the order of their text; those of 0 are (0, ()).
    """
    indeterminates = _indeterminates((expression,))
    if not indeterminates:
        return expression.constant, ()
    try:
        content, found = _polynomial(expression, indeterminates).factor()
    except OverflowError:  # python-flint orders factors by coefficients that must fit into a C long
        sign = 1 if expression.terms[0][1] > 0 else -1
        return sign, ((sign * expression, 1),)
    whole = int(content)
    positive: list[Factor] = []
    for polynomial, power in found:
        factor = _expression(polynomial, indeterminates)
        if factor.terms[0][1] < 0:
            factor, whole = -factor, whole * (-1) ** int(power)
        positive.append((factor, int(power)))
    return whole, tuple(sorted(positive, key=lambda each: str(each[0])))


def greatest_common_divisor(left: Expression, right: Expression) -> Expression:
    """The polynomial of highest degree and greatest content that divides both; 0 only of 0 and 0."""
    indeterminates = _indeterminates((left, right))
    found = _expression(
        _polynomial(left, indeterminates).gcd(_polynomial(right, indeterminates)), indeterminates
    )
    return -found if found.terms and found.terms[0][1] < 0 else found


def exact_quotient(dividend: Expression, divisor: Expression) -> Expression | None:
    """The polynomial q with dividend = q * divisor; None if there is none. Raises ZeroDivisionError."""
    quotient, rest = quotient_and_rest(dividend, divisor)
    return quotient if rest == constant(0) else None


def quotient_and_rest(dividend: Expression, divisor: Expression) -> tuple[Expression, Expression]:
    """`(q, r)` with dividend = q * divisor + r; the first term of the divisor divides none of r.

    >>> from volcli.language.expressions import parameter
    >>> b, t = parameter("b"), parameter("t")
    >>> quotient_and_rest(b * t - b + 1, b)
    (t - 1, 1)
    """
    if divisor == constant(0):
        raise ZeroDivisionError("a division by the polynomial 0")
    indeterminates = _indeterminates((dividend, divisor))
    quotient, rest = divmod(_polynomial(dividend, indeterminates), _polynomial(divisor, indeterminates))
    return _expression(quotient, indeterminates), _expression(rest, indeterminates)


def as_product(expression: Expression) -> tuple[int, tuple[Expression, ...], int] | None:
    """`(c, (f1, f2, ...), d)` with expression = c * f1 * f2 * ... + d, if it is a sum that can be so written.

    A sum of a product and of multiples of its factors is completed: x*y + a*x + b*y = (x + b)(y + a) - a*b.
    In this form each variable occurs once, as interval arithmetic wants it.

    >>> from volcli.language.expressions import parameter
    >>> n, m = parameter("n"), parameter("m")
    >>> as_product(n * m - n - m)
    (1, (m - 1, n - 1), -1)
    """
    products = [(atom, c) for atom, c in expression.terms if isinstance(atom, Monomial)]
    if not products or len(expression.terms) == 1:
        return None
    if len(products) == 1 and (completed := _completed(expression, *products[0])) is not None:
        return completed
    content, found = factors(expression)
    if sum(power for _, power in found) < 2:
        return None
    return content, tuple(factor for factor, power in found for _ in range(power)), 0


def _completed(
    expression: Expression, product: Monomial, coefficient: int
) -> tuple[int, tuple[Expression, ...], int] | None:
    """EXPRESSION as `coefficient * (x + b) * (y + a) + d`, if PRODUCT is x * y and these are integers."""
    if len(product.factors) != 2:
        return None
    x, y = product.factors
    if any(atom not in (product, x, y) for atom, _ in expression.terms):
        return None
    if x == y:
        half, rest = divmod(expression.coefficient(x), 2 * coefficient)
        shifts, rests = (half, half), (rest,)
    else:
        (b, over_y), (a, over_x) = (divmod(expression.coefficient(each), coefficient) for each in (y, x))
        shifts, rests = (b, a), (over_x, over_y)
    if any(rests):
        return None
    sums = tuple(expression_of_atom(each) + shift for each, shift in zip((x, y), shifts, strict=True))
    return coefficient, sums, expression.constant - coefficient * shifts[0] * shifts[1]


def _indeterminates(expressions: Sequence[Expression]) -> tuple[Atom, ...]:
    """The atoms that the polynomials are over, in their order."""
    found = {
        factor: None
        for expression in expressions
        for atom, _ in expression.terms
        for factor in (atom.factors if isinstance(atom, Monomial) else (atom,))
    }
    return tuple(sorted(found, key=sort_key))


def _polynomial(expression: Expression, indeterminates: Sequence[Atom]) -> fmpz_mpoly:
    at = {atom: position for position, atom in enumerate(indeterminates)}
    terms: dict[tuple[int, ...], int] = {}
    for atom, coefficient in expression.terms:
        powers = [0] * len(indeterminates)
        for factor in atom.factors if isinstance(atom, Monomial) else (atom,):
            powers[at[factor]] += 1
        terms[tuple(powers)] = coefficient
    if expression.constant:
        terms[(0,) * len(indeterminates)] = expression.constant
    return _ring(len(indeterminates)).from_dict(terms)


def _expression(polynomial: fmpz_mpoly, indeterminates: Sequence[Atom]) -> Expression:
    total = constant(0)
    for powers, coefficient in polynomial.to_dict().items():
        term = constant(int(coefficient))
        for atom, power in zip(indeterminates, powers, strict=True):
            for _ in range(int(power)):
                term = term * expression_of_atom(atom)
        total = total + term
    return total


@lru_cache(maxsize=64)
def _ring(count: int) -> fmpz_mpoly_ctx:
    """Z[x0, ..., x{count-1}]."""
    return fmpz_mpoly_ctx.get([f"x{k}" for k in range(count)], Ordering.degrevlex)
