"""tile-symbolic: loops in tiles of any sizes, executed beside the loops that they stand for."""

from __future__ import annotations

import pytest

import volcli
from tests.rewriting.rewritten import Pair, differences, rewritten_by
from tests.shared.execution import executed, needs_runner
from tests.shared.seeds import spread

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
# Steps that are values, the inner one of which may be 0 where no iteration runs it, and a minimum between the loops.
VALUE_STEPS = """
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  %one = arith.constant 1 : index
  %s = arith.maxsi %a, %one : index
  %none = arith.constant 0 : index
  %some = arith.cmpi sge, %b, %one : index
  %end = arith.select %some, %U, %none : index
  scf.for %i = %one to %end step %s {
    %e = arith.addi %i, %s : index
    %last = arith.minsi %e, %V : index
    scf.for %j = %i to %last step %b {
      %x = memref.load %m[%i, %j] : memref<16x16xindex>
      %y = arith.addi %x, %e : index
      memref.store %y, %m[%i, %j] : memref<16x16xindex>
    }
  }
  return
}
"""
GUARDED = """
#part = affine_set<(i, j)[v] : (j mod 3 == 0, i floordiv 2 + v - j >= 0)>
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  affine.for %i = 0 to %U {
    affine.for %j = 0 to affine_map<(i)[u] -> (i + u)>(%i)[%U] {
      %z = affine.if #part(%i, %j)[%V] -> index {
        affine.if affine_set<(i) : (i - 2 >= 0)>(%i) {
          affine.store %i, %m[%i, %j + 1] : memref<16x16xindex>
        }
        affine.yield %i : index
      } else {
        affine.yield %j : index
      }
      %x = affine.load %m[%i, %j + 1] : memref<16x16xindex>
      %y = arith.addi %x, %z : index
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


def different(mlir_opt: str, before: str, after: str) -> int:
    """How many elements differ, for all small arguments; in some cases at least something is computed."""
    module = "\n".join([before.replace("@f(", "@before("), after.replace("@f(", "@after("), MAIN])
    found, total = map(int, executed(mlir_opt, module).split())
    assert total > 0
    return found


def tiled(text: str, options: str) -> str:
    return rewritten_by(f"tile-symbolic{{{options}}}", text)


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    ("text", "options"),
    spread([
        (text, options)
        for options in ("sizes=%a,%b", "sizes=%b", "sizes=%a,%b,%b,%a levels=2")
        for text in (TRIANGLE, STEPS, HALVES, STENCIL, VALUE_STEPS, GUARDED)
    ], 7),
)  # fmt: skip
def test_the_same_iterations_for_all_sizes(text: str, options: str, mlir_opt: str) -> None:
    """Also for sizes that do not divide, are larger than the loops, 0 or negative, and loops that do not run."""
    after = tiled(text, options)
    assert after.count("scf.for") >= 3
    assert different(mlir_opt, text, after) == 0


@pytest.mark.slow
def test_figure_4_3_has_no_bound_in_vain() -> None:
    """Two levels on the outer loop: U / (B1 * B2) tiles, and the guard V >= 0 alone."""
    after = tiled(TRIANGLE, "sizes=%a,%b levels=2")
    assert after.count("scf.for") == 4
    assert after.count("arith.cmpi") == after.count("scf.if") == 1


# Filled with 7, then with 8 below %n in both directions.
CORNER = """
func.func @f(%n: index, %a: index, %b: index) -> tensor<9x9xi64> {
  %m = memref.alloc() : memref<9x9xi64>
  %seven = arith.constant 7 : i64
  %eight = arith.constant 8 : i64
  linalg.fill ins(%seven : i64) outs(%m : memref<9x9xi64>)
  affine.for %i = -4 to %n {
    affine.for %j = affine_map<(i) -> (i)>(%i) to %n {
      affine.store %eight, %m[%i + 4, %j + 4] : memref<9x9xi64>
    }
  }
  %late = arith.addi %a, %b : index
  %t = bufferization.to_tensor %m restrict : memref<9x9xi64> to tensor<9x9xi64>
  return %t : tensor<9x9xi64>
}
"""
_POWERS = [(0, 1), (2**62, 2**62 + 1), (2**63 - 1, 2**63 - 1), (2**62, 3), (3, 2**62), (2**64 // 3, 3)]


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("options", ["sizes=%a,%b", "sizes=%a,%b levels=2", "sizes=%a,%b,%b,%a levels=2"])
def test_products_of_sizes_do_not_wrap_around(options: str, mlir_opt: str) -> None:
    """2^62 * 4 is 0."""
    after = tiled(CORNER, options)
    calls = [Pair(fixed(CORNER, n=4, a=a, b=b), fixed(after, n=4, a=a, b=b)) for a, b in _POWERS if a < 2**63]
    assert not any(differences(mlir_opt, calls))


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("n", [-9, 0, 1, 3])
def test_a_size_that_is_a_bound_too(n: int, mlir_opt: str) -> None:
    """A loop from 0 to %n with %n = 0 does not run, though a tile has one point at least."""
    after = tiled(CORNER, "sizes=%n,%n")
    pair = Pair(fixed(CORNER, n=n, a=1, b=1), fixed(after, n=n, a=1, b=1))
    assert differences(mlir_opt, [pair]) == [0]


def fixed(text: str, **arguments: int) -> str:
    """The function of TEXT without arguments: they are these constants."""
    head, _, body = text.partition("{\n")
    constants = "".join(f"  %{name} = arith.constant {value} : index\n" for name, value in arguments.items())
    return f"{head[: head.index('(')]}() -> tensor<9x9xi64> {{\n{constants}{body}"


SUM = """
func.func @f(%m: memref<16x16xindex>, %U: index, %a: index, %b: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %U step %one iter_args(%rows = %zero) -> (index) {
    %row = scf.for %j = %zero to %U step %one iter_args(%so_far = %rows) -> (index) {
      %x = memref.load %m[%i, %j] : memref<16x16xindex>
      %s = arith.addi %so_far, %x : index
      scf.yield %s : index
    }
    scf.yield %row : index
  }
  return %sum : index
}
"""


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        (CORNER, "sizes=%a,%late", "a size is computed after it"),
        (TRIANGLE, "sizes=%a,%b,%a", "2 loops may be interchanged, and sizes are given for 3"),
        (
            TRIANGLE.replace("affine.store %y, %m[%i, %j]", "affine.store %y, %m[%j, %i]"),
            "sizes=%a,%b",
            "%m[%j, %i] depends on %m[%i, %j], which goes back along another loop, or may do so",
        ),
        (
            SUM.replace("%so_far, %x", "%x, %so_far").replace("addi", "subi"),
            "sizes=%a,%b",
            "it makes %rows in the order of its iterations",
        ),
        (STEPS, "sizes=%a,%q", "there is no %q in @f"),
    ],
)
def test_what_is_left_as_it_is(text: str, options: str, reason: str) -> None:
    program = volcli.load(text)
    before = program.text()
    program.run(f"tile-symbolic{{{options}}}")
    assert program.text() == before
    messages = [each.message for each in program.diagnostics if "linalg" not in each.message]
    assert messages == [f"%i is not tiled: {reason}"]


COPY = """
func.func @f(%m: memref<?x?xf32>, %d: memref<?x?xf32>, %a: index, %b: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %U = memref.dim %m, %zero : memref<?x?xf32>
  %V = memref.dim %m, %one : memref<?x?xf32>
  affine.for %i = LEAST to %U {
    affine.for %j = 0 to %V {
      %x = affine.load %m[%i, %j] : memref<?x?xf32>
      affine.store %x, %d[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
"""
SAME_SIZES = ["dim(%d, 0) = dim(%m, 0)", "dim(%d, 1) = dim(%m, 1)"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "least"),
    [("sizes=%a,%b", "0"), ("sizes=%a,%b", "1"), ("sizes=%a,%b,%b,%a levels=2", "0")],
)
def test_what_is_true_of_the_loops_is_known_of_the_tiles(options: str, least: str) -> None:
    """Tiles from a multiple of a value, a step that is a product: parallel, and in bounds."""
    written = tiled(COPY.replace("LEAST", least), f"{options} assume-noalias-args")
    (found,) = volcli.load(written, assume=SAME_SIZES).functions
    kinds = [loop.kind for loop in found.loops(assume_noalias_args=True)]
    assert kinds == ["parallel"] * len(kinds)
    assert [access.verdict for access in found.accesses()] == ["in-bounds", "in-bounds"]


def test_tiles_are_counted_by_where_they_begin() -> None:
    """No product and no division, if the first tile begins at 0 and there is one level."""
    written = tiled(COPY.replace("LEAST", "0"), "sizes=%a,%b assume-noalias-args")
    assert "arith.muli" not in written
    assert "divsi" not in written
    assert "step %a_size" in written
