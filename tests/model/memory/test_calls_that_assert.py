"""An access behind a call runs only in executions in which what the called function asserts has held."""

from __future__ import annotations

import pytest

import volcli

CHECKS = """
func.func private @below(%i: index, %n: index) {
  %p = arith.cmpi slt, %i, %n : index
  cf.assert %p, "below"
  return
}
func.func private @next_below(%i: index, %n: index) {
  %c1 = arith.constant 1 : index
  %next = arith.addi %i, %c1 : index
  call @below(%next, %n) : (index, index) -> ()
  return
}
func.func private @below_the_size(%i: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %p = arith.cmpi slt, %i, %d : index
  cf.assert %p, "below"
  return
}
func.func private @sometimes_below(%i: index, %n: index) {
  %p = arith.cmpi sgt, %i, %n : index
  scf.if %p {
    %no = arith.constant false
    cf.assert %no, "below"
  }
  return
}
func.func private @later_below(%i: index, %n: index) {
  cf.br ^later
^later:
  func.call @below(%i, %n) : (index, index) -> ()
  return
}
func.func private @recursive(%i: index, %n: index) {
  call @below(%i, %n) : (index, index) -> ()
  %p = arith.cmpi slt, %n, %i : index
  scf.if %p {
    func.call @recursive(%i, %n) : (index, index) -> ()
  }
  return
}
func.func private @asserts_nothing(%i: index, %n: index) {
  return
}
func.func private @elsewhere(%i: index, %n: index)
"""
CALLER = """
func.func @f(%m: memref<?xf32>, %i: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %at = arith.maxsi %i, %c0 : index
  @BEFORE
  memref.store %v, %m[%at] : memref<?xf32>
  return
}"""
CALL = "func.call @{}(%at, %d) : (index, index) -> ()"
LOOP = f"scf.for %k = %c0 to @HIGH step %c1 {{ {CALL.format('below')} }}"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("before", "verdict"),
    [
        ("", "out-of-bounds"),
        (CALL.format("below"), "in-bounds"),
        (CALL.format("next_below"), "in-bounds"),
        ("func.call @below_the_size(%at, %m) : (index, memref<?xf32>) -> ()", "in-bounds"),
        (CALL.format("below").replace("%at, %d", "%d, %at"), "out-of-bounds"),
        (CALL.format("sometimes_below"), "unknown"),
        (CALL.format("later_below"), "unknown"),
        (CALL.format("recursive"), "in-bounds"),
        (CALL.format("asserts_nothing"), "out-of-bounds"),
        (CALL.format("elsewhere"), "out-of-bounds"),
        (LOOP.replace("@HIGH", "%c1"), "in-bounds"),
        (LOOP.replace("@HIGH", "%c0"), "out-of-bounds"),
    ],
)
def test_what_was_called_has_asserted(before: str, verdict: str) -> None:
    """The element %at >= 0 of %m: whoever asserts %at < dim(%m, 0) before it keeps it inside."""
    program = volcli.loads(CHECKS + CALLER.replace("@BEFORE", before)).run("check-accesses")
    (found,) = (fact.to_json()["verdict"] for fact in program.facts if fact.question == "access")
    assert found == verdict


def test_what_is_never_reached_is_no_finding() -> None:
    """%c9 < 4 is asserted of constants: no execution gets to the access behind it."""
    text = """
func.func @f(%m: memref<4xf32>, %v: f32) {
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  call @below(%c9, %c4) : (index, index) -> ()
  memref.store %v, %m[%c9] : memref<4xf32>
  return
}"""
    program = volcli.loads(CHECKS + text).run("check-accesses")
    assert not [d for d in program.diagnostics if d.code == "V203"]


def test_bounds_behind_a_call_are_exact() -> None:
    """%r = min(%i, 7) is at most 3 behind an assertion that %i < 4, and attains it."""
    text = """
func.func @f(%i: index) -> index {
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  call @below(%i, %c4) : (index, index) -> ()
  %r = arith.minsi %i, %c7 : index
  return %r : index
}"""
    bounds = volcli.loads(CHECKS + text).function("f").bounds("%r")
    assert bounds.upper is not None
    assert (bounds.upper.constant, bounds.upper.exact) == (3, True)
