"""Operations that compute index values: choices between two, what only serves one, and what that takes."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, OpResult

from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, Value
from volcli.language.instructions import Instructions
from volcli.language.memory import Effects
from volcli.language.reads import Disjunction
from volcli.model.stated_effects import effects_of
from volcli.model.values.contexts.factors import affine


def is_choice(op: Operation) -> bool:
    """Whether OP chooses one of two index values by its first operand, and does nothing else."""
    if len(op.operands) != 3 or len(op.results) != 1 or op.regions:
        return False
    if not isinstance(op.results[0].type, IndexType) or not questions.choices.answers(type(op)):
        return False
    found = questions.choices(op)
    return found is not None and [each.value for each in found[0]] == list(op.operands[1:])


def conditions_of(op: Operation) -> tuple[Disjunction, Disjunction] | None:
    """When the choice OP is its first value, and when its second one."""
    try:
        found = questions.choices(op)
        if found is None or len(found[0]) != 2:
            return None
        first, second = (affine(each.when) for each in found[0])
    except NotAffine:
        return None
    return first, second


def is_constant(op: Operation) -> bool:
    """Whether OP is a number."""
    return not op.operands and not op.regions and questions.value_of_result(op.results[0]) is not None


def goes_with(root: Operation) -> set[Operation]:
    """ROOT, and what only serves to compute it."""
    found = {root}
    pending = [root]
    while pending:
        for operand in pending.pop().operands:
            if not isinstance(operand, OpResult) or operand.op in found:
                continue
            op = operand.op
            serves = all(use.operation in found for result in op.results for use in result.uses)
            if serves and questions.instructions(op) is not None and effects_of(op) == Effects():
                found.add(op)
                pending.append(op)
    return found


def needed(expression: Expression) -> set[Operation]:
    """The operations that EXPRESSION is computed by."""
    pending = [atom.value for atom in expression.atoms() if isinstance(atom, Value)]
    found: set[Operation] = set()
    while pending:
        value = pending.pop()
        if isinstance(value, OpResult) and value.op not in found:
            found.add(value.op)
            pending += value.op.operands
    return found


def instructions_of(ops: set[Operation]) -> Instructions:
    """What all OPS take."""
    every = (questions.instructions(op) for op in ops)
    return sum((each for each in every if each is not None), Instructions())
