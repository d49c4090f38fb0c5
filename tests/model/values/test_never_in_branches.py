"""What is computed in a branch that does not run says nothing of what is chosen instead of it."""

from __future__ import annotations

import pytest

import volcli

BRANCHES = """
func.func @f(%p: i1, %n: index) {{
  %yes = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  %low = arith.maxsi %n, %c0 : index
  %small = arith.minsi %low, %c6 : index
  %r = scf.if %p -> index {{
    {}
    scf.yield %x : index
  }} else {{
    scf.yield %c5 : index
  }}
  %sum = arith.addi %small, %r : index
  return
}}
"""
ENDLESS = """
    %x = scf.while (%a = %c0) : (index) -> (index) {
      scf.condition(%yes) %a : index
    } do {
    ^bb0(%d: index):
      scf.yield %d : index
    }"""
UNTIL_FIVE = """
    %x = scf.while (%a = %low) : (index) -> (index) {
      %more = arith.cmpi ne, %a, %c5 : index
      scf.condition(%more) %a : index
    } do {
    ^bb0(%d: index):
      %next = arith.addi %d, %c1 : index
      scf.yield %next : index
    }"""
WHILE_NOT_SIX = """
    %less = arith.cmpi slt, %small, %c6 : index
    %x = scf.while (%a = %c0) : (index) -> (index) {
      scf.condition(%less) %a : index
    } do {
    ^bb0(%d: index):
      scf.yield %d : index
    }"""
DIVIDED = """
    %q = arith.divsi %c6, %small : index
    %x = arith.addi %q, %c10 : index"""
REMAINDER = """
    %q = arith.remui %c6, %small : index
    %x = arith.addi %q, %c10 : index"""


def bounds(text: str, name: str) -> tuple[int | None, int | None, bool]:
    """The constant bounds of NAME in TEXT, and whether they are exact."""
    found = volcli.load(text).function("f").bounds(name)
    assert not found.never
    lower, upper = found.lower, found.upper
    return lower.constant, upper.constant, lower.exact and upper.exact


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("body", "of_result", "of_sum"),
    [
        # Without %p, %r is 5, whatever %small is: from 5 to 11. With %p ...
        (ENDLESS, (5, 5), (5, 11)),  # nothing is behind it
        (UNTIL_FIVE, (5, 5), (5, 11)),  # %small <= 5, and then the same
        (WHILE_NOT_SIX, (0, 5), (5, 11)),  # %r = 0 and %small = 6
        (DIVIDED, (5, 16), (5, 17)),  # %small > 0, and 6 / 1 + 10 + 1 = 17
        (REMAINDER, (5, 12), (5, 16)),  # %small > 0, and 6 mod 4 + 10 + 4 = 16
    ],
)
def test_a_branch_that_does_not_run_restricts_nothing(
    body: str, of_result: tuple[int, int], of_sum: tuple[int, int]
) -> None:
    for name, (low, high) in (("%r", of_result), ("%sum", of_sum)):
        least, greatest, exact = bounds(BRANCHES.format(body), name)
        assert least is not None
        assert least <= low
        assert greatest is not None
        assert greatest >= high
        assert not exact or (least, greatest) == (low, high)
