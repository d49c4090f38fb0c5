"""Functions that do the same in the same order are equal, whatever that is; what is moved or changed is not."""

from __future__ import annotations

import pytest

import volcli
from volcli.equivalence.congruence.functions import congruent_models

PROGRAM = """func.func private @ext(memref<?xf32>) -> i32
func.func private @other(memref<?xf32>) -> i32
func.func @f(%m: memref<?xf32>, %s: memref<?xf32>, %n: index, %k: i32, %x: f32) -> (i32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %p = arith.addi %n, %c1 : index
  %a = memref.load %m[%p] : memref<?xf32>
  %r = call @ext(%m) : (memref<?xf32>) -> i32
  %q = arith.divsi %r, %k : i32
  scf.for %i = %c0 to %n step %p {
    %u = memref.load %m[%i] : memref<?xf32>
    %v = arith.addf %u, %x : f32
    "foo.bar"(%v, %s) : (f32, memref<?xf32>) -> ()
    memref.store %v, %s[%i] : memref<?xf32>
  }
  %b = memref.load %m[%p] : memref<?xf32>
  %t = arith.addf %b, %zero : f32
  return %q, %t : i32, f32
}
"""


def rests(before: str, after: str, name: str = "f") -> tuple[str, ...] | None:
    """What the congruence of the functions of this NAME rests on; None without one."""
    models = [
        next(model for unit in volcli.loads(text).units for model in unit.models() if model.name == name)
        for text in (before, after)
    ]
    return congruent_models(models[0], models[1])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("arith.addf %u, %x", "arith.addf %x, %u"),
        ("arith.addi %n, %c1", "arith.addi %c1, %n"),
        ("  %p = arith.addi %n, %c1 : index", "  %h = arith.subi %n, %c0 : index\n  %p = arith.addi %h, %c1 : index"),
        ("  %p = arith.addi %n, %c1 : index", "  %p = affine.apply affine_map<(d0) -> (d0 + 1)>(%n)"),
        ("    memref.store %v", "    %w = memref.load %m[%i] : memref<?xf32>\n    memref.store %v"),
        ("  %r = call", "  %unused = arith.mulf %x, %x : f32\n  %r = call"),
    ],
    ids=["nothing", "exchanged", "terms", "detour", "affine", "load again", "unused"],
)  # fmt: skip
def test_what_does_the_same(old: str, new: str) -> None:
    if "%w" in new:
        assert rests(PROGRAM, PROGRAM.replace(old, new, 1)) is None  # foo.bar may write in between
        return
    assert rests(PROGRAM, PROGRAM.replace(old, new, 1)) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@ext(%m)", "@other(%m)"),
        ("divsi %r, %k", "divsi %k, %r"),
        ("divsi", "divui"),
        ("constant 0.0", "constant -0.0"),
        ("arith.addf %u, %x", "arith.subf %u, %x"),
        ("arith.addf %u, %x", "arith.addf %u, %u"),
        ("arith.addf %u, %x : f32", "arith.addf %u, %x fastmath<nnan> : f32"),
        ("memref.load %m[%i]", "memref.load %s[%i]"),
        ("memref.load %m[%i]", "memref.load %m[%n]"),
        ("%c0 to %n", "%c1 to %n"),
        ("arith.addf %b, %zero", "arith.addf %a, %zero"),
        ('"foo.bar"(%v, %s)', '"foo.bar"(%u, %s)'),
        ('"foo.bar"(%v, %s)', '"foo.bar"(%v, %s) {k = 1 : i32}'),
        ('"foo.bar"', '"foo.baz"'),
        ("    memref.store %v, %s[%i] : memref<?xf32>\n", ""),
        ("  scf.for", "  %z = arith.divsi %k, %r : i32\n  scf.for"),
        ("  scf.for", "  %z = memref.load %s[%p] : memref<?xf32>\n  scf.for"),
        ("  %r = call", "  %z = arith.divsi %k, %k : i32\n  %r = call"),
        ("return %q, %t", "return %k, %t"),
        ("addi %n, %c1 : index", "addi %n, %n : index"),
    ],
)
def test_what_does_something_else(old: str, new: str) -> None:
    changed = PROGRAM.replace(old, new, 1)
    assert changed != PROGRAM
    assert rests(PROGRAM, changed) is None


def test_a_division_may_be_left_out_but_not_brought_in() -> None:
    """AFTER may be more defined, never less: a loop without iterations divides by nothing."""
    inside = """func.func @f(%m: memref<8xi32>, %a: i32, %b: i32, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %q = arith.divsi %a, %b : i32
        memref.store %q, %m[%i] : memref<8xi32>
      }
      return
    }"""
    line = "        %q = arith.divsi %a, %b : i32\n"
    outside = inside.replace(line, "").replace("      scf.for", line + "      scf.for")
    assert rests(inside, outside) is None
    assert rests(outside, inside) == ()


