"""linalg.winograd_*: the transforms of the filter, the input and the output of a Winograd convolution.

F(m x m, r x r) computes m x m outputs of a convolution with an r x r filter as the product of
transformed tiles.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import (
    IntegerAttr,
    ShapedType,
    TensorType,
    i32,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.linalg.relayout import parse_in_and_out
from volcli_dialects.syntax.syntax import (
    parse_result_types,
    print_attributes,
    print_operand_group,
    print_result_types,
)

# The Winograd algorithm F(m x m, r x r) by its name in the text -> its number in the `fmr` property.
_WINOGRAD: Mapping[str, int] = {"F_2_3": 0, "F_4_3": 1, "F_2_5": 2}


class WinogradOp(IRDLOperation, ABC):
    """One of the three transforms of the Winograd convolution algorithm F(m x m, r x r).

    Syntax: `linalg.winograd_filter_transform fmr(F_4_3) ins(...) outs(...) -> type`.
    """

    input = operand_def(ShapedType)
    output = operand_def(ShapedType)
    fmr = prop_def(IntegerAttr)
    res = var_result_def(TensorType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_keyword("fmr")
        with parser.in_parens():
            position = parser.pos
            name = parser.parse_identifier()
            if name not in _WINOGRAD:
                parser.raise_error(f"expected one of: {', '.join(_WINOGRAD)}", position, parser.pos)
        return cls.create(
            operands=parse_in_and_out(parser),
            result_types=parse_result_types(parser),
            properties={"fmr": IntegerAttr(_WINOGRAD[name], i32)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        names = {number: name for name, number in _WINOGRAD.items()}
        print_attributes(printer, self.attributes)
        printer.print_string(f" fmr({names[self.fmr.value.data]})")
        print_operand_group(printer, "ins", [self.input])
        print_operand_group(printer, "outs", [self.output])
        print_result_types(printer, self.res)


@irdl_op_definition
class WinogradFilterTransformOp(WinogradOp):
    """The filter's transform."""

    name = "linalg.winograd_filter_transform"


@irdl_op_definition
class WinogradInputTransformOp(WinogradOp):
    """The input's transform."""

    name = "linalg.winograd_input_transform"


@irdl_op_definition
class WinogradOutputTransformOp(WinogradOp):
    """The output's inverse transform."""

    name = "linalg.winograd_output_transform"


WINOGRAD_OPS: Sequence[type[IRDLOperation]] = (
    WinogradFilterTransformOp,
    WinogradInputTransformOp,
    WinogradOutputTransformOp,
)
