"""The least and the greatest element of a set, as an expression."""

from __future__ import annotations

import islpy as isl
import pytest

from volcli.language.expressions import constant
from volcli.presburger.expressions.read_back import Extremum, extremum

MINIMUM_OF_64_BITS = """{ [x] : exists (d, e : x >= 0 and d = floor((-4611686018427387904 + x)/18446744073709551616)
  and 18446744073709551616 d <= -18446744073709551614 + x
  and -18446744073709551716 + x - 18446744073709551616 d <= 18446744073709551616 e <= 4611686018427387903 - x) }"""
"""What `arith.minui %i, 100` is, for %i from -2 to 2^62: isl finds no function for its maximum."""


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        (MINIMUM_OF_64_BITS, 0, 100),
        ("[n] -> { [x] : 3 <= x <= 20 and x mod 4 = 1 }", 5, 17),
        ("{ [x] : exists (e : x = 3e and -7 <= x <= 7) or x = 11 }", -6, 11),
    ],
)
def test_without_parameters_it_is_a_number(text: str, low: int, high: int) -> None:
    points = isl.Set(text)
    assert extremum(points, lower=True) == Extremum(constant(low), True)
    assert extremum(points, lower=False) == Extremum(constant(high), True)


def test_without_a_bound_and_without_a_point_there_is_none() -> None:
    assert extremum(isl.Set("{ [x] : x >= 0 }"), lower=False) is None
    assert extremum(isl.Set("[n] -> { [x] : false }"), lower=True) is None
