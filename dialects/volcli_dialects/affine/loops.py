"""The control flow of affine: loops whose bounds are affine, and conditions that are."""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    IndexType,
    IntegerAttr,
)
from xdsl.ir import Region
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.affine.syntax import (
    parse_bound,
    parse_map_operands,
    print_applied,
    print_bound,
)
from volcli_dialects.syntax.region_syntax import (
    parse_argument,
    parse_body,
    parse_carried,
    print_attributes,
    print_body,
    print_carried,
    print_types,
)
from volcli_dialects.syntax.syntax import SEGMENT_SIZES, parse_result_types, segment_sizes


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The results of a region: `affine.yield %0, %1 : f32, i32`; left out where there are none."""

    name = "affine.yield"

    arguments = var_operand_def()

    traits = traits_def(IsTerminator())

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"


@irdl_op_definition
class ForOp(IRDLOperation):
    """`affine.for %i = max #lower(%j)[%n] to min #upper(%j)[%n] step 2 iter_args(%s = %z) -> (f32) { ... }`.

    The iterations are i = lower, lower + step, ... < upper; lower is the largest of its map's results, upper
    the smallest of its. The body's arguments are i and the carried values.
    """

    name = "affine.for"

    lower_bound_operands = var_operand_def(IndexType)
    upper_bound_operands = var_operand_def(IndexType)
    inits = var_operand_def()
    lower_bound_map = prop_def(AffineMapAttr, prop_name="lowerBoundMap")
    upper_bound_map = prop_def(AffineMapAttr, prop_name="upperBoundMap")
    step = prop_def(IntegerAttr)
    res = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        variable = parse_argument(parser, IndexType())
        parser.parse_punctuation("=")
        lower_map, lower = parse_bound(parser, "max")
        parser.parse_keyword("to")
        upper_map, upper = parse_bound(parser, "min")
        step = 1
        if parser.parse_optional_keyword("step"):
            position = parser.pos
            step = parser.parse_integer(allow_boolean=False)
            if step < 0:
                message = "expected step to be representable as a positive signed integer"
                parser.raise_error(message, position, parser.pos)
        arguments, inits, types = parse_carried(parser, "iter_args")
        body = parse_body(parser, YieldOp, (variable, *arguments))
        return cls.create(
            operands=(*lower, *upper, *inits),
            result_types=types,
            properties={
                "lowerBoundMap": lower_map,
                "upperBoundMap": upper_map,
                "step": IntegerAttr(step, IndexType()),
                SEGMENT_SIZES: segment_sizes(len(lower), len(upper), len(inits)),
            },
            attributes=parser.parse_optional_attr_dict(),
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        variable, *carried = self.body.block.args
        printer.print_string(" ")
        printer.print_ssa_value(variable)
        printer.print_string(" = ")
        print_bound(printer, self.lower_bound_map, self.lower_bound_operands, "max")
        printer.print_string(" to ")
        print_bound(printer, self.upper_bound_map, self.upper_bound_operands, "min")
        if self.step.value.data != 1:
            printer.print_string(f" step {self.step.value.data}")
        print_carried(printer, "iter_args", carried, self.inits)
        print_body(printer, self.body, explicit=bool(self.results))
        print_attributes(printer, self.attributes)


@irdl_op_definition
class IfOp(IRDLOperation):
    """`%r = affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%n] -> f32 { ... } else { ... }`.

    Without `else`, `else_region` has no block.
    """

    name = "affine.if"

    arguments = var_operand_def(IndexType)
    condition = prop_def(AffineSetAttr)
    res = var_result_def()
    then_region = region_def("single_block")
    else_region = region_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error("expected an affine set", position, parser.pos)
        operands = parse_map_operands(parser, condition.data)
        types = parse_result_types(parser)
        then_region = parse_body(parser, YieldOp)
        has_else = parser.parse_optional_keyword("else") is not None
        else_region = parse_body(parser, YieldOp) if has_else else Region()
        return cls.create(
            operands=operands,
            result_types=types,
            properties={"condition": condition},
            attributes=parser.parse_optional_attr_dict(),
            regions=(then_region, else_region),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_applied(printer, self.condition, self.operands)
        print_types(printer, self.results)
        print_body(printer, self.then_region, explicit=bool(self.results))
        if self.else_region.blocks:
            printer.print_string(" else")
            print_body(printer, self.else_region, explicit=bool(self.results))
        print_attributes(printer, self.attributes)
