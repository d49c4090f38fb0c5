"""What `diff` calls different after mlir-opt-22 is run: on ones, other numbers come out.

affine-loop-fusion of LLVM 22 fuses the loop that fills a padded buffer into the convolution that reads it,
past the copy of the input into the middle of that buffer: each product is with the padding.
"""

from __future__ import annotations

import pytest

import volcli
from tests.execution import executed, needs_runner
from tests.sources.test_pairs import LOOPS, TENSORS, passes, run

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


def function(name: str) -> str:
    start = TENSORS.index(f"func.func @{name}(")
    return TENSORS[start : TENSORS.index("\nfunc.func", start)]


@pytest.mark.mlir
@needs_runner
@pytest.mark.parametrize("fusion", FUSIONS)
def test_a_difference_of_a_fusion_is_one_of_numbers(fusion: str, mlir_opt: str) -> None:
    before = run(mlir_opt, *passes(LOOPS)(function("padded")))
    after = run(mlir_opt, *passes(fusion)(before))
    (found,) = volcli.loads(before).diff(volcli.loads(after))
    assert found.verdict == "different"
    assert "element [0, 0] depends on %arg0[0, 0] before only" in str(found.outputs[0])
    assert executed(mlir_opt, with_main(before)).split() == ["4", "9"]
    assert executed(mlir_opt, with_main(after)).split() == ["0", "0"]


def with_main(text: str) -> str:
    """The module TEXT with @main, which calls it on ones."""
    return text.rstrip().removesuffix("}") + _MAIN + "}\n"
