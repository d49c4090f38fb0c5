"""The bufferization dialect: between tensors, whose values never change, and buffers, whose elements do."""

from __future__ import annotations

from xdsl.dialects import bufferization
from xdsl.ir import Dialect, Operation

from volcli_dialects.bufferization import memory as bufferization_memory
from volcli_dialects.bufferization import problems as bufferization_problems
from volcli_dialects.bufferization import sizes as bufferization_sizes
from volcli_dialects.bufferization.ops import (
    AllocTensorOp,
    CloneOp,
    DeallocOp,
    DeallocTensorOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
from volcli_dialects.cases.memory.memory import with_stated_effects

__all__ = ["bufferization_memory", "bufferization_problems", "bufferization_sizes", "dialect"]


def dialect() -> Dialect:
    """xDSL's bufferization dialect with the operations and the syntax that it lacks."""
    ours: list[type[Operation]] = [
        AllocTensorOp,
        ToTensorOp,
        ToBufferOp,
        CloneOp,
        DeallocTensorOp,
        MaterializeInDestinationOp,
        DeallocOp,
    ]
    operations = {op.name: op for op in (*bufferization.Bufferization.operations, *ours)}
    return with_stated_effects(
        Dialect("bufferization", list(operations.values()), [*bufferization.Bufferization.attributes])
    )
