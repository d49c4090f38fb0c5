"""What the operations of bufferization do to memory, and to tensors that may be memory; sizes."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsolatedFromAbove

from volcli.language.expressions import NotAffine, loops
from volcli.language.memory import Allocation, Effects, MemoryAccess, View, is_memref
from volcli.language.questions import (
    accesses,
    allocation,
    constant_fill,
    copies,
    effects,
    in_place,
    memory_of,
    result_sizes,
    tensor_reads,
    view,
)
from volcli.language.reads import rank_of
from volcli_dialects.bufferization.ops import (
    AllocTensorOp,
    CloneOp,
    DeallocOp,
    DeallocTensorOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
from volcli_dialects.cases.memory.memory import READ, WRITE, Accesses, copied, touch_nothing, whole
from volcli_dialects.cases.memory.memory import sizes_of as sizes_of_value
from volcli_dialects.cases.sizes import dims, like, shape

touch_nothing(DeallocOp)


@effects.case(DeallocOp)
def freed(op: DeallocOp) -> Effects:
    """What it is given, where the function owns it and nothing retains it."""
    owned = (isinstance(c, OpResult) and constant_fill(c.op) in (1, -1) for c in op.conditions)
    is_certain = not op.retained and all(owned)
    return Effects(frees=tuple(op.memrefs), conditional=not is_certain)


@accesses.case(ToTensorOp)
def to_tensor_accesses(op: ToTensorOp) -> Accesses:
    """The elements that the tensor is needed for: of a tensor that is overwritten, none.

    That is known where what uses the tensor runs whenever this operation does. Elsewhere it may be any.
    """
    found: list[MemoryAccess] = []
    is_known = is_ranked = _is_ranked(op.memref)
    for user in dict.fromkeys(use.operation for use in op.tensor.uses):
        needed = _needed(user, op.tensor)
        if needed is None or (needed and user.parent is not op.parent):
            is_known = False
        elif is_ranked:
            found += [replace(access, memref=op.memref, parallel=frozenset()) for access in needed]
    return found if is_known else [*found, whole(READ, op.memref, "it is unknown what of the tensor is used")]


def _needed(user: Operation, tensor: SSAValue) -> list[MemoryAccess] | None:
    """What USER reads of TENSOR; None if that is unknown."""
    try:
        stated = tensor_reads(user)
    except NotAffine:
        return None
    return None if stated is None else [access for access in stated if access.memref is tensor]


def _all_of(tensor: SSAValue) -> MemoryAccess:
    if not isinstance(tensor.type, TensorType):
        raise NotAffine("a tensor without a rank")
    return MemoryAccess(READ, tensor, loops(rank_of(tensor)), tuple(sizes_of_value(tensor)))


def _is_buffer_of_tensor(op: ToBufferOp) -> bool:
    """Whether the tensor came from a buffer: then that is the one."""
    made = op.tensor.owner
    return isinstance(made, ToTensorOp) and _is_ranked(made.memref) and _is_ranked(op.memref)


def _is_ranked(memref: SSAValue) -> bool:
    return isinstance(memref.type, MemRefType)


@view.case(ToBufferOp)
def to_buffer_view(op: ToBufferOp) -> View | None:
    """`V[d] = B[d]` if the tensor came from the buffer B."""
    made = op.tensor.owner
    if not isinstance(made, ToTensorOp) or not _is_buffer_of_tensor(op):
        return None
    return View(made.memref, loops(rank_of(made.memref)))


def _is_older(tensor: SSAValue) -> bool:
    """Whether TENSOR is an argument of a function."""
    if not isinstance(tensor, BlockArgument):
        return False
    parent = tensor.block.parent_op()
    return (
        parent is not None
        and parent.has_trait(IsolatedFromAbove, value_if_unregistered=False)
        and tensor.block.prev_block is None
    )


@accesses.case(ToBufferOp)
def to_buffer_accesses(op: ToBufferOp) -> Accesses:
    """Nothing, if the tensor came from a buffer, or was in one before the function. Else the buffer has the
    tensor's elements: they are written there, unless they are there already.
    """
    if _is_buffer_of_tensor(op) or _is_older(op.tensor):
        return ()
    return [whole(WRITE, op.memref, "a tensor that may be in this buffer already")]


# The memory of the tensor, whichever that is.
effects.case(DeallocTensorOp)(lambda op: Effects(unknown=f"'{op.name}'", ends=(op.tensor,)))
# The tensor is in the buffer; it may be overwritten there if it is writable.
in_place.case(ToTensorOp)(lambda op: () if op.writable is None else (op.memref,))
# What happens to a buffer is said by accesses to it.
in_place.case(ToBufferOp, MaterializeInDestinationOp, DeallocTensorOp)(lambda op: ())
# The buffer is the tensor's: who accesses it says so.
tensor_reads.case(ToBufferOp)(lambda op: () if _is_buffer_of_tensor(op) else [_all_of(op.tensor)])
# Every element of the source; the destination is overwritten.
tensor_reads.case(MaterializeInDestinationOp)(lambda op: [_all_of(op.source)])
tensor_reads.case(DeallocTensorOp)(lambda op: ())
# The tensor, if the buffer that it came from is not known.
memory_of.case(ToBufferOp)(lambda op: None if _is_buffer_of_tensor(op) else op.tensor)
# Every element is copied, unless the clone is the same buffer.
accesses.case(CloneOp)(lambda op: copied(op.input, op.output, "a clone that may be the same buffer"))
copies.case(MaterializeInDestinationOp)(lambda op: True)  # Element by element, from a tensor.
# Every element of a buffer is written.
accesses.case(MaterializeInDestinationOp)(lambda op: [whole(WRITE, op.dest)] if is_memref(op.dest) else ())


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
