"""Selections: by coordinates, by data, and by what is neither plainly."""

from __future__ import annotations

import pytest

import volcli

_MASKED = """\
func.func @f(%x: memref<6xf32>, %y: memref<6xf32>, %r: memref<6xf32>) {
  %c3 = arith.constant 3 : index
  affine.for %i = 0 to 6 {
    %c = arith.cmpi slt, %i, %c3 : index
    %a = affine.load %x[%i] : memref<6xf32>
    %b = affine.load %y[%i] : memref<6xf32>
    %s = arith.select %c, %a, %b : f32
    affine.store %s, %r[%i] : memref<6xf32>
  }
  return
}
"""
_STORED = """\
func.func @f(%x: memref<6xf32>, %y: memref<6xf32>, %r: memref<6xf32>) {
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<6xi1>
  affine.for %i = 0 to 6 {
    %c = arith.cmpi slt, %i, %c3 : index
    affine.store %c, %m[%i] : memref<6xi1>
  }
  affine.for %i = 0 to 6 {
    %c = affine.load %m[%i] : memref<6xi1>
    %a = affine.load %x[%i] : memref<6xf32>
    %b = affine.load %y[%i] : memref<6xf32>
    %s = arith.select %c, %a, %b : f32
    affine.store %s, %r[%i] : memref<6xf32>
  }
  return
}
"""
_COUNTED = """\
func.func @f(%x: memref<6xf32>, %y: memref<6xf32>, %r: memref<6xf32>) {
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n3 = arith.constant 3 : i32
  %k = affine.for %i = 0 to 6 iter_args(%n = %n0) -> (i32) {
    %c = arith.cmpi slt, %n, %n3 : i32
    %a = affine.load %x[%i] : memref<6xf32>
    %b = affine.load %y[%i] : memref<6xf32>
    %s = arith.select %c, %a, %b : f32
    affine.store %s, %r[%i] : memref<6xf32>
    %next = arith.addi %n, %n1 : i32
    affine.yield %next : i32
  }
  return
}
"""
_COUNTED_IN_MEMORY = """\
func.func @f(%x: memref<6xf32>, %y: memref<6xf32>, %r: memref<6xf32>) {
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n3 = arith.constant 3 : i32
  %m = memref.alloc() : memref<i32>
  affine.store %n0, %m[] : memref<i32>
  affine.for %i = 0 to 6 {
    %n = affine.load %m[] : memref<i32>
    %c = arith.cmpi slt, %n, %n3 : i32
    %a = affine.load %x[%i] : memref<6xf32>
    %b = affine.load %y[%i] : memref<6xf32>
    %s = arith.select %c, %a, %b : f32
    affine.store %s, %r[%i] : memref<6xf32>
    %next = arith.addi %n, %n1 : i32
    affine.store %next, %m[] : memref<i32>
  }
  return
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "other", [_STORED, _COUNTED, _COUNTED_IN_MEMORY], ids=["stored", "carried", "in memory"]
)
def test_a_choice_that_is_not_seen_is_unknown(other: str) -> None:
    """All of these choose the first three elements of %x: they must not differ."""
    for before, after in ((_MASKED, other), (other, _MASKED)):
        (found,) = volcli.loads(before).diff(volcli.loads(after))
        assert found.verdict == "unknown", found.lines()


def test_a_choice_by_data_depends_on_both() -> None:
    text = """\
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.cmpf olt, %x, %y : tensor<4xf32>
  %r = arith.select %c, %x, %y : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
"""
    least = text.replace("arith.select %c, %x, %y : tensor<4xi1>, ", "arith.minnumf %x, %y : ")
    (found,) = volcli.loads(text).diff(volcli.loads(least))
    assert "nan" in str(found.outputs[0])  # the lesser number is not NaN
    (found,) = volcli.loads(text).diff(volcli.loads(text.replace("select %c, %x, %y", "select %c, %x, %x")))
    assert "element [0] no longer depends on %y[0]" in str(found.outputs[0])


def test_an_accumulator_is_not_its_initial_number() -> None:
    """The output of an integer sum begins with zeros, and is another number at each point."""
    text = """\
func.func @f(%x: tensor<4x5xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xi32>
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xi32>) {
  ^bb0(%o: i32):
    linalg.yield %c0 : i32
  } -> tensor<4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x5xi32>) outs(%z : tensor<4xi32>) {
  ^bb0(%a: i32, %o: i32):
    %s = arith.addi %o, %a : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}
"""
    last = text.replace("linalg.yield %s", "linalg.yield %a")
    (found,) = volcli.loads(text).diff(volcli.loads(last))
    assert found.verdict == "different", found.lines()
