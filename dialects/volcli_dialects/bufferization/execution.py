"""How the operations between tensors and memory execute."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType

from volcli.execution.elements.elementwise import number
from volcli.execution.elements.operands import Split, numbers
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import AllocatedMemory, MemoryView, whole
from volcli.execution.memory.views import check_sizes
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor, unset_tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, executions, performs
from volcli_dialects.bufferization import ops


def _memory(machine: Machine, op: Any, source: Tensor, kind: Any, *, is_constant: bool = False) -> MemoryView:
    """New memory that holds SOURCE row by row."""
    if not isinstance(kind, MemRefType):
        raise Unsupported(op, f"memory of the type {kind} is not executed")
    check_sizes(op, kind, source.shape, "a memref")
    machine.takes(op, source.data.size, source.data.dtype)
    data = np.array(source.data).reshape(-1)
    states = np.array(source.known_states()).reshape(-1)
    return whole(AllocatedMemory(op, data, states, is_heap=True, is_constant=is_constant), source.shape)


@executions.case(ops.ToBufferOp)
def to_buffer(op: ops.ToBufferOp) -> Perform:
    """Memory that holds the tensor; which is written only if it may be, and is not shared then."""
    is_constant = op.read_only is not None
    return lambda machine, source: _memory(machine, op, source, op.memref.type, is_constant=is_constant)


@executions.case(ops.AllocTensorOp)
def alloc_tensor(op: ops.AllocTensorOp) -> Perform:
    """Elements that nothing has written, or a copy."""
    kind = cast("TensorType[Any]", op.tensor.type)
    split = Split(op.dynamic_sizes, () if op.copy is None else (op.copy,))
    dtype = format_of(kind).dtype

    def perform(machine: Machine, *operands: Any) -> Tensor:
        sizes, copied = split(operands)
        if copied:
            return cast(Tensor, copied[0])
        rest = iter(numbers(op, sizes, "a size"))
        shape = tuple(next(rest) if size == DYNAMIC_INDEX else size for size in kind.get_shape())
        if any(size < 0 for size in shape):
            raise Undefined(op, Defect.CONTRACT, f"a tensor of the sizes {list(shape)}")
        machine.fits(op, math.prod(shape), dtype)
        return unset_tensor(shape, dtype)

    return perform


@performs(ops.MaterializeInDestinationOp)
def materialize_in_destination(
    op: ops.MaterializeInDestinationOp, machine: Machine, source: Tensor, target: Tensor | MemoryView
) -> Any:
    """The source, in the destination's place; into memory it is written."""
    sizes = target.sizes if isinstance(target, MemoryView) else target.shape
    if source.shape != sizes:
        raise Undefined(
            op, Defect.CONTRACT, f"a tensor of {list(source.shape)} in the place of {list(sizes)}"
        )
    if not isinstance(target, MemoryView):
        return source
    target.write(op, source, machine.watch)
    return source if op.results else None


@executions.case(ops.DeallocOp)
def dealloc(op: ops.DeallocOp) -> Perform:
    """End memory where its condition is true, unless a retained memref is in it."""
    split = Split(op.memrefs, op.conditions, op.retained)

    def perform(machine: Machine, *operands: Any) -> Any:
        memrefs, conditions, retained = split(operands)
        truths = [bool(number(op, each, "a condition")) for each in conditions]
        kept = {id(view.allocation) for view in retained}
        for view, owned in zip(memrefs, truths, strict=True):
            allocation = view.allocation
            if owned and id(allocation) not in kept and allocation.freed is not op:
                if allocation.freed is not None:
                    raise Undefined(op, Defect.LIFETIME, "memory is freed twice")
                allocation.freed = op
        owners = {id(view.allocation) for view, owned in zip(memrefs, truths, strict=True) if owned}
        found = [int(id(view.allocation) in owners) for view in retained]
        return found[0] if len(found) == 1 else found

    return perform


# What the memory holds now.
executions.case(ops.ToTensorOp)(lambda op: lambda machine, view: view.read(op, machine.watch))
# Other memory with the same elements.
executions.case(ops.CloneOp)(
    lambda op: lambda machine, view: _memory(machine, op, view.read(op, machine.watch), op.output.type)
)
executions.case(ops.DeallocTensorOp)(lambda op: lambda machine, source: None)  # Nothing that a program sees.
