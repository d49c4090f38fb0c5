"""Each operation of stablehlo has a result here that was worked out by hand from the specification's text."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.execution.test_coverage import MISSING
from tests.shared.running import Code, tensor
from volcli.execution.numbers.values import Tensor
from volcli_dialects.stablehlo.ops import OPS, ReduceOp

NAN, INF = math.nan, math.inf
PI = float(np.float32(math.pi))
HALF = float(np.float32(math.pi / 2))
NUMPY: dict[str, Any] = {"f32": np.float32, "i8": np.int8, "i1": np.bool_, "i32": np.int32}

# The operation, the type of its elements, its operands, the result; one row may use several numbers.
ELEMENTWISE: list[tuple[str, str, list[list[Any]], list[Any]]] = [
    ("abs", "f32", [[-1.5, -0.0, -INF]], [1.5, 0.0, INF]),
    ("abs", "i8", [[-7, 7, 0]], [7, 7, 0]),
    ("add", "f32", [[1.5, INF, 1e30], [-1.0, -INF, 1e10]], [0.5, NAN, 1e30]),
    ("add", "i1", [[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 1]),
    ("and", "i8", [[12, -1], [10, 7]], [8, 7]),
    ("and", "i1", [[0, 0, 1, 1], [0, 1, 0, 1]], [0, 0, 0, 1]),
    ("atan2", "f32", [[0.0, 1.0, -1.0, 0.0], [1.0, 0.0, 0.0, -1.0]], [0.0, HALF, -HALF, PI]),
    ("cbrt", "f32", [[0.0, 27.0, -8.0]], [0.0, 3.0, -2.0]),
    ("ceil", "f32", [[-1.5, 1.25, 2.0]], [-1.0, 2.0, 2.0]),
    ("cosine", "f32", [[0.0, NAN]], [1.0, NAN]),
    ("count_leading_zeros", "i8", [[0, 1, -1, 16]], [8, 7, 0, 3]),
    (
        "divide",
        "f32",
        [[17.1, 1.0, 0.0], [3.0, 0.0, 0.0]],
        [float(np.float32(17.1) / np.float32(3)), INF, NAN],
    ),
    ("divide", "i8", [[17, -17, 17, -17], [3, 3, -3, -3]], [5, -5, -5, 5]),
    ("exponential", "f32", [[0.0, -INF, INF]], [1.0, 0.0, INF]),
    ("exponential_minus_one", "f32", [[0.0, -INF, 1e-10]], [0.0, -1.0, float(np.float32(1e-10))]),
    ("floor", "f32", [[-1.5, 1.25, -0.0]], [-2.0, 1.0, -0.0]),
    ("log", "f32", [[1.0, 0.0, -1.0, INF]], [0.0, -INF, NAN, INF]),
    ("log_plus_one", "f32", [[0.0, -1.0, -2.0]], [0.0, -INF, NAN]),
    ("logistic", "f32", [[0.0, INF, -INF]], [0.5, 1.0, 0.0]),
    ("maximum", "f32", [[1.0, NAN, -0.0], [2.0, 1.0, 0.0]], [2.0, NAN, 0.0]),
    ("maximum", "i1", [[0, 1], [0, 0]], [0, 1]),
    ("minimum", "i8", [[1, -128], [2, 127]], [1, -128]),
    ("multiply", "i8", [[100, -3], [2, 5]], [-56, -15]),
    ("multiply", "f32", [[0.0, 3.0], [INF, 0.5]], [NAN, 1.5]),
    ("negate", "f32", [[0.0, 1.5]], [-0.0, -1.5]),
    ("negate", "i8", [[-128, 5]], [-128, -5]),
    ("not", "i1", [[0, 1]], [1, 0]),
    ("or", "i8", [[12, 0], [10, 7]], [14, 7]),
    ("popcnt", "i8", [[0, 1, 127, -128]], [0, 1, 7, 1]),
    ("power", "f32", [[-2.0, 0.0, 36.0, 5.0, NAN], [2.0, 0.0, 0.5, 2.0, 1.0]], [4.0, 1.0, 6.0, 25.0, NAN]),
    ("power", "i8", [[-2, 0, 3], [3, 0, 4]], [-8, 1, 81]),
    ("remainder", "i8", [[17, -17, 17, -17], [3, 3, -3, -3]], [2, -2, 2, -2]),
    ("remainder", "f32", [[17.5, -17.5], [3.0, -3.0]], [2.5, -2.5]),
    ("round_nearest_afz", "f32", [[-2.5, 0.4, 0.5, 2.5]], [-3.0, 0.0, 1.0, 3.0]),
    ("round_nearest_even", "f32", [[-2.5, 0.4, 0.5, 3.5]], [-2.0, 0.0, 0.0, 4.0]),
    ("rsqrt", "f32", [[4.0, 0.0, -1.0]], [0.5, INF, NAN]),
    ("shift_left", "i8", [[-1, 0, 1, 1], [0, 8, 7, 8]], [-1, 0, -128, 0]),
    ("shift_right_arithmetic", "i8", [[-1, -128, 8], [3, 7, 8]], [-1, -1, 0]),
    ("shift_right_logical", "i8", [[-1, -128, 8], [3, 7, 8]], [31, 1, 0]),
    ("sign", "f32", [[NAN, -2.5, -0.0, 0.0, 9.0]], [NAN, -1.0, -0.0, 0.0, 1.0]),
    ("sign", "i8", [[-5, 0, 5]], [-1, 0, 1]),
    ("sine", "f32", [[0.0, -0.0]], [0.0, -0.0]),
    ("sqrt", "f32", [[9.0, -1.0, 0.25]], [3.0, NAN, 0.5]),
    ("subtract", "i8", [[-128, 5], [1, 7]], [127, -2]),
    ("tan", "f32", [[0.0]], [0.0]),
    ("tanh", "f32", [[0.0, INF]], [0.0, 1.0]),
    ("xor", "i8", [[12, -1], [10, 7]], [6, -8]),
]

# A program of %a and %b, their values (with the type of the elements), and the result.
PROGRAMS: dict[str, tuple[str, list[tuple[Any, str]], str, Any]] = {
    "bitcast_convert": (
        "%r = stablehlo.bitcast_convert %a : (tensor<3xf32>) -> tensor<3xi32>",
        [([1.0, -0.0, INF], "f32")], "3xi32", [0x3F800000, -(1 << 31), 0x7F800000]),
    "reduce_precision": (  # 1 + 2^-8 is in the middle of two numbers of seven bits, 1 + 3 * 2^-8 too
        "%r = stablehlo.reduce_precision %a, format = e8m7 : tensor<4xf32>",
        [([1.00390625, 1.01171875, 3.140625, -INF], "f32")], "4xf32", [1.0, 1.015625, 3.140625, -INF]),
    "broadcast_in_dim": (
        "%r = stablehlo.broadcast_in_dim %a, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x2xi32>",
        [([[1, 2, 3]], "i32")], "2x3x2xi32", [[[1, 1], [2, 2], [3, 3]]] * 2),
    "clamp": (
        "%c = stablehlo.constant dense<[5, 10, 15]> : tensor<3xi32>\n"
        "%r = stablehlo.clamp %a, %b, %c : (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>",
        [([5, 5, 5], "i32"), ([3, 8, 20], "i32")], "3xi32", [5, 8, 15]),
    "compare": (
        "%r = stablehlo.compare LE, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>",
        [([1.0, 2.0, NAN, -0.0], "f32"), ([1.0, 1.0, 1.0, 0.0], "f32")], "4xi1", [1, 0, 0, 1]),
    "concatenate": (
        "%r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<4x2xi32>",
        [([[1, 2], [3, 4], [5, 6]], "i32"), ([[7, 8]], "i32")], "4x2xi32", [[1, 2], [3, 4], [5, 6], [7, 8]]),
    "constant": ("%r = stablehlo.constant dense<[[1, 0], [0, 1]]> : tensor<2x2xi32>", [], "2x2xi32", [[1, 0], [0, 1]]),
    "convert": (
        "%r = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xi1>",
        [([-0.0, 0.5, NAN, INF, 0.0], "f32")], "5xi1", [0, 1, 1, 1, 0]),
    "convolution": (  # windows at 0 and 2 of 0 1 2 0, the zeros being padding
        "%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],"
        " window = {stride = [2], pad = [[1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}"
        " : (tensor<1x2x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>",
        [([[[1], [2]]], "i32"), ([[[10]], [[100]]], "i32")], "1x2x1xi32", [[[100], [20]]]),
    "dot_general": (
        "%r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]"
        " : (tensor<2x2x2xi32>, tensor<2x2x2xi32>) -> tensor<2x2x2xi32>",
        [([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], "i32"), ([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], "i32")],
        "2x2x2xi32", [[[1, 2], [3, 4]], [[6, 5], [8, 7]]]),
    "real": (
        "%z = stablehlo.complex %a, %b : tensor<2xcomplex<f32>>\n"
        "%r = stablehlo.real %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>",
        [([1.5, -2.0], "f32"), ([3.0, 4.0], "f32")], "2xf32", [1.5, -2.0]),
    "imag": (
        "%z = stablehlo.complex %a, %b : tensor<2xcomplex<f32>>\n"
        "%r = stablehlo.imag %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>",
        [([1.5, -2.0], "f32"), ([3.0, 4.0], "f32")], "2xf32", [3.0, 4.0]),
    "complex": (
        "%z = stablehlo.complex %a, %b : tensor<1xcomplex<f32>>\n"
        "%w = stablehlo.imag %z : (tensor<1xcomplex<f32>>) -> tensor<1xf32>\n"
        "%y = stablehlo.complex %w, %a : tensor<1xcomplex<f32>>\n"
        "%r = stablehlo.real %y : (tensor<1xcomplex<f32>>) -> tensor<1xf32>",
        [([1.0], "f32"), ([2.0], "f32")], "1xf32", [2.0]),
    "is_finite": (
        "%r = stablehlo.is_finite %a : (tensor<4xf32>) -> tensor<4xi1>",
        [([1.0, INF, NAN, -0.0], "f32")], "4xi1", [1, 0, 0, 1]),
    "fft": (  # the sum, and the sum with alternating signs
        "%z = stablehlo.fft %a, type = RFFT, length = [2] : (tensor<2xf32>) -> tensor<2xcomplex<f32>>\n"
        "%r = stablehlo.real %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>",
        [([1.5, -2.0], "f32")], "2xf32", [-0.5, 3.5]),
    "dynamic_broadcast_in_dim": (
        "%r = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [1] : (tensor<1xi32>, tensor<2xi32>) -> tensor<?x2xi32>",
        [([7], "i32"), ([3, 2], "i32")], "?x2xi32", [[7, 7]] * 3),
    "dynamic_iota": (
        "%r = stablehlo.dynamic_iota %a, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>",
        [([2, 3], "i32")], "?x?xi32", [[0, 1, 2]] * 2),
    "dynamic_pad": (
        "%r = stablehlo.dynamic_pad %a, %b, %c, %d, %e : (tensor<3xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>,"
        " tensor<1xi32>) -> tensor<?xi32>",
        [([1, 2, 3], "i32"), (9, "i32"), ([-1], "i32"), ([1], "i32"), ([1], "i32")], "?xi32", [9, 2, 9, 3, 9]),
    "dynamic_reshape": (
        "%r = stablehlo.dynamic_reshape %a, %b : (tensor<4xi32>, tensor<2xi32>) -> tensor<?x2xi32>",
        [([1, 2, 3, 4], "i32"), ([2, 2], "i32")], "?x2xi32", [[1, 2], [3, 4]]),
    "uniform_quantize": (  # a unit is a quarter, and what is too large is the largest number
        "%q = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.25:3>>\n"
        "%r = stablehlo.uniform_dequantize %q : (tensor<4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<4xf32>",
        [([0.5, -0.3, 0.125, 100.0], "f32")], "4xf32", [0.5, -0.25, 0.0, 31.0]),
    "uniform_dequantize": (
        "%q = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<u8<1:9>:f32, 2.0>>\n"
        "%r = stablehlo.uniform_dequantize %q : (tensor<2x!quant.uniform<u8<1:9>:f32, 2.0>>) -> tensor<2xf32>",
        [([-5.0, 1000.0], "f32")], "2xf32", [2.0, 18.0]),
    "dynamic_slice": (
        "%r = stablehlo.dynamic_slice %a, %b, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>",
        [([1, 2, 3, 4], "i32"), (3, "i32")], "2xi32", [3, 4]),
    "dynamic_update_slice": (
        "%c = stablehlo.constant dense<[7, 8]> : tensor<2xi32>\n"
        "%r = stablehlo.dynamic_update_slice %a, %c, %b"
        " : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>",
        [([1, 2, 3, 4], "i32"), (-5, "i32")], "4xi32", [7, 8, 3, 4]),
    "get_dimension_size": (
        "%r = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3xi32>) -> tensor<i32>",
        [([[1, 2, 3], [4, 5, 6]], "i32")], "i32", 3),
    "iota": ("%r = stablehlo.iota dim = 0 : tensor<3x2xi32>", [], "3x2xi32", [[0, 0], [1, 1], [2, 2]]),
    "pad": (
        "%r = stablehlo.pad %a, %b, low = [0, 1], high = [2, 1], interior = [1, 2]"
        " : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x9xi32>",
        [([[1, 2, 3], [4, 5, 6]], "i32"), (0, "i32")], "5x9xi32",
        [[0, 1, 0, 0, 2, 0, 0, 3, 0], [0] * 9, [0, 4, 0, 0, 5, 0, 0, 6, 0], [0] * 9, [0] * 9]),
    "reduce": (
        "%r = stablehlo.reduce(%a init: %b) applies stablehlo.maximum across dimensions = [1]"
        " : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>",
        [([[0, 9, 2], [3, 4, 5]], "i32"), (7, "i32")], "2xi32", [9, 7]),
    "reshape": (
        "%r = stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<3x2xi32>",
        [([[1, 2, 3], [4, 5, 6]], "i32")], "3x2xi32", [[1, 2], [3, 4], [5, 6]]),
    "reverse": (
        "%r = stablehlo.reverse %a, dims = [1] : tensor<3x2xi32>",
        [([[1, 2], [3, 4], [5, 6]], "i32")], "3x2xi32", [[2, 1], [4, 3], [6, 5]]),
    "select": (
        "%c = stablehlo.constant dense<[true, false]> : tensor<2xi1>\n"
        "%r = stablehlo.select %c, %a, %b : tensor<2xi1>, tensor<2xi32>",
        [([1, 2], "i32"), ([3, 4], "i32")], "2xi32", [1, 4]),
    "slice": (
        "%r = stablehlo.slice %a [1:3, 0:4:3] : (tensor<3x4xi32>) -> tensor<2x2xi32>",
        [([[0, 0, 0, 0], [1, 0, 0, 2], [3, 0, 0, 4]], "i32")], "2x2xi32", [[1, 2], [3, 4]]),
    "transpose": (
        "%r = stablehlo.transpose %a, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>",
        [([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]], "i32")], "2x3x2xi32",
        [[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]),
}  # fmt: skip


def _kind(value: Any, element: str) -> str:
    return f"tensor<{'x'.join([*map(str, np.shape(value)), element])}>"


def _result(body: str, given: list[tuple[Any, str]], result: str) -> Any:
    arguments = ", ".join(f"%{name}: {_kind(*each)}" for name, each in zip("abcde", given, strict=False))
    text = f"func.func @f({arguments}) -> {result} {{\n{body}\nreturn %r : {result}\n}}"
    (found,) = Code(text)(*[tensor(value, NUMPY[element]) for value, element in given])
    return found.data


@pytest.mark.parametrize(("name", "element", "rows", "expected"), ELEMENTWISE)
def test_elementwise(name: str, element: str, rows: list[list[Any]], expected: list[Any]) -> None:
    kind = _kind(rows[0], element)
    operands = ", ".join(["%a", "%b"][: len(rows)])
    body = f'%r = "stablehlo.{name}"({operands}) : ({", ".join([kind] * len(rows))}) -> {kind}'
    found = _result(body, [(row, element) for row in rows], kind)
    wanted = np.array(expected, NUMPY[element])
    np.testing.assert_array_equal(found, wanted)
    if element == "f32":
        is_number = ~np.isnan(wanted)
        assert np.signbit(found)[is_number].tolist() == np.signbit(wanted)[is_number].tolist()


@pytest.mark.parametrize("name", PROGRAMS)
def test_others(name: str) -> None:
    body, given, result, expected = PROGRAMS[name]
    found = _result(body, given, f"tensor<{result}>")
    assert found.tolist() == np.array(expected, found.dtype).tolist()


def test_each_operation_has_a_result() -> None:
    without = {name.partition(".")[2] for names in MISSING.values() for name in names.split()}
    assert {row[0] for row in ELEMENTWISE} | set(PROGRAMS) >= {
        *OPS,
        ReduceOp.name.partition(".")[2],
    } - without


DIRECTIONS = {"EQ": [0, 1, 0, 0], "NE": [1, 0, 1, 1], "GE": [0, 1, 1, 0], "GT": [0, 0, 1, 0], "LE": [1, 1, 0, 0],
              "LT": [1, 0, 0, 0]}  # fmt: skip


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_comparisons_with_nan_are_false_but_for_inequality(direction: str) -> None:
    body = (
        f"%r = stablehlo.compare {direction}, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>"
    )
    given = [([1.0, 2.0, 3.0, NAN], "f32"), ([2.0, 2.0, 2.0, NAN], "f32")]
    assert _result(body, given, "tensor<4xi1>").tolist() == [bool(each) for each in DIRECTIONS[direction]]


CONVOLUTION = """%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{{}}}
  {{feature_group_count = 1 : i64, batch_group_count = {} : i64}} : ({}, {}) -> {}"""


def _convolved(x: Any, w: Any, window: str, result: str, groups: int = 1) -> Any:
    element = "i32" if np.asarray(x).dtype.kind == "i" else "f32"
    kinds = (_kind(x, element), _kind(w, element))
    body = CONVOLUTION.format(window, groups, *kinds, f"tensor<{result}x{element}>")
    return _result(body, [(x, element), (w, element)], f"tensor<{result}x{element}>")


def test_padding_is_zeros_that_are_multiplied() -> None:
    """`padded_lhs = pad(lhs, constant(0), ...)`, whose windows are multiplied by the kernel: 0 by infinity is NaN."""
    x, w = np.array([[[1.0], [2.0]]]), np.array([[[INF]], [[3.0]]])
    found = _convolved(x, w, "pad = [[1, 1]]", "1x3x1")
    assert np.isnan(found[0, 0, 0])
    assert found[0, 1:, 0].tolist() == [INF, INF]
    dilated = _convolved(x, np.array([[[INF]]]), "lhs_dilate = [2]", "1x3x1")
    assert [dilated[0, 0, 0], dilated[0, 2, 0]] == [INF, INF]
    assert np.isnan(dilated[0, 1, 0])


def test_negative_padding_leaves_elements_out_and_windows_are_reversed() -> None:
    x, w = np.arange(1, 6).reshape(1, 5, 1), np.array([[[1]], [[10]]])
    assert _convolved(x, w, "pad = [[-1, -2]]", "1x1x1").tolist() == [[[32]]]
    assert _convolved(x, w, "pad = [[-1, -2]], reverse = [true]", "1x1x1").tolist() == [[[23]]]


def test_groups_of_batches_are_split_and_their_filters_joined() -> None:
    chance = np.random.default_rng(2)
    x, w = chance.integers(-5, 6, (4, 5, 3)), chance.integers(-5, 6, (2, 3, 6))
    found = _convolved(x, w, "", "2x4x6", groups=2)
    for n, o, f in np.ndindex(2, 4, 6):
        batch = n + 2 * (f // 3)
        assert found[n, o, f] == sum(x[batch, o + k] @ w[k, :, f] for k in range(2))


def test_terms_are_multiplied_by_zeros_too() -> None:
    from volcli.execution.memory.machine import Options
    from volcli.execution.numbers.terms import Terms

    terms = Terms()
    x, w = (
        Tensor(np.array([terms.element(name, (k,)) for k in range(2)], object).reshape(shape))
        for name, shape in (("x", (1, 2, 1)), ("w", (2, 1, 1)))
    )
    kinds = ("tensor<1x2x1xf32>", "tensor<2x1x1xf32>", "tensor<1x3x1xf32>")
    body = CONVOLUTION.format("pad = [[1, 1]]", 1, *kinds)
    text = (
        f"func.func @f(%a: {kinds[0]}, %b: {kinds[1]}) -> {kinds[2]} {{\n{body}\nreturn %r : {kinds[2]}\n}}"
    )
    (found,) = Code(text)(x, w, options=Options(symbolic=True))
    assert repr(found.data[0, 0, 0]) == "addf(addf(0.0, mulf(0.0, w[0])), mulf(x[0], w[1]))"
