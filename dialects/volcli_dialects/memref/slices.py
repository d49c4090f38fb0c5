"""The slices of buffers that views are of."""

from __future__ import annotations

from xdsl.dialects import memref

from volcli.language.questions import StridedSlice, slice_of
from volcli_dialects.cases.slices import strided_slice


@slice_of.case(memref.SubviewOp)
def viewed(op: memref.SubviewOp) -> StridedSlice:
    """The slice of the source that the view is of."""
    return strided_slice(op, op.source)
