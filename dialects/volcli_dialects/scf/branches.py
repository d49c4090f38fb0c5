"""The branches of scf, and what ends its regions."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IndexType, UnitAttr, i1, i64
from xdsl.irdl import (
    IRDLOperation,
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

from volcli_dialects.syntax.pieces import Attributes, ResultTypes, Types
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import BodyRegion, otherwise, print_body
from volcli_dialects.syntax.written import Maybe, Operand, ReadParts, SyntaxPiece, WrittenOperation


@operation("scf.yield", "attr-dict ($arguments^ `:` type($arguments))?")
class YieldOp(IRDLOperation):
    """The results of a region: `scf.yield %0, %1 : f32, i32`; left out where there are none."""

    arguments = var_operand_def()

    traits = traits_def(IsTerminator())


@operation("scf.if")
class IfOp(WrittenOperation):
    """One of two regions: `%r = scf.if %c -> (f32) { scf.yield %a : f32 } else { scf.yield %b : f32 }`.

    Without `else`, `else_region` has no block.
    """

    condition = operand_def(i1)
    res = var_result_def()
    then_region = region_def("single_block")
    else_region = region_def()

    SYNTAX: ClassVar = (
        " ", Operand("condition", i1), ResultTypes(parenthesized=True), BodyRegion("then_region", YieldOp),
        otherwise(YieldOp), Attributes(),
    )  # fmt: skip


class _Cases(SyntaxPiece):
    """`case 2 { ... }`, in any number."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        cases = list[int]()
        while parser.parse_optional_keyword("case"):
            cases.append(parser.parse_integer(allow_boolean=False))
            BodyRegion("case_regions", YieldOp).read(parser, found)
        found.properties["cases"] = DenseArrayBase.from_list(i64, cases)

    def write(self, printer: Printer, op: Any) -> None:
        for case, region in zip(op.cases.get_values(), op.case_regions, strict=True):
            printer.print_string(f"\ncase {case}")
            print_body(printer, region, explicit=True)


@operation("scf.index_switch")
class IndexSwitchOp(WrittenOperation):
    """One of several regions: `scf.index_switch %i case 2 { ... } default { ... }`.

    `cases` has the values of `case_regions`, in order.
    """

    index = operand_def(IndexType)
    cases = prop_def(DenseArrayBase.constr(i64))
    res = var_result_def()
    default_region = region_def("single_block")
    case_regions = var_region_def("single_block")

    SYNTAX: ClassVar = (
        " ", Operand("index", IndexType()), Attributes(), Maybe(" -> ", Types("results"), of="results"),
        _Cases(), "\ndefault", BodyRegion("default_region", YieldOp),
    )  # fmt: skip


@operation("scf.execute_region")
class ExecuteRegionOp(WrittenOperation):
    """A region of any blocks, run once: `%r = scf.execute_region -> i32 no_inline { ... }`."""

    no_inline = opt_prop_def(UnitAttr)
    res = var_result_def()
    region = region_def()

    SYNTAX: ClassVar = (
        ResultTypes(), Maybe(" no_inline", of="no_inline"), BodyRegion("region", None, lambda _: True),
        Attributes(),
    )  # fmt: skip
