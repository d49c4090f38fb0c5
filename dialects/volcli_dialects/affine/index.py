"""The operations of affine that compute index values: apply, min, max, and positions in a basis."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import AffineMapAttr, BoolAttr, DenseArrayBase, IndexType, UnitAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from volcli_dialects.affine.syntax import parse_map, parse_map_operands, print_applied
from volcli_dialects.syntax.index_lists import parse_index_list, print_index_list
from volcli_dialects.syntax.region_syntax import print_attributes
from volcli_dialects.syntax.syntax import SEGMENT_SIZES, segment_sizes


class MapOp(IRDLOperation, ABC):
    """A function of a map's results: `affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]`."""

    arguments = var_operand_def(IndexType)
    result = result_def(IndexType)
    map = prop_def(AffineMapAttr)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        map_ = parse_map(parser)
        operands = parse_map_operands(parser, map_.data, dims_optional=cls is not ApplyOp)
        return cls.create(
            operands=operands,
            result_types=(IndexType(),),
            properties={"map": map_},
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_applied(printer, self.map, self.operands)
        print_attributes(printer, self.attributes)


@irdl_op_definition
class ApplyOp(MapOp):
    """The map's only result: `affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]`."""

    name = "affine.apply"


@irdl_op_definition
class MinOp(MapOp):
    """The smallest of the map's results: `affine.min affine_map<(d0)[s0] -> (d0, s0 + 1)>(%i)[%n]`."""

    name = "affine.min"


@irdl_op_definition
class MaxOp(MapOp):
    """The largest of the map's results: `affine.max affine_map<(d0)[s0] -> (d0, s0 + 1)>(%i)[%n]`."""

    name = "affine.max"


@irdl_op_definition
class DelinearizeIndexOp(IRDLOperation):
    """`%r:3 = affine.delinearize_index %x into (4, %n, 3) : index, index, index`.

    The digits of x: x floordiv 3n, x floordiv 3 mod n, x mod 3. The outermost element of the basis is a
    promise on x only, and may be missing.
    """

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType)
    dynamic_basis = var_operand_def(IndexType)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        index = parser.parse_operand(IndexType())
        parser.parse_keyword("into")
        operands, static = parse_index_list(parser)
        attributes = parser.parse_optional_attr_dict()
        types: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation(":"):
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.create(
            operands=(index, *operands),
            result_types=types,
            properties={"static_basis": static},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.linear_index)
        printer.print_string(" into ")
        print_index_list(printer, self.dynamic_basis, self.static_basis)
        print_attributes(printer, self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.results, lambda result: printer.print_attribute(result.type))


@irdl_op_definition
class LinearizeIndexOp(IRDLOperation):
    """`%x = affine.linearize_index disjoint [%a, %b, %c] by (4, %n, 3) : index`: x = a 3n + b 3 + c.

    `disjoint` promises that the digits lie inside the basis. Its outermost element has no other meaning, and
    may be missing.
    """

    name = "affine.linearize_index"

    multi_index = var_operand_def(IndexType)
    dynamic_basis = var_operand_def(IndexType)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    # In generic form mlir-opt says `disjoint = false` for what is absent in custom form.
    disjoint = opt_prop_def(base(UnitAttr) | base(BoolAttr))
    linear_index = result_def(IndexType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    @property
    def is_disjoint(self) -> bool:
        """Whether the digits are promised to lie inside the basis."""
        return self.disjoint is not None and self.disjoint != BoolAttr.from_bool(False)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("disjoint"):
            properties["disjoint"] = UnitAttr()
        digits = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        parser.parse_keyword("by")
        basis, properties["static_basis"] = parse_index_list(parser)
        properties[SEGMENT_SIZES] = segment_sizes(len(digits), len(basis))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(
            operands=(*digits, *basis),
            result_types=(parser.parse_type(),),
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" disjoint " if self.is_disjoint else " ")
        with printer.in_square_brackets():
            printer.print_list(self.multi_index, printer.print_ssa_value)
        printer.print_string(" by ")
        print_index_list(printer, self.dynamic_basis, self.static_basis)
        print_attributes(printer, self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.linear_index.type)
