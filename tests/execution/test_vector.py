"""Operations of vector, by examples worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.running import Code, held, memory
from volcli.execution.outcomes import Defect, Undefined

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
