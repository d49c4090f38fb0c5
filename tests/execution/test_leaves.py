"""What an element is computed from, by its execution on terms, is what the case of `element_reads` says."""

from __future__ import annotations

import pytest

from volcli import testing

OPERATIONS = {
    "tosa.add": ("%r = tosa.add %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>", "2x3 1x3", "2x3"),
    "tosa.transpose": ("%r = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>", "2x3", "3x2"),
    "tosa.reverse": ("%r = tosa.reverse %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>", "2x3", "2x3"),
    "tosa.reduce_sum": ("%r = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>", "2x3", "2x1"),
    "tosa.concat": ("%r = tosa.concat %a, %b {axis = 0 : i32} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>", "2x3 1x3", "3x3"),
    "tosa.max_pool2d": (
        "%r = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, stride = array<i64: 2, 1>, pad = array<i64: 1, 0, 0, 1>}"
        " : (tensor<1x3x3x2xf32>) -> tensor<1x2x3x2xf32>", "1x3x3x2", "1x2x3x2"),
    "stablehlo.reverse": ("%r = stablehlo.reverse %a, dims = [0] : tensor<2x3xf32>", "2x3", "2x3"),
    "stablehlo.slice": ("%r = stablehlo.slice %a [1:6:2] : (tensor<7xf32>) -> tensor<3xf32>", "7", "3"),
    "stablehlo.pad": (
        "%r = stablehlo.pad %a, %b, low = [-1], high = [2], interior = [1]"
        " : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>", "3 -", "6"),
    "stablehlo.dot_general": (
        "%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]"
        " : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>", "2x3 3x4", "2x4"),
    "stablehlo.broadcast_in_dim": (
        "%r = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<1x3xf32>) -> tensor<3x2x2xf32>", "1x3", "3x2x2"),
    "stablehlo.convolution": (
        "%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],"
        " window = {stride = [2], pad = [[1, 0]], rhs_dilate = [2]}"
        " {feature_group_count = 2 : i64, batch_group_count = 1 : i64}"
        " : (tensor<1x6x4xf32>, tensor<2x2x4xf32>) -> tensor<1x3x4xf32>", "1x6x4 2x2x4", "1x3x4"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATIONS)
def test_leaves_are_what_the_case_reads(name: str) -> None:
    body, operands, result = OPERATIONS[name]
    kinds = [f"tensor<{shape}xf32>".replace("-x", "") for shape in operands.split()]
    arguments = ", ".join(f"%{chr(ord('a') + k)}: {kind}" for k, kind in enumerate(kinds))
    text = (
        f"func.func @f({arguments}) -> tensor<{result}xf32> {{\n{body}\nreturn %r : tensor<{result}xf32>\n}}"
    )
    testing.check_execution(text)
