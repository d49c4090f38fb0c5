"""Recurrences, calls, branches between blocks, and what data decides: operation by operation."""

from __future__ import annotations

import pytest

import volcli
from tests.shared.seeds import spread
from volcli.facts.differences import FunctionComparison

SMOOTHED = """
func.func @f(%a: memref<100xf32>, %b: memref<100xf32>) {
  affine.for %t = 0 to 50 {
    affine.for %i = 1 to 99 {
      %x = affine.load %a[%i - 1] : memref<100xf32>
      %y = affine.load %a[%i] : memref<100xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %b[%i] : memref<100xf32>
    }
    affine.for %i = 1 to 99 {
      %x = affine.load %b[%i] : memref<100xf32>
      %y = affine.load %b[%i + 1] : memref<100xf32>
      %s = arith.mulf %x, %y : f32
      affine.store %s, %a[%i] : memref<100xf32>
    }
  }
  return
}
"""
TILED = (
    SMOOTHED.replace(
        "affine.for %i = 1 to 99 {\n      %x = affine.load %a",
        "affine.for %o = 0 to 14 { affine.for %i = max affine_map<(d0) -> (1, 7 * d0)>(%o) "
        "to min affine_map<(d0) -> (99, 7 * d0 + 7)>(%o) {\n      %x = affine.load %a",
    )
    .replace("%b[%i] : memref<100xf32>\n    }", "%b[%i] : memref<100xf32>\n    } }", 1)
    .replace("0 to 14", "0 to 15")
)
SEIDEL = """
func.func @f(%a: memref<40x40xf32>) {
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 39 {
      affine.for %j = 1 to 39 {
        %w = affine.load %a[%i, %j - 1] : memref<40x40xf32>
        %n = affine.load %a[%i - 1, %j] : memref<40x40xf32>
        %e = affine.load %a[%i, %j + 1] : memref<40x40xf32>
        %x = arith.addf %w, %n : f32
        %y = arith.addf %x, %e : f32
        affine.store %y, %a[%i, %j] : memref<40x40xf32>
      }
    }
  }
  return
}
"""
UNROLLED = SEIDEL.replace(
    "affine.for %j = 1 to 39 {",
    "affine.for %k = 1 to 39 step 2 {\n %j = affine.apply affine_map<(d0) -> (d0)>(%k)",
).replace(
    "%a[%i, %j] : memref<40x40xf32>\n      }",
    """%a[%i, %j] : memref<40x40xf32>
        %w2 = affine.load %a[%i, %j] : memref<40x40xf32>
        %n2 = affine.load %a[%i - 1, %j + 1] : memref<40x40xf32>
        %e2 = affine.load %a[%i, %j + 2] : memref<40x40xf32>
        %x2 = arith.addf %w2, %n2 : f32
        %y2 = arith.addf %x2, %e2 : f32
        affine.store %y2, %a[%i, %j + 1] : memref<40x40xf32>
      }""",
)
SUMMED = """
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func private @squares(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^exit
^body:
  %v = memref.load %x[%i] : memref<8xf32>
  %s = func.call @square(%v) : (f32) -> f32
  memref.store %s, %x[%i] : memref<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit:
  return
}
func.func @f(%x: memref<8xf32>, %n: f32) -> f32 {
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %r = scf.while (%a = %z) : (f32) -> f32 {
    %c = arith.cmpf olt, %a, %n : f32
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%a: f32):
    func.call @squares(%x, %c8) : (memref<8xf32>, index) -> ()
    %k = arith.fptosi %a : f32 to i32
    %i = arith.index_cast %k : i32 to index
    %v = memref.load %x[%i] : memref<8xf32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  return %r : f32
}
"""
WITHOUT_CALLS = """
func.func @f(%x: memref<8xf32>, %n: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = scf.while (%a = %z) : (f32) -> f32 {
    %c = arith.cmpf olt, %a, %n : f32
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%a: f32):
    %k = arith.fptosi %a : f32 to i32
    affine.for %i = 0 to 8 {
      %v = affine.load %x[%i] : memref<8xf32>
      %s = arith.mulf %v, %v : f32
      affine.store %s, %x[%i] : memref<8xf32>
    }
    %i = arith.index_cast %k : i32 to index
    %v = memref.load %x[%i] : memref<8xf32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  return %r : f32
}
"""
COUNTED = """
func.func @f(%at: memref<30xi32>, %count: memref<16xi32>, %least: i32) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 30 {
    %v = affine.load %at[%i] : memref<30xi32>
    %k = arith.index_cast %v : i32 to index
    %c = arith.cmpi sgt, %v, %least : i32
    scf.if %c {
      %n = memref.load %count[%k] : memref<16xi32>
      %m = arith.addi %n, %one : i32
      memref.store %m, %count[%k] : memref<16xi32>
    }
  }
  return
}
"""
OUTER = (
    COUNTED.replace(
        "affine.for %i = 0 to 30 {", "affine.for %o = 0 to 30 step 10 { affine.for %p = 0 to 10 {"
    )
    .replace("%at[%i] : memref<30xi32>", "%at[%o + %p] : memref<30xi32>")
    .replace("  }\n  return", "  } }\n  return")
)
pytestmark = pytest.mark.usefixtures("short_trials")
PAIRS = {
    "tiled": (SMOOTHED, TILED),
    "unrolled": (SEIDEL, UNROLLED),
    "called": (SUMMED, WITHOUT_CALLS),
    "counted": (COUNTED, OUTER),
}
WRONG = [
    ("tiled", "%a[%i - 1]", "%a[%i + 1]"),
    ("tiled", "7 * d0 + 7)", "7 * d0 + 6)"),
    ("tiled", "arith.mulf %x, %y", "arith.divf %y, %x"),
    ("tiled", "%t = 0 to 50", "%t = 0 to 49"),
    ("unrolled", "%a[%i - 1, %j + 1]", "%a[%i, %j + 1]"),
    ("unrolled", "%a[%i, %j + 2]", "%a[%i, %j + 1]"),
    ("unrolled", "1 to 39 step 2", "1 to 37 step 2"),
    ("unrolled", "%t = 0 to 20", "%t = 1 to 20"),
    ("called", "cmpf olt, %a, %n", "cmpf ole, %a, %n"),
    ("called", "%i = 0 to 8", "%i = 0 to 7"),
    ("called", "scf.condition(%c) %a", "scf.condition(%c) %n"),
    ("called", "arith.mulf %v, %v", "arith.addf %v, %v"),
    ("called", "arith.addf %a, %v", "arith.subf %a, %v"),
    ("counted", "cmpi sgt, %v, %least", "cmpi sge, %v, %least"),
    ("counted", "cmpi sgt, %v, %least", "cmpi sgt, %least, %v"),
    ("counted", "%p = 0 to 10", "%p = 1 to 10"),
    ("counted", "addi %n, %one", "addi %n, %v"),
    ("counted", "memref.store %m, %count[%k]", "memref.store %n, %count[%k]"),
]  # fmt: skip


