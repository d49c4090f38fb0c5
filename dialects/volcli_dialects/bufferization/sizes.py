"""The sizes of what bufferization makes and converts."""

from __future__ import annotations

from volcli.language.memory import Allocation
from volcli.language.questions import allocation, result_sizes
from volcli_dialects.bufferization.ops import (
    AllocTensorOp,
    CloneOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
from volcli_dialects.cases.sizes import dims, like, shape

# A copy is as large as what it is of.
allocation.case(AllocTensorOp)(lambda op: Allocation(tuple(op.dynamic_sizes)))
# Those of the tensor that is copied, or the operands where the type says none.
result_sizes.case(AllocTensorOp)(
    lambda op: [dims(op.copy) if op.copy is not None else shape(op.tensor.type, op.dynamic_sizes)]
)
# Those of the operand.
result_sizes.case(ToTensorOp, ToBufferOp, CloneOp)(lambda op: [like(op.operands[0], op.results[0])])
# Those of the destination.
result_sizes.case(MaterializeInDestinationOp)(lambda op: [like(op.dest, result) for result in op.results])
