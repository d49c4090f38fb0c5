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
    irdl_op_definition,
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
from volcli_dialects.syntax.written import Operand, ReadParts, WrittenOperation


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """`vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>`."""

    name = "vector.transpose"

    vector = operand_def(VectorType)
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    assembly_format = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """The elements in row-major order in another shape: `vector<2x4xf32> to vector<8xf32>`."""

    name = "vector.shape_cast"

    source = operand_def(VectorType)
    result = result_def(VectorType)

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"


@irdl_op_definition
class TypeCastOp(IRDLOperation):
    """A buffer as a buffer of one vector: `memref<4x3xf32> to memref<vector<4x3xf32>>`."""

    name = "vector.type_cast"

    memref = operand_def(MemRefType)
    result = result_def(MemRefType)

    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """a0 b0 a1 b1 ...: `vector.interleave %a, %b : vector<4xf32> -> vector<8xf32>`."""

    name = "vector.interleave"

    T: ClassVar = VarConstraint("T", base(VectorType))
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(VectorType)

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"


@irdl_op_definition
class DeinterleaveOp(IRDLOperation):
    """The even and the odd elements: `%a, %b = vector.deinterleave %v : vector<8xf32> -> vector<4xf32>`."""

    name = "vector.deinterleave"

    T: ClassVar = VarConstraint("T", AnyAttr())
    source = operand_def(VectorType)
    even = result_def(T)
    odd = result_def(T)

    assembly_format = "$source attr-dict `:` type($source) `->` type($even)"


@irdl_op_definition
class VectorScaleOp(IRDLOperation):
    """`%n = vector.vscale`: what the sizes in brackets, as in vector<[4]xf32>, are multiplied by."""

    name = "vector.vscale"

    res = result_def(IndexType())

    assembly_format = "attr-dict"


@irdl_op_definition
class StepOp(IRDLOperation):
    """0, 1, 2, ...: `vector.step : vector<[4]xindex>`."""

    name = "vector.step"

    result = result_def(VectorType)

    assembly_format = "attr-dict `:` type($result)"


@irdl_op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """`vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : ...`."""

    name = "vector.extract_strided_slice"

    vector = operand_def(VectorType)
    offsets = prop_def(ArrayAttr)
    sizes = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$vector attr-dict `:` type($vector) `to` type($result)"


@irdl_op_definition
class InsertStridedSliceOp(IRDLOperation):
    """`vector.insert_strided_slice %v, %w {offsets = [0, 1], strides = [1]} : vector<4xf32> into ...`."""

    name = "vector.insert_strided_slice"

    T: ClassVar = VarConstraint("T", AnyAttr())
    value_to_store = operand_def(VectorType)
    dest = operand_def(T)
    offsets = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)
    result = result_def(T)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest)"


@irdl_op_definition
class ScalableExtractOp(IRDLOperation):
    """`vector.scalable.extract %v[4] : vector<4xf32> from vector<[4]xf32>`."""

    name = "vector.scalable.extract"

    source = operand_def(VectorType)
    pos = prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    assembly_format = "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)"


@irdl_op_definition
class ScalableInsertOp(IRDLOperation):
    """`vector.scalable.insert %v, %w[4] : vector<4xf32> into vector<[4]xf32>`."""

    name = "vector.scalable.insert"

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


@irdl_op_definition
class ToElementsOp(WrittenOperation):
    """`%x:4 = vector.to_elements %v : vector<4xf32>`: all elements, in row-major order."""

    name = "vector.to_elements"

    source = operand_def(VectorType)
    elements = var_result_def()

    SYNTAX: ClassVar = (" ", Operand("source"), Attributes(), " : ", _Elements("source"))


@irdl_op_definition
class FromElementsOp(WrittenOperation):
    """`vector.from_elements %x, %y : vector<2xf32>`."""

    name = "vector.from_elements"

    elements = var_operand_def()
    dest = result_def(VectorType)

    SYNTAX: ClassVar = (" ", OperandList("elements", optional=True), Attributes(), " : ", _Elements("dest"))
