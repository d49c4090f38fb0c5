"""The branches of scf, and what ends its regions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from xdsl.dialects.builtin import DenseArrayBase, IndexType, UnitAttr, i1, i64
from xdsl.ir import Attribute, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.syntax.region_syntax import parse_body, print_attributes, print_body, print_types
from volcli_dialects.syntax.syntax import parse_result_types


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The results of a region: `scf.yield %0, %1 : f32, i32`; left out where there are none."""

    name = "scf.yield"

    arguments = var_operand_def()

    traits = traits_def(IsTerminator())

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"


@irdl_op_definition
class IfOp(IRDLOperation):
    """One of two regions: `%r = scf.if %c -> (f32) { scf.yield %a : f32 } else { scf.yield %b : f32 }`.

    Without `else`, `else_region` has no block.
    """

    name = "scf.if"

    condition = operand_def(i1)
    res = var_result_def()
    then_region = region_def("single_block")
    else_region = region_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parser.parse_operand(i1)
        types = parse_result_types(parser)
        then_region = parse_body(parser, YieldOp)
        has_else = parser.parse_optional_keyword("else") is not None
        else_region = parse_body(parser, YieldOp) if has_else else Region()
        return cls.create(
            operands=(condition,),
            result_types=types,
            regions=(then_region, else_region),
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
        print_types(printer, self.results, parenthesized=True)
        print_body(printer, self.then_region, explicit=bool(self.results))
        if self.else_region.blocks:
            printer.print_string(" else")
            print_body(printer, self.else_region, explicit=bool(self.results))
        print_attributes(printer, self.attributes)


@irdl_op_definition
class IndexSwitchOp(IRDLOperation):
    """One of several regions: `scf.index_switch %i case 2 { ... } default { ... }`.

    `cases` has the values of `case_regions`, in order.
    """

    name = "scf.index_switch"

    index = operand_def(IndexType)
    cases = prop_def(DenseArrayBase.constr(i64))
    res = var_result_def()
    default_region = region_def("single_block")
    case_regions = var_region_def("single_block")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        index = parser.parse_operand(IndexType())
        attributes = parser.parse_optional_attr_dict()
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->"):
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        cases: list[int] = []
        regions: list[Region] = []
        while parser.parse_optional_keyword("case"):
            cases.append(parser.parse_integer(allow_boolean=False))
            regions.append(parse_body(parser, YieldOp))
        parser.parse_keyword("default")
        return cls.create(
            operands=(index,),
            result_types=types,
            properties={"cases": DenseArrayBase.from_list(i64, cases)},
            attributes=attributes,
            regions=(parse_body(parser, YieldOp), *regions),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.index)
        print_attributes(printer, self.attributes)
        if self.results:
            printer.print_string(" -> ")
            printer.print_list(self.results, lambda result: printer.print_attribute(result.type))
        for case, region in zip(self.cases.get_values(), self.case_regions, strict=True):
            printer.print_string(f"\ncase {case}")
            print_body(printer, region, explicit=True)
        printer.print_string("\ndefault")
        print_body(printer, self.default_region, explicit=bool(self.results))


@irdl_op_definition
class ExecuteRegionOp(IRDLOperation):
    """A region of any blocks, run once: `%r = scf.execute_region -> i32 no_inline { ... }`."""

    name = "scf.execute_region"

    no_inline = opt_prop_def(UnitAttr)
    res = var_result_def()
    region = region_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        types = parse_result_types(parser)
        no_inline = parser.parse_optional_keyword("no_inline") is not None
        properties: Mapping[str, Attribute] = {"no_inline": UnitAttr()} if no_inline else {}
        region = parser.parse_region()
        return cls.create(
            result_types=types,
            regions=(region,),
            properties=dict(properties),
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        print_types(printer, self.results)
        if self.no_inline is not None:
            printer.print_string(" no_inline")
        print_body(printer, self.region, explicit=True)
        print_attributes(printer, self.attributes)
