"""Which elements of their tensors operations need, one by one."""

from __future__ import annotations

from xdsl.dialects.tensor import DimOp, ExtractOp, InsertOp, InsertSliceOp

from volcli.language.memory import Allocation
from volcli.language.questions import allocation, in_place, tensor_reads, tensor_writes
from volcli_dialects.cases.memory.memory import READ, WRITE, element
from volcli_dialects.tensor.ops import EmptyOp, RankOp


@allocation.case(EmptyOp)
def empty_allocation(op: EmptyOp) -> Allocation:
    return Allocation(
        tuple(op.dynamic_sizes),
        lambda kind, sizes: EmptyOp.create(operands=sizes, result_types=[kind], attributes=op.attributes),
    )


tensor_reads.case(ExtractOp)(lambda op: [element(READ, op.tensor, op.indices)])  # The element `S[indices]`.
tensor_writes.case(InsertOp)(lambda op: [element(WRITE, op.dest, op.indices, op.scalar)])
in_place.case(ExtractOp, DimOp, RankOp)(lambda op: ())  # They make no tensor.
# The destination is overwritten, the source is not.
in_place.case(InsertOp, InsertSliceOp)(lambda op: (op.dest,))
tensor_reads.case(DimOp, RankOp)(lambda op: ())  # A size is not an element.
