"""What an element is computed from, by its execution on terms, is what the case of `element_reads` says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.func import FuncOp

from tests.execution.running import Code
from volcli import testing
from volcli.execution.terms import FloatTerm, Terms
from volcli.execution.values import Tensor

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
    "a padded scalar": (
        "%r = stablehlo.pad %a, %b, low = [], high = [], interior = []"
        " : (tensor<f32>, tensor<f32>) -> tensor<f32>", "- -", "-"),
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


def _leaves(term: Any) -> set[tuple[str, tuple[int, ...]]]:
    """The elements of inputs in TERM."""
    if not isinstance(term, FloatTerm):
        return set()
    if term.name == "element":
        return {(term.key[1], term.key[2])}
    return {leaf for operand in term.operands for leaf in _leaves(operand)}


def _inputs(function: FuncOp) -> list[Tensor]:
    terms = Terms()
    found: list[Tensor] = []
    for argument in function.body.block.args:
        assert isinstance(argument.type, ShapedType)
        data = np.empty(tuple(argument.type.get_shape()), object)
        for index in np.ndindex(*data.shape):
            data[index] = terms.element(argument.name_hint or "", index)
        found.append(Tensor(data))
    return found


@pytest.mark.parametrize("name", OPERATIONS)
def test_leaves_are_what_the_case_reads(name: str) -> None:
    body, operands, result = OPERATIONS[name]
    kinds = [f"tensor<{shape}xf32>".replace("-x", "") for shape in operands.split()]
    result = f"tensor<{result}xf32>".replace("-x", "")
    arguments = ", ".join(f"%{chr(ord('a') + k)}: {kind}" for k, kind in enumerate(kinds))
    text = f"func.func @f({arguments}) -> {result} {{\n{body}\nreturn %r : {result}\n}}"
    code = Code(text)
    (function,) = (op for op in code.module.walk() if isinstance(op, FuncOp))
    (found,) = code(*_inputs(function))
    testing.check(text, reads=lambda index: sorted(_leaves(found.data[index])))
