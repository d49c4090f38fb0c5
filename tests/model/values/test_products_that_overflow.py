"""Claims and bounds of products say that they take these not to overflow, where arguments of 32 bits suffice."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.values.trust.minimal_assumptions import PRODUCTS

POWERS = """
func.func @f(%b: index, %k: i32) -> index {
  %c1 = arith.constant 1 : index
  %s = arith.maxsi %b, %c1 : index
  %s2 = arith.muli %s, %s : index
  %s4 = arith.muli %s2, %s2 : index
  %s8 = arith.muli %s4, %s4 : index
  %next = arith.addi %s8, %c1 : index
  %w = arith.extsi %k : i32 to i64
  %w2 = arith.muli %w, %w : i64
  return %s8 : index
}
"""


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("claim", "verdict", "assumes"),
    [
        ("%s8 >= 1", "proved", True),  # of %b = 256 it is 0
        ("%next >= 2", "proved", True),
        ("%s8 = %s4 * %s4", "proved", True),
        ("%s4 >= %s2", "proved", True),
        ("%s8 = %s8", "proved", False),
        ("%s8 mod 18446744073709551616 = %s8 mod 18446744073709551616", "proved", False),
        ("%s2 >= 1", "proved", True),  # of numbers of 64 bits it has more
        ("%w2 >= 0", "proved", False),
        ("%s >= 1", "proved", False),
    ],
)
def test_claims(claim: str, verdict: str, assumes: bool) -> None:
    found = volcli.loads(POWERS).function("f").compare(claim).found
    assert (found.verdict.value, found.assumptions) == (verdict, (PRODUCTS,) if assumes else ())


@pytest.mark.slow
def test_bounds() -> None:
    f = volcli.loads(POWERS).function("f")
    assert f.bounds("%s8").assumptions == (PRODUCTS,)
    assert f.bounds("%s2").assumptions == (PRODUCTS,)
    assert f.value("%s8").derivation().assumptions == (PRODUCTS,)


def test_a_bound_of_the_argument_makes_it_a_fact() -> None:
    found = volcli.loads(POWERS, assume=["%b <= 200"]).function("f").compare("%s8 >= 1").found
    assert found.assumptions == ("%b <= 200",)  # 200^8 < 2^63


SUM = """
func.func @f(%n: index, %k: i64) -> index {
  %c1 = arith.constant 1 : index
  %d = arith.addi %n, %c1 : index
  %e = arith.addi %k, %k : i64
  return %d : index
}
"""


@pytest.mark.parametrize("name", ["%d", "%n", "%k", "%e"])
def test_no_claim_fails_for_a_number_that_has_no_64_bits(name: str) -> None:
    """`%d > 2^63 - 1` is no number that there is: for %n = 2^63 - 1 it overflows."""
    f = volcli.loads(SUM).function("f")
    assert f.compare(f"{name} <= {2**63 - 1}").found.verdict.value == "proved"
    refuted = f.compare(f"{name} <= {2**63 - 3}").found
    assert refuted.verdict.value == "refuted"
    assert refuted.witness is not None
    number = refuted.witness[{"%d": "%n", "%e": "%k"}.get(name, name)]
    value = {"%d": number + 1, "%e": 2 * number}.get(name, number)
    assert 2**63 - 3 < value < 2**63


def test_large_coefficients_have_factors() -> None:
    from volcli.language.expressions import parameter
    from volcli.symbolic.polynomials import factors

    n, m = parameter("n"), parameter("m")
    whole = (n + 2**70) * (n - m * 2**65)
    content, found = factors(whole)
    product = n * 0 + content
    for factor, power in found:
        for _ in range(power):
            product = product * factor
    assert product == whole


@pytest.mark.parametrize("name", ["%r", "%b"])
def test_what_a_call_returns_is_such_a_product(name: str) -> None:
    text = """
func.func private @cube(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %s = arith.maxsi %n, %c1 : index
  %a = arith.muli %s, %s : index
  %b = arith.muli %a, %s : index
  return %b : index
}
func.func @f(%m: index) -> index {
  %r = func.call @cube(%m) : (index) -> index
  return %r : index
}
"""
    f = volcli.loads(text).function("f" if name == "%r" else "cube")
    found = f.compare(f"{name} >= 1").found
    assert (found.verdict.value, found.assumptions) == ("proved", (PRODUCTS,))
