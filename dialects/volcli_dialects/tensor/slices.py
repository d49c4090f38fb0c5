"""The slices of tensors that operations read and write."""

from __future__ import annotations

from xdsl.dialects.tensor import ExtractSliceOp, InsertSliceOp

from volcli.language.questions import slice_of
from volcli_dialects.cases.sizes import strided_slice
from volcli_dialects.tensor.ops import ParallelInsertSliceOp

slice_of.case(ExtractSliceOp)(lambda op: strided_slice(op, op.source))  # The slice that is read.
# The slice that is written; the result is the rest of the destination.
slice_of.case(InsertSliceOp)(lambda op: strided_slice(op, op.dest, op.result))
# The slice that one iteration writes.
slice_of.case(ParallelInsertSliceOp)(lambda op: strided_slice(op, op.dest))
