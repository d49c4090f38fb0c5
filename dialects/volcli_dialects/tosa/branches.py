"""tosa.cond_if, as LLVM 22 writes it: with inputs, which both of its regions take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    operand_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli.language.questions import choices, passed
from volcli_dialects.cases.elements.branches import by_truth, chooses
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import parse_assignments, print_assignments
from volcli_dialects.syntax.syntax import parse_result_types, print_attributes, print_result_types


@operation("tosa.cond_if")
class IfOp(IRDLOperation):
    """`%r = tosa.cond_if %c (%x = %a) : tensor<i1> (tensor<4xf32>) -> tensor<4xf32> { .. } else { .. }`.

    The names of the inputs are those of the first region's arguments, which its label declares.
    """

    condition = operand_def()
    inputs = var_operand_def()
    outputs = var_result_def()
    then_region = region_def()
    else_region = region_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        condition = parser.parse_unresolved_operand()
        _, inputs = parse_assignments(parser)
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        kinds = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type) or []
        results = parse_result_types(parser)
        operands = parser.resolve_operands([condition, *inputs], [kind, *kinds], position)
        then_region = parser.parse_region()
        parser.parse_keyword("else")
        else_region = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=operands,
            result_types=results,
            regions=[then_region, else_region],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
        block = self.then_region.first_block
        arguments = () if block is None else block.args
        has_inputs = len(arguments) == len(self.inputs) > 0
        if has_inputs:
            printer.print_string(" ")
            print_assignments(printer, arguments, self.inputs)
        printer.print_string(" : ")
        printer.print_attribute(self.condition.type)
        if has_inputs:
            printer.print_string(" ")
            with printer.in_parens():
                printer.print_list(self.inputs.types, printer.print_attribute)
        print_result_types(printer, self.outputs)
        printer.print_string(" ")
        printer.print_region(self.then_region)
        printer.print_string(" else ")
        printer.print_region(self.else_region)
        print_attributes(printer, self.attributes)


@passed.case(IfOp)
def inputs(op: IfOp) -> Sequence[Sequence[SSAValue]]:
    """Both regions get the inputs."""
    return [op.inputs, op.inputs]


# What the first region yields where the condition is true, else what the second one does.
choices.case(IfOp)(lambda op: by_truth(op, op.condition))


chooses(IfOp)
