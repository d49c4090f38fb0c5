"""What an element is computed from, by its execution on terms, is what the case of `element_reads` says."""

from __future__ import annotations

import pytest

from tests.execution.test_tosa_lowered import CASES, text_of
from volcli import testing

OPERATIONS = {
    "tosa.add": ("%r = tosa.add %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>", "2x3 1x3", "2x3"),
    "tosa.transpose": ("%r = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>", "2x3", "3x2"),
    "tosa.reverse": ("%r = tosa.reverse %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>", "2x3", "2x3"),
    "tosa.reduce_sum": ("%r = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>", "2x3", "2x1"),
    "tosa.concat": ("%r = tosa.concat %a, %b {axis = 0 : i32} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>", "2x3 1x3", "3x3"),
    "tosa.negate": ("""%z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %r = tosa.negate %a, %z, %z : (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>""", "2", "2"),
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
    "a padded scalar": (
        "%r = stablehlo.pad %a, %b, low = [], high = [], interior = []"
        " : (tensor<f32>, tensor<f32>) -> tensor<f32>", "- -", "-"),
    "stablehlo.concatenate": (
        "%r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>",
        "1x2 2x2", "3x2"),
    "stablehlo.reduce": (
        "%r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1]"
        " : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>", "2x3 -", "2"),
    "stablehlo.clamp": (
        "%r = stablehlo.clamp %a, %b, %c : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>",
        "2 2 2", "2"),
    "linalg.pack": (
        "%e = tensor.empty() : tensor<2x2x4x3xf32>\n%p = arith.constant -1.0 : f32\n"
        "%r = linalg.pack %a padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]"
        " inner_tiles = [4, 3] into %e : tensor<5x6xf32> -> tensor<2x2x4x3xf32>", "5x6", "2x2x4x3"),
    "linalg.unpack": (
        "%e = tensor.empty() : tensor<5x6xf32>\n"
        "%r = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 3]"
        " into %e : tensor<2x2x4x3xf32> -> tensor<5x6xf32>", "2x2x4x3", "5x6"),
    "linalg.softmax": (
        "%e = tensor.empty() : tensor<2x3xf32>\n"
        "%r = linalg.softmax dimension(1) ins(%a : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>",
        "2x3", "2x3"),
    "linalg.matmul": (
        "%r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>)"
        " -> tensor<2x4xf32>", "2x3 3x4 2x4", "2x4"),
    "linalg.conv_1d": (
        "%r = linalg.conv_1d ins(%a, %b : tensor<5xf32>, tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>",
        "5 3 3", "3"),
    "tensor.extract_slice": (
        "%r = tensor.extract_slice %a[1, 0] [2, 2] [2, 1] : tensor<4x3xf32> to tensor<2x2xf32>", "4x3", "2x2"),
    "tensor.insert_slice": (
        "%r = tensor.insert_slice %a into %b[1, 0] [2, 2] [2, 1] : tensor<2x2xf32> into tensor<4x3xf32>",
        "2x2 4x3", "4x3"),
    "tensor.concat": (
        "%r = tensor.concat dim(0) %a, %b : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>",
        "1x2 2x2", "3x2"),
    "tensor.collapse_shape": (
        "%r = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>", "2x3", "6"),
    "tensor.expand_shape": (
        "%r = tensor.expand_shape %a [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>", "6", "2x3"),
    "arith.addf": ("%r = arith.addf %a, %b : tensor<6xf32>", "6 6", "6"),
    "math.exp": ("%r = math.exp %a : tensor<6xf32>", "6", "6"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATIONS)
def test_leaves_are_what_the_case_reads(name: str) -> None:
    body, operands, result = OPERATIONS[name]
    kinds = [f"tensor<{shape}xf32>".replace("-x", "") for shape in operands.split()]
    result = f"tensor<{result}xf32>".replace("-x", "")
    arguments = ", ".join(f"%{chr(ord('a') + k)}: {kind}" for k, kind in enumerate(kinds))
    testing.check_execution(f"func.func @f({arguments}) -> {result} {{\n{body}\nreturn %r : {result}\n}}")


TOSA = {
    name: case
    for name, case in CASES.items()
    if all(kind.endswith("f32>") for kind in (*case.types, case.result)) and "resize" not in name
}


@pytest.mark.parametrize("name", [name for name in TOSA if name != "select"])
def test_leaves_of_tosa(name: str) -> None:
    """But of tosa.resize, whose positions the case of its elements does not state."""
    testing.check_execution(text_of(TOSA[name]))


def test_a_case_may_say_more_where_coordinates_are_data() -> None:
    text = """
func.func @f(%a: tensor<4xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %r = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}"""
    testing.check_execution(text, exact=False)
    with pytest.raises(testing.CaseError, match="its map over-approximates"):
        testing.check_execution(text)
