"""linalg.pack, unpack and softmax, tensor.gather and scatter, against loops in plain Python."""

from __future__ import annotations

import itertools
import math
import subprocess
from typing import Any

import numpy as np
import pytest

from tests.shared.running import Code, held, memory, tensor
from volcli.execution.numbers.values import Tensor, unset_tensor
from volcli.execution.outcomes import Defect, Undefined

CHANCE = np.random.default_rng(13)
LAYOUTS: dict[str, tuple[str, list[int], list[int], list[int]]] = {
    "both": ("inner_dims_pos = [0, 1] inner_tiles = [3, 4]", [0, 1], [0, 1], [3, 4]),
    "swapped": ("inner_dims_pos = [1, 0] inner_tiles = [4, 3]", [0, 1], [1, 0], [4, 3]),
    "outer permuted": ("outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [3, 4]", [1, 0], [0, 1], [3, 4]),
    "one": ("outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4]", [1, 0], [1], [4]),
}  # fmt: skip


def _packed(whole: Any, order: list[int], positions: list[int], tiles: list[int], padding: float) -> Any:
    """Element by element: where each one of the packed tensor comes from."""
    tile_of = dict(zip(positions, tiles, strict=True))
    outer = [-(-whole.shape[d] // tile_of.get(d, 1)) for d in order]
    found = np.full([*outer, *tiles], padding, whole.dtype)
    for at in np.ndindex(*found.shape):
        index = [0] * whole.ndim
        for d, o in zip(order, at, strict=False):
            index[d] = o * tile_of.get(d, 1)
        for d, t in zip(positions, at[whole.ndim :], strict=True):
            index[d] += t
        if all(i < n for i, n in zip(index, whole.shape, strict=True)):
            found[at] = whole[tuple(index)]
    return found


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("shape", [(6, 8), (5, 6), (1, 9)])
def test_pack_and_unpack(name: str, shape: tuple[int, int]) -> None:
    text, *layout = LAYOUTS[name]
    whole = CHANCE.standard_normal(shape).astype(np.float32)
    expected = _packed(whole, *layout, -1.0)
    kind, cut = "tensor<?x?xf32>", f"tensor<{'x'.join('?' * 2)}x{'x'.join(map(str, layout[2]))}xf32>"
    code = Code(f"""
func.func @f(%s: {kind}, %d: {cut}, %w: {kind}, %p: f32) -> ({cut}, {kind}) {{
  %r = linalg.pack %s padding_value(%p : f32) {text} into %d : {kind} -> {cut}
  %b = linalg.unpack %r {text} into %w : {cut} -> {kind}
  return %r, %b : {cut}, {kind}
}}""")
    dest = unset_tensor(expected.shape, np.float32)
    found, back = code(Tensor(whole), dest, unset_tensor(shape, np.float32), np.float32(-1))
    assert found.data.tolist() == expected.tolist()
    assert found.states is None
    assert back.data.tolist() == whole.tolist()


def test_tiles_of_a_size_that_is_an_operand_and_memory() -> None:
    code = Code("""
func.func @f(%s: memref<5xf32>, %d: memref<?x?xf32>, %p: f32, %n: index) {
  linalg.pack %s padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [%n] into %d : memref<5xf32> -> memref<?x?xf32>
  return
}""")
    target = memory([9.0, 9.0], [9.0, 9.0], [9.0, 9.0])
    code(memory(*range(5)), target, np.float32(-1), 2)
    assert held(target) == [[0, 1], [2, 3], [4, -1]]
    for n, size in ((3, "sizes"), (0, "tiles of")):
        with pytest.raises(Undefined, match=size) as caught:
            code(memory(*range(5)), target, np.float32(-1), n)
        assert caught.value.kind is Defect.CONTRACT


def test_whole_tiles_need_no_padding_and_others_do() -> None:
    code = Code("""
func.func @f(%s: tensor<?xf32>, %d: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %r = linalg.pack %s inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<?xf32> -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}""")
    (found,) = code(tensor([1.0, 2.0, 3.0, 4.0]), unset_tensor((2, 2), np.float32))
    assert found.data.tolist() == [[1, 2], [3, 4]]
    with pytest.raises(Undefined, match="without padding"):
        code(tensor([1.0, 2.0, 3.0]), unset_tensor((2, 2), np.float32))


@pytest.mark.parametrize("axis", [0, 1])
def test_softmax(axis: int) -> None:
    code = Code(f"""
func.func @f(%x: tensor<?x3xf32>, %o: tensor<?x3xf32>) -> tensor<?x3xf32> {{
  %r = linalg.softmax dimension({axis}) ins(%x : tensor<?x3xf32>) outs(%o : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}}""")
    x = (CHANCE.standard_normal((4, 3)) * 30).astype(np.float32)
    (found,) = code(Tensor(x), unset_tensor((4, 3), np.float32))
    wide = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True))
    np.testing.assert_allclose(found.data, wide / wide.sum(axis, keepdims=True), rtol=2e-5, atol=1e-30)
    x[1, 1] = math.nan
    (found,) = code(Tensor(x), unset_tensor((4, 3), np.float32))
    assert np.isnan(found.data).sum() == (4 if axis == 0 else 3)


