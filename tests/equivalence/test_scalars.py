"""Arguments that are numbers, and vectors that are stored, in comparisons of two functions."""

from __future__ import annotations

import pytest

import volcli

SCALARS = """func.func @f(%v: T, %x: T) -> T {{
  %w = {0} %v, %x : T
  {1}
  return %r : T
}}"""
STORED = """func.func @f(%m: memref<8xf32>, %x: vector<4xf32>) {{
  %c0 = arith.constant 0 : index
  %k = arith.constant dense<{0}> : vector<4xi1>
  vector.maskedstore %m[%c0], %k, %x : memref<8xf32>, vector<4xi1>, vector<4xf32>
  return
}}"""


def verdict(before: str, after: str) -> str:
    programs = [volcli.loads(text) for text in (before, after)]
    found = programs[0].diff(programs[1])
    assert not [each for program in programs for each in program.diagnostics if each.code == "V900"]
    return found[0].verdict


@pytest.mark.parametrize(
    ("kind", "add"), [("i32", "arith.addi"), ("index", "arith.addi"), ("f32", "arith.addf")]
)
def test_an_argument_that_is_used_once_more_is_no_equal_result(kind: str, add: str) -> None:
    once = SCALARS.format(add, f"%r = {add} %w, %v : T").replace("T", kind)
    more = SCALARS.format(add, f"%u = {add} %w, %x : T %r = {add} %u, %v : T").replace("T", kind)
    other = SCALARS.format(add, f"%r = {add} %v, %w : T").replace("T", kind)
    assert verdict(once, more) != "equal"
    assert verdict(once, other) == "equal", "the same, in another order"


def test_numbers_of_loops_are_counted() -> None:
    """The sum of all i, and of all i + i."""
    text = """func.func @f(%n: index) -> index {{
  %c0 = arith.constant 0 : index
  %s = affine.for %i = 0 to 9 iter_args(%a = %c0) -> index {{
    %b = arith.addi %a, %i : index
    {0}
    affine.yield %r : index
  }}
  return %s : index
}}"""
    once, twice = (
        text.format("%r = arith.addi %b, %n : index"),
        text.format("%d = arith.addi %b, %i : index %r = arith.addi %d, %n : index"),
    )
    assert verdict(once, once) == "equal"
    assert verdict(once, twice) != "equal"


def test_vectors_that_are_stored_are_compared_element_by_element() -> None:
    """What sets do not follow is the same if all elements of what it uses are; else an execution tells."""
    one, other = STORED.format("[true, false, true, true]"), STORED.format("[true, true, true, true]")
    assert verdict(one, one) == "equal"
    assert verdict(one, other) == "different"
