"""vector operations that move elements within registers: other shapes, other orders, parts, lists."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.utils.hints import isa

from volcli.limits import dialects as limits
from volcli_dialects.syntax.pieces import Attributes, OperandList, Type
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.written import Operand, ReadParts, WrittenOperation


@operation("vector.transpose", "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)")
class TransposeOp(IRDLOperation):
    """`vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>`."""

    vector = operand_def(VectorType)
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)


@operation("vector.shape_cast", "$source attr-dict `:` type($source) `to` type($result)")
class ShapeCastOp(IRDLOperation):
    """The elements in row-major order in another shape: `vector<2x4xf32> to vector<8xf32>`."""

    source = operand_def(VectorType)
    result = result_def(VectorType)


@operation("vector.type_cast", "$memref attr-dict `:` type($memref) `to` type($result)")
class TypeCastOp(IRDLOperation):
    """A buffer as a buffer of one vector: `memref<4x3xf32> to memref<vector<4x3xf32>>`."""

    memref = operand_def(MemRefType)
    result = result_def(MemRefType)


@operation("vector.interleave", "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)")
class InterleaveOp(IRDLOperation):
    """a0 b0 a1 b1 ...: `vector.interleave %a, %b : vector<4xf32> -> vector<8xf32>`."""

    T: ClassVar = VarConstraint("T", base(VectorType))
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(VectorType)


@operation("vector.deinterleave", "$source attr-dict `:` type($source) `->` type($even)")
class DeinterleaveOp(IRDLOperation):
    """The even and the odd elements: `%a, %b = vector.deinterleave %v : vector<8xf32> -> vector<4xf32>`."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    source = operand_def(VectorType)
    even = result_def(T)
    odd = result_def(T)


@operation("vector.vscale", "attr-dict")
class VectorScaleOp(IRDLOperation):
    """`%n = vector.vscale`: what the sizes in brackets, as in vector<[4]xf32>, are multiplied by."""

    res = result_def(IndexType())


@operation("vector.step", "attr-dict `:` type($result)")
class StepOp(IRDLOperation):
    """0, 1, 2, ...: `vector.step : vector<[4]xindex>`."""

    result = result_def(VectorType)


@operation("vector.extract_strided_slice", "$vector attr-dict `:` type($vector) `to` type($result)")
class ExtractStridedSliceOp(IRDLOperation):
    """`vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : ...`."""

    vector = operand_def(VectorType)
    offsets = prop_def(ArrayAttr)
    sizes = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)


@operation("vector.insert_strided_slice")
class InsertStridedSliceOp(IRDLOperation):
    """`vector.insert_strided_slice %v, %w {offsets = [0, 1], strides = [1]} : vector<4xf32> into ...`."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    value_to_store = operand_def(VectorType)
    dest = operand_def(T)
    offsets = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)
    result = result_def(T)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest)"


@operation("vector.scalable.extract", "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)")
class ScalableExtractOp(IRDLOperation):
    """`vector.scalable.extract %v[4] : vector<4xf32> from vector<[4]xf32>`."""

    source = operand_def(VectorType)
    pos = prop_def(IntegerAttr[I64])
    result = result_def(VectorType)


@operation("vector.scalable.insert")
class ScalableInsertOp(IRDLOperation):
    """`vector.scalable.insert %v, %w[4] : vector<4xf32> into vector<[4]xf32>`."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    value_to_store = operand_def(VectorType)
    dest = operand_def(T)
    pos = prop_def(IntegerAttr[I64])
    result = result_def(T)

    assembly_format = (
        "$value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) `into` type($dest)"
    )


class _Elements(Type):
    """The type of a vector, whose `elements` are operands or results; limited, for each is a value."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        position = parser.pos
        super().read(parser, found)
        ((name, (kind, *_)),) = found.types.items()
        if not isa(kind, VectorType[Attribute]):
            parser.raise_error("expected a vector", position, parser.pos)
        elements = found.operands.get("elements")
        if elements is None and kind.element_count() > limits.VECTOR_ELEMENTS:
            parser.raise_error(f"expected at most {limits.VECTOR_ELEMENTS} elements", position, parser.pos)
        count = kind.element_count() if elements is None else len(elements)
        found.types = {name: [kind], "elements": [kind.element_type] * count}


@operation("vector.to_elements")
class ToElementsOp(WrittenOperation):
    """`%x:4 = vector.to_elements %v : vector<4xf32>`: all elements, in row-major order."""

    source = operand_def(VectorType)
    elements = var_result_def()

    SYNTAX: ClassVar = (" ", Operand("source"), Attributes(), " : ", _Elements("source"))


@operation("vector.from_elements")
class FromElementsOp(WrittenOperation):
    """`vector.from_elements %x, %y : vector<2xf32>`."""

    elements = var_operand_def()
    dest = result_def(VectorType)

    SYNTAX: ClassVar = (" ", OperandList("elements", optional=True), Attributes(), " : ", _Elements("dest"))
