"""Elements moved between vectors, and bits read as others, against numpy and int.from_bytes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from tests.shared.running import Code, tensor
from volcli.execution.code.code import call
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.values import POISONED, Tensor
from volcli.execution.outcomes import Unsupported

CHANCE = np.random.default_rng(3)

MOVED = """
func.func @f(%v: vector<2x3xf32>, %w: vector<1x3xf32>, %u: vector<2x3xf32>)
    -> (vector<4x3xf32>, vector<2x6xf32>, vector<2x1xf32>, vector<2x1xf32>, vector<1x2xf32>, vector<2x3xf32>) {
  %a = vector.shuffle %v, %w [2, 0, 0, 1] : vector<2x3xf32>, vector<1x3xf32>
  %b = vector.interleave %v, %u : vector<2x3xf32> -> vector<2x6xf32>
  %c = vector.extract_strided_slice %v {offsets = [1, 1], sizes = [1, 2], strides = [1, 1]}
    : vector<2x3xf32> to vector<1x2xf32>
  %d = vector.extract_strided_slice %v {offsets = [0, 0], sizes = [2, 2], strides = [1, 1]}
    : vector<2x3xf32> to vector<2x2xf32>
  %even, %odd = vector.deinterleave %d : vector<2x2xf32> -> vector<2x1xf32>
  %e = vector.insert_strided_slice %c, %u {offsets = [0, 1], strides = [1, 1]} : vector<1x2xf32> into vector<2x3xf32>
  return %a, %b, %even, %odd, %c, %e
    : vector<4x3xf32>, vector<2x6xf32>, vector<2x1xf32>, vector<2x1xf32>, vector<1x2xf32>, vector<2x3xf32>
}"""


def test_elements_are_moved() -> None:
    v, w, u = ([[*map(float, row)] for row in rows] for rows in (
        [[0, 1, 2], [3, 4, 5]], [[6, 7, 8]], [[10, 11, 12], [13, 14, 15]],
    ))  # fmt: skip
    found = [each.data.tolist() for each in Code(MOVED)(tensor(v), tensor(w), tensor(u))]
    assert found == [
        [w[0], v[0], v[0], v[1]],
        [[0, 10, 1, 11, 2, 12], [3, 13, 4, 14, 5, 15]],
        [[0], [3]],
        [[1], [4]],
        [[4, 5]],
        [[10, 4, 5], [13, 14, 15]],
    ]


def test_a_row_in_front_of_a_whole_vector() -> None:
    code = Code("""
func.func @f(%v: vector<2xi8>, %w: vector<2x3x4xi8>) -> vector<2x3x4xi8> {
  %r = vector.insert_strided_slice %v, %w {offsets = [1, 2, 1], strides = [1]} : vector<2xi8> into vector<2x3x4xi8>
  return %r : vector<2x3x4xi8>
}""")
    w = np.arange(24, dtype=np.int8).reshape(2, 3, 4)
    (found,) = code(tensor([-1, -2], np.int8), Tensor(w))
    expected = w.copy()
    expected[1, 2, 1:3] = [-1, -2]
    assert found.data.tolist() == expected.tolist()


def test_a_row_of_no_operand_is_poison() -> None:
    code = Code("""
func.func @f(%v: vector<2xi8>) -> vector<3xi8> {
  %r = "vector.shuffle"(%v, %v) {mask = array<i64: 3, -1, 0>} : (vector<2xi8>, vector<2xi8>) -> vector<3xi8>
  return %r : vector<3xi8>
}""")
    (found,) = code(tensor([5, 6], np.int8))
    assert (found.data[0], found.data[2]) == (6, 5)
    assert found.states.tolist() == [0, POISONED, 0]


NATIVE: dict[str, Any] = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64, "f16": np.float16,
}  # fmt: skip


@pytest.mark.parametrize(("source", "target"), [*itertools.permutations(NATIVE, 2)])
def test_bitcast_has_the_bytes_of_memory(source: str, target: str) -> None:
    before, after = (int(kind[1:]) for kind in (source, target))
    code = Code(f"""
func.func @f(%v: vector<2x{128 // before}x{source}>) -> vector<2x{128 // after}x{target}> {{
  %r = vector.bitcast %v : vector<2x{128 // before}x{source}> to vector<2x{128 // after}x{target}>
  return %r : vector<2x{128 // after}x{target}>
}}""")
    bits = CHANCE.integers(0, 256, (2, 16), dtype=np.uint8)
    (found,) = code(Tensor(bits.view(NATIVE[source])))
    assert found.data.dtype == NATIVE[target]
    assert found.data.tobytes() == bits.tobytes()


def test_bitcast_of_narrow_integers() -> None:
    code = Code("""
func.func @f(%v: vector<2xi8>) -> (vector<16xi1>, vector<4xi4>, vector<2xi8>) {
  %r = vector.bitcast %v : vector<2xi8> to vector<16xi1>
  %s = vector.bitcast %v : vector<2xi8> to vector<4xi4>
  %t = vector.bitcast %r : vector<16xi1> to vector<2xi8>
  return %r, %s, %t : vector<16xi1>, vector<4xi4>, vector<2xi8>
}""")
    bits, nibbles, back = code(tensor([0x52, -128], np.int8))
    assert bits.data.tolist() == [bool(0x8052 >> k & 1) for k in range(16)]
    assert nibbles.data.tolist() == [2, 5, 0, -8]
    assert back.data.tolist() == [0x52, -128]


def test_bits_of_poison_are_kept_or_not_executed() -> None:
    code = Code(
        """
func.func @f(%v: vector<2xi8>) -> vector<2xi8> {
  %s = vector.bitcast %v : vector<2xi8> to vector<TO>
  %t = vector.bitcast %s : vector<TO> to vector<2xi8>
  return %t : vector<2xi8>
}""".replace("TO", "2xi8")
    )
    value = Tensor(np.array([1, 2], np.int8), np.array([0, POISONED], np.uint8))
    assert code(value)[0].states.tolist() == [0, POISONED]
    wide = Code("""
func.func @f(%v: vector<2xi8>) -> vector<1xi16> {
  %s = vector.bitcast %v : vector<2xi8> to vector<1xi16>
  return %s : vector<1xi16>
}""")
    with pytest.raises(Unsupported, match="bits of elements"):
        wide(value)


def test_what_is_printed_is_kept_as_lines() -> None:
    code = Code("""
func.func @f(%x: f32, %v: vector<1x2xi8>) {
  vector.print str "x = "
  vector.print %x : f32 punctuation <comma>
  vector.print punctuation <open>
  vector.print %v : vector<1x2xi8> punctuation <close>
  vector.print punctuation <newline>
  vector.print %v : vector<1x2xi8>
  return
}""")
    machine = Machine(code.module)
    (function,) = code.module.body.block.ops
    call(machine, function, [np.float32(0.1), tensor([[1, -2]], np.int8)])
    assert machine.printed == ["x = 0.1, ( ( ( 1, -2 ) ) )", "( ( 1, -2 ) )"]
