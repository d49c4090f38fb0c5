"""The kinds of sums, products and quotients against the numbers themselves, in f64."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import pytest

from tests.oracles.zeros import numbers
from volcli.language import kinds
from volcli.language.kinds import Kinds, kind_of

SAMPLES = (
    0.0, -0.0, 1.0, -1.0, 3.5, -3.5, 5e-324, -5e-324, 1e-200, -1e-200, 1e300, -1e300,
    math.inf, -math.inf, math.nan,
)  # fmt: skip
OF_TWO: dict[str, Callable[[Kinds, Kinds], Kinds]] = {
    "arith.addf": kinds.total, "arith.subf": kinds.difference, "arith.mulf": kinds.product,
    "arith.divf": kinds.quotient, "arith.maximumf": kinds.either, "arith.minnumf": kinds.either,
    "math.copysign": kinds.with_sign,
}  # fmt: skip
OF_ONE: dict[str, Callable[[Kinds], Kinds]] = {
    "arith.negf": kinds.negated, "math.absf": kinds.magnitude, "math.sqrt": kinds.same_zero,
    "math.rsqrt": kinds.pole_at_zero, "math.exp": kinds.exponential, "math.log": kinds.pole_at_zero,
    "math.tanh": kinds.same_zero,
}  # fmt: skip


@pytest.mark.parametrize("name", OF_TWO)
def test_of_two(name: str) -> None:
    for a, b in product(SAMPLES, SAMPLES):
        found = kind_of(numbers.OPERATIONS[name](a, b))
        assert found & OF_TWO[name](kind_of(a), kind_of(b)), (a, b)


@pytest.mark.parametrize("name", OF_ONE)
def test_of_one(name: str) -> None:
    for a in SAMPLES:
        assert kind_of(numbers.OPERATIONS[name](a)) & OF_ONE[name](kind_of(a)), a


def test_of_three() -> None:
    for a, b, c in product(SAMPLES, SAMPLES, SAMPLES):
        found = kind_of(numbers.fused(a, b, c))
        assert found & kinds.multiply_add(kind_of(a), kind_of(b), kind_of(c)), (a, b, c)


def test_sets_are_unions() -> None:
    zero_or_one = kinds.ZERO | kinds.POSITIVE
    assert kinds.product(zero_or_one, kinds.ZERO) == kinds.ZERO
    assert kinds.quotient(kinds.ZERO, zero_or_one) == kinds.ZERO | kinds.NAN
    assert kinds.total(kinds.ZEROS, kinds.NEGATIVE_ZERO) == kinds.ZEROS
    assert kinds.integer_product(kinds.INTEGERS, kinds.ZERO) == kinds.ZERO
    assert kinds.zero_of_zero(kinds.INTEGERS)(zero_or_one) == kinds.INTEGERS
