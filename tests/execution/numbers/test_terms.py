"""Terms among numbers: where some elements are terms, the others keep their numbers and types."""

from __future__ import annotations

import numpy as np
import pytest

import volcli
from volcli.execution.runs.inputs import Inputs

MIXED = """
func.func @memory(%a: memref<3xf32>) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %tenth = arith.constant 0.1 : f32
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%tenth : f32) outs(%m : memref<4xf32>)
  %s = memref.subview %m[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
  memref.copy %a, %s : memref<3xf32> to memref<3xf32, strided<[1], offset: 1>>
  %r = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %l = memref.load %m[%c0] : memref<4xf32>
  %q = arith.mulf %l, %l : f32
  return %r, %q : tensor<4xf32>, f32
}
func.func @slices(%a: tensor<3xf32>) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %k = arith.constant dense<0.1> : tensor<4xf32>
  %r = tensor.insert_slice %a into %k[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  %l = tensor.extract %r[%c0] : tensor<4xf32>
  %q = arith.mulf %l, %l : f32
  return %r, %q : tensor<4xf32>, f32
}
func.func @elements(%a: tensor<3xf32>) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = arith.constant dense<0.1> : tensor<4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %k) -> (tensor<4xf32>) {
    %x = tensor.extract %a[%i] : tensor<3xf32>
    %j = arith.addi %i, %c1 : index
    %n = tensor.insert %x into %t[%j] : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  %l = tensor.extract %r[%c0] : tensor<4xf32>
  %q = arith.mulf %l, %l : f32
  return %r, %q : tensor<4xf32>, f32
}
func.func @parts(%a: tensor<3xf32>) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %k = arith.constant dense<0.1> : tensor<1xf32>
  %r = tensor.concat dim(0) %k, %a : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
  %l = tensor.extract %r[%c0] : tensor<4xf32>
  %q = arith.mulf %l, %l : f32
  return %r, %q : tensor<4xf32>, f32
}
func.func @around(%a: tensor<3xf32>) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %tenth = arith.constant 0.1 : f32
  %r = tensor.pad %a low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %tenth : f32
  } : tensor<3xf32> to tensor<4xf32>
  %l = tensor.extract %r[%c0] : tensor<4xf32>
  %q = arith.mulf %l, %l : f32
  return %r, %q : tensor<4xf32>, f32
}
"""


@pytest.mark.parametrize("name", ["memory", "slices", "elements", "parts", "around"])
def test_numbers_keep_their_type_beside_terms(name: str) -> None:
    found = volcli.loads(MIXED).function(name).run(Inputs(kind="terms")).results
    assert repr(found[0].tolist()[1:]) == "[a[0], a[1], a[2]]"
    assert type(found[0][0]) is np.float32
    tenth = np.float32(0.1)
    assert found[1].tobytes() == (tenth * tenth).tobytes()  # rounded to f32, and not to f64
