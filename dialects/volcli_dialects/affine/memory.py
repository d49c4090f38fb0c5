"""The operations of affine on memory: loads and stores at affine subscripts, prefetches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self, cast

from xdsl.dialects.builtin import AffineMapAttr, BoolAttr, IndexType, IntegerAttr, MemRefType, VectorType, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.affine.syntax import parse_subscripts, print_subscripts
from volcli_dialects.syntax.region_syntax import print_attributes


class _Access(NamedTuple):
    """`%m[%i + 1] {attributes} : memref<8xf32>`: the memref before the operands of the map."""

    operands: Sequence[SSAValue]
    map: AffineMapAttr
    attributes: dict[str, Attribute]
    element_type: Attribute


def _parse_access(parser: Parser) -> _Access:
    memref = parser.parse_unresolved_operand()
    map_, indices = parse_subscripts(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    position = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, MemRefType):
        parser.raise_error("expected a memref type", position, parser.pos)
    memref_type = cast(MemRefType[Any], kind)
    operands = (parser.resolve_operand(memref, memref_type), *indices)
    return _Access(operands, map_, attributes, memref_type.element_type)


def _print_access(
    printer: Printer,
    memref: SSAValue,
    indices: Sequence[SSAValue],
    map_: AffineMapAttr,
    attributes: Mapping[str, Attribute],
) -> None:
    printer.print_ssa_value(memref)
    print_subscripts(printer, map_, indices)
    print_attributes(printer, attributes)
    printer.print_string(" : ")
    printer.print_attribute(memref.type)


@irdl_op_definition
class LoadOp(IRDLOperation):
    """`%x = affine.load %m[%i + symbol(%n), 0] : memref<?x4xf32>`: the element at the map's results."""

    name = "affine.load"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)
    result = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        access = _parse_access(parser)
        return cls.create(
            operands=access.operands,
            result_types=(access.element_type,),
            properties={"map": access.map},
            attributes=access.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        _print_access(printer, self.memref, self.indices, self.map, self.attributes)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """`affine.store %x, %m[%i + symbol(%n), 0] : memref<?x4xf32>`: the element at the map's results."""

    name = "affine.store"

    value = operand_def()
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        access = _parse_access(parser)
        return cls.create(
            operands=(parser.resolve_operand(value, access.element_type), *access.operands),
            properties={"map": access.map},
            attributes=access.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        _print_access(printer, self.memref, self.indices, self.map, self.attributes)


@irdl_op_definition
class VectorLoadOp(IRDLOperation):
    """`%v = affine.vector_load %m[%i, %j] : memref<8x8xf32>, vector<4xf32>`: the elements from there on."""

    name = "affine.vector_load"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)
    result = result_def(VectorType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        access = _parse_access(parser)
        parser.parse_punctuation(",")
        return cls.create(
            operands=access.operands,
            result_types=(parser.parse_type(),),
            properties={"map": access.map},
            attributes=access.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        _print_access(printer, self.memref, self.indices, self.map, self.attributes)
        printer.print_string(", ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class VectorStoreOp(IRDLOperation):
    """`affine.vector_store %v, %m[%i, %j] : memref<8x8xf32>, vector<4xf32>`: the elements from there on."""

    name = "affine.vector_store"

    value = operand_def(VectorType)
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        access = _parse_access(parser)
        parser.parse_punctuation(",")
        return cls.create(
            operands=(parser.resolve_operand(value, parser.parse_type()), *access.operands),
            properties={"map": access.map},
            attributes=access.attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        _print_access(printer, self.memref, self.indices, self.map, self.attributes)
        printer.print_string(", ")
        printer.print_attribute(self.value.type)


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """`affine.prefetch %m[%i, %j + 5], read, locality<3>, data : memref<8x8xf32>`; 3 is the most local."""

    name = "affine.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr, prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")
    map = prop_def(AffineMapAttr)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        memref = parser.parse_unresolved_operand()
        map_, indices = parse_subscripts(parser)
        parser.parse_punctuation(",")
        kind = parser.parse_keyword_in(("read", "write"))
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            locality = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(",")
        cache = parser.parse_keyword_in(("data", "instr"))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.create(
            operands=(parser.resolve_operand(memref, parser.parse_type()), *indices),
            properties={
                "isWrite": BoolAttr.from_bool(kind == "write"),
                "localityHint": IntegerAttr(locality, i32),
                "isDataCache": BoolAttr.from_bool(cache == "data"),
                "map": map_,
            },
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        print_subscripts(printer, self.map, self.indices)
        kind = "write" if self.is_write.value.data else "read"
        cache = "data" if self.is_data_cache.value.data else "instr"
        printer.print_string(f", {kind}, locality<{self.locality_hint.value.data}>, {cache}")
        print_attributes(printer, self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
