"""States of loops in which a machine integer counts by more than one, against the states that Python reaches."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from volcli.limits.widths import LARGE, WRAPPED
from volcli.model.values.elimination.closure import reachable

ITERATIONS = 40


def _states(first: int, by: int, end: int) -> list[tuple[int, int]]:
    """The number of the iteration and w, which grows BY a number as long as it is below END, of 32 bits."""
    found, w = [(0, first)], first
    while w < end and len(found) < ITERATIONS:
        w = (w + by + LARGE) % WRAPPED - LARGE
        found.append((len(found), w))
    return found


@pytest.mark.parametrize("by", [1, 2, 3, 8])
@pytest.mark.parametrize("first", [0, LARGE - 9, -LARGE])
def test_states_are_those_that_are_reached_before_and_after_a_sum_wraps_around(first: int, by: int) -> None:
    step = isl.Map(
        f"[e] -> {{ [i, w] -> [i + 1, v] : (v - w - {by}) mod {WRAPPED} = 0 and w < e and "
        f"{-LARGE} <= v < {LARGE} and {-LARGE} <= e < {LARGE} }}"
    )
    known = reachable(isl.Set(f"{{ [0, {first}] }}"), step, None, 8)
    for end in (-LARGE, 0, 5, LARGE - 8, LARGE - 3, LARGE - 2, LARGE - 1):
        points = known.points.intersect(isl.Set(f"[e] -> {{ [i, w] : e = {end} and i < {ITERATIONS} }}"))
        points = points.project_out(isl.dim_type.param, 0, points.dim(isl.dim_type.param))
        true = isl.Set("{ " + "; ".join(f"[{i}, {w}]" for i, w in _states(first, by, end)) + " }")
        assert true.is_subset(points)
        assert not known.exact or points.is_subset(true)
    assert known.exact or by == 3


COUNTED_BY_TWO = """
func.func @f(%n: index, %k: index, %a: memref<5xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %end = arith.index_cast %n : index to i32
  %r:2 = scf.while (%w = %zero, %x = %k) : (i32, index) -> (i32, index) {
    %t = arith.cmpi slt, %w, %end : i32
    scf.condition(%t) %w, %c0 : i32, index
  } do {
  ^bb0(%v: i32, %z: index):
    %y = arith.index_cast %v : i32 to index
    %l = memref.load %a[%y] : memref<5xi64>
    %u = arith.addi %v, %two : i32
    scf.yield %u, %y : i32, index
  }
  return
}
"""


def test_a_number_of_32_bits_that_counts_by_two_wraps_around_for_one_end_only() -> None:
    """%y is even, up to 2^31 - 2; from -2^31 on where %n is 2^31 - 1, and the loop never ends."""
    function = volcli.loads(COUNTED_BY_TWO).function("f")
    fact = function.bounds("%y")
    assert (fact.lower.constant, fact.upper.constant) == (-LARGE, LARGE - 2)
    assert fact.certainty.degree == "exact"
    (access,) = function.accesses()
    assert access.verdict == "out-of-bounds"