GATHER = """
func.func @f(%s: tensor<4x5x6xi32>, %i: tensor<2x3x2xindex>) -> (tensor<2x3x1x5x1xi32>, tensor<2x3x5xi32>) {
  %r = tensor.gather %s[%i] gather_dims([0, 2]) : (tensor<4x5x6xi32>, tensor<2x3x2xindex>) -> tensor<2x3x1x5x1xi32>
  %t = tensor.gather %s[%i] gather_dims([0, 2]) : (tensor<4x5x6xi32>, tensor<2x3x2xindex>) -> tensor<2x3x5xi32>
  return %r, %t : tensor<2x3x1x5x1xi32>, tensor<2x3x5xi32>
}
func.func @g(%s: tensor<3x5xi32>, %d: tensor<4x5x6xi32>, %i: tensor<3x2xindex>) -> tensor<4x5x6xi32> {
  %r = tensor.scatter %s into %d[%i] scatter_dims([0, 2]) unique
    : (tensor<3x5xi32>, tensor<4x5x6xi32>, tensor<3x2xindex>) -> tensor<4x5x6xi32>
  return %r : tensor<4x5x6xi32>
}"""
CODE = Code(GATHER)


def _coordinates(*shape: int) -> Any:
    pairs = list(itertools.product(range(4), range(6)))
    chosen = CHANCE.choice(len(pairs), math.prod(shape), replace=False)
    return np.array([pairs[k] for k in chosen], np.int64).reshape(*shape, 2)


def test_gather_and_scatter() -> None:
    source = CHANCE.integers(0, 1000, (4, 5, 6)).astype(np.int32)
    where = _coordinates(2, 3)
    with_ones, without = CODE(Tensor(source), Tensor(where))
    for i, j, k in np.ndindex(2, 3, 5):
        y, x = where[i, j]
        assert with_ones.data[i, j, 0, k, 0] == without.data[i, j, k] == source[y, k, x]
    rows, places = CHANCE.integers(0, 1000, (3, 5)).astype(np.int32), _coordinates(3)
    expected = source.copy()
    for (y, x), row in zip(places, rows, strict=True):
        expected[y, :, x] = row
    (found,) = CODE(Tensor(rows), Tensor(source), Tensor(places), function="g")
    assert found.data.tolist() == expected.tolist()


def test_coordinates_outside_or_twice_are_undefined() -> None:
    source, places = Tensor(np.zeros((4, 5, 6), np.int32)), _coordinates(3)
    rows = Tensor(np.zeros((3, 5), np.int32))
    places[2] = places[0]
    for changed, kind in ((places, Defect.CONTRACT), (places + 10, Defect.BOUNDS)):
        with pytest.raises(Undefined) as caught:
            CODE(rows, source, Tensor(changed), function="g")
        assert caught.value.kind is kind


