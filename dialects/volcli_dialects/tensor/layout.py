"""What the attributes of tensor operations say, as index expressions: slices, shapes, reassociations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.tensor import ExtractSliceOp, InsertSliceOp
from xdsl.ir import Attribute

from volcli.language.expressions import Expression, constant
from volcli.language.slices import Slice
from volcli_dialects.cases.sizes import dims, kept_dims, mixed, shape
from volcli_dialects.tensor.ops import ParallelInsertSliceOp

__all__ = ["dims", "kept_dims", "mixed", "row_major", "shape", "slice_of"]


def slice_of(op: ExtractSliceOp | InsertSliceOp | ParallelInsertSliceOp, reduced: Attribute) -> Slice:
    """The slice of the larger tensor that has the (possibly rank-reduced) type REDUCED."""
    assert isinstance(reduced, TensorType)
    kept = kept_dims(mixed(op.static_sizes, op.sizes), reduced.get_shape())
    return Slice(mixed(op.static_offsets, op.offsets), mixed(op.static_strides, op.strides), kept)


def row_major(indices: Sequence[Expression], sizes: Sequence[Expression]) -> Expression:
    """`((i0 * s1 + i1) * s2 + i2) ...`: the position in row-major order; indices of size 1 are dropped."""
    result = constant(0)
    for index, size in zip(indices, sizes, strict=True):
        result = result * size + (constant(0) if size == constant(1) else index)
    return result
