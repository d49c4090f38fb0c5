"""The sizes of what bufferization makes and converts."""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.language.memory import Allocation
from volcli.language.questions import (
    Sizes,
    allocation,
    result_sizes,
)
from volcli_dialects.bufferization.ops import (
    AllocTensorOp,
    CloneOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
from volcli_dialects.cases.sizes import dims, like, shape


@allocation.case(AllocTensorOp)
def allocated_tensor(op: AllocTensorOp) -> Allocation:
    """A copy is as large as what it is of."""
    return Allocation(tuple(op.dynamic_sizes))


@result_sizes.case(AllocTensorOp)
def allocated_sizes(op: AllocTensorOp) -> list[Sizes]:
    """Those of the tensor that is copied, or the operands where the type says none."""
    return [dims(op.copy) if op.copy is not None else shape(op.tensor.type, op.dynamic_sizes)]


@result_sizes.case(ToTensorOp, ToBufferOp, CloneOp)
def converted_sizes(op: Operation) -> list[Sizes]:
    """Those of the operand."""
    return [like(op.operands[0], op.results[0])]


@result_sizes.case(MaterializeInDestinationOp)
def materialized_sizes(op: MaterializeInDestinationOp) -> list[Sizes]:
    """Those of the destination."""
    return [like(op.dest, result) for result in op.results]
