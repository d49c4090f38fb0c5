"""Polynomials: their normal form, and what FLINT says of them, against arithmetic."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from volcli.language.expressions import (
    Expression,
    Monomial,
    NotAffine,
    Parameter,
    constant,
    minimum,
    parameter,
    renamed,
)
from volcli.limits.language import PRODUCT_TERMS
from volcli.symbolic.polynomials import exact_quotient, factors, greatest_common_divisor

NAMES = ("a", "b", "c")
GRID = list(itertools.product((-3, -1, 0, 2, 5), repeat=len(NAMES)))


@st.composite
def polynomials(draw: st.DrawFn, degree: int = 2) -> Expression:
    """A sum of products of at most DEGREE names."""
    total = constant(draw(st.integers(-4, 4)))
    for _ in range(draw(st.integers(0, 3))):
        term = constant(draw(st.integers(-4, 4)))
        for name in draw(st.lists(st.sampled_from(NAMES), max_size=degree)):
            term = term * parameter(name)
        total = total + term
    return total


def at(expression: Expression, point: tuple[int, ...]) -> int:
    """What EXPRESSION is worth where the names are POINT."""
    found = renamed(expression, {n: constant(x) for n, x in zip(NAMES, point, strict=True)})
    assert found.is_constant
    return found.constant


@pytest.mark.slow
@given(polynomials(), polynomials(), polynomials())
def test_equal_polynomials_are_equal_values(p: Expression, q: Expression, r: Expression) -> None:
    assert p * q == q * p
    assert (p * q) * r == p * (q * r)
    assert p * (q + r) == p * q + p * r
    assert (p - p * q) + p * q == p


@pytest.mark.slow
@given(polynomials(), polynomials())
def test_products_are_those_of_the_values(p: Expression, q: Expression) -> None:
    for point in GRID[::7]:
        assert at(p * q, point) == at(p, point) * at(q, point)


@given(polynomials(3))
def test_unequal_values_are_unequal_polynomials(p: Expression) -> None:
    """A polynomial that is not the normal form of 0 is not 0 everywhere (degree 3 < 5 points a side)."""
    assert (p == constant(0)) == all(at(p, point) == 0 for point in GRID)


def test_monomials_are_sorted_and_multiplied_out() -> None:
    a, b = parameter("a"), parameter("b")
    assert str((b + 1) * (a - 2)) == "a - 2 * b + a * b - 2"
    assert str(b * a * a) == "a * a * b"
    assert (b * a * a).single_atom == Monomial((Parameter("a"), Parameter("a"), Parameter("b")))
    assert a * minimum(a, b) == minimum(b, a) * a
    assert minimum(minimum(b, constant(3)), a, b, constant(4)) == minimum(a, b, constant(3))


def test_a_product_of_long_sums_is_refused() -> None:
    total = constant(0)
    for number in range(PRODUCT_TERMS // 16):
        total = total + parameter(f"x{number}")
    with pytest.raises(NotAffine):
        total * total


@pytest.mark.slow
@given(polynomials(), polynomials())
def test_factors_multiply_to_the_whole(p: Expression, q: Expression) -> None:
    content, found = factors(p * q)
    product = constant(content)
    for factor, power in found:
        assert power >= 1
        for _ in range(power):
            product = product * factor
    assert product == p * q


@given(polynomials(), polynomials(), polynomials())
def test_what_divides_both_divides_their_greatest_common_divisor(
    p: Expression, q: Expression, r: Expression
) -> None:
    common = greatest_common_divisor(p * r, q * r)
    if common == constant(0):
        assert p * r == q * r == constant(0)
        return
    assert exact_quotient(p * r, common) is not None
    assert exact_quotient(q * r, common) is not None
    assert exact_quotient(common, r) is not None


@given(polynomials(), polynomials())
def test_exact_division_undoes_multiplication(p: Expression, q: Expression) -> None:
    if q == constant(0):
        with pytest.raises(ZeroDivisionError):
            exact_quotient(p, q)
    else:
        assert exact_quotient(p * q, q) == p


def test_what_does_not_divide() -> None:
    a, b = parameter("a"), parameter("b")
    assert exact_quotient(a * b + 1, a) is None
    assert exact_quotient(3 * a, constant(2)) is None
    assert factors(constant(-6)) == (-6, ())
    assert factors((a // 2) * b - b) == (1, ((a // 2 - 1, 1), (b, 1)))
