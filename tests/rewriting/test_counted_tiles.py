"""Tiles that a quotient counts, and tiles up to the last whole one: loops without them compute the same."""

from __future__ import annotations

import re

import pytest

import volcli
from tests.rewriting.test_untiling import NESTS, nest, verdict
from volcli.facts.differences import DIFFERENT, EQUAL
from volcli.rewriting.changes.joined_loops import join
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


ZERO = "\n%zero = arith.constant 0.0 : f32"
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
    """%n - %r is a multiple of %a: no tile goes beyond it. Of other ends that is not known. One loop is left."""
    text = nest(ZERO + POSITIVE + PEELED)
    assert loops_without_tiles(text) == 1
    assert loops_without_tiles(text.replace("%n, %r", "%n, %k")) is None


def loops_without_tiles(text: str) -> int | None:
    unit = volcli.load(text).units[0]
    found = untiled(unit.parsed, unit.models()[0])
    return None if found is None else len(list(loops_in(found.function)))


LOCAL = """
scf.for %o = %c0 to %n step %a {
  %d = arith.subi %n, %o : index
  %u = arith.minsi %d, %a : index
  scf.for %l = %c0 to %u step %c1 {
    %i = arith.addi %o, %l : index
    memref.store %zero, %m[%i, %c0] : memref<?x?xf32>
  }
}"""


@pytest.mark.parametrize(
    ("old", "new", "is_equal"),
    [
        ("%o, %l :", "%l, %o :", True),
        ("%d = arith.subi %n, %o", "%d = arith.subi %k, %o", False),
        ("%c0 to %u", "%c1 to %u", False),
        ("%o, %l :", "%a, %l :", False),
        ("%o, %l :", "%l, %l :", False),
        ("scf.for %l", "scf.for unsigned %l", False),
    ],
)
def test_points_that_are_counted_in_their_tile_are_those_of_the_loop(
    old: str, new: str, is_equal: bool
) -> None:
    assert old in LOCAL
    before, after = nest(POSITIVE + PLAIN), nest(ZERO + POSITIVE + LOCAL.replace(old, new))
    assert (verdict(before, after)[0] == EQUAL) is is_equal


PLAIN = """
%zero = arith.constant 0.0 : f32
scf.for %i = %c0 to %n step %c1 {
  memref.store %zero, %m[%i, %c0] : memref<?x?xf32>
}"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%whole to %n", "%whole to %n"),
        ("%whole to %n", "%u1 to %n"),
        ("%whole to %n", "%whole to %k"),
        ("%zero, %m[%i, %c0] : memref<?x?xf32>\n}", "%one, %m[%i, %c0] : memref<?x?xf32>\n}"),
    ],
)
def test_a_peeled_loop_is_one_if_the_rest_is_the_rest(old: str, new: str) -> None:
    """It begins where the tiles end, ends where the loop did, and does the same."""
    more = "\n%one = arith.constant 1.0 : f32\n%u1 = arith.subi %n, %c1 : index"
    text = nest(ZERO + more + POSITIVE + PEELED.replace(old, new))
    program = volcli.load(nest(POSITIVE + PLAIN))
    (found,) = program.diff(volcli.load(text))
    assert (found.verdict == EQUAL) is (old == new)
    assert "the step of %o is positive" not in found.assumptions
    assert not any(each.code == "V900" for each in program.diagnostics)


@pytest.mark.parametrize(
    ("parts", "kind", "count"),
    [
        ("0 k n", "scf.for", 2),
        ("0 k k", "scf.for", 1),
        ("0 k min", "scf.for", 2),
        ("0 min n", "scf.for", 1),
        ("0 min n", "scf.for unsigned", 2),
    ],
)
def test_loops_are_joined_where_one_begins_where_the_other_ends(parts: str, kind: str, count: int) -> None:
    """%min is min(%n, %k), at least 0: [0, min) and [min, n) are [0, n), and [0, k) and [k, n) are not.

    Nor are they where %n = -1 is as much as 2^64 - 1.
    """
    begin, middle, end = (f"%{part}".replace("%0", "%c0") for part in parts.split())
    body = "memref.store %zero, %m[%i, %c0] : memref<?x?xf32>"
    loops = "\n".join(
        f"{kind} %i = {first} to {last} step %c1 {{\n{body}\n}}"
        for first, last in ((begin, middle), (middle, end))
    )
    limit = "\n%few = arith.minsi %n, %k : index\n%min = arith.maxsi %few, %c0 : index"
    unit = volcli.load(nest(ZERO + limit + "\n" + loops)).units[0]
    model = unit.models()[0]
    assert join(model) is (count == 1)
    assert len(list(loops_in(model.function))) == count


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
