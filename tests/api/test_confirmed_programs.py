"""Programs whose facts are right, and which no execution contradicts."""

from __future__ import annotations

import pytest

import volcli
from volcli.api.confirming.facts import compared

PROGRAMS = {
    "what a called function wrote is read": ("memory-flow", """
func.func private @w(%m: memref<2xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<2xf32>
  return
}
func.func @f(%m: memref<2xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  func.call @w(%m, %x) : (memref<2xf32>, f32) -> ()
  %y = memref.load %m[%c0] : memref<2xf32>
  return %y : f32
}"""),
    "two results without dimensions": ("sparsity-regions", """
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @f(%x: tensor<4xf32>, %o: tensor<f32>, %p: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #none, #none], iterator_types = ["reduction"]}
      ins(%x : tensor<4xf32>) outs(%o, %p : tensor<f32>, tensor<f32>) {
  ^bb0(%e: f32, %s: f32, %t: f32):
    linalg.yield %t, %e : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}"""),
    "a factor of math.fma that is zero": ("sparsity-regions", """
func.func @f(%b: tensor<4xf32>) -> tensor<4xf32> {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %r = math.fma %z, %b, %z : tensor<4xf32>
  return %r : tensor<4xf32>
}"""),
    "a sum of all elements of a dimension, which may be none": ("infer-shapes,sparsity-regions", """
func.func @f(%x: tensor<1x?xi32>) -> tensor<1x1xi32> {
  %r = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<1x?xi32>) -> tensor<1x1xi32>
  return %r : tensor<1x1xi32>
}"""),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_execution_contradicts_what_is_right(name: str) -> None:
    asked, text = PROGRAMS[name]
    (unit,) = volcli.loads(text).run(asked).units
    found = compared(unit, unit.facts)
    assert not found.errors
    assert any(fact.confirmed is not None for fact in found.facts)