SCALED = """
func.func @f(%x: f4E2M1FN, %s: f8E8M0FNU, %y: f32) -> (f32, f4E2M1FN, f32) {
  %w = arith.scaling_extf %x, %s : f4E2M1FN, f8E8M0FNU to f32
  %n = arith.scaling_truncf %y, %s : f32, f8E8M0FNU to f4E2M1FN
  %b = arith.scaling_extf %n, %s : f4E2M1FN, f8E8M0FNU to f32
  return %w, %n, %b : f32, f4E2M1FN, f32
}"""


@pytest.mark.parametrize("exponent", [-4, 0, 3])
def test_small_floats_that_share_a_scale(exponent: int) -> None:
    import ml_dtypes

    code, scale = Code(SCALED), ml_dtypes.float8_e8m0fnu(2.0**exponent)
    small = ml_dtypes.float4_e2m1fn
    numbers = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
    for x in [*numbers, *(-each for each in numbers)]:
        wide, narrow, back = code(small(x), scale, np.float32(x * 2.0**exponent))
        assert (float(wide), float(narrow), float(back)) == (x * 2.0**exponent, x, x * 2.0**exponent)
    for y, expected in ((2.4, 2.0), (2.5, 2.0), (2.6, 3.0), (0.2, 0.0), (7.5, 6.0), (-5.1, -6.0)):
        assert float(code(small(1), scale, np.float32(y * 2.0**exponent))[1]) == expected


SCHEDULE = """
transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.pack"]} in %m : (!transform.any_op) -> !transform.op<"linalg.pack">
  transform.structured.lower_pack %p : (!transform.op<"linalg.pack">)
    -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
  %u = transform.structured.match ops{["linalg.unpack"]} in %m : (!transform.any_op) -> !transform.op<"linalg.unpack">
  transform.structured.lower_unpack %u : (!transform.op<"linalg.unpack">)
    -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">,
      !transform.op<"tensor.extract_slice">)
  %s = transform.structured.match ops{["linalg.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
  transform.structured.decompose_interface %s : (!transform.any_op) -> !transform.any_op
  transform.yield
}
"""
LOWERED = """
func.func @f(%s: tensor<5x6xf32>, %p: f32) -> (tensor<2x2x4x3xf32>, tensor<5x6xf32>, tensor<5x6xf32>) {
  %e = tensor.empty() : tensor<2x2x4x3xf32>
  %w = tensor.empty() : tensor<5x6xf32>
  %r = linalg.pack %s padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 3]
    into %e : tensor<5x6xf32> -> tensor<2x2x4x3xf32>
  %b = linalg.unpack %r outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 3]
    into %w : tensor<2x2x4x3xf32> -> tensor<5x6xf32>
  %x = linalg.softmax dimension(1) ins(%s : tensor<5x6xf32>) outs(%w : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r, %b, %x : tensor<2x2x4x3xf32>, tensor<5x6xf32>, tensor<5x6xf32>
}"""


@pytest.mark.mlir
def test_what_mlir_opt_lowers_them_to_is_the_same(mlir_opt: str) -> None:
    module = f"module attributes {{transform.with_named_sequence}} {{{LOWERED}{SCHEDULE}}}"
    passes = ["--transform-interpreter", "--test-transform-dialect-erase-schedule"]
    done = subprocess.run([mlir_opt, *passes], input=module, capture_output=True, check=True, text=True)
    assert not any(name in done.stdout for name in ("linalg.pack", "linalg.unpack", "linalg.softmax"))
    x = Tensor((CHANCE.standard_normal((5, 6)) * 10).astype(np.float32))
    before, after = (Code(text)(x, np.float32(-1)) for text in (LOWERED, done.stdout))
    for ours, theirs in zip(before, after, strict=True):
        assert ours.data.tobytes() == theirs.data.tobytes()
