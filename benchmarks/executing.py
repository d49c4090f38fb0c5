"""What an execution takes, in processor seconds: a loop, as numbers and as terms, and blocks of numbers."""

from __future__ import annotations

import time
from collections.abc import Callable

import volcli
from volcli.execution.inputs import Inputs

LOOP = """
func.func @loop(%a: memref<1000xf32>, %b: memref<1000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %a[%i] : memref<1000xf32>
      %y = arith.mulf %x, %x : f32
      %z = arith.addf %y, %y : f32
      memref.store %z, %b[%i] : memref<1000xf32>
    }
  }
  return
}
"""
MATMUL = """
func.func @matmul(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>)
    -> tensor<512x512xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>)
    -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
"""
CONVOLUTION = """
func.func @layer(%x: tensor<1x64x58x58xf32>, %w: tensor<64x64x3x3xf32>, %y: tensor<1x64x56x56xf32>)
    -> tensor<1x64x56x56xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>)
    outs(%y : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %r : tensor<1x64x56x56xf32>
}
"""


def seconds(work: Callable[[], object]) -> float:
    """Processor time of WORK."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print a row for each."""
    rows = (
        ("1,000,000 iterations: load, mul, add, store", LOOP, Inputs()),
        ("the same on terms", LOOP, Inputs(kind="terms")),
        ("a matmul of 512", MATMUL, Inputs()),
        ("a convolution of ResNet, 64 channels, 56 by 56", CONVOLUTION, Inputs()),
    )
    for title, text, inputs in rows:
        (function,) = volcli.loads(text).functions
        print(f"{title:50} {seconds(lambda run=function.run, given=inputs: run(given)):6.2f} s")


if __name__ == "__main__":
    main()
