"""The tensor operations that xDSL lacks, or reads and prints otherwise than mlir-opt."""

from __future__ import annotations

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DenseArrayBase, IndexType, TensorType, UnitAttr, i64
from xdsl.dialects.utils.dynamic_index_list import DynamicIndexList
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    var_operand_def,
)

from volcli_dialects.syntax.op_types import ANY_TENSOR
from volcli_dialects.syntax.redeclared import Redeclared, operation


@operation("tensor.generate", "$dynamic_extents $body attr-dict `:` type($result)")
class GenerateOp(IRDLOperation):
    """`%r = tensor.generate %n { ^bb0(%i: index): ... tensor.yield %x } : tensor<?xf32>`."""

    dynamic_extents = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(TensorType)


@operation("tensor.rank", "$tensor attr-dict `:` type($tensor)")
class RankOp(IRDLOperation):
    """`%r = tensor.rank %t : tensor<*xf32>`: the number of dimensions."""

    tensor = operand_def(ANY_TENSOR)
    result = result_def(IndexType)


@operation("tensor.reshape", "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)")
class ReshapeOp(IRDLOperation):
    """`%r = tensor.reshape %t(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>`.

    Not xDSL's class, which reads and prints attributes in front of the operands.
    """

    source = operand_def(ANY_TENSOR)
    shape = operand_def(TensorType)
    result = result_def(ANY_TENSOR)


@operation("tensor.empty", "`` `(` $dynamic_sizes `)` attr-dict `:` type($tensor)")
class EmptyOp(Redeclared, tensor.EmptyOp):
    """`%t = tensor.empty(%n) {a = 1} : tensor<?x4xf32>`: elements without values."""

    dynamic_sizes = var_operand_def(IndexType)
    tensor = result_def(TensorType)


@operation("tensor.yield", "$arguments attr-dict `:` type($arguments)")
class YieldOp(Redeclared, tensor.YieldOp):
    """`tensor.yield %x {a = 1} : f32`: the value of an element, in a body."""

    arguments = operand_def()


@operation("tensor.bitcast", "$source attr-dict `:` type($source) `to` type($dest)")
class BitcastOp(IRDLOperation):
    """The bits of each element as another type: `tensor.bitcast %t : tensor<4xi32> to tensor<4xui32>`."""

    source = operand_def(ANY_TENSOR)
    dest = result_def(ANY_TENSOR)


@operation("tensor.gather")
class GatherOp(IRDLOperation):
    """Slices of the source at the coordinates that `indices` holds: r[i, ...] = s[..., indices[i, k], ...].

    `tensor.gather %s[%i] gather_dims([0, 2]) unique : (tensor<4x5x6xf32>, tensor<7x2xindex>) ->
    tensor<7x1x5x1xf32>`; `unique` promises that no coordinate occurs twice.
    """

    source = operand_def(TensorType)
    indices = operand_def(TensorType)
    gather_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    assembly_format = (
        "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? attr-dict "
        "`:` functional-type(operands, results)"
    )


@operation("tensor.scatter")
class ScatterOp(IRDLOperation):
    """The inverse of tensor.gather: the destination, with slices at the given coordinates overwritten.

    `tensor.scatter %s into %d[%i] scatter_dims([0, 2]) unique : (tensor<7x1x5x1xf32>, tensor<4x5x6xf32>,
    tensor<7x2xindex>) -> tensor<4x5x6xf32>`.
    """

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    indices = operand_def(TensorType)
    scatter_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    assembly_format = (
        "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` (`unique` $unique^)? "
        "attr-dict `:` functional-type(operands, results)"
    )


@operation("tensor.parallel_insert_slice")
class ParallelInsertSliceOp(IRDLOperation):
    """`tensor.parallel_insert_slice %t into %o[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<?x4xf32>`.

    Like tensor.insert_slice, with the loop's result in the place of a result of its own.
    """

    source = operand_def()
    dest = operand_def()
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (DynamicIndexList,)

    assembly_format = (
        "$source `into` $dest ``"
        "custom<DynamicIndexList>($offsets, $static_offsets)"
        "custom<DynamicIndexList>($sizes, $static_sizes)"
        "custom<DynamicIndexList>($strides, $static_strides)"
        "attr-dict `:` type($source) `into` type($dest)"
    )
