"""The end of memory."""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.execution.memory.memory import MemoryView
from volcli.execution.outcomes import Defect, Undefined


def free(op: Operation, view: MemoryView) -> None:
    """End the memory of VIEW. Raises Undefined if it has ended, or memref.alloc has not made it, or not as
    a whole."""
    allocation = view.allocation
    if allocation.freed is not None:
        raise Undefined(op, Defect.LIFETIME, "memory is freed twice")
    if not allocation.is_heap:
        raise Undefined(op, Defect.LIFETIME, "memory is freed that memref.alloc has not made")
    if allocation.made is not None and view.offset:
        text = f"a part of memory is freed, which begins at its element {view.offset}"
        raise Undefined(op, Defect.LIFETIME, text)
    allocation.freed = op
