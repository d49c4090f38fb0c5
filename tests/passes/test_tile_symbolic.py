"""tile-symbolic: loops in tiles of any sizes, executed beside the loops that they stand for."""

from __future__ import annotations

import pytest

import volcli
from tests.execution import executed, needs_runner

TRIANGLE = """
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  %one = arith.constant 1 : index
  affine.for %i = 0 to affine_map<()[u] -> (u + 1)>()[%U] {
    affine.for %j = 0 to min affine_map<(i)[v] -> (2 * i + 1, v + 1)>(%i)[%V] {
      %x = affine.load %m[%i, %j] : memref<16x16xindex>
      %y = arith.addi %x, %one : index
      affine.store %y, %m[%i, %j] : memref<16x16xindex>
    }
  }
  return
}
"""
STEPS = """
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  scf.for %i = %three to %U step %two {
    scf.for %j = %zero to %V step %three {
      %x = memref.load %m[%i, %j] : memref<16x16xindex>
      %s = arith.addi %x, %i : index
      %y = arith.addi %s, %three : index
      memref.store %y, %m[%i, %j] : memref<16x16xindex>
    }
  }
  return
}
"""
HALVES = """
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  %one = arith.constant 1 : index
  affine.for %i = affine_map<()[u] -> (u floordiv 2 + 1)>()[%U] to 9 {
    affine.for %j = max affine_map<(i)[v] -> (i floordiv 3, v)>(%i)[%V] to affine_map<(i) -> (i floordiv 2 + 4)>(%i) {
      %x = affine.load %m[%i, %j + 1] : memref<16x16xindex>
      %y = arith.addi %x, %one : index
      affine.store %y, %m[%i, %j + 1] : memref<16x16xindex>
    }
  }
  return
}
"""
# The prefix sums of an order that tiles keep: %i and %j never go back.
STENCIL = """
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  affine.for %i = 1 to affine_map<()[u] -> (u + 3)>()[%U] {
    affine.for %j = 1 to affine_map<()[v] -> (v + 4)>()[%V] {
      %x = affine.load %m[%i - 1, %j] : memref<16x16xindex>
      %y = affine.load %m[%i, %j - 1] : memref<16x16xindex>
      %s = arith.addi %x, %y : index
      %c = arith.constant 1 : index
      %t = arith.addi %s, %c : index
      affine.store %t, %m[%i, %j] : memref<16x16xindex>
    }
  }
  return
}
"""
MAIN = """
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %least = arith.constant -1 : index
  %most = arith.constant 6 : index
  %n = arith.constant 16 : index
  %before = memref.alloc() : memref<16x16xindex>
  %after = memref.alloc() : memref<16x16xindex>
  %count = memref.alloc() : memref<2xindex>
  memref.store %zero, %count[%zero] : memref<2xindex>
  memref.store %zero, %count[%one] : memref<2xindex>
  scf.for %U = %least to %most step %one {
    scf.for %V = %least to %most step %one {
      scf.for %a = %least to %most step %one {
        scf.for %b = %least to %most step %one {
          linalg.fill ins(%zero : index) outs(%before : memref<16x16xindex>)
          linalg.fill ins(%zero : index) outs(%after : memref<16x16xindex>)
          func.call @before(%before, %U, %V, %a, %b) : (memref<16x16xindex>, index, index, index, index) -> ()
          func.call @after(%after, %U, %V, %a, %b) : (memref<16x16xindex>, index, index, index, index) -> ()
          scf.for %i = %zero to %n step %one {
            scf.for %j = %zero to %n step %one {
              %x = memref.load %before[%i, %j] : memref<16x16xindex>
              %y = memref.load %after[%i, %j] : memref<16x16xindex>
              %differs = arith.cmpi ne, %x, %y : index
              %at = arith.select %differs, %zero, %one : index
              %known = memref.load %count[%at] : memref<2xindex>
              %more = arith.addi %known, %x : index
              %next = arith.select %differs, %n, %more : index
              memref.store %next, %count[%at] : memref<2xindex>
            }
          }
        }
      }
    }
  }
  %different = memref.load %count[%zero] : memref<2xindex>
  %total = memref.load %count[%one] : memref<2xindex>
  vector.print %different : index
  vector.print %total : index
  return
}
"""


def tiled(text: str, options: str) -> str:
    program = volcli.load(text)
    program.run(f"tile-symbolic{{{options}}}")
    assert not program.diagnostics
    return program.text()


@needs_runner
@pytest.mark.parametrize("options", ["sizes=%a,%b", "sizes=%b", "sizes=%a,%b,%b,%a levels=2"])
@pytest.mark.parametrize(
    "text", [TRIANGLE, STEPS, HALVES, STENCIL], ids=["triangle", "steps", "halves", "stencil"]
)
def test_the_same_iterations_for_all_sizes(text: str, options: str, mlir_opt: str) -> None:
    """Also for sizes that do not divide, are larger than the loops, 0 or negative, and loops that do not run."""
    after = tiled(text, options)
    assert after.count("scf.for") >= 3
    module = "\n".join([text.replace("@f(", "@before("), after.replace("@f(", "@after("), MAIN])
    different, total = map(int, executed(mlir_opt, module).split())
    assert (different, total > 0) == (0, True)


def test_figure_4_3_has_no_bound_in_vain() -> None:
    """Two levels on the outer loop: U / (B1 * B2) tiles, and the guard V >= 0 alone."""
    after = tiled(TRIANGLE, "sizes=%a,%b levels=2")
    assert after.count("scf.for") == 4
    assert after.count("arith.cmpi") == after.count("scf.if") == 1


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        (TRIANGLE, "sizes=%a,%b,%a", "2 loops may be interchanged, and sizes are given for 3"),
        (TRIANGLE.replace("affine.store %y, %m[%i, %j]", "affine.store %y, %m[%j, %i]"), "sizes=%a,%b", None),
        (STEPS.replace("step %two", "step %a"), "sizes=%a,%b", "the step of a loop is not constant"),
    ],
)
def test_what_is_left_as_it_is(text: str, options: str, reason: str | None) -> None:
    """None is said where no band may be tiled: `nests` says so."""
    program = volcli.load(text)
    before = program.text()
    program.run(f"tile-symbolic{{{options}}}")
    assert program.text() == before
    messages = [each.message for each in program.diagnostics]
    assert messages == ([] if reason is None else [f"%i is not tiled: {reason}"])
