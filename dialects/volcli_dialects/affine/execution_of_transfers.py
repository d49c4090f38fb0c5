"""How affine.dma_start and affine.dma_wait execute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap

from volcli.execution.elements.operands import function_of, numbers
from volcli.execution.memory import dma
from volcli.execution.memory.machine import Machine
from volcli.execution.table import Perform, executions
from volcli_dialects.affine.memory import DmaStartOp, DmaWaitOp


@executions.case(DmaStartOp)
def dma_start(op: DmaStartOp) -> Perform:
    """Elements from one memory to another, until they are awaited."""
    ends = _ends(op)

    def perform(machine: Machine, *operands: Any) -> None:
        rest = list(operands)
        source, target, tag = (end(rest) for end in ends)
        count, *pieces = numbers(op, rest, "the number of elements")
        dma.start(op, machine, source, target, tag, count, pieces)

    return perform


@executions.case(DmaWaitOp)
def dma_wait(op: DmaWaitOp) -> Perform:
    """The elements of a transfer are there."""
    (end,) = _ends(op)

    def perform(machine: Machine, *operands: Any) -> None:
        rest = list(operands)
        dma.wait(op, machine, end(rest), *numbers(op, rest, "the number of elements"))

    return perform


def _ends(op: DmaStartOp | DmaWaitOp) -> list[Callable[[list[Any]], dma.TransferPlace]]:
    """Of each memref of OP, what takes it and its subscripts from the operands before others."""

    def end(kind: Attribute, affine_map: AffineMap) -> Callable[[list[Any]], dma.TransferPlace]:
        function = function_of(op, affine_map)
        last = 1 + affine_map.num_dims + affine_map.num_symbols

        def taken(rest: list[Any]) -> dma.TransferPlace:
            view, *subscripts = rest[:last]
            del rest[:last]
            return dma.TransferPlace(view, function(numbers(op, subscripts, "an index")), kind)

        return taken

    return [end(memory.type, map_.data) for memory, map_, _ in op.places()]