def compared(before: str, after: str) -> FunctionComparison:
    programs = [volcli.loads(text) for text in (before, after)]
    assert [each.exit_code for each in programs] == [0, 0]
    (found,) = programs[0].diff(programs[1], "f")
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PAIRS)
def test_the_same_operations_are_equal(name: str) -> None:
    found = compared(*PAIRS[name])
    assert found.verdict == "equal", found.lines()
    back = compared(*reversed(PAIRS[name]))
    assert back.verdict == "equal", back.lines()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "old", "new"), spread(WRONG, 9))
def test_other_operations_are_not_equal(name: str, old: str, new: str) -> None:
    before, after = PAIRS[name]
    assert old in after
    assert compared(before, after.replace(old, new, 1)).verdict != "equal"


def test_the_order_of_a_sum_is_no_difference() -> None:
    """Where operations differ, what they are computed from is compared."""
    text = """
func.func @f(%x: f32, %y: f32, %z: f32) -> f32 {
  %a = arith.addf %x, %y : f32
  %b = arith.addf %a, %z : f32
  return %b : f32
}
"""
    assert compared(text, text.replace("%a, %z", "%z, %a").replace("%x, %y", "%y, %x")).verdict == "equal"


@pytest.mark.slow
def test_a_proof_has_as_many_goals_as_the_program_has_operations() -> None:
    """They are limited by what they cost, and not by their number: here there are 1,100 at an element that data selects."""
    lines = [f"%s{k + 1} = arith.addf %s{k}, %y : f32" for k in range(1100)]
    text = """
func.func @f(%a: memref<100xf32>, %at: memref<100xindex>, %y: f32) {
  affine.for %i = 1 to 99 {
    %j = affine.load %at[%i] : memref<100xindex>
    %s0 = memref.load %a[%j] : memref<100xf32>
    BODY
    affine.store %s1100, %a[%i] : memref<100xf32>
  }
  return
}
"""
    swapped = [line.replace(f"%s{k}, %y", f"%y, %s{k}") for k, line in enumerate(lines)]
    assert compared(*(text.replace("BODY", "\n".join(each)) for each in (lines, swapped))).verdict == "equal"


