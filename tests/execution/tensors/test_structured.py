"""Structured operations: on arrays and point by point the same bits, and against loops in plain Python."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.shared.running import Code, memory, tensor
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.numbers.values import NEVER_SET, Tensor, unset_tensor
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.tensors import structured

CHANCE = np.random.default_rng(3)


def _random(*shape: int, dtype: type = np.float32) -> Tensor:
    return Tensor(CHANCE.standard_normal(shape).astype(dtype))


GENERIC = """
#a = affine_map<(d0, d1, d2) -> (d1 + d2, d0)>
#b = affine_map<(d0, d1, d2) -> (d2)>
#c = affine_map<(d0, d1, d2) -> (d1, d0)>
func.func @f(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %two = arith.constant 2.0 : f32
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>) outs(%z : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %i = linalg.index 2 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %t = arith.mulf %p, %q : f32
    %u = arith.addf %t, %k : f32
    %c = arith.cmpf olt, %u, %two : f32
    %v = arith.select %c, %u, %two : f32
    %w = arith.addf %s, %v : f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""


def test_two_ways_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    code = Code(GENERIC)
    for rows, columns, window in ((5, 4, 3), (1, 1, 1), (7, 2, 1), (0, 3, 2), (3, 0, 2)):
        given = (_random(columns + window - 1, rows), _random(window), _random(columns, rows))
        (fast,) = code(*given)
        monkeypatch.setattr(structured.StructuredLoops, "shared", lambda self: None)
        (slow,) = code(*given)
        monkeypatch.undo()
        assert fast.data.tobytes() == slow.data.tobytes()
        assert fast.data.shape == (columns, rows)


def test_against_loops_in_python() -> None:
    x, y, z = _random(6, 5), _random(3), _random(4, 5)
    (found,) = Code(GENERIC)(x, y, z)
    expected = z.data.copy()
    two = np.float32(2)
    for i, j, k in itertools.product(range(5), range(4), range(3)):
        value = x.data[j + k, i] * y.data[k] + np.float32(k)
        expected[j, i] += value if value < two else two
    assert found.data.tobytes() == expected.tobytes()


MATMUL = """
func.func @f(%a: memref<3x3xf32>, %b: memref<3x3xf32>) {
  linalg.matmul ins(%a, %b : memref<3x3xf32>, memref<3x3xf32>) outs(%a : memref<3x3xf32>)
  return
}"""


def test_an_output_that_is_also_an_input_is_read_as_it_is_written() -> None:
    a, b = CHANCE.standard_normal((2, 3, 3)).astype(np.float32)
    left, right = memory(*a), memory(*b)
    with pytest.raises(Undefined) as caught:
        Code(MATMUL)(memory(*a), memory(*b))
    assert caught.value.kind is Defect.RACE
    Code(MATMUL)(left, right, options=Options(checks=frozenset(Defect) - {Defect.RACE}))
    expected = a.copy()
    for i, j, k in itertools.product(range(3), repeat=3):
        expected[i, j] = expected[i, j] + expected[i, k] * b[k, j]
    assert left.array(left.allocation.data).tobytes() == expected.tobytes()


FILL = """
func.func @f(%x: f32, %t: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}"""


def test_elements_never_written_are_not_read_by_a_fill() -> None:
    (found,) = Code(FILL)(np.float32(2), unset_tensor((9,), np.float32))
    assert found.states is None
    assert found.data.tolist() == [2.0] * 9
    (found,) = Code(FILL)(NEVER_SET, tensor([1.0] * 9))
    assert found.known_states().all()


SUM = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}"""


def test_elements_never_written_stay_so() -> None:
    half = Tensor(np.zeros(8, np.float32), np.array([0, 1] * 4, np.uint8))
    (found,) = Code(SUM)(half, tensor([1.0] * 8), tensor([0.0] * 8))
    assert found.known_states().tolist() == [0, 1] * 4
    assert found.data[::2].tolist() == [1.0] * 4


def test_sizes_that_contradict_each_other() -> None:
    with pytest.raises(Undefined) as caught:
        Code(SUM)(tensor([1.0] * 8), tensor([1.0] * 7), tensor([0.0] * 8))
    assert caught.value.kind is Defect.CONTRACT


def test_terms() -> None:
    code = Code(SUM)
    machine = Machine(code.module, Options(symbolic=True))
    data = np.empty(8, object)
    for at in range(8):
        data[at] = machine.terms.element("a", (at,))
    (found,) = code(Tensor(data), tensor([1.0] * 8), tensor([0.0] * 8), options=Options(symbolic=True))
    assert [repr(each) for each in found.data] == [f"addf(a[{at}], 1.0)" for at in range(8)]


def test_integers_wrap_on_arrays() -> None:
    text = SUM.replace("f32", "i8")
    values = [-128, -1, 0, 1, 100, 127, 64, -64]
    (found,) = Code(text)(tensor(values, np.int8), tensor(values, np.int8), tensor(values, np.int8))
    assert found.data.tolist() == [(2 * v + 128) % 256 - 128 for v in values]


def test_a_matmul_sums_in_order() -> None:
    text = """
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""
    a, b, c = _random(4, 30), _random(30, 5), _random(4, 5)
    (found,) = Code(text)(a, b, c)
    for i, j in itertools.product(range(4), range(5)):
        total = c.data[i, j]
        for k in range(30):
            total = total + a.data[i, k] * b.data[k, j]
        assert found.data[i, j] == total
    assert math.isclose(found.data[0, 0], (a.data @ b.data + c.data)[0, 0], rel_tol=1e-4)
