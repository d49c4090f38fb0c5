"""memref operations that start, await or announce transfers of data: DMA and prefetches.

mlir-opt reads no attributes in the custom syntax of dma_start and prefetch: with some, they are printed in
generic form.
"""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, prop_def, var_operand_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from volcli_dialects.syntax.pieces import SQUARE, Attributes, NoAttributes, OperandList, Type
from volcli_dialects.syntax.properties import PREFETCH
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.written import Operand, ReadParts, SyntaxPiece, WrittenOperation


class _Elements(SyntaxPiece):
    """`%m[%i, %j], %n, %tag[%k]`: buffers with their indices, and index values, as ARE_BUFFERS says.

    With MORE, any number of index values follows.
    """

    def __init__(self, *are_buffers: bool, more: bool = False) -> None:
        self._are_buffers = are_buffers
        self._more = more

    def read(self, parser: Parser, found: ReadParts) -> None:
        operands: list[Any] = []
        for k, is_buffer in enumerate(self._are_buffers):
            if k:
                parser.parse_punctuation(",")
            operands.append(parser.parse_unresolved_operand() if is_buffer else _index(parser))
            if is_buffer:
                operands += parser.parse_comma_separated_list(SQUARE, lambda: _index(parser))
        while self._more and parser.parse_optional_punctuation(","):
            operands.append(_index(parser))
        found.operands["operands"] = operands

    def write(self, printer: Printer, op: Any) -> None:
        rest = list(op.operands)
        while rest:
            value = rest.pop(0)
            printer.print_string(", " if len(rest) + 1 < len(op.operands) else " ")
            printer.print_ssa_value(value)
            if isa(value.type, MemRefType[Attribute]):
                rank = value.type.get_num_dims()
                with printer.in_square_brackets():
                    printer.print_list(rest[:rank], printer.print_ssa_value)
                rest = rest[rank:]


def _index(parser: Parser) -> SSAValue:
    return parser.parse_operand(IndexType())


class _BufferTypes(SyntaxPiece):
    """The types of the buffers."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        operands: list[Any] = [*found.operands["operands"]]
        places = [k for k, each in enumerate(operands) if isinstance(each, UnresolvedOperand)]
        buffers = parser.resolve_operands([operands[k] for k in places], types, found.start)
        for k, buffer in zip(places, buffers, strict=True):
            operands[k] = buffer
        found.operands["operands"] = operands

    def write(self, printer: Printer, op: Any) -> None:
        types = [value.type for value in op.operands if isa(value.type, MemRefType[Attribute])]
        printer.print_list(types, printer.print_attribute)


@operation("memref.dma_start")
class DmaStartOp(WrittenOperation):
    """Start a transfer of elements from one memory to another; `tag` is notified of its end.

    `memref.dma_start %a[%i], %b[%j], %count, %tag[%k], %stride, %per_stride : memref<40xf32>, memref<16xf32,
    2>, memref<1xi32>`. The operands stand in the order of the text: source, indices, destination, indices,
    the number of elements, tag, indices, and, for a strided source, the stride and the elements per stride.
    """

    all_operands = var_operand_def()

    SYNTAX: ClassVar = (
        _Elements(True, True, False, True, more=True), NoAttributes(), " : ", _BufferTypes(),
    )  # fmt: skip


@operation("memref.dma_wait")
class DmaWaitOp(WrittenOperation):
    """`memref.dma_wait %tag[%k], %count : memref<1xi32>`: await the end of a transfer."""

    tag = operand_def(MemRefType)
    tag_indices_and_count = var_operand_def(IndexType)

    SYNTAX: ClassVar = (_Elements(True, False), Attributes(), " : ", _BufferTypes())


@operation("memref.prefetch")
class PrefetchOp(WrittenOperation):
    """`memref.prefetch %m[%i, %j], write, locality<3>, data : memref<4x4xf32>`: an element is needed soon."""

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr, prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    SYNTAX: ClassVar = (
        " ", Operand("memref"), OperandList("indices", IndexType(), SQUARE), *PREFETCH, NoAttributes(), " : ",
        Type("memref"),
    )  # fmt: skip