def test_buffers_of_their_own_are_not_one() -> None:
    two = """func.func @f(%x: f32, %y: f32) -> f32 {
      %a = memref.alloca() : memref<f32>
      %b = memref.alloca() : memref<f32>
      memref.store %x, %a[] : memref<f32>
      memref.store %y, %b[] : memref<f32>
      %r = memref.load %a[] : memref<f32>
      return %r : f32
    }"""
    assert rests(two, two) == ()
    assert rests(two, two.replace("%y, %b[]", "%y, %a[]")) is None
    assert rests(two, two.replace("load %a", "load %b")) is None


def test_globals_are_compared() -> None:
    text = """memref.global "private" constant @k : memref<2xf32> = dense<1.0>
    func.func @f(%i: index) -> f32 {
      %m = memref.get_global @k : memref<2xf32>
      %r = memref.load %m[%i] : memref<2xf32>
      return %r : f32
    }"""
    assert rests(text, text) == ()
    assert rests(text, text.replace("1.0", "2.0")) is None


def test_text_that_names_an_alias_is_not_known() -> None:
    text = "#map = affine_map<(d0) -> (d0)>\nfunc.func @f() {\n  foo.bar at #map\n  return\n}"
    assert rests(text, text) is None


def test_the_second_region_of_a_loop_finds_what_the_first_one_left() -> None:
    text = """func.func @f(%m: memref<f32>, %s: memref<f32>, %x: f32, %c: i1) {
      scf.while : () -> () {
        %u = memref.load %m[] : memref<f32>
        memref.store %x, %m[] : memref<f32>
        scf.condition(%c)
      } do {
        %v = memref.load %m[] : memref<f32>
        memref.store %v, %s[] : memref<f32>
        scf.yield
      }
      return
    }"""
    assert rests(text, text) == ()
    assert rests(text, text.replace("%v, %s", "%x, %s")) is None


def test_other_operations_on_data_are_others() -> None:
    """Index arithmetic is what it computes; of data, the operations count."""
    doubled = "func.func @f(%a: i32, %b: i32) -> i32 {\n  %r = arith.addi %a, %a : i32\n  return %r : i32\n}"
    product = doubled.replace(
        "%r = arith.addi %a, %a", "%c = arith.constant 2 : i32\n  %r = arith.muli %a, %c"
    )
    assert rests(doubled, product) is None
    assert rests(doubled.replace("i32", "index"), product.replace("i32", "index")) == ()


def test_flags_are_not_brought_in() -> None:
    plain = "func.func @f(%a: i32, %b: i32) -> i32 {\n  %r = arith.addi %a, %b : i32\n  return %r : i32\n}"
    flagged = plain.replace("%a, %b :", "%a, %b overflow<nsw> :")
    assert rests(plain, flagged) is None
    assert rests(flagged, flagged) == ()


AFFINE = """func.func @f(%a: memref<?xf32>, %n: index) {
  affine.for %i = 0 to affine_map<(d0) -> (d0 - 1)>(%n) step 2 {
    %x = affine.load %a[%i + 1] : memref<?xf32>
    affine.store %x, %a[%i] : memref<?xf32>
  }
  return
}"""
LOWERED = """func.func @f(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %m step %c2 {
    %k = arith.addi %i, %c1 : index
    %x = memref.load %a[%k] : memref<?xf32>
    memref.store %x, %a[%i] : memref<?xf32>
  }
  return
}"""


def test_affine_loops_and_what_they_are_lowered_to() -> None:
    assert rests(AFFINE, LOWERED) == rests(LOWERED, AFFINE) == ()
    for old, new in (
        ("step %c2", "step %c1"),
        ("%a[%k]", "%a[%i]"),
        ("subi %n", "addi %n"),
        ("%c0 to", "%c1 to"),
    ):
        assert rests(AFFINE, LOWERED.replace(old, new)) is None


def test_parallel_loops_are_the_same_if_their_bounds_are() -> None:
    """However affine maps say these, and in both dialects."""
    text = """func.func @f(%a: memref<?x?xf32>, %n: index, %m: index, %x: f32) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      {0} {{ memref.store %x, %a[%i, %j] : memref<?x?xf32> }}
      return }}"""
    dims, symbols, scf = (
        text.format(each)
        for each in (
            "affine.parallel (%i, %j) = (0, 0) to (%n, %m)",
            "affine.parallel (%i, %j) = (0, 0) to (symbol(%n), symbol(%m))",
            "scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1)",
        )
    )
    assert rests(dims, symbols) == rests(symbols, scf) == rests(scf, dims) == ()
    for old, new in (("(%n, %m)", "(%m, %n)"), ("(%c1, %c1)", "(%c1, %n)"), ("(%c0, %c0)", "(%c0, %c1)")):
        assert rests(dims, scf.replace(old, new)) is None
    rows = "scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1"
    assert rests(dims, text.format(rows).replace("return", "} return")) is None


def test_parallel_loops_that_reduce_are_the_same_operation() -> None:
    """A sum is not a product of the same numbers."""
    text = """func.func @f(%n: index, %x: f32) -> f32 {
      %r = affine.parallel (%i) = (0) to (%n) reduce ("addf") -> f32 { affine.yield %x : f32 }
      return %r : f32 }"""
    assert rests(text, text) == ()
    assert rests(text, text.replace("addf", "mulf").replace("%i", "%k")) is None
