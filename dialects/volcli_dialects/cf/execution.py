"""How branches between blocks execute, and assertions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import cf

from volcli.execution.elements.elementwise import number
from volcli.execution.elements.operands import Split
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Jump, Perform, branches, executions, performs
from volcli_dialects.cf import ConditionalBranchOp


@performs(cf.AssertOp)
def assertion(op: cf.AssertOp, machine: Machine, holds: Any) -> None:
    """Undefined if the operand is false."""
    if not number(op, holds, "an assertion"):
        raise Undefined(op, Defect.CONTRACT, f"assertion failed: {op.msg.data}")


@branches.case(ConditionalBranchOp)
def conditional_branch(op: ConditionalBranchOp) -> Jump:
    """To the first successor if the condition is true."""
    split = Split(op.then_arguments, op.else_arguments)

    def jump(condition: Any, *values: Any) -> tuple[int, Sequence[Any]]:
        successor = 0 if number(op, condition, "the condition") else 1
        return successor, split(values)[successor]

    return jump


@branches.case(cf.SwitchOp)
def switch(op: cf.SwitchOp) -> Jump:
    """To the successor of the number that the flag is; the first one is for all others."""
    cases = [] if op.case_values is None else [int(value) for value in op.case_values.get_values()]
    wrap = format_of(op.flag.type).wrap()
    split = Split(op.default_operands, *op.case_operand)

    def jump(flag: Any, *values: Any) -> tuple[int, Sequence[Any]]:
        found = number(op, flag, "the flag")
        successor = next((k for k, case in enumerate(cases, 1) if wrap(case) == found), 0)
        return successor, split(values)[successor]

    return jump


branches.case(cf.BranchOp)(lambda op: lambda *values: (0, values))  # To the one successor.
