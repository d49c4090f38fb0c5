"""memref.global: buffers that live as long as the program, with or without initial values."""

from __future__ import annotations

from typing import Any, Self

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, TypedAttribute
from xdsl.irdl import opt_prop_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from volcli.frontend.parse.constants.carried import CarryingParser
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.syntax import print_attributes


@operation("memref.global")
class GlobalOp(Redeclared, memref.GlobalOp):
    """`memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}`.

    `initial_value` is a unit for `= uninitialized`, and absent for a buffer that is defined elsewhere.
    """

    sym_name = prop_def(StringAttr)
    sym_visibility = opt_prop_def(StringAttr)
    type = prop_def(MemRefType)
    initial_value = opt_prop_def()
    constant = opt_prop_def(UnitAttr)
    alignment = opt_prop_def(IntegerAttr)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        if (visibility := parser.parse_optional_str_literal()) is not None:
            properties["sym_visibility"] = StringAttr(visibility)
        if parser.parse_optional_keyword("constant"):
            properties["constant"] = UnitAttr()
        properties["sym_name"] = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        position = parser.pos
        kind = properties["type"] = parser.parse_type()
        if not isa(kind, MemRefType[Attribute]):
            parser.raise_error("expected the type of a buffer", position, parser.pos)
        if parser.parse_optional_punctuation("="):
            properties["initial_value"] = _parse_initial_value(parser, kind)
        attributes = parser.parse_optional_attr_dict()
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        if self.sym_visibility is not None:
            printer.print_string(" ")
            printer.print_attribute(self.sym_visibility)
        printer.print_string(" constant " if self.constant is not None else " ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        value = self.initial_value
        if isinstance(value, UnitAttr):
            printer.print_string(" = uninitialized")
        elif isinstance(value, TypedAttribute):
            printer.print_string(" = ")
            value.print_without_type(printer)
        aligned = {} if self.alignment is None else {"alignment": self.alignment}
        print_attributes(printer, {**self.attributes, **aligned})


def _parse_initial_value(parser: Parser, kind: MemRefType[Attribute]) -> Attribute:
    """`uninitialized`, or the elements, whose type is that of the buffer as a tensor."""
    if parser.parse_optional_keyword("uninitialized"):
        return UnitAttr()
    elements: Any = TensorType(kind.element_type, kind.shape)
    if parser.parse_optional_keyword("dense"):
        return parser.parse_dense_int_or_fp_elements_attr(elements)
    assert isinstance(parser, CarryingParser)
    sparse = parser.parse_optional_sparse(elements)
    return parser.parse_resource(elements) if sparse is None else sparse


@operation("memref.get_global", "$name `:` type($memref) attr-dict")
class GetGlobalOp(Redeclared, memref.GetGlobalOp):
    """`%m = memref.get_global @c : memref<2xf32>`."""

    name_ = prop_def(SymbolRefAttr, prop_name="name")
    memref = result_def(MemRefType)
