"""The slices of buffers that views are of."""

from __future__ import annotations

from xdsl.dialects import memref

from volcli.language.questions import slice_of
from volcli_dialects.cases.slices import strided_slice

# The slice of the source that the view is of.
slice_of.case(memref.SubviewOp)(lambda op: strided_slice(op, op.source))
