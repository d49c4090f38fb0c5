"""Tiles that a quotient counts, and tiles up to the last whole one: loops without them compute the same."""

from __future__ import annotations

import re

import volcli
from tests.rewriting.test_untiling import NESTS, nest, verdict
from volcli.facts.differences import DIFFERENT, EQUAL
from volcli.rewriting.changes.untiling import untiled
from volcli.rewriting.ground.bound_uses import loops_in

POSITIVE = """
%ok = arith.cmpi sge, %a, %c1 : index
cf.assert %ok, "tiles have elements"
"""
NUMBERED = """
%t = arith.ceildivsi %n, %a : index
scf.for %g = %c0 to %t step %c1 {
  %o = arith.muli %g, %a : index
  %e = arith.addi %o, %a : index
  %u = arith.minsi %e, %n : index
  scf.for %i = %o to %u step %c1 {
    scf.for %j = %c0 to %k step %c1 {
      %x = memref.load %s[%i, %j] : memref<?x?xf32>
      memref.store %x, %m[%i, %j] : memref<?x?xf32>
    }
  }
}"""


def test_tiles_that_are_counted_by_a_quotient_are_equal() -> None:
    """That a size is positive is said by an assertion before the loops."""
    before = nest(POSITIVE + NESTS["copy"])
    assert verdict(before, nest(POSITIVE + NUMBERED))[0] == EQUAL
    fewer = NUMBERED.replace("ceildivsi", "floordivsi")
    assert verdict(before, nest(POSITIVE + fewer))[0] == DIFFERENT


PEELED = """
%r = arith.remsi %n, %a : index
%whole = arith.subi %n, %r : index
scf.for %o = %c0 to %whole step %a {
  %u = arith.addi %o, %a : index
  scf.for %i = %o to %u step %c1 {
    memref.store %zero, %m[%i, %c0] : memref<?x?xf32>
  }
}
scf.for %i = %whole to %n step %c1 {
  memref.store %zero, %m[%i, %c0] : memref<?x?xf32>
}"""


def test_whole_tiles_of_a_peeled_loop_are_taken_out() -> None:
    """%n - %r is a multiple of %a: no tile goes beyond it. Of other ends that is not known."""
    text = nest("%zero = arith.constant 0.0 : f32" + POSITIVE + PEELED)
    assert loops_without_tiles(text) == 2
    assert loops_without_tiles(text.replace("%n, %r", "%n, %k")) is None


def loops_without_tiles(text: str) -> int | None:
    unit = volcli.load(text).units[0]
    found = untiled(unit.parsed, unit.models()[0])
    return None if found is None else len(list(loops_in(found.function)))


def test_what_an_unknown_number_decides_is_no_error() -> None:
    """Which arguments make an access of a peeled loop go out of bounds depends on a remainder."""
    plain = (
        POSITIVE
        + """
    %zero = arith.constant 0.0 : f32
    scf.for %i = %c0 to %n step %c1 { memref.store %zero, %m[%i, %c0] : memref<?x?xf32> }"""
    )
    program = volcli.load(nest(plain))
    (found,) = program.diff(volcli.load(nest("%zero = arith.constant 0.0 : f32" + POSITIVE + PEELED)))
    assert found.verdict != DIFFERENT
    assert not any(each.code == "V900" for each in program.diagnostics)


FLAT = """
scf.for %i = %c0 to %n step %c1 {
  %p = arith.muli %i, %k : index
  %q = arith.addi %p, %a : index
  %x = memref.load %s[%q, %c0] : memref<?x?xf32>
  memref.store %x, %m[%q, %c1] : memref<?x?xf32>
}"""


def test_a_reason_has_no_names_of_sets() -> None:
    """Coordinates and parameters of sets are d0, a3, ...: of i * k, neither is a name of the program."""
    (found,) = volcli.load(nest(FLAT)).diff(volcli.load(nest(FLAT.replace("%q, %c0", "%a, %c0"))))
    reasons = [each.reason or "" for each in found.outputs]
    assert any("a product of two unknowns is not affine" in each for each in reasons)
    assert not any(re.search(r"\b[adv]\d+\b", each) for each in reasons)
