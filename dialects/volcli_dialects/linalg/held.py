"""Operands that are tensors or memory: what they hold, and where a result goes."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView
from volcli.execution.numbers.values import Tensor


def held(op: Operation, machine: Machine, operand: Any) -> Tensor:
    """OPERAND of OP, or what that memory holds."""
    return operand.read(op, machine.watch) if isinstance(operand, MemoryView) else operand


def given(op: Operation, machine: Machine, target: Any, found: Tensor) -> Tensor | None:
    """FOUND as the result, or in the memory TARGET."""
    if not isinstance(target, MemoryView):
        return found
    target.write(op, found, machine.watch)
    return None
