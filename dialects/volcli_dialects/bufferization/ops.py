"""The operations of bufferization."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects import bufferization
from xdsl.dialects.builtin import IndexType, UnitAttr, i1
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.op_types import ANY_MEMREF, ANY_TENSOR
from volcli_dialects.syntax.redeclared import Redeclared
from volcli_dialects.syntax.syntax import SEGMENT_SIZES, print_attributes, segment_sizes


@irdl_op_definition
class ToTensorOp(Redeclared, bufferization.ToTensorOp):
    """`bufferization.to_tensor %m restrict writable : memref<4xf32, 3> to tensor<4xf32>`."""

    memref = operand_def(ANY_MEMREF)
    tensor = result_def(ANY_TENSOR)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    assembly_format = (
        "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict "
        "`:` type($memref) `to` type($tensor)"
    )


@irdl_op_definition
class ToBufferOp(Redeclared, bufferization.ToBufferOp):
    """`bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?]>>`."""

    tensor = operand_def(ANY_TENSOR)
    memref = result_def(ANY_MEMREF)
    read_only = opt_prop_def(UnitAttr)

    assembly_format = "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($memref)"


@irdl_op_definition
class CloneOp(Redeclared, bufferization.CloneOp):
    """A buffer with the same elements: `bufferization.clone %m : memref<4xf32> to memref<?xf32>`."""

    input = operand_def(ANY_MEMREF)
    output = result_def(ANY_MEMREF)

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"


@irdl_op_definition
class AllocTensorOp(Redeclared, bufferization.AllocTensorOp):
    """A tensor to be written: `bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<?xf32>`."""

    T: ClassVar = VarConstraint("T", ANY_TENSOR)

    dynamic_sizes = var_operand_def(IndexType)
    copy = opt_operand_def(T)
    size_hint = opt_operand_def(IndexType)
    memory_space = opt_prop_def()
    tensor = result_def(T)

    # Beside those of xDSL's class.
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "`` `(` $dynamic_sizes `)` (`copy` `` `(` $copy^ `)`)? (`size_hint` `` `=` `` $size_hint^)? "
        "attr-dict `:` type($tensor)"
    )


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """`bufferization.dealloc_tensor %t : tensor<4xf32>`."""

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(ANY_TENSOR)

    assembly_format = "$tensor attr-dict `:` type($tensor)"


@irdl_op_definition
class MaterializeInDestinationOp(Redeclared, bufferization.MaterializeInDestinationOp):
    """The source's elements are written to the destination, a tensor or a buffer.

    `bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>)
    -> ()`.
    """

    source = operand_def(ANY_TENSOR)
    dest = operand_def(ANY_TENSOR | ANY_MEMREF)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)
    result = opt_result_def()

    assembly_format = (
        "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict "
        "`:` functional-type(operands, results)"
    )


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """Free buffers that are owned and not retained; gives, for each retained one, who owns it from now on.

    `%own = bufferization.dealloc (%m : memref<4xf32>) if (%owned) retain (%r : memref<4xf32>)`.
    """

    name = "bufferization.dealloc"

    memrefs = var_operand_def(ANY_MEMREF)
    conditions = var_operand_def(i1)
    retained = var_operand_def(ANY_MEMREF)
    updated_conditions = var_result_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        memrefs: Sequence[SSAValue] = ()
        conditions: Sequence[SSAValue] = ()
        retained: Sequence[SSAValue] = ()
        if parser.parse_optional_punctuation("("):
            memrefs = _parse_buffers(parser)
            parser.parse_keyword("if")
            conditions = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parser.parse_operand(i1)
            )
        if parser.parse_optional_keyword("retain"):
            parser.parse_punctuation("(")
            retained = _parse_buffers(parser)
        sizes = segment_sizes(len(memrefs), len(conditions), len(retained))
        return cls.create(
            operands=[*memrefs, *conditions, *retained],
            result_types=[i1] * len(retained),
            properties={SEGMENT_SIZES: sizes},
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        if self.memrefs:
            _print_buffers(printer, self.memrefs)
            printer.print_string(" if ")
            with printer.in_parens():
                printer.print_list(self.conditions, printer.print_ssa_value)
        if self.retained:
            printer.print_string(" retain")
            _print_buffers(printer, self.retained)
        print_attributes(printer, self.attributes)


def _parse_buffers(parser: Parser) -> Sequence[SSAValue]:
    """`%a, %b : type, type)`."""
    position = parser.pos
    unresolved = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return parser.resolve_operands(unresolved, types, position)


def _print_buffers(printer: Printer, buffers: Sequence[SSAValue]) -> None:
    """` (%a, %b : type, type)`."""
    printer.print_string(" ")
    with printer.in_parens():
        printer.print_list(buffers, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(buffers, lambda buffer: printer.print_attribute(buffer.type))
