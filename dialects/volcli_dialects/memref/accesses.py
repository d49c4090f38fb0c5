"""memref operations that read or write elements, one at a time or as a transfer, and stack allocations.

mlir-opt reads no attributes in the custom syntax of dma_start and prefetch: with some, they are printed in
generic form.
"""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    AnyFloatConstr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    SignlessIntegerConstraint,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from volcli_dialects.syntax.op_types import ANY_MEMREF
from volcli_dialects.syntax.pieces import SQUARE, Attributes, NoAttributes, OperandList, ResultTypes, Type
from volcli_dialects.syntax.properties import ATOMIC_KINDS, PREFETCH, numbered
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.region_syntax import BodyRegion
from volcli_dialects.syntax.written import Operand, ReadParts, SyntaxPiece, WrittenOperation


@operation("memref.load", "$memref `[` $indices `]` attr-dict `:` type($memref)")
class LoadOp(Redeclared, memref.LoadOp):
    """`%x = memref.load %m[%i, %j] {nontemporal = true} : memref<4x4xf32>`."""

    T: ClassVar = VarConstraint("T", AnyAttr())

    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr)
    res = result_def(T)


@operation("memref.store", "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)")
class StoreOp(Redeclared, memref.StoreOp):
    """`memref.store %x, %m[%i, %j] {alignment = 16 : i64} : memref<4x4xf32>`."""

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr)


@operation("memref.copy", "$source `,` $destination attr-dict `:` type($source) `to` type($destination)")
class CopyOp(Redeclared, memref.CopyOp):
    """`memref.copy %a, %b : memref<4xf32> to memref<?xf32>`: b[i] = a[i] for all i."""

    source = operand_def(ANY_MEMREF)
    destination = operand_def(ANY_MEMREF)


@operation("memref.atomic_rmw")
class AtomicRMWOp(WrittenOperation, Redeclared, memref.AtomicRMWOp):
    """`%old = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<10xf32>) -> f32`."""

    value = operand_def()
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    kind = prop_def(IntegerAttr)
    result = result_def(SignlessIntegerConstraint | AnyFloatConstr)

    SYNTAX: ClassVar = (
        " ", numbered("kind", ATOMIC_KINDS), " ", Operand("value"), ", ", Operand("memref"),
        OperandList("indices", IndexType(), SQUARE), Attributes(),
        " : (", Type("value"), ", ", Type("memref"), ") -> ", Type("result"),
    )  # fmt: skip


@operation("memref.generic_atomic_rmw", "$memref `[` $indices `]` `:` type($memref) $body attr-dict")
class GenericAtomicRMWOp(IRDLOperation):
    """Replaces one element, atomically, by what the body yields for it.

    `%old = memref.generic_atomic_rmw %m[%i] : memref<10xf32> { ^bb0(%current: f32): ...
    memref.atomic_yield %next : f32 }`.
    """

    T: ClassVar = VarConstraint("T", AnyAttr())

    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(T)


@operation("memref.atomic_yield", "$result attr-dict `:` type($result)")
class AtomicYieldOp(IRDLOperation):
    """`memref.atomic_yield %next : f32`: what memref.generic_atomic_rmw writes."""

    result = operand_def()
    traits = traits_def(IsTerminator())


@operation("memref.alloca_scope.return", "attr-dict ($ops^ `:` type($ops))?")
class AllocaScopeReturnOp(Redeclared, memref.AllocaScopeReturnOp):
    """`memref.alloca_scope.return %x : f32`."""

    ops = var_operand_def()


@operation("memref.alloca_scope")
class AllocaScopeOp(WrittenOperation, Redeclared, memref.AllocaScopeOp):
    """What the body allocates on the stack is free after it: `memref.alloca_scope { ... }`."""

    res = var_result_def()
    scope = region_def("single_block")

    SYNTAX: ClassVar = (
        ResultTypes(),
        BodyRegion("scope", AllocaScopeReturnOp, lambda _: False),
        Attributes(),
    )


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
