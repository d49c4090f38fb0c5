"""The slices of tensors that operations read and write."""

from __future__ import annotations

from xdsl.dialects.tensor import ExtractSliceOp, InsertSliceOp

from volcli.language.questions import StridedSlice, slice_of
from volcli_dialects.cases.slices import strided_slice
from volcli_dialects.tensor.parallel_slices import ParallelInsertSliceOp


@slice_of.case(ExtractSliceOp)
def extracted(op: ExtractSliceOp) -> StridedSlice:
    """The slice that is read."""
    return strided_slice(op, op.source)


@slice_of.case(InsertSliceOp)
def inserted(op: InsertSliceOp) -> StridedSlice:
    """The slice that is written; the result is the rest of the destination."""
    return strided_slice(op, op.dest, op.result)


@slice_of.case(ParallelInsertSliceOp)
def inserted_in_parallel(op: ParallelInsertSliceOp) -> StridedSlice:
    """The slice that one iteration writes."""
    return strided_slice(op, op.dest)
