"""The loops of scf whose steps follow each other or reduce: for, while, parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import IndexType, UnitAttr, i1
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.scf.branches import YieldOp
from volcli_dialects.syntax.region_syntax import (
    parse_argument,
    parse_assignments,
    parse_body,
    parse_carried,
    parse_operands,
    print_assignments,
    print_attributes,
    print_body,
    print_carried,
    print_types,
    print_values,
)
from volcli_dialects.syntax.syntax import SEGMENT_SIZES, parse_result_types, segment_sizes


@irdl_op_definition
class ForOp(IRDLOperation):
    """`scf.for %i = %lb to %ub step %s iter_args(%sum = %zero) -> (f32) { ... }`, with lb <= i < ub.

    The body's arguments are the induction variable and the carried values. With `unsigned` the bounds are
    compared as unsigned numbers; bounds of another type than index have it after: `: i32`.
    """

    name = "scf.for"

    lower_bound = operand_def()
    upper_bound = operand_def()
    step = operand_def()
    inits = var_operand_def()
    unsigned = opt_prop_def(UnitAttr, prop_name="unsignedCmp")
    res = var_result_def()
    body = region_def("single_block")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        is_unsigned = parser.parse_optional_keyword("unsigned") is not None
        variable = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        bounds = [parser.parse_unresolved_operand()]
        for keyword in ("to", "step"):
            parser.parse_keyword(keyword)
            bounds.append(parser.parse_unresolved_operand())
        arguments, inits, types = parse_carried(parser, "iter_args")
        bound_type = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
        operands = [parser.resolve_operand(bound, bound_type) for bound in bounds]
        body = parse_body(parser, YieldOp, (variable.resolve(bound_type), *arguments))
        properties: Mapping[str, Attribute] = {"unsignedCmp": UnitAttr()} if is_unsigned else {}
        return cls.create(
            operands=(*operands, *inits),
            result_types=types,
            properties=dict(properties),
            attributes=parser.parse_optional_attr_dict(),
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        variable, *carried = self.body.block.args
        printer.print_string(" unsigned " if self.unsigned is not None else " ")
        printer.print_ssa_value(variable)
        for text, bound in ((" = ", self.lower_bound), (" to ", self.upper_bound), (" step ", self.step)):
            printer.print_string(text)
            printer.print_ssa_value(bound)
        print_carried(printer, "iter_args", carried, self.inits)
        if not isinstance(variable.type, IndexType):
            printer.print_string(" : ")
            printer.print_attribute(variable.type)
        print_body(printer, self.body, explicit=bool(self.inits))
        print_attributes(printer, self.attributes)


@irdl_op_definition
class WhileOp(IRDLOperation):
    """`%r = scf.while (%a = %x) : (f32) -> i32 { ... scf.condition(%c) %b : i32 } do { ... }`.

    `before` computes whether `after` runs; scf.condition gives after's arguments, or at last the results.
    """

    name = "scf.while"

    inits = var_operand_def()
    res = var_result_def()
    before = region_def("single_block")
    after = region_def("single_block")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        arguments, operands = parse_assignments(parser)
        parser.parse_punctuation(":")
        position = parser.pos
        kind = parser.parse_function_type()
        inits = parser.resolve_operands(operands, kind.inputs.data, position)
        resolved = [a.resolve(t) for a, t in zip(arguments, kind.inputs.data, strict=True)]
        before = parser.parse_region(resolved)
        parser.parse_keyword("do")
        after = parser.parse_region()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return cls.create(
            operands=inits,
            result_types=kind.outputs.data,
            regions=(before, after),
            attributes={} if attributes is None else dict(attributes.data),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        if self.inits:
            print_assignments(printer, self.before.block.args, self.inits)
            printer.print_string(" ")
        printer.print_string(": ")
        printer.print_operation_type(self)
        print_body(printer, self.before, explicit=True)
        printer.print_string(" do ")
        printer.print_region(self.after, print_empty_block=False)
        printer.print_op_attributes(dict(sorted(self.attributes.items())), print_keyword=True)


@irdl_op_definition
class ConditionOp(IRDLOperation):
    """The end of the first region of scf.while: `scf.condition(%c) %a, %b : f32, i32`."""

    name = "scf.condition"

    condition = operand_def(i1)
    arguments = var_operand_def()

    traits = traits_def(IsTerminator())

    assembly_format = "`(` $condition `)` attr-dict ($arguments^ `:` type($arguments))?"


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """The end of scf.parallel: `scf.reduce(%x : f32) { ^bb0(%l: f32, %r: f32): ... }`, a region a value."""

    name = "scf.reduce"

    arguments = var_operand_def()
    reductions = var_region_def()

    traits = traits_def(IsTerminator())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands: Sequence[SSAValue] = ()
        if parser.parse_optional_punctuation("("):
            unresolved = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, parser.parse_unresolved_operand
            )
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            parser.parse_punctuation(")")
            operands = parser.resolve_operands(unresolved, types, position)
        # Not a declared format: a brace after no operands begins attributes, not a region.
        regions: Sequence[Region] = ()
        if operands:
            regions = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_region)
        return cls.create(operands=operands, regions=regions, attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        if self.attributes and not self.operands:
            raise ValueError("mlir-opt would read the attributes as a region")
        if self.operands:
            with printer.in_parens():
                printer.print_list(self.operands, printer.print_ssa_value)
                printer.print_string(" : ")
                printer.print_list(self.operands, lambda operand: printer.print_attribute(operand.type))
            printer.print_string(" ")
        printer.print_list(self.regions, printer.print_region)
        print_attributes(printer, self.attributes)


@irdl_op_definition
class ReduceReturnOp(IRDLOperation):
    """The end of a reduction of scf.reduce: `scf.reduce.return %sum : f32`."""

    name = "scf.reduce.return"

    result = operand_def()

    traits = traits_def(IsTerminator())

    assembly_format = "$result attr-dict `:` type($result)"


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """`scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%e, %f) init (%zero) -> f32 { ... }`.

    The points of the loops may run in any order; scf.reduce at the end combines their values.
    """

    name = "scf.parallel"

    lower_bounds = var_operand_def(IndexType)
    upper_bounds = var_operand_def(IndexType)
    steps = var_operand_def(IndexType)
    inits = var_operand_def()
    res = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        index = IndexType()
        variables = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_argument(parser, index)
        )
        parser.parse_punctuation("=")
        groups = [parse_operands(parser, index)]
        for keyword in ("to", "step"):
            parser.parse_keyword(keyword)
            groups.append(parse_operands(parser, index))
        position = parser.pos
        inits: Sequence[UnresolvedOperand] = ()
        if parser.parse_optional_keyword("init"):
            inits = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        types = parse_result_types(parser)
        groups.append(parser.resolve_operands(inits, types, position))
        body = parse_body(parser, ReduceOp, variables)
        return cls.create(
            operands=[operand for group in groups for operand in group],
            result_types=types,
            properties={SEGMENT_SIZES: segment_sizes(*map(len, groups))},
            attributes=parser.parse_optional_attr_dict(),
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_values(printer, self.body.block.args)
        for text, values in (
            (" = ", self.lower_bounds),
            (" to ", self.upper_bounds),
            (" step ", self.steps),
            (" init ", self.inits),
        ):
            if values or text != " init ":
                printer.print_string(text)
                print_values(printer, values)
        print_types(printer, self.results)
        print_body(printer, self.body, explicit=bool(self.results))
        print_attributes(printer, self.attributes)
