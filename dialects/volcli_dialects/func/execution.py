"""How calls execute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from volcli.execution.code.code import call
from volcli.execution.memory.machine import Machine
from volcli.execution.outcomes import OpaqueEvent, Stopped
from volcli.execution.table import Perform, executions, on_vectors_in_memory, performs
from volcli_dialects.func.ops import CallIndirectOp, CallOp, ConstantOp

on_vectors_in_memory.case(CallOp, CallIndirectOp)(lambda op: True)


@executions.case(CallOp)
def direct_call(op: CallOp) -> Perform:
    """The results of the function's body."""
    function = SymbolTable.lookup_symbol(op, op.callee)

    def perform(machine: Machine, *arguments: Any) -> Any:
        return _called(machine, op, function, op.callee.string_value(), arguments)

    return perform


@performs(CallIndirectOp)
def indirect_call(op: CallIndirectOp, machine: Machine, function: Operation | None, *arguments: Any) -> Any:
    """The results of the function that the first operand is."""
    return _called(machine, op, function, "callee", arguments)


def _called(
    machine: Machine, op: Operation, function: Operation | None, name: str, arguments: Sequence[Any]
) -> Any:
    if function is None or not function.regions or not function.regions[0].blocks:
        text = f"@{name} is external: nothing states what it does"
        raise OpaqueEvent(op, text, arguments, machine.reached(arguments))
    try:
        results = call(machine, function, arguments)
    except Stopped as stopped:
        stopped.inside(op, f"call of @{name}")
        raise
    return results[0] if len(op.results) == 1 else results


@performs(ConstantOp)
def constant(op: ConstantOp, machine: Machine) -> Operation | None:
    """The function itself."""
    return SymbolTable.lookup_symbol(op, op.value)
