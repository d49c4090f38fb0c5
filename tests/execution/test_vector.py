"""Operations of vector, by examples worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

import volcli
from tests.shared.running import Code, held, memory
from volcli.diagnostics import UsageError
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.runs.inputs import Inputs

TEXT = """
func.func @f(%m: memref<2x6xf32>, %x: f32, %i: index) -> vector<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = vector.load %m[%c0, %i] : memref<2x6xf32>, vector<3xf32>
  vector.store %v, %m[%c1, %c0] : memref<2x6xf32>, vector<3xf32>
  %w = vector.broadcast %v : vector<3xf32> to vector<2x3xf32>
  %t = vector.transpose %w, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %s = vector.shape_cast %t : vector<3x2xf32> to vector<2x3xf32>
  %y = vector.broadcast %x : f32 to vector<2x3xf32>
  %r = arith.addf %s, %y : vector<2x3xf32>
  return %r : vector<2x3xf32>
}"""


def test_vectors_are_loaded_moved_and_stored() -> None:
    view = memory([0, 1, 2, 3, 4, 5], [6] * 6)
    (found,) = Code(TEXT)(view, np.float32(10), 2)
    assert found.data.tolist() == [[12, 12, 13], [13, 14, 14]]
    assert held(view) == [[0, 1, 2, 3, 4, 5], [2, 3, 4, 6, 6, 6]]


def test_a_vector_that_ends_outside_is_undefined() -> None:
    with pytest.raises(Undefined) as caught:
        Code(TEXT)(memory([0] * 6, [0] * 6), np.float32(1), 4)
    assert caught.value.kind is Defect.BOUNDS


MADE = """
func.func @f(%x: f32, %y: f32, %n: index, %m: index)
    -> (vector<2x1xf32>, f32, f32, vector<4xindex>, vector<2x3xi1>, vector<2x3xi1>) {
  %v = vector.from_elements %x, %y : vector<2x1xf32>
  %e:2 = vector.to_elements %v : vector<2x1xf32>
  %s = vector.step : vector<4xindex>
  %c = vector.create_mask %n, %m : vector<2x3xi1>
  %k = vector.constant_mask [1, 2] : vector<2x3xi1>
  return %v, %e#0, %e#1, %s, %c, %k
    : vector<2x1xf32>, f32, f32, vector<4xindex>, vector<2x3xi1>, vector<2x3xi1>
}"""


@pytest.mark.parametrize("n", [-1, 0, 1, 2, 5])
@pytest.mark.parametrize("m", [-2, 0, 2, 3, 4])
def test_vectors_are_made_of_elements_and_sizes(n: int, m: int) -> None:
    v, first, second, step, created, constant = Code(MADE)(np.float32(1.5), np.float32(-2), n, m)
    assert v.data.tolist() == [[1.5], [-2]]
    assert (first, second) == (1.5, -2)
    assert step.data.tolist() == [0, 1, 2, 3]
    assert created.data.tolist() == [[i < n and j < m for j in range(3)] for i in range(2)]
    assert constant.data.tolist() == [[True, True, False], [False, False, False]]


MOVED = """
func.func @f(%v: vector<2x3xf32>, %x: f32, %i: index) -> (vector<3xf32>, f32, vector<2x3xf32>, vector<2x3xf32>) {
  %row = vector.extract %v[%i] : vector<3xf32> from vector<2x3xf32>
  %e = vector.extract %v[1, %i] : f32 from vector<2x3xf32>
  %w = vector.insert %x, %v[%i, 2] : f32 into vector<2x3xf32>
  %u = vector.insert %row, %w[0] : vector<3xf32> into vector<2x3xf32>
  return %row, %e, %w, %u : vector<3xf32>, f32, vector<2x3xf32>, vector<2x3xf32>
}"""


@pytest.mark.parametrize("i", [0, 1])
def test_parts_of_vectors_are_extracted_and_inserted(i: int) -> None:
    rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    row, element, w, u = Code(MOVED)(Tensor(np.array(rows, np.float32)), np.float32(9), i)
    assert row.data.tolist() == rows[i]
    assert element == rows[1][i]
    changed = [[*each[:2], 9.0 if k == i else each[2]] for k, each in enumerate(rows)]
    assert w.data.tolist() == changed
    assert u.data.tolist() == [rows[i], changed[1]]


def test_a_position_outside_is_not_executed() -> None:
    with pytest.raises(Unsupported, match=r"position \[2\]"):
        Code(MOVED)(Tensor(np.zeros((2, 3), np.float32)), np.float32(9), 2)


LANES = """
func.func @f(%m: memref<3x4xf32>, %i: index, %pad: f32) -> (vector<3xf32>, f32, vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %m[%c0, %i], %pad : memref<3x4xf32>, vector<3xf32>
  vector.transfer_write %v, %m[%i, %c0] {permutation_map = affine_map<(i, j) -> (i)>} : vector<3xf32>, memref<3x4xf32>
  %s = vector.reduction <add>, %v, %pad : vector<3xf32> into f32
  %mask = vector.constant_mask [1] : vector<2xi1>
  %w = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : vector<3xf32> to vector<2xf32>
  %l = vector.maskedload %m[%c0, %i], %mask, %w : memref<3x4xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %v, %s, %l : vector<3xf32>, f32, vector<2xf32>
}"""


def test_lanes_beyond_the_end_are_padding_and_not_written() -> None:
    view = memory([0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11])
    read, total, masked = Code(LANES)(view, 2, np.float32(10))
    assert read.data.tolist() == [2, 3, 10]
    assert total == 25
    assert held(view) == [[0, 1, 2, 3], [4, 5, 6, 7], [2, 9, 10, 11]]
    assert masked.data.tolist() == [2, 10]


def test_lanes_that_are_promised_to_be_inside_are_undefined_outside() -> None:
    text = LANES.replace("%pad : memref", "%pad {in_bounds = [true]} : memref", 1)
    with pytest.raises(Undefined) as caught:
        Code(text)(memory([0] * 4, [0] * 4, [0] * 4), 2, np.float32(1))
    assert caught.value.kind is Defect.BOUNDS


SHUFFLED = """
func.func @f(%a: vector<2xi8>, %b: vector<2xi8>) -> (vector<4xi8>, vector<2xi8>, vector<3xi8>, vector<2xi8>) {
  %c = vector.interleave %a, %b : vector<2xi8> -> vector<4xi8>
  %even, %odd = vector.deinterleave %c : vector<4xi8> -> vector<2xi8>
  %s = vector.shuffle %a, %c [5, 0, 3] : vector<2xi8>, vector<4xi8>
  %i = vector.insert_strided_slice %a, %b {offsets = [0], strides = [1]} : vector<2xi8> into vector<2xi8>
  %m = vector.shape_cast %i : vector<2xi8> to vector<1x2xi8>
  %r = vector.multi_reduction <maxui>, %m, %b [0] : vector<1x2xi8> to vector<2xi8>
  return %c, %odd, %s, %r : vector<4xi8>, vector<2xi8>, vector<3xi8>, vector<2xi8>
}"""


def test_lanes_are_interleaved_shuffled_and_reduced() -> None:
    a, b = (Tensor(np.array(each, np.int8)) for each in ([1, -2], [3, 4]))
    found = [each.data.tolist() for each in Code(SHUFFLED)(a, b)]
    assert found == [[1, 3, -2, 4], [3, 4], [4, 1, 3], [3, -2]]


SCALABLE = """
func.func @argument(%x: vector<[4]xf32>) -> vector<[4]xf32> {
  %r = arith.addf %x, %x : vector<[4]xf32>
  return %r : vector<[4]xf32>
}
func.func @constant() -> f32 {
  %v = arith.constant dense<1.0> : vector<[4]xf32>
  %r = vector.extract %v[2] : f32 from vector<[4]xf32>
  return %r : f32
}
func.func @read(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  memref.prefetch %m[%c0], read, locality<3>, data : memref<8xf32>
  %v = vector.load %m[%c0] : memref<8xf32>, vector<[4]xf32>
  vector.store %v, %m[%c0] : memref<8xf32>, vector<[4]xf32>
  return
}
"""


@pytest.mark.parametrize("name", ["argument", "constant", "read"])
def test_vectors_of_unknown_size_are_refused(name: str) -> None:
    function = volcli.loads(SCALABLE).function(name)
    try:
        message = str(function.run(Inputs()).diagnostic)
    except UsageError as error:
        message = str(error)
    assert "vectors of a size that the machine chooses are not executed" in message
