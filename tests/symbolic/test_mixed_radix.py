"""Numbers by their digits: what is read off polynomials, and that numbers are equal if their digits are."""

from __future__ import annotations

from itertools import product

import pytest

from tests.shared.numbers import value
from volcli.language.expressions import Atom, Expression, Parameter, constant, parameter
from volcli.symbolic.mixed_radix import mixed_radices

i, j, h, n, k = (parameter(name) for name in "ijhnk")


def is_size(atom: Atom) -> bool:
    return str(atom) in ("n", "k")


@pytest.mark.parametrize(
    ("form", "sizes", "digits"),
    [
        (i * n + j, (n,), (i, j)),
        ((i * n + j) * k + h, (n, k), (i, j, h)),
        (i * n * k + h, (n * k,), (i, h)),  # no digit between
        ((i + 1) * n + j - 2, (n,), (i + 1, j - 2)),
        (i * n + n - 1 - j, (n,), (i + 1, -1 - j)),  # which is in no range, but the same number
        (2 * i * n + j, (2 * n,), (i, j)),
        (j * k + h + n, (k,), (j, h + n)),
        (2 * i + 3 * j, (), (2 * i + 3 * j,)),
    ],
)
def test_digits(form: Expression, sizes: tuple[Expression, ...], digits: tuple[Expression, ...]) -> None:
    radix = next(mixed_radices([form], is_size))
    assert (radix.sizes, radix.digits(form)) == (sizes, digits)
    assert radix.number(digits) == form


def test_a_factor_of_two_belongs_to_the_size_or_to_the_digit() -> None:
    found = [radix.digits(2 * i * n + j) for radix in mixed_radices([2 * i * n + j], is_size)]
    assert found == [(i, j), (2 * i, j)]


def test_several_numbers_have_one_radix() -> None:
    forms = [i * n * k + h, j * k + h]
    (radix,) = mixed_radices(forms, is_size)
    assert radix.sizes == (n, k)
    assert [radix.digits(form) for form in forms] == [(i, constant(0), h), (constant(0), j, h)]


def test_sizes_that_do_not_divide_each_other_have_none() -> None:
    assert list(mixed_radices([i * n + j * k], is_size)) == []


@pytest.mark.parametrize("sizes", list(product(range(4), repeat=2)))
def test_numbers_are_equal_only_if_their_digits_are(sizes: tuple[int, int]) -> None:
    """All digits in their ranges, for small sizes; one that is as large as its size is a number twice."""
    (radix,) = mixed_radices([(i * n + j) * k + h], is_size)
    given = {Parameter(name): size for name, size in zip("nk", sizes, strict=True)}

    def are_different(*ranges: range) -> bool:
        numbers = [value(radix.number([*map(constant, digits)]), given) for digits in product(*ranges)]
        return len(set(numbers)) == len(numbers)

    first, second = sizes
    assert are_different(range(-2, 3), range(first), range(second))
    assert not are_different(range(-2, 3), range(first + 1), range(max(second, 1)))
