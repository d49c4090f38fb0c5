"""linalg.winograd_*: the transforms of the filter, the input and the output of a Winograd convolution.

F(m x m, r x r) computes m x m outputs of a convolution with an r x r filter as the product of
transformed tiles.
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import (
    IntegerAttr,
    ShapedType,
    TensorType,
    i32,
)
from xdsl.irdl import (
    operand_def,
    prop_def,
    var_result_def,
)

from volcli_dialects.linalg.relayout.ops import InAndOut
from volcli_dialects.syntax.pieces import Attributes, ResultTypes
from volcli_dialects.syntax.properties import choice
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.written import WrittenOperation

# The Winograd algorithm F(m x m, r x r) by its name in the text -> its number in the `fmr` property.
_WINOGRAD = {name: IntegerAttr(k, i32) for k, name in enumerate(("F_2_3", "F_4_3", "F_2_5"))}


class WinogradOp(WrittenOperation, ABC):
    """One of the three transforms of the Winograd convolution algorithm F(m x m, r x r).

    Syntax: `linalg.winograd_filter_transform fmr(F_4_3) ins(...) outs(...) -> type`.
    """

    input = operand_def(ShapedType)
    output = operand_def(ShapedType)
    fmr = prop_def(IntegerAttr)
    res = var_result_def(TensorType)

    SYNTAX: ClassVar = (
        Attributes(), " fmr(", choice("fmr", _WINOGRAD), ")", InAndOut("input", "output"), ResultTypes()
    )  # fmt: skip


@operation("linalg.winograd_filter_transform")
class WinogradFilterTransformOp(WinogradOp):
    """The filter's transform."""


@operation("linalg.winograd_input_transform")
class WinogradInputTransformOp(WinogradOp):
    """The input's transform."""


@operation("linalg.winograd_output_transform")
class WinogradOutputTransformOp(WinogradOp):
    """The output's inverse transform."""