def test_private_functions_are_compared_where_they_are_called() -> None:
    found = volcli.loads(SUMMED).diff(volcli.loads(WITHOUT_CALLS))
    assert [each.function for each in found] == ["f"]
    (asked,) = volcli.loads(SUMMED).diff(volcli.loads(WITHOUT_CALLS), "square")
    assert asked.reason == "only the program before has a function of this name"


def test_a_function_that_calls_itself_is_unknown() -> None:
    text = """
func.func @f(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %m = arith.subi %n, %one : i32
  %r = func.call @f(%m) : (i32) -> i32
  return %r : i32
}
"""
    assert compared(text, text.replace("constant 1", "constant 2")).verdict == "unknown"
    assert compared(text, text).verdict != "different"


ROOT_OF = """
func.func @f(%x: f32, %least: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %r, %d = scf.while (%g = %x, %o = %x) : (f32, f32) -> (f32, f32) {
    %c = arith.cmpf ogt, %o, %least : f32
    scf.condition(%c) %g, %o : f32, f32
  } do {
  ^bb0(%g: f32, %o: f32):
    %q = arith.divf %x, %g : f32
    %s = arith.addf %g, %q : f32
    %n = arith.mulf %s, %half : f32
    %e = arith.subf %g, %n : f32
    scf.yield %n, %e : f32, f32
  }
  return %r : f32
}
"""
COUNTED_ROOT = """
func.func @f(%x: f32, %least: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %i, %r, %d = scf.while (%k = %zero, %g = %x, %o = %x) : (index, f32, f32) -> (index, f32, f32) {
    %c = arith.cmpf ogt, %o, %least : f32
    scf.condition(%c) %k, %g, %o : index, f32, f32
  } do {
  ^bb0(%k: index, %g: f32, %o: f32):
    %q = arith.divf %x, %g : f32
    %s = arith.addf %g, %q : f32
    %n = arith.mulf %s, %half : f32
    %e = arith.subf %g, %n : f32
    %next = arith.addi %k, %one : index
    scf.yield %next, %n, %e : index, f32, f32
  }
  return %r : f32
}
"""


@pytest.mark.slow
def test_whiles_are_compared_whatever_else_goes_around_them() -> None:
    for one, other in ((ROOT_OF, COUNTED_ROOT), (COUNTED_ROOT, ROOT_OF)):
        assert compared(one, other).verdict == "equal"
        for right, wrong in (("%n, %e", "%s, %e"), ("ogt, %o, %least", "ogt, %g, %least")):
            assert compared(one, other.replace(right, wrong)).verdict != "equal"
