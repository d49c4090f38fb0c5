"""Memory whose elements are vectors: their sizes are its last ones."""

from __future__ import annotations

import numpy as np
import pytest

import volcli
from tests.shared.execution import left_in_memory, needs_runner
from tests.shared.running import Code, held, memory
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Stopped, Undefined

TYPE_CAST = """
func.func @f(%m: memref<2x3xf32>) -> vector<2x3xf32> {
  %v = vector.type_cast %m : memref<2x3xf32> to memref<vector<2x3xf32>>
  %x = memref.load %v[] : memref<vector<2x3xf32>>
  %y = arith.addf %x, %x : vector<2x3xf32>
  memref.store %y, %v[] : memref<vector<2x3xf32>>
  return %x : vector<2x3xf32>
}
"""
LOOPS = """
func.func @f(%out: memref<6xf32>, %n: index) {
  %a = memref.alloc(%n) : memref<?xvector<2xf32>>
  %m = memref.cast %a : memref<?xvector<2xf32>> to memref<3xvector<2xf32>>
  %b = memref.alloca() : memref<3xvector<2xf32>>
  %c0 = arith.constant 0 : index
  %two = arith.constant dense<[2.0, 3.0]> : vector<2xf32>
  affine.for %i = 0 to 3 {
    %x = affine.vector_load %out[2 * %i] : memref<6xf32>, vector<2xf32>
    affine.store %x, %m[2 - %i] : memref<3xvector<2xf32>>
  }
  memref.copy %m, %b : memref<3xvector<2xf32>> to memref<3xvector<2xf32>>
  memref.dealloc %a : memref<?xvector<2xf32>>
  %size = memref.dim %a, %c0 : memref<?xvector<2xf32>>
  %part = memref.subview %b[1] [2] [1] : memref<3xvector<2xf32>> to memref<2xvector<2xf32>, strided<[1], offset: 1>>
  memref.store %two, %part[%c0] : memref<2xvector<2xf32>, strided<[1], offset: 1>>
  affine.for %i = 0 to %size {
    %x = affine.load %b[%i] : memref<3xvector<2xf32>>
    affine.vector_store %x, %out[2 * %i] : memref<6xf32>, vector<2xf32>
  }
  return
}
"""


def test_memory_as_one_vector() -> None:
    given = memory([1, 2, 3], [4, 5, 6])
    (found,) = Code(TYPE_CAST)(given)
    assert isinstance(found, Tensor)
    assert found.data.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert held(given) == [[2, 4, 6], [8, 10, 12]]


def test_loads_stores_copies_and_parts() -> None:
    given = memory(*range(6))
    Code(LOOPS)(given, 3)
    assert held(given) == [4, 5, 2, 3, 0, 1]


@needs_runner
@pytest.mark.mlir
@pytest.mark.slow
def test_the_runner_prints_the_same(mlir_opt: str) -> None:
    assert left_in_memory(mlir_opt, LOOPS, 6, 3) == ["4", "5", "2", "3", "0", "1"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("%x = memref.load %m[%i] : memref<4xvector<2xf32>>", Defect.BOUNDS),
        ("%x = memref.dim %m, %i : memref<4xvector<2xf32>>", Defect.BOUNDS),
        (
            "memref.dealloc %m : memref<4xvector<2xf32>>\n memref.dealloc %m : memref<4xvector<2xf32>>",
            Defect.LIFETIME,
        ),
    ],
)
def test_what_is_undefined(line: str, kind: Defect) -> None:
    text = f"func.func @f(%m: memref<4xvector<2xf32>>, %i: index) {{\n {line}\n return\n}}"
    with pytest.raises(Undefined) as found:
        Code(text)(memory(*np.zeros((4, 2))), 4)
    assert found.value.kind is kind


def test_other_operations_refuse_it() -> None:
    text = """
    func.func @f(%m: memref<4xvector<2xf32>>, %x: vector<2xf32>) {
      linalg.fill ins(%x : vector<2xf32>) outs(%m : memref<4xvector<2xf32>>)
      return
    }
    """
    with pytest.raises(Stopped, match=r"linalg\.fill on memory of vectors is not executed"):
        Code(text)(memory(*np.zeros((4, 2))), Tensor(np.zeros(2, np.float32)))


def test_arguments_are_made() -> None:
    """Inputs are arrays that have the sizes of the vectors, too."""
    text = "func.func @f(%m: memref<?xvector<2xf32>>) {\n return\n}"
    (found,) = volcli.loads(text).function("f").run().results
    assert found.shape == (4, 2)
