"""Conditions around loops that hold wherever something is done inside, taken out of a copy of a function.

    if n >= 1 { for i = 0 to min(n, m) { for j = i to m { S } } }    for i = 0 to n { for j = i to m { S } }

A branch does what its body does if its condition holds wherever a statement runs in the program without it.
An end of a loop, or a beginning, may be left out for the same reason. What else runs then computes numbers:
where that is not defined, the program without conditions is not, and the one with them may be.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import constant, value_of
from volcli.language.interface import operation_name
from volcli.language.reads import Conjunction
from volcli.model.function import FunctionModel
from volcli.model.values.terms.answers import Verdict
from volcli.rewriting.code.loop_code import FOR
from volcli.rewriting.ground.bound_uses import blocks_of_statements, is_simple, loops_in, variable_of


def without_implied_conditions(model: FunctionModel) -> FunctionModel:
    """MODEL of its function, a copy, without such branches and ends."""
    for op in list(model.function.walk()):
        if operation_name(op) == "scf.if" and (condition := _condition(op)) is not None:
            model = _without_branch(model, op, condition)
    for op in list(loops_in(model.function)):
        if operation_name(op) == FOR and is_simple(op):
            for position in (0, 1):
                model = _without_ends(model, op, position)
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
    made = _again(model)
    if _hold(made, condition, blocks):
        op.detach()
        op.erase()
        return _again(model)
    last = op.regions[0].block.last_op
    assert last is not None
    for inner in body:
        inner.detach()
        op.regions[0].block.insert_op_before(inner, last)
    return model


# -- ends of loops ---------------------------------------------------------------------------------------


def _without_ends(model: FunctionModel, op: Operation, position: int) -> FunctionModel:
    """MODEL with fewer operands of the extremum at which the loop OP begins, or ends, if they are implied."""
    blocks = list(blocks_of_statements(op))
    if op.regions[0].block in blocks:
        return model
    here = value_of(variable_of(op))
    while (operands := _extremum(op.operands[position], position)) is not None:
        extremum = op.operands[position]
        for kept, other in (operands, operands[::-1]):
            op.operands[position] = kept
            made = _again(model)
            beyond = here - value_of(other) if position == 0 else value_of(other) - 1 - here
            if _hold(made, (beyond,), blocks):
                model = made
                break
            op.operands[position] = extremum
        else:
            return model
    return model


def _extremum(end: SSAValue, position: int) -> tuple[SSAValue, SSAValue] | None:
    """The operands of the maximum, or minimum, that END is."""
    kind = ("arith.maxsi", "arith.minsi")[position]
    if not isinstance(end, OpResult) or operation_name(end.owner) != kind:
        return None
    one, other = end.owner.operands
    return one, other


def _again(model: FunctionModel) -> FunctionModel:
    """A model of MODEL's function as it is now."""
    return FunctionModel(model.function, model.name_of, model.assumptions, model.operations)


def _hold(model: FunctionModel, condition: Conjunction, blocks: Sequence[Block]) -> bool:
    """Whether CONDITION holds wherever one of BLOCKS runs."""
    found = (
        model.bounds.compare(each, ">=", constant(0), at=block.first_op)
        for block in blocks
        for each in condition
    )
    return all(each.verdict is Verdict.PROVED and not each.assumptions for each in found)
