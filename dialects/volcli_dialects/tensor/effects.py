"""Which elements of their tensors operations need, one by one."""

from __future__ import annotations

from xdsl.dialects.tensor import DimOp, ExtractOp

from volcli.questions import tensor_reads
from volcli_dialects.shared.memory import READ, Accesses, element
from volcli_dialects.tensor.ops import RankOp


@tensor_reads.case(ExtractOp)
def extract_tensor_reads(op: ExtractOp) -> Accesses:
    """The element `S[indices]`."""
    return [element(READ, op.tensor, op.indices)]


@tensor_reads.case(DimOp, RankOp)
def size_tensor_reads(op: DimOp | RankOp) -> Accesses:
    """A size is no element."""
    return ()
