"""stablehlo against examples worked out by hand, and against sums written out in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.shared.running import Code, tensor
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Unsupported

CHANCE = np.random.default_rng(11)


def _ran(body: str, *arguments: Any, types: Sequence[str], result: str) -> Any:
    names = [f"%{chr(ord('a') + k)}: {kind}" for k, kind in enumerate(types)]
    text = f"func.func @f({', '.join(names)}) -> {result} {{\n{body}\nreturn %r : {result}\n}}"
    (found,) = Code(text)(*arguments)
    return found.data


def _elementwise(name: str, dtype: str, *rows: Any, of: Any) -> list[Any]:
    kind = f"tensor<{len(rows[0])}x{dtype}>"
    names = ", ".join(f"%{chr(ord('a') + k)}" for k in range(len(rows)))
    body = f'%r = "stablehlo.{name}"({names}) : ({", ".join([kind] * len(rows))}) -> {kind}'
    return _ran(body, *[tensor(row, of) for row in rows], types=[kind] * len(rows), result=kind).tolist()


@pytest.mark.parametrize(
    ("name", "rows", "expected"),
    [
        ("add", [[100, -3], [100, 1]], [-56, -2]),
        ("divide", [[-7, 7], [2, -2]], [-3, -3]),
        ("remainder", [[-7, 7], [2, -2]], [-1, 1]),
        ("shift_left", [[1, 1], [3, 9]], [8, 0]),
        ("shift_right_arithmetic", [[-8, -8], [1, 9]], [-4, -1]),
        ("shift_right_logical", [[-8, -8], [1, 9]], [124, 0]),
        ("popcnt", [[-1, 5]], [8, 2]),
        ("count_leading_zeros", [[1, 0]], [7, 8]),
        ("sign", [[-9, 0]], [-1, 0]),
        ("not", [[0, 5]], [-1, -6]),
        ("abs", [[-128, -5]], [-128, 5]),
        ("maximum", [[-1, 2], [1, 1]], [1, 2]),
    ],
)
def test_integers(name: str, rows: Any, expected: Any) -> None:
    assert _elementwise(name, "i8", *rows, of=np.int8) == expected


def test_floats() -> None:
    ties = [-2.5, -0.4, 0.4, 2.5]
    assert _elementwise("round_nearest_afz", "f32", ties, of=np.float32) == [-3.0, -0.0, 0.0, 3.0]
    assert _elementwise("round_nearest_even", "f32", ties, of=np.float32) == [-2.0, -0.0, 0.0, 2.0]
    assert _elementwise("remainder", "f32", [5.5], [-2.0], of=np.float32) == [1.5]
    assert np.isnan(_elementwise("minimum", "f32", [1.0], [float("nan")], of=np.float32)[0])


def test_truths_are_joined() -> None:
    assert _elementwise("add", "i1", [1, 0], [1, 0], of=np.bool_) == [True, False]
    assert _elementwise("multiply", "i1", [1, 1], [1, 0], of=np.bool_) == [True, False]


def test_what_the_implementation_defines_is_not_executed() -> None:
    with pytest.raises(Unsupported):
        _elementwise("divide", "i8", [1], [0], of=np.int8)


def test_pad_with_interior_and_negative_widths() -> None:
    types = ["tensor<3xi8>", "tensor<i8>"]
    body = "%r = stablehlo.pad %a, %b, low = [-1], high = [2], interior = [1] : ({}) -> tensor<6xi8>"
    body = body.format(", ".join(types))
    found = _ran(body, tensor([1, 2, 3], np.int8), tensor(9, np.int8), types=types, result="tensor<6xi8>")
    assert found.tolist() == [9, 2, 9, 3, 9, 9]


def test_broadcast_in_dim_may_permute() -> None:
    x = np.arange(3, dtype=np.float32).reshape(1, 3)
    body = "%r = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<1x3xf32>) -> tensor<3x2x2xf32>"
    found = _ran(body, Tensor(x), types=["tensor<1x3xf32>"], result="tensor<3x2x2xf32>")
    assert found.tolist() == [[[k, k], [k, k]] for k in range(3)]


def test_dot_general_is_the_sum_over_what_is_contracted() -> None:
    x, y = (CHANCE.integers(-9, 9, s).astype(np.int32) for s in ((2, 3, 4), (4, 2, 5)))
    body = """%r = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [2] x [0]
      : (tensor<2x3x4xi32>, tensor<4x2x5xi32>) -> tensor<2x3x5xi32>"""
    types = ["tensor<2x3x4xi32>", "tensor<4x2x5xi32>"]
    found = _ran(body, Tensor(x), Tensor(y), types=types, result="tensor<2x3x5xi32>")
    assert found.tolist() == np.einsum("bmk,kbn->bmn", x, y).tolist()


@pytest.mark.parametrize("groups", [1, 2])
def test_convolution_dilated_padded_and_in_groups(groups: int) -> None:
    x = CHANCE.integers(-9, 9, (2, 5, 4)).astype(np.int32)
    w = CHANCE.integers(-9, 9, (3, 4 // groups, 6)).astype(np.int32)
    types = ["tensor<2x5x4xi32>", f"tensor<3x{4 // groups}x6xi32>"]
    body = f"""%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {{stride = [2], pad = [[1, 3]], lhs_dilate = [2], rhs_dilate = [3]}}
      {{feature_group_count = {groups} : i64, batch_group_count = 1 : i64}}
      : ({", ".join(types)}) -> tensor<2x4x6xi32>"""
    found = _ran(body, Tensor(x), Tensor(w), types=types, result="tensor<2x4x6xi32>")
    spread = np.zeros((2, 13, 4), np.int64)
    spread[:, 1:10:2] = x
    for n, o, f in np.ndindex(2, 4, 6):
        first = f // (6 // groups) * (4 // groups)
        total = sum(
            spread[n, 2 * o + 3 * k, first + c] * w[k, c, f] for k in range(3) for c in range(4 // groups)
        )
        assert found[n, o, f] == total


def test_reduce_by_one_operation_and_by_a_body() -> None:
    x = CHANCE.integers(-9, 9, (3, 4)).astype(np.int32)
    types = ["tensor<3x4xi32>", "tensor<i32>"]
    short = """%r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0]
      : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>"""
    written = """%r = stablehlo.reduce(%a init: %b) across dimensions = [0]
      : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
      reducer(%s: tensor<i32>, %e: tensor<i32>) {
        %p = stablehlo.multiply %e, %e : tensor<i32>
        %q = stablehlo.add %s, %p : tensor<i32>
        stablehlo.return %q : tensor<i32>
      }"""
    for body, expected in ((short, x.sum(0) + 5), (written, (x * x).sum(0) + 5)):
        found = _ran(body, Tensor(x), tensor(5, np.int32), types=types, result="tensor<4xi32>")
        assert found.tolist() == expected.tolist()


def test_unsigned_numbers_are_compared_as_such() -> None:
    for kind, of, expected in (("ui8", np.uint8, [False]), ("i8", np.int8, [True])):
        body = f"%r = stablehlo.compare LT, %a, %b : (tensor<1x{kind}>, tensor<1x{kind}>) -> tensor<1xi1>"
        given = [np.array([200], np.uint8).view(of), np.array([1], np.uint8).view(of)]
        types = [f"tensor<1x{kind}>"] * 2
        assert _ran(body, *map(Tensor, given), types=types, result="tensor<1xi1>").tolist() == expected


def test_select_clamp_iota_concatenate() -> None:
    body = """
      %i = stablehlo.iota dim = 1 : tensor<2x3xi8>
      %j = stablehlo.iota dim = 0 : tensor<2x3xi8>
      %s = stablehlo.select %a, %i, %j : tensor<i1>, tensor<2x3xi8>
      %c = stablehlo.clamp %b, %s, %c0 : (tensor<i8>, tensor<2x3xi8>, tensor<i8>) -> tensor<2x3xi8>
      %r = stablehlo.concatenate %c, %j, dim = 0 : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<4x3xi8>"""
    body = "%c0 = stablehlo.constant dense<1> : tensor<i8>\n" + body
    given = [tensor(1, np.bool_), tensor(0, np.int8)]
    found = _ran(body, *given, types=["tensor<i1>", "tensor<i8>"], result="tensor<4x3xi8>")
    assert found.tolist() == [[0, 1, 1], [0, 1, 1], [0, 0, 0], [1, 1, 1]]
