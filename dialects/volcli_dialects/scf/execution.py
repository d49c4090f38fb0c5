"""How the loops and branches of scf execute."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from volcli.execution.code.code import Body
from volcli.execution.code.parallel import run_loop, run_parallel
from volcli.execution.code.repetition import run_while
from volcli.execution.elements.elementwise import number
from volcli.execution.elements.operands import Split, mixed, numbers
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.outcomes import Defect, Stopped, Undefined
from volcli.execution.table import Perform, executions, on_vectors_in_memory, performs
from volcli.execution.tensors.insertions import inserted_all, shared
from volcli.execution.walking.walked import ChosenRegion, Repeated, mapped, walked
from volcli_dialects.scf.branches import ExecuteRegionOp, IfOp, IndexSwitchOp
from volcli_dialects.scf.loops import ForallOp, ForOp, InParallelOp, ParallelOp, ReduceOp, WhileOp

on_vectors_in_memory.case(ForOp, WhileOp, IfOp, IndexSwitchOp, ExecuteRegionOp)(lambda op: True)


@executions.case(ForOp)
def for_loop(op: ForOp) -> Perform:
    """One iteration after the other."""
    bits = format_of(op.lower_bound.type).unsigned() if op.unsigned is not None else None

    def perform(machine: Machine, body: Body, low: Any, high: Any, step: Any, *carried: Any) -> Any:
        low, high, step = numbers(op, (low, high, step), "a bound")
        if bits is not None:
            low, high, step = bits(low), bits(high), bits(step)
        if step <= 0:
            raise Undefined(op, Defect.CONTRACT, f"the step {step} of a loop is not positive")
        return run_loop(machine, op, body, range(low, high, step), carried)

    return perform


@performs(WhileOp)
def while_loop(op: WhileOp, machine: Machine, before: Body, after: Body, *carried: Any) -> Any:
    """The first region decides whether the second one runs, and what is passed to it."""

    def goes_on(*values: Any) -> tuple[bool, Sequence[Any]]:
        condition, *passed = before(*values)
        return bool(number(op, condition, "the condition")), passed

    return run_while(machine, op, goes_on, after, carried)


@performs(IfOp)
def branch(op: IfOp, machine: Machine, one: Body, other: Body | None, condition: Any) -> Any:
    """One of the two regions."""
    body = one if number(op, condition, "the condition") else other
    return () if body is None else body()


@executions.case(IndexSwitchOp)
def index_switch(op: IndexSwitchOp) -> Perform:
    """The region of the number that the operand is, or the default one."""
    cases = list(op.cases.get_values())

    def perform(machine: Machine, default: Body, *bodies_and_index: Any) -> Any:
        *bodies, index = bodies_and_index
        at = number(op, index, "the operand")
        return bodies[cases.index(at)]() if at in cases else default()

    return perform


@executions.case(ParallelOp)
def parallel(op: ParallelOp) -> Perform:
    """The iterations in any order; what each yields is combined, in any order too."""
    split = Split(op.lower_bounds, op.upper_bounds, op.steps, op.inits)

    def perform(machine: Machine, body: Body, *operands: Any) -> Any:
        *bounds, inits = split(operands)
        low, high, steps = (numbers(op, each, "a bound") for each in bounds)
        yielded = run_parallel(machine, op, body, ranges_of(op, low, high, steps), ())
        found = list(inits)
        for reductions in yielded:
            for k, (combine, value) in enumerate(reductions):
                (found[k],) = combine(found[k], value)
        return found

    return perform


@executions.case(ReduceOp)
def reduce(op: ReduceOp) -> Perform:
    """How the loop combines what its iterations yield, and what this one does."""
    count = len(op.arguments)
    return lambda machine, *parts: list(zip(parts[:count], parts[count:], strict=True))


@executions.case(ForallOp)
def forall(op: ForallOp) -> Perform:
    """The iterations in any order, each of which inserts slices into tensors that all share."""
    whats = (op.static_lower_bound, op.static_upper_bound, op.static_step)
    lists = [mixed(op, each, "a bound") for each in whats]
    split = Split(op.dynamic_lower_bound, op.dynamic_upper_bound, op.dynamic_step, op.outputs)

    def perform(machine: Machine, body: Body, *operands: Any) -> Any:
        *bounds, outputs = split(operands)
        low, high, steps = (each(given) for each, given in zip(lists, bounds, strict=True))
        targets = [shared(output) for output in outputs]
        machine.insertions.append([])
        run_parallel(machine, op, body, ranges_of(op, low, high, steps), targets)
        return inserted_all(targets, machine.insertions.pop())

    return perform


@performs(InParallelOp)
def in_parallel(op: InParallelOp, machine: Machine, body: Body) -> Any:
    """What its region inserts."""
    body()
    return ()


def ranges_of(op: Operation, low: Sequence[int], high: Sequence[int], steps: Sequence[int]) -> list[range]:
    """The iterations of a loop over several dimensions. Raises Undefined if a step is not positive."""
    for step in steps:
        if step <= 0:
            raise Undefined(op, Defect.CONTRACT, f"the step {step} of a loop is not positive")
    return list(map(range, low, high, steps))


@walked.case(ForOp)
def repeated(op: ForOp) -> Repeated | None:
    """From the lower to below the upper bound."""
    if op.unsigned is not None:
        return None
    step = op.step.owner.properties.get("value") if isinstance(op.step.owner, Operation) else None
    number = step.value.data if isinstance(step, IntegerAttr) else op.step
    return Repeated(mapped([op.lower_bound]), mapped([op.upper_bound]), number, tuple(op.inits))


executions.case(ExecuteRegionOp)(lambda op: lambda machine, body: body())  # What its region yields.
# The first region if the condition is not 0.
walked.case(IfOp)(lambda op: ChosenRegion(lambda operands: bool(operands[0]), (op.condition,)))
