"""memref operations that make another view of a buffer, or say something of it; no element is touched."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import memref
from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, IndexType, IntegerAttr, MemRefType, i64
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser

from volcli_dialects.syntax.op_types import ANY_MEMREF
from volcli_dialects.syntax.pieces import Attributes, OperandList, Property, Type, Types
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.written import Operand, WrittenOperation


@operation("memref.cast", "$source attr-dict `:` type($source) `to` type($dest)")
class CastOp(Redeclared, memref.CastOp):
    """The same elements under a type that knows more or less: `memref<4xf32> to memref<?xf32>`."""

    source = operand_def(ANY_MEMREF)
    dest = result_def(ANY_MEMREF)


@operation("memref.memory_space_cast", "$source attr-dict `:` type($source) `to` type($dest)")
class MemorySpaceCastOp(Redeclared, memref.MemorySpaceCastOp):
    """The same elements, addressed in another memory space: `memref<4xf32, 1> to memref<4xf32>`."""

    source = operand_def(ANY_MEMREF)
    dest = result_def(ANY_MEMREF)


@operation("memref.dim", "attr-dict $source `,` $index `:` type($source)")
class DimOp(Redeclared, memref.DimOp):
    """`%n = memref.dim %m, %c0 : memref<?xf32>`: the size of one dimension."""

    source = operand_def(ANY_MEMREF)
    index = operand_def(IndexType)
    result = result_def(IndexType)


@operation("memref.rank", "$source attr-dict `:` type($source)")
class RankOp(Redeclared, memref.RankOp):
    """`%r = memref.rank %m : memref<*xf32>`: the number of dimensions."""

    source = operand_def(ANY_MEMREF)
    rank = result_def(IndexType)


@operation("memref.reinterpret_cast")
class ReinterpretCastOp(Redeclared, memref.ReinterpretCastOp):
    """Element i of the result is element `offset + sum of i_d * stride_d` of the underlying buffer.

    `memref.reinterpret_cast %m to offset: [%o], sizes: [4], strides: [2] : memref<*xf32> to memref<4xf32,
    strided<[2], offset: ?>>`.
    """

    source = operand_def(ANY_MEMREF)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))
    result = result_def(MemRefType)
    assembly_format = (
        "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets)"
        "`` `,` `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes)"
        "`` `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `to` type($result)"
    )


@operation("memref.reshape", "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)")
class ReshapeOp(IRDLOperation):
    """The same elements in row-major order; the sizes are the elements of `shape`.

    `memref.reshape %m(%shape) : (memref<4xf32>, memref<2xindex>) -> memref<?x?xf32>`.
    """

    source = operand_def(ANY_MEMREF)
    shape = operand_def(MemRefType)
    result = result_def(ANY_MEMREF)


def _parse_permutation(parser: Parser) -> AffineMapAttr:
    """`(i, j) -> (j, i)`."""
    dims = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier)
    parser.parse_punctuation("->")
    position = parser.pos
    order = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier)
    if sorted(order) != sorted(dims):
        parser.raise_error("expected a permutation of the dimensions", position, parser.pos)
    results = tuple(AffineDimExpr(dims.index(name)) for name in order)
    return AffineMapAttr(AffineMap(len(dims), 0, results))


_PERMUTATION = Property("permutation", _parse_permutation, lambda map_: str(map_.data))


@operation("memref.transpose")
class TransposeOp(WrittenOperation):
    """Dimension d of the result is dimension `permutation(d)` of the source.

    `memref.transpose %m (i, j) -> (j, i) : memref<3x?xf32> to memref<?x3xf32, strided<[1, ?]>>`.
    """

    source = operand_def(MemRefType)
    permutation = prop_def(AffineMapAttr)
    result = result_def(MemRefType)

    SYNTAX: ClassVar = (
        " ", Operand("source"), " ", _PERMUTATION, Attributes(), " : ", Type("source"), " to ", Type("result")
    )  # fmt: skip


@operation("memref.realloc")
class ReallocOp(IRDLOperation):
    """The elements in a buffer of another size: `memref.realloc %m(%n) : memref<4xf32> to memref<?xf32>`."""

    source = operand_def(MemRefType)
    dynamic_result_size = opt_operand_def(IndexType)
    alignment = opt_prop_def(IntegerAttr)
    result = result_def(MemRefType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$source (`(` $dynamic_result_size^ `)`)? attr-dict `:` type($source) `to` type($result)"
    )


@operation("memref.extract_aligned_pointer_as_index")
class ExtractAlignedPointerAsIndexOp(Redeclared, memref.ExtractAlignedPointerAsIndexOp):
    """`memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index`: the buffer's address."""

    source = operand_def(ANY_MEMREF)
    aligned_pointer = result_def(IndexType)
    assembly_format = "$source `:` type($source) `->` type($aligned_pointer) attr-dict"


@operation("memref.distinct_objects")
class DistinctObjectsOp(WrittenOperation):
    """The operands, of which it is known that no two share memory."""

    memrefs = var_operand_def(MemRefType)
    distinct = var_result_def(MemRefType)

    def misfit(self) -> str | None:
        """Each result is one of the operands."""
        fits = self.operand_types == self.result_types
        return None if fits else "operand types and result types must match"

    SYNTAX: ClassVar = (" ", OperandList(), Attributes(), " : ", Types("operands", "results"))
