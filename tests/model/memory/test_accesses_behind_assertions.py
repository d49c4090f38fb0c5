"""An access is out of bounds only in executions that get to it: what regions before it assert has held."""

from __future__ import annotations

import pytest

import volcli

TEXT = """
func.func @f(%m: memref<10xf32>, %n: index, %k: index, %v: f32, %x: memref<10xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %other = arith.cmpi ne, %n, %c0 : index
  @BEFORE
  %is = arith.cmpi eq, %n, %c0 : index
  scf.if %is {
    memref.store %v, %m[%c10] : memref<10xf32>
  }
  return
}"""
LOOP = "scf.for %i = @LOW to %c10 step %c1 {{ {} }}"
ASSERTED = 'cf.assert %other, "n is not 0"'
LOADED = """%l = memref.load %x[%i] : memref<10xindex>
  %differs = arith.cmpi ne, %l, %n : index
  cf.assert %differs, "n is not there" """


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("before", "verdict"),
    [
        ("", "out-of-bounds"),
        (ASSERTED, "in-bounds"),
        (LOOP.format(ASSERTED).replace("@LOW", "%c0"), "in-bounds"),
        (LOOP.format(ASSERTED).replace("@LOW", "%c10"), "out-of-bounds"),
        (LOOP.format(ASSERTED).replace("@LOW", "%k"), "out-of-bounds"),
        (LOOP.format(LOADED).replace("@LOW", "%c0"), "out-of-bounds"),
        (f'"some.thing"() ({{ {ASSERTED} "some.end"() : () -> () }}) : () -> ()', "unknown"),
    ],
)
def test_what_ran_before_has_asserted(before: str, verdict: str) -> None:
    """The store is for n = 0 only, where the assertion fails if its loop runs: for k = 10 it does not.

    Of the elements of %x none may be 0. How often an unknown operation runs its region is unknown.
    """
    program = volcli.load(TEXT.replace("@BEFORE", before)).run("check-accesses")
    found = [fact.to_json()["verdict"] for fact in program.facts if fact.question == "access"]
    assert found[-1] == verdict
