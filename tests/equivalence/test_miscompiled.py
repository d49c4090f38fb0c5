"""What `diff` calls different after mlir-opt-22 is run: other numbers come out.

affine-loop-fusion of LLVM 22 fuses the loop that fills a padded buffer into the convolution that reads it,
past the copy of the input into the middle of that buffer: each product is with the padding. It also computes an
average again, from an array that the loop overwrites meanwhile. Tiling and jamming of loops whose iterations depend
on each other are wrong, too.
"""

from __future__ import annotations

import pytest

import volcli
from tests.equivalence.miscompiled import MISCOMPILED, UNKNOWN_EFFECTS
from tests.equivalence.test_pairs import LOOPS, RECURRENCES, TENSORS, passes, run
from tests.shared.execution import executed, needs_runner

_MAIN = """
func.func @main() {
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<8x10xf32>
  %w = memref.alloc() : memref<3x3xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<8x10xf32>)
  linalg.fill ins(%one : f32) outs(%w : memref<3x3xf32>)
  %r = call @padded(%x, %w) : (memref<8x10xf32>, memref<3x3xf32>) -> memref<8x10xf32>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %corner = memref.load %r[%c0, %c0] : memref<8x10xf32>
  %inner = memref.load %r[%c3, %c3] : memref<8x10xf32>
  vector.print %corner : f32
  vector.print %inner : f32
  return
}
"""
FUSIONS = ["func.func(affine-loop-fusion)", "func.func(affine-loop-fusion,affine-scalrep)"]


_OVERWRITTEN = """
func.func @main() {
  %a = memref.alloc() : memref<30xf32>
  %b = memref.alloc() : memref<30xf32>
  affine.for %i = 0 to 30 {
    %k = arith.index_cast %i : index to i32
    %v = arith.sitofp %k : i32 to f32
    affine.store %v, %a[%i] : memref<30xf32>
  }
  call @jacobi_1d(%a, %b) : (memref<30xf32>, memref<30xf32>) -> ()
  affine.for %i = 1 to 3 {
    %v = affine.load %a[%i] : memref<30xf32>
    vector.print %v : f32
  }
  return
}
"""
_PATHS = """
func.func @main() {
  %d = memref.alloc() : memref<9x9xi32>
  affine.for %i = 0 to 9 { affine.for %j = 0 to 9 {
    %n = affine.apply affine_map<(d0, d1) -> ((10 * d0 + 5 * d1) mod 11 - 3)>(%i, %j)
    %k = arith.index_cast %n : index to i32
    affine.store %k, %d[%i, %j] : memref<9x9xi32>
  } }
  call @shortest(%d) : (memref<9x9xi32>) -> ()
  affine.for %i = 0 to 9 {
    %v = affine.load %d[0, %i] : memref<9x9xi32>
    vector.print %v : i32
  }
  return
}
"""


def function(name: str, text: str = TENSORS) -> str:
    start = text.index(f"func.func @{name}(")
    return text[start : text.index("\nfunc.func", start)]


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("fusion", FUSIONS)
def test_a_difference_of_a_fusion_is_one_of_numbers(fusion: str, mlir_opt: str) -> None:
    before = run(mlir_opt, *passes(LOOPS)(function("padded")))
    after = run(mlir_opt, *passes(fusion)(before))
    (found,) = volcli.loads(before).diff(volcli.loads(after))
    assert found.verdict == "different"
    assert "element [0, 0] no longer depends on %arg0[0, 0]" in str(found.outputs[0])
    assert executed(mlir_opt, with_main(before, _MAIN)).split() == ["4", "9"]
    assert executed(mlir_opt, with_main(after, _MAIN)).split() == ["0", "0"]


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    ("name", "pipeline", "main"),
    [
        ("jacobi_1d", "affine-loop-fusion", _OVERWRITTEN),
        ("jacobi_1d", "affine-loop-unroll-jam{unroll-jam-factor=2}", _OVERWRITTEN),
        ("shortest", "affine-loop-tile{tile-size=4}", _PATHS),
    ],
)
def test_what_is_not_equal_gives_other_numbers(name: str, pipeline: str, main: str, mlir_opt: str) -> None:
    before = run(mlir_opt, function(name, RECURRENCES), "canonicalize")
    after = run(mlir_opt, before, f"func.func({pipeline})")
    (found,) = volcli.loads(before).diff(volcli.loads(after))
    assert found.verdict == "different"
    assert executed(mlir_opt, with_main(before, main)) != executed(mlir_opt, with_main(after, main))


def with_main(text: str, main: str) -> str:
    """The module TEXT with a function MAIN that calls it."""
    return text.rstrip().removesuffix("}") + main + "}\n"


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", MISCOMPILED)
def test_published_errors_of_passes_are_different(name: str) -> None:
    (found,) = volcli.loads(MISCOMPILED[name][0]).diff(volcli.loads(MISCOMPILED[name][1]))
    assert found.verdict == "different", "\n".join(found.lines())


@pytest.mark.parametrize("name", UNKNOWN_EFFECTS)
def test_what_depends_on_a_function_that_is_not_known_is_not_equal(name: str) -> None:
    before, after = UNKNOWN_EFFECTS[name]
    (found,) = volcli.loads(before).diff(volcli.loads(after))
    assert found.verdict == "unknown", "\n".join(found.lines())
