"""Conditions around loops that hold wherever something is done inside, taken out of a copy of a function.

    if n >= 1 { for i = 0 to n { for j = i to m { S } } }    for i = 0 to min(n, m) { for j = i to m { S } }

A branch does what its body does if its condition holds wherever a statement runs in the program without it.
A loop may have other ends if those that it has hold wherever a statement runs with the other ones, and the
other way round. What else runs then computes numbers. Where that is not defined, the program that is made
without a branch is not, and the one that was there may be. Of a loop with other ends it has to be defined, or
run with these, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from xdsl.ir import Block, Operation, OpResult, SSAValue

from volcli.frontend.parse.parser import ParsedModule
from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, value_of
from volcli.language.interface import operation_name
from volcli.language.reads import Conjunction
from volcli.model.function import FunctionModel
from volcli.rewriting.changes.defined_operations import (
    are_defined,
    computed_from,
    without_dead,
)
from volcli.rewriting.changes.value_quotients import ValueQuotients, quotients_of
from volcli.rewriting.code.loop_code import FOR
from volcli.rewriting.ground.bound_uses import (
    blocks_of_statements,
    is_counted,
    last_of_chain,
    loops_in,
    variable_of,
)
from volcli.rewriting.ground.builder import Builder
from volcli.symbolic.floors import at_least, below

_EXTREMA = ("arith.maxsi", "arith.minsi")
"""Of the first and the second operand of a loop."""


def without_implied_branches(model: FunctionModel) -> FunctionModel:
    """MODEL of its function, a copy, without such branches."""
    for op in list(model.function.walk()):
        if operation_name(op) == "scf.if" and (condition := _condition(op)) is not None:
            model = _without_branch(model, op, condition)
    return model


# -- branches --------------------------------------------------------------------------------------------


def _condition(op: Operation) -> Conjunction | None:
    """What is at least 0 where OP, a branch, does what it does; None if that is not known."""
    truth = op.operands[0]
    if op.results or not isinstance(truth, OpResult) or len(_body(op, 1)) > 0:
        return None
    stated = questions.condition(truth.owner)
    return stated.true[0] if stated is not None and len(stated.true) == 1 else None


def _body(op: Operation, region: int) -> list[Operation]:
    """What stands in a REGION of OP, but for its end."""
    blocks = op.regions[region].blocks
    return list(blocks[0].ops)[:-1] if blocks else []


def _without_branch(model: FunctionModel, op: Operation, condition: Conjunction) -> FunctionModel:
    """MODEL without the branch OP, if its CONDITION holds in all that is done inside."""
    blocks = list(blocks_of_statements(op))
    if op.regions[0].block in blocks:
        return model
    around = op.parent
    assert around is not None
    body = _body(op, 0)
    for inner in body:
        inner.detach()
        around.insert_op_before(inner, op)
    made = model.anew(model.function)
    if _hold(made, condition, blocks):
        op.detach()
        op.erase()
        return model.anew(model.function)
    last = op.regions[0].block.last_op
    assert last is not None
    for inner in body:
        inner.detach()
        op.regions[0].block.insert_op_before(inner, last)
    return model


# -- ends of loops ---------------------------------------------------------------------------------------


def with_ends_of(
    parsed: ParsedModule, model: FunctionModel, other: FunctionModel, kept: frozenset[SSAValue]
) -> FunctionModel:
    """MODEL of its function, a copy, with the ends of loops that OTHER's has, as far as that is possible.

    It is of the program PARSED. Values that are KEPT stay, though nothing uses them. An end that the others
    imply may do so only when these are those of OTHER: as long as some are left and others change, all that
    are left are asked again.
    """
    mine, theirs = (list(loops_in(each.function)) for each in (model, other))
    if len(mine) != len(theirs):
        return model
    known = dict(zip(_arguments(other.function), _arguments(model.function), strict=False))
    pairs = list(zip(mine, theirs, strict=True))
    for own, like in pairs:
        known.update(zip(_arguments(like), _arguments(own), strict=False))
    left = [
        (own, like, position)
        for own, like in pairs
        if operation_name(own) == operation_name(like) == FOR
        for position in (0, 1)
    ]
    last: int | None = None
    while left and len(left) != last:
        last, rest = len(left), list[tuple[Operation, Operation, int]]()
        for own, like, position in left:
            end = computed_from(like.operands[position], Builder.before(own, parsed.context), known)
            made = _with_end(model, own, position, end)
            rest += [] if made is not None else [(own, like, position)]
            model = model if made is None else made
        left = rest
    return without_dead(model, kept)


def _arguments(op: Operation) -> Sequence[SSAValue]:
    return op.regions[0].block.args


def _with_end(
    model: FunctionModel, op: Operation, position: int, end: SSAValue | None
) -> FunctionModel | None:
    """MODEL with END for the operand of the loop OP at POSITION; None if that may make a difference."""
    own = op.operands[position]
    if end is None or end.type != own.type:
        return None
    if model.bounds.proves(value_of(end) - value_of(own), "==", 0, at=op):
        op.operands[position] = end
        return model.anew(model.function)
    blocks = list(blocks_of_statements(op))
    is_unit = model.bounds.proves(value_of(op.operands[2]), "==", 1, at=op)
    if not is_counted(op) or not _hands_on(op) or (position == 0 and not is_unit):
        return None

    def keeps_to(bound: SSAValue) -> Conjunction:
        return tuple(_within(model, op, bound, position))

    if not _hold(model, keeps_to(end), blocks):
        return None
    further = value_of(end) - value_of(own) if position else value_of(own) - value_of(end)
    is_wider = model.bounds.proves(further, ">=", 0, at=op)  # all that ran before runs, so is not hidden
    if not is_wider and not are_defined(model, op, blocks):
        return None
    op.operands[position] = end
    made = model.anew(model.function)
    if _hold(made, keeps_to(own), blocks):
        return made
    op.operands[position] = own
    return None


def _hands_on(op: Operation) -> bool:
    """Whether what the loop OP carries stays as it is in iterations in which no statement runs."""
    with suppress(NotAffine):
        return not op.results or not last_of_chain(op).regions
    return False


def _within(model: FunctionModel, op: Operation, bound: SSAValue, position: int) -> Iterator[Expression]:
    """What is at least 0 if the variable of the loop OP keeps to BOUND, as its operand at POSITION.

    i < x floordiv p + 1 is p * i <= x, which divides by nothing.
    """
    here, resolve = value_of(variable_of(op)), model.bounds.definitions.resolve
    pending = [bound]
    while pending:
        each = pending.pop()
        if isinstance(each, OpResult) and operation_name(each.owner) == _EXTREMA[position]:
            pending += each.owner.operands
            continue
        form = resolve(value_of(each))
        of_loop = ValueQuotients(quotients_of(form, model.bounds, op), value_of).of_loop
        if position == 0:
            known, said = of_loop(here, [form], []), at_least(here, form)
        else:
            known, said = of_loop(here, [], [form]), below(here, form)
        yield known.get(said, said)


def _hold(model: FunctionModel, condition: Conjunction, blocks: Sequence[Block]) -> bool:
    """Whether CONDITION holds wherever one of BLOCKS runs."""
    return all(
        model.bounds.proves(each, ">=", 0, at=block.first_op) for block in blocks for each in condition
    )
