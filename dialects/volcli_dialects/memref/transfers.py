"""memref operations that start, await or announce transfers of data: DMA and prefetches.

mlir-opt reads no attributes in the custom syntax of dma_start and prefetch: with some, they are printed in
generic form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from volcli_dialects.syntax.pieces import PREFETCH, SQUARE, NoAttributes, OperandList, Type
from volcli_dialects.syntax.syntax import print_attributes
from volcli_dialects.syntax.written import Operand, WrittenOperation


def _parse_element(parser: Parser) -> tuple[UnresolvedOperand, Sequence[SSAValue]]:
    """`%m[%i, %j]`."""
    buffer = parser.parse_unresolved_operand()
    return buffer, parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
    )


def _parse_indices(parser: Parser) -> Sequence[SSAValue]:
    """`, %i, %j`, as many as there are."""
    operands: list[SSAValue] = []
    while parser.parse_optional_punctuation(","):
        operands.append(parser.parse_operand(IndexType()))
    return operands


def _print_elements(printer: Printer, operands: Sequence[SSAValue]) -> list[Attribute]:
    """`%m[%i, %j], %n, %tag[%k]`: each buffer takes as many indices as its rank; gives their types."""
    types = list[Attribute]()
    rest = list(operands)
    while rest:
        value = rest.pop(0)
        printer.print_string(", " if len(rest) + 1 < len(operands) else " ")
        printer.print_ssa_value(value)
        if isa(value.type, MemRefType[Attribute]):
            types.append(value.type)
            rank = value.type.get_num_dims()
            with printer.in_square_brackets():
                printer.print_list(rest[:rank], printer.print_ssa_value)
            rest = rest[rank:]
    return types


@irdl_op_definition
class DmaStartOp(IRDLOperation):
    """Start a transfer of elements from one memory to another; `tag` is notified of its end.

    `memref.dma_start %a[%i], %b[%j], %count, %tag[%k], %stride, %per_stride : memref<40xf32>, memref<16xf32,
    2>, memref<1xi32>`. The operands stand in the order of the text: source, indices, destination, indices,
    the number of elements, tag, indices, and, for a strided source, the stride and the elements per stride.
    """

    name = "memref.dma_start"

    all_operands = var_operand_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        source, source_indices = _parse_element(parser)
        parser.parse_punctuation(",")
        dest, dest_indices = _parse_element(parser)
        parser.parse_punctuation(",")
        count = parser.parse_operand(IndexType())
        parser.parse_punctuation(",")
        tag, tag_indices = _parse_element(parser)
        stride = _parse_indices(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        buffers = parser.resolve_operands([source, dest, tag], types, position)
        operands = [buffers[0], *source_indices, buffers[1], *dest_indices, count]
        operands += [buffers[2], *tag_indices, *stride]
        return cls.create(operands=operands, attributes=attributes)

    def print(self, printer: Printer) -> None:
        types = _print_elements(printer, self.operands)
        printer.print_string(" : ")
        printer.print_list(types, printer.print_attribute)


@irdl_op_definition
class DmaWaitOp(IRDLOperation):
    """`memref.dma_wait %tag[%k], %count : memref<1xi32>`: await the end of a transfer."""

    name = "memref.dma_wait"

    tag = operand_def(MemRefType)
    tag_indices_and_count = var_operand_def(IndexType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        tag, indices = _parse_element(parser)
        parser.parse_punctuation(",")
        count = parser.parse_operand(IndexType())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        buffer = parser.resolve_operand(tag, parser.parse_type())
        return cls.create(operands=[buffer, *indices, count], attributes=attributes)

    def print(self, printer: Printer) -> None:
        types = _print_elements(printer, self.operands)
        print_attributes(printer, self.attributes)
        printer.print_string(" : ")
        printer.print_list(types, printer.print_attribute)


@irdl_op_definition
class PrefetchOp(WrittenOperation):
    """`memref.prefetch %m[%i, %j], write, locality<3>, data : memref<4x4xf32>`: an element is needed soon."""

    name = "memref.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr, prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    SYNTAX: ClassVar = (
        " ", Operand("memref"), OperandList("indices", IndexType(), SQUARE), *PREFETCH, NoAttributes(), " : ",
        Type("memref"),
    )  # fmt: skip
