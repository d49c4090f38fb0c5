"""tosa against loops in plain Python, which say what the specification says of each operation."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.shared.running import Code, tensor
from volcli.execution.memory.machine import Options
from volcli.execution.numbers.terms import Terms
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined

CHANCE = np.random.default_rng(7)


def _ran(body: str, *arguments: Any, types: Sequence[str], result: str) -> Any:
    """The result %r of BODY, whose arguments are %a, %b, ..."""
    names = [f"%{chr(ord('a') + k)}: {kind}" for k, kind in enumerate(types)]
    text = f"func.func @f({', '.join(names)}) -> {result} {{\n{body}\nreturn %r : {result}\n}}"
    (found,) = Code(text)(*arguments)
    return found.data


def _elementwise(name: str, dtype: str, *rows: Any, kind: str = "", result: str = "", of: Any) -> list[Any]:
    types = [f"tensor<{len(row)}x{kind or dtype}>" for row in rows]
    target = f"tensor<{max(map(len, rows))}x{result or kind or dtype}>"
    names = ", ".join(f"%{chr(ord('a') + k)}" for k in range(len(rows)))
    body = f"%r = tosa.{name} {names} : ({', '.join(types)}) -> {target}"
    return _ran(body, *[tensor(row, of) for row in rows], types=types, result=target).tolist()


@pytest.mark.parametrize(
    ("name", "rows", "result", "expected"),
    [
        ("add", [[100, -3], [100]], "i8", [-56, 97]),
        ("sub", [[-128, 5], [1]], "i8", [127, 4]),
        ("maximum", [[3, -3], [1]], "i8", [3, 1]),
        ("minimum", [[3, -3], [1]], "i8", [1, -3]),
        ("abs", [[3, -3]], "i8", [3, 3]),
        ("bitwise_not", [[0, 5]], "i8", [-1, -6]),
        ("bitwise_xor", [[6, 5], [3]], "i8", [5, 6]),
        ("clz", [[1, -1, 0]], "i8", [7, 0, 8]),
        ("logical_right_shift", [[-128, 8], [3]], "i8", [16, 1]),
        ("greater", [[3, -3], [1]], "i1", [True, False]),
        ("greater_equal", [[1, -3], [1]], "i1", [True, False]),
        ("equal", [[1, -3], [1]], "i1", [True, False]),
    ],
)
def test_integers(name: str, rows: Any, result: str, expected: Any) -> None:
    assert _elementwise(name, "i8", *rows, result=result, of=np.int8) == expected


def test_floats_broadcast_and_keep_nan() -> None:
    nan = float("nan")
    assert _elementwise("add", "f32", [1.5, 2.0], [1.0], of=np.float32) == [2.5, 3.0]
    assert np.isnan(_elementwise("maximum", "f32", [nan, 2.0], [3.0], of=np.float32)[0])
    assert _elementwise("floor", "f32", [1.5, -0.5], of=np.float32) == [1.0, -1.0]
    assert _elementwise("reciprocal", "f32", [4.0, 0.0], of=np.float32) == [0.25, float("inf")]
    assert _elementwise("sigmoid", "f32", [0.0, -1000.0], of=np.float32) == [0.5, 0.0]


def _convolved(x: Any, w: Any, bias: Any, pad: Any, stride: Any, dilation: Any) -> Any:
    """The sum over the window, element by element."""
    rows = (x.shape[1] - 1 + pad[0] + pad[1] - (w.shape[1] - 1) * dilation[0]) // stride[0] + 1
    columns = (x.shape[2] - 1 + pad[2] + pad[3] - (w.shape[2] - 1) * dilation[1]) // stride[1] + 1
    found = np.zeros((x.shape[0], rows, columns, w.shape[0]), x.dtype)
    for n, i, j, f in np.ndindex(*found.shape):
        for k, m, c in np.ndindex(*w.shape[1:]):
            y, z = i * stride[0] + k * dilation[0] - pad[0], j * stride[1] + m * dilation[1] - pad[2]
            if 0 <= y < x.shape[1] and 0 <= z < x.shape[2]:
                found[n, i, j, f] += x[n, y, z, c] * w[f, k, m, c]
        found[n, i, j, f] += bias[f]
    return found


@pytest.mark.parametrize(
    ("pad", "stride", "dilation"),
    [((0, 0, 0, 0), (1, 1), (1, 1)), ((1, 0, 2, 1), (2, 1), (1, 2)), ((3, 3, 3, 3), (2, 3), (2, 1))],
)
def test_conv2d_is_the_sum_over_the_window(pad: Any, stride: Any, dilation: Any) -> None:
    x = CHANCE.standard_normal((2, 6, 7, 3)).astype(np.float32)
    w = CHANCE.standard_normal((4, 3, 2, 3)).astype(np.float32)
    bias = CHANCE.standard_normal(4).astype(np.float32)
    expected = _convolved(x, w, bias, pad, stride, dilation)
    types = ["tensor<2x6x7x3xf32>", "tensor<4x3x2x3xf32>", "tensor<4xf32>"]
    result = f"tensor<{'x'.join(map(str, expected.shape))}xf32>"
    body = f"""
      %z = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
      %r = tosa.conv2d %a, %b, %c, %z, %z {{acc_type = f32, pad = array<i64: {str(pad)[1:-1]}>,
        stride = array<i64: {str(stride)[1:-1]}>, dilation = array<i64: {str(dilation)[1:-1]}>}}
        : ({", ".join(types)}, tensor<1xf32>, tensor<1xf32>) -> {result}"""
    found = _ran(body, *map(Tensor, (x, w, bias)), types=types, result=result)
    assert found.tobytes() == expected.tobytes()


def test_quantised_conv2d_subtracts_the_zero_points() -> None:
    x = CHANCE.integers(-128, 128, (1, 4, 4, 2)).astype(np.int8)
    w = CHANCE.integers(-128, 128, (3, 2, 2, 2)).astype(np.int8)
    bias = np.array([1, 2, 3], np.int32)
    expected = _convolved(x.astype(np.int32) - 5, w.astype(np.int32) + 1, bias, (1, 1, 0, 0), (1, 1), (1, 1))
    types = ["tensor<1x4x4x2xi8>", "tensor<3x2x2x2xi8>", "tensor<3xi32>"]
    body = f"""
      %x = "tosa.const"() <{{values = dense<5> : tensor<1xi8>}}> : () -> tensor<1xi8>
      %w = "tosa.const"() <{{values = dense<-1> : tensor<1xi8>}}> : () -> tensor<1xi8>
      %r = tosa.conv2d %a, %b, %c, %x, %w {{acc_type = i32, pad = array<i64: 1, 1, 0, 0>,
        stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}}
        : ({", ".join(types)}, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x3x3xi32>"""
    found = _ran(body, *map(Tensor, (x, w, bias)), types=types, result="tensor<1x5x3x3xi32>")
    assert found.tolist() == expected.tolist()


def test_pools_leave_the_padding_out() -> None:
    x = CHANCE.standard_normal((1, 4, 5, 2)).astype(np.float32)
    common = "{kernel = array<i64: 2, 3>, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 2, 2>"
    kind, result = "tensor<1x4x5x2xf32>", "tensor<1x3x2x2xf32>"
    largest = _ran(
        f"%r = tosa.max_pool2d %a {common}}} : ({kind}) -> {result}", Tensor(x), types=[kind], result=result
    )
    mean = _ran(
        f"""%z = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
        %r = tosa.avg_pool2d %a, %z, %z {common}, acc_type = f32}}
          : ({kind}, tensor<1xf32>, tensor<1xf32>) -> {result}""",
        Tensor(x), types=[kind], result=result,
    )  # fmt: skip
    for i, j, c in itertools.product(range(3), range(2), range(2)):
        part = x[0, max(0, 2 * i - 1) : 2 * i + 1, 2 * j : 2 * j + 3, c]
        assert largest[0, i, j, c] == part.max()
        total = np.float32(0)
        for each in part.flat:
            total += each
        assert mean[0, i, j, c] == total / np.float32(part.size)


def test_matmul_and_reductions() -> None:
    a, b = (CHANCE.standard_normal(s).astype(np.float32) for s in ((2, 3, 4), (2, 4, 5)))
    types = ["tensor<2x3x4xf32>", "tensor<2x4x5xf32>"]
    body = f"""
      %z = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
      %m = tosa.matmul %a, %b, %z, %z : ({", ".join(types)}, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
      %r = tosa.reduce_sum %m {{axis = 1 : i32}} : (tensor<2x3x5xf32>) -> tensor<2x1x5xf32>"""
    found = _ran(body, Tensor(a), Tensor(b), types=types, result="tensor<2x1x5xf32>")
    assert np.allclose(found, (a @ b).sum(1, keepdims=True), rtol=1e-5)


def test_a_sum_begins_with_zero() -> None:
    """The specification writes 0.0 first, so that -0.0 alone sums up to 0.0."""
    body = "%r = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<1x2xf32>) -> tensor<1x1xf32>"
    found = _ran(body, tensor([[-0.0, -0.0]]), types=["tensor<1x2xf32>"], result="tensor<1x1xf32>")
    assert not np.signbit(found).any()


def test_elements_move() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    body = """
      %t = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %v = tosa.reverse %t {axis = 0 : i32} : (tensor<3x2xf32>) -> tensor<3x2xf32>
      %w = tosa.const_shape {values = dense<[1, 0, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %c = "tosa.const"() <{values = dense<9.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %r = tosa.pad %v, %w, %c : (tensor<3x2xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<4x4xf32>"""
    found = _ran(body, Tensor(x), types=["tensor<2x3xf32>"], result="tensor<4x4xf32>")
    expected = np.pad(np.flip(x.T, 0), ((1, 0), (0, 2)), constant_values=9)
    assert found.tolist() == expected.tolist()


def test_an_index_outside_is_undefined() -> None:
    types = ["tensor<1x2x1xf32>", "tensor<1x1xi32>"]
    body = f"%r = tosa.gather %a, %b : ({', '.join(types)}) -> tensor<1x1x1xf32>"
    with pytest.raises(Undefined) as caught:
        _ran(body, tensor([[[1], [2]]]), tensor([[2]], np.int32), types=types, result="tensor<1x1x1xf32>")
    assert caught.value.kind is Defect.BOUNDS


def test_a_product_of_terms_among_numbers() -> None:
    """The padding is a number, and what it surrounds is not."""
    text = """
func.func @f(%a: tensor<1x1x2xf32>, %b: tensor<1x3x1xf32>) -> tensor<1x1x1xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %c = "tosa.const"() <{values = dense<9.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = tosa.const_shape {values = dense<[0, 0, 0, 0, 1, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %p = tosa.pad %a, %w, %c : (tensor<1x1x2xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<1x1x3xf32>
  %r = tosa.matmul %p, %b, %z, %z : (tensor<1x1x3xf32>, tensor<1x3x1xf32>, tensor<1xf32>, tensor<1xf32>)
    -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}"""
    terms = Terms()
    a = np.array([[[terms.element("a", (k,)) for k in range(2)]]], object)
    b = np.array([[[terms.element("b", (k,))] for k in range(3)]], object)
    (found,) = Code(text)(Tensor(a), Tensor(b), options=Options(symbolic=True))
    sums = "addf(addf(addf(0.0, mulf(9.0, b[0])), mulf(a[0], b[1])), mulf(a[1], b[2]))"
    assert repr(found.data[0, 0, 0]) == sums
