"""What affine's loops run through and carry, when its branches run, and what digits of an index promise."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from xdsl.ir import Region
from xdsl.ir.affine import AffineConstraintKind

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import Expression, constant, value_of
from volcli.language.loops import Carried, Guard, Induction, Loop, Reduced
from volcli.language.questions import assumptions, choices, guards, loop, value_facts
from volcli.language.reads import Conjunction, Disjunction
from volcli_dialects.affine.index import DelinearizeIndexOp, LinearizeIndexOp
from volcli_dialects.affine.loops import ForOp, IfOp, ParallelOp
from volcli_dialects.affine.quotients import applied, basis_of, dims_and_symbols
from volcli_dialects.cases.elements.branches import chosen
from volcli_dialects.cases.parts import yielded

# -- loops ---------------------------------------------------------------------------------------------


@loop.case(ForOp)
def for_loop(op: ForOp) -> Loop:
    """max(lower) <= i < min(upper) in steps; each argument is first its initial value, then the yielded."""
    body = op.body.block
    variable, *arguments = body.args
    lower, upper, operands = op.lower_bound_map, op.upper_bound_map, op.operands
    middle = lower.data.num_dims + lower.data.num_symbols
    end = middle + upper.data.num_dims + upper.data.num_symbols
    induction = Induction(
        variable,
        applied(lower.data, operands[:middle]),
        applied(upper.data, operands[middle:end]),
        constant(op.step.value.data),
    )
    last = yielded(op.body, len(arguments))
    carried = zip(operands[end:], arguments, last, op.results, strict=True)
    return Loop((induction,), tuple(Carried(*each) for each in carried))


def _grouped(bounds: tuple[Expression, ...], sizes: Sequence[int]) -> list[tuple[Expression, ...]]:
    """The bounds of each loop: (a, b, c) in groups of 1 and 2 is [(a,), (b, c)]."""
    return [bounds[start:end] for start, end in pairwise(accumulate(sizes, initial=0))]


@loop.case(ParallelOp)
def parallel_loop(op: ParallelOp) -> Loop:
    """max(lower) <= i < min(upper) in steps for each variable, in any order."""
    lower = _grouped(
        applied(op.lower_bounds_map.data, op.lower_bounds_operands), op.lower_bounds_groups.get_values()
    )
    upper = _grouped(
        applied(op.upper_bounds_map.data, op.upper_bounds_operands), op.upper_bounds_groups.get_values()
    )
    steps = [constant(step.value.data) for step in op.steps]
    last = op.body.block.last_op
    values = () if last is None or len(last.operands) != len(op.results) else last.operands
    return Loop(
        tuple(
            Induction(i, low, high, step, sequential=False)
            for i, low, high, step in zip(op.body.block.args, lower, upper, steps, strict=True)
        ),
        reduced=tuple(Reduced(None, value, r) for value, r in zip(values, op.results, strict=False)),
    )


# -- branches ------------------------------------------------------------------------------------------


def _branches(op: IfOp) -> list[tuple[Disjunction, Region]]:
    """`then` where all constraints of the set hold, `else` where one of them does not."""
    set_ = op.condition.data
    dims, symbols = dims_and_symbols(set_, op.operands)
    inside: list[Expression] = []
    outside: list[Conjunction] = []
    for constraint in set_.constraints:
        left, right = (evaluate(side, dims, symbols) for side in (constraint.lhs, constraint.rhs))
        above, below = left - right, right - left
        if constraint.kind is not AffineConstraintKind.le:
            inside.append(above)
            outside.append((-above - 1,))
        if constraint.kind is not AffineConstraintKind.ge:
            inside.append(below)
            outside.append((-below - 1,))
    both: list[tuple[Disjunction, Region]] = [
        ((tuple(inside),), op.then_region),
        (tuple(outside), op.else_region),
    ]
    return [(when, region) for when, region in both if region.blocks]


# What `then` yields inside of the set, what `else` yields outside.
choices.case(IfOp)(lambda op: [] if not op.results else chosen(op, _branches(op)))


guards.case(IfOp)(lambda op: [Guard(region, when) for when, region in _branches(op)])


# -- digits of an index --------------------------------------------------------------------------------


@value_facts.case(DelinearizeIndexOp)
def digit_facts(op: DelinearizeIndexOp) -> Sequence[Conjunction]:
    """0 <= digit < size; the outermost digit is a quotient, which may be negative."""
    facts: list[Conjunction] = [()]
    for result, size in zip(op.results[1:], basis_of(op, len(op.results))[1:], strict=True):
        digit = value_of(result)
        facts.append((digit,) if size is None else (digit, size - 1 - digit))
    return facts


@assumptions.case(DelinearizeIndexOp)
def outer_bound(op: DelinearizeIndexOp) -> Sequence[Disjunction]:
    """An outermost size promises that the outermost digit is less."""
    size = next(iter(basis_of(op, len(op.results))), None)
    return [] if size is None else [((size - 1 - value_of(op.results[0]),),)]


@assumptions.case(LinearizeIndexOp)
def disjoint_digits(op: LinearizeIndexOp) -> Sequence[Disjunction]:
    """`disjoint` promises 0 <= digit < size; the outermost digit may be negative all the same."""
    if not op.is_disjoint:
        return []
    promised: list[Expression] = []
    for position, size in enumerate(basis_of(op, len(op.multi_index))):
        digit = value_of(op.multi_index[position])
        promised += [digit] if position else []
        promised += [] if size is None else [size - 1 - digit]
    return [(tuple(promised),)] if promised else []
