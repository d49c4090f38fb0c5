"""What earlier iterations of scf.while, and the first half of one, say of a place in it."""

from __future__ import annotations

import volcli
from volcli.facts.access import AccessFact

HALVES = """
func.func @first_half(%n: index, %m: memref<5xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.while (%i = %c0) : (index) -> index {
    %t = arith.cmpi slt, %i, %c5 : index
    cf.assert %t, "x"
    %u = arith.cmpi slt, %i, %n : index
    scf.condition(%u) %i : index
  } do {
  ^bb0(%j: index):
    %x = memref.load %m[%j] : memref<5xi64>
    %next = arith.addi %j, %c1 : index
    scf.yield %next : index
  }
  return
}
func.func @behind(%n: index, %m: memref<5xi64>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.while (%i = %c0) : (index) -> index {
    %u = arith.cmpi slt, %i, %n : index
    scf.condition(%u) %i : index
  } do {
  ^bb0(%j: index):
    %t = arith.cmpi slt, %j, %k : index
    %x = memref.load %m[%j] : memref<5xi64>
    cf.assert %t, "x"
    %next = arith.addi %j, %c1 : index
    scf.yield %next : index
  }
  return
}
func.func @ends(%n: index, %m: memref<5xi64>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.while (%i = %c0) : (index) -> index {
    %u = arith.cmpi slt, %i, %n : index
    scf.condition(%u) %i : index
  } do {
  ^bb0(%j: index):
    %x = memref.load %m[%j] : memref<5xi64>
    scf.while : () -> () {
      %t = arith.cmpi sge, %j, %k : index
      scf.condition(%t)
    } do {
      scf.yield
    }
    %next = arith.addi %j, %c1 : index
    scf.yield %next : index
  }
  return
}
"""


def _access(name: str) -> AccessFact:
    (found,) = volcli.loads(HALVES).function(name).accesses()
    return found


def test_what_the_first_half_asserts_holds_in_the_second() -> None:
    assert _access("first_half").verdict == "in-bounds"


def test_an_iteration_is_reached_if_assertions_of_earlier_ones_hold() -> None:
    """%j is 5 at most, unless %k > 5: the load comes before the assertion of its own iteration."""
    found = _access("behind")
    assert found.verdict == "out-of-bounds"
    assert found.because.endswith("in bounds if %n <= 5 or (%n >= 6 and %k <= 4)")


def test_an_iteration_is_reached_if_loops_in_earlier_ones_end() -> None:
    found = _access("ends")
    assert found.verdict == "out-of-bounds"
    assert found.because.endswith("in bounds if %n <= 5 or (%n >= 6 and %k <= 4)")


IN_A_BRANCH = """
func.func @f(%n: index, %k: index, %b: memref<5xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %p = arith.cmpi slt, %n, %c3 : index
  %at = scf.if %p -> (index) {
    scf.yield %k : index
  } else {
    %r:3 = scf.while (%i = %c0, %x = %n) : (index, index) -> (index, index, index) {
      %t = arith.cmpi sge, %x, %n : index
      scf.condition(%t) %i, %x, %n : index, index, index
    } do {
    ^bb0(%j: index, %y: index, %z: index):
      %next = arith.addi %j, %c1 : index
      scf.yield %next, %c3 : index, index
    }
    scf.yield %r#2 : index
  }
  memref.store %v, %b[%at] : memref<5xi64>
  return
}
"""


def test_the_result_of_a_loop_in_a_branch_is_determined_where_that_is_taken() -> None:
    """For %n = 3 the loop does not end; from 4 on its result is %n, below 3 there is none."""
    (found,) = volcli.loads(IN_A_BRANCH).function("f").accesses()
    assert found.verdict == "out-of-bounds"
    assert found.because.endswith("in bounds if %n <= 4 and (%n >= 3 or (%n <= 2 and 0 <= %k <= 4))")


TWO_ENDS = """
func.func @f(%q: memref<8xi1>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %t = arith.cmpi slt, %n, %c1 : index
  %x = scf.if %t -> (index) {
    scf.yield %c1 : index
  } else {
    scf.yield %k : index
  }
  %y = scf.if %t -> (index) {
    scf.yield %n : index
  } else {
    scf.yield %k : index
  }
  cf.br ^a(%c0 : index)
^a(%i: index):
  %p = memref.load %q[%i] : memref<8xi1>
  cf.cond_br %p, ^m(%k : index), ^b
^b:
  %j = arith.addi %i, %c1 : index
  %s = arith.cmpi slt, %j, %c7 : index
  cf.cond_br %s, ^a(%j : index), ^m(%c1 : index)
^m(%z: index):
  return
}
"""


def test_what_is_loaded_with_a_number_that_grows_is_another_element_each_time() -> None:
    """Two blocks leave the loop, so that %i is a state of the form's scf.while beside its number."""
    fact = volcli.loads(TWO_ENDS).function("f").bounds("%i")
    assert (fact.lower.constant, fact.upper.constant, fact.certainty.degree) == (0, 6, "exact")


def test_a_bound_is_attained_if_it_is_for_some_values_of_what_it_does_not_name() -> None:
    """%z is 1 or %k, whichever way the loop is left; both are possible, whatever %k is."""
    function = volcli.loads(TWO_ENDS).function("f")
    for name in ("%x", "%z"):
        fact = function.bounds(name)
        assert (fact.lower.text, fact.upper.text) == ("min(%k, 1)", "max(%k, 1)")
        assert fact.certainty.degree == "exact"


def test_a_bound_that_is_no_minimum_of_arguments_is_stated_by_cases() -> None:
    """%y is 0 for %n = 0 and %k = -3, and not -3."""
    fact = volcli.loads(TWO_ENDS).function("f").bounds("%y")
    assert (fact.lower.text, fact.lower.exact) == ("(%n if %n <= 0 else %k)", True)
    assert fact.certainty.degree == "exact"
