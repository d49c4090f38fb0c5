"""What scf's loops run through and carry, which values its branches give, and when.

The operations take and give buffers, and access none of their elements: their regions do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from xdsl.ir import Block, Region, SSAValue

from volcli.language.expressions import Expression, Value, constant, value_of
from volcli.language.loops import Carried, Guard, Induction, Loop, Reduced, While
from volcli.language.questions import choices, demands, fails, guards, holds, loop, result_sizes
from volcli.language.reads import Disjunction
from volcli_dialects.cases.elements.branches import chosen
from volcli_dialects.cases.memory.memory import touch_nothing
from volcli_dialects.cases.numbers.wrapping import number, unsigned_number
from volcli_dialects.cases.parts import yielded
from volcli_dialects.cases.sizes import dims, mixed
from volcli_dialects.scf.branches import ExecuteRegionOp, IfOp, IndexSwitchOp, YieldOp
from volcli_dialects.scf.loops import (
    ConditionOp,
    ForallOp,
    ForOp,
    InParallelOp,
    ParallelOp,
    ReduceOp,
    ReduceReturnOp,
    WhileOp,
)

# -- loops ---------------------------------------------------------------------------------------------


@loop.case(ForOp)
def for_loop(op: ForOp) -> Loop | None:
    """lb <= i < ub in steps; each argument is first its initial value, then what was yielded.

    Unsigned bounds are compared as they are if the upper one is known to have no sign bit: then all
    iterations lie below it, and a negative lower bound is above it; or if both are known to have one.
    """
    variable, *arguments = op.body.block.args
    lower, upper, step = (value_of(bound) for bound in (op.lower_bound, op.upper_bound, op.step))
    if op.unsigned is not None:
        lower, upper, step = number(op.lower_bound), number(op.upper_bound), number(op.step)
        if not (upper.is_constant and step.is_constant and step.constant > 0):
            return None
        if upper.constant >= 0:
            lower = unsigned_number(op.lower_bound)
        elif not (lower.is_constant and lower.constant < 0):
            return None
    last = yielded(op.body, len(op.inits))
    carried = zip(op.inits, arguments, last, op.results, strict=True)
    return Loop((Induction(variable, (lower,), (upper,), step),), tuple(Carried(*each) for each in carried))


@loop.case(ParallelOp)
def parallel_loop(op: ParallelOp) -> Loop:
    """lb <= i < ub in steps for each variable, in any order; results combine what each iteration gives."""
    bounds = zip(op.body.block.args, op.lower_bounds, op.upper_bounds, op.steps, strict=True)
    inductions = tuple(
        Induction(i, (value_of(lower),), (value_of(upper),), value_of(step), sequential=False)
        for i, lower, upper, step in bounds
    )
    last = op.body.block.last_op
    bodies = [region.first_block for region in last.regions] if isinstance(last, ReduceOp) else []
    uses_both = all(each is not None and all(a.first_use for a in each.args) for each in bodies)
    if last is None or not uses_both or not len(op.res) == len(op.inits) == len(last.operands) == len(bodies):
        return Loop(inductions)
    ends = zip(op.inits, last.operands, op.res, bodies, strict=True)
    return Loop(inductions, (), tuple(_reduced(*each) for each in ends))


def _reduced(initial: SSAValue, operand: SSAValue, result: SSAValue, body: Block | None) -> Reduced:
    """RESULT combines the operand of each iteration with INITIAL by BODY."""
    if body is None or not isinstance(body.last_op, ReduceReturnOp):
        return Reduced(initial, operand, result)
    before, element = body.args
    combined = body.last_op.operands[0]
    return Reduced(initial, operand, result, Carried(initial, before, combined, result), element)


@loop.case(ForallOp)
def forall_loop(op: ForallOp) -> Loop:
    """lb <= i < ub in steps for each variable, in any order.

    A shared tensor keeps its sizes throughout, as if each iteration passed on the tensor that it was given.
    """
    lower = mixed(op.static_lower_bound, op.dynamic_lower_bound)
    upper = mixed(op.static_upper_bound, op.dynamic_upper_bound)
    step = mixed(op.static_step, op.dynamic_step)
    variables, shared = op.region.block.args[: len(upper)], op.region.block.args[len(upper) :]
    inductions = tuple(
        Induction(i, (low,), (high,), by, sequential=False)
        for i, low, high, by in zip(variables, lower, upper, step, strict=True)
    )
    carried = zip(op.outputs, shared, shared, op.results, strict=True)
    return Loop(inductions, tuple(Carried(*each) for each in carried))


@demands.case(ForOp, ParallelOp, ForallOp)
def positive_steps(op: ForOp | ParallelOp | ForallOp) -> list[Disjunction]:
    """A loop that has iterations has positive steps."""
    stated = for_loop(op) if isinstance(op, ForOp) else loop(op)
    if not isinstance(stated, Loop):
        return []
    empty = tuple((low - up,) for each in stated.inductions for low in each.lower for up in each.upper)
    steps = (each.step for each in stated.inductions)
    return [((step - 1,), *empty) for step in steps if not _is_positive_constant(step)]


def _is_positive_constant(step: Expression) -> bool:
    atom = step.single_atom
    step = number(atom.value) if isinstance(atom, Value) else step
    return step.is_constant and step.constant > 0


@loop.case(WhileOp)
def while_loop(op: WhileOp) -> While | None:
    """`before` computes the condition and what it forwards, to `after` or as the results."""
    condition = op.before.block.last_op if len(op.before.blocks) == 1 else None
    if not isinstance(condition, ConditionOp) or len(op.after.blocks) != 1:
        return None
    return While(
        before=tuple(op.before.block.args),
        initial=tuple(op.inits),
        condition=condition.condition,
        forwarded=tuple(condition.arguments),
        after=tuple(op.after.block.args),
        yielded=tuple(yielded(op.after, len(op.inits))),
        results=tuple(op.results),
    )


@guards.case(WhileOp)
def while_guards(op: WhileOp) -> Sequence[Guard]:
    """The second region runs where the condition holds."""
    stated = while_loop(op)
    return [Guard(op.after, (holds(stated.condition),))] if isinstance(stated, While) else []


# Those of the shared tensors.
result_sizes.case(ForallOp)(lambda op: [dims(output) for output in op.outputs])
guards.case(InParallelOp)(lambda op: ())  # Nothing more holds in the end of an iteration, which runs once.


# -- branches ------------------------------------------------------------------------------------------


def if_branches(op: IfOp) -> list[tuple[Disjunction, Region]]:
    """The regions that there are, and when they run."""
    both = (((holds(op.condition),), op.then_region), ((fails(op.condition),), op.else_region))
    return [(when, region) for when, region in both if region.blocks]


def switch_branches(op: IndexSwitchOp) -> list[tuple[Disjunction, Region]]:
    """Each case where the index is its number, the default between and around the numbers."""
    index, numbers = value_of(op.index), op.cases.get_values()
    cases: list[tuple[Disjunction, Region]] = [
        (((index - case, constant(case) - index),), region)
        for case, region in zip(numbers, op.case_regions, strict=True)
    ]
    if not numbers:
        return [(((),), op.default_region)]
    ascending = sorted(set(numbers))
    gaps = tuple(
        (index - (below + 1), constant(above - 1) - index)
        for below, above in pairwise(ascending)
        if above - below > 1
    )
    around: Disjunction = ((constant(ascending[0] - 1) - index,), *gaps, (index - (ascending[-1] + 1),))
    return [*cases, (around, op.default_region)]


# What `then` yields where the condition is true, else what `else` yields.
choices.case(IfOp)(lambda op: chosen(op, if_branches(op)) if op.results else [])
guards.case(IfOp)(lambda op: [Guard(region, when) for when, region in if_branches(op)])
# What the region of the index's case yields.
choices.case(IndexSwitchOp)(lambda op: chosen(op, switch_branches(op)) if op.results else [])
guards.case(IndexSwitchOp)(lambda op: [Guard(region, when) for when, region in switch_branches(op)])
# What the block yields, if there is only one.
choices.case(ExecuteRegionOp)(lambda op: chosen(op, [(((),), op.region)]))


touch_nothing(
    ForOp, WhileOp, ConditionOp, ParallelOp, ReduceOp, ReduceReturnOp, ForallOp, InParallelOp, IfOp,
    IndexSwitchOp, ExecuteRegionOp, YieldOp,
)  # fmt: skip
