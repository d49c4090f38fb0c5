"""tensor.parallel_insert_slice: what scf.forall.in_parallel writes into the loop's shared tensors."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, IndexType, i64
from xdsl.dialects.utils.dynamic_index_list import DynamicIndexList
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    operand_def,
    prop_def,
    var_operand_def,
)

from volcli_dialects.syntax.redeclared import operation


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
