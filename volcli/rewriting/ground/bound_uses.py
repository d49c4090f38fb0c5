"""Loops whose variable is there for the bounds of loops inside alone, as that of a loop over tiles is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.model.stated_effects import only_computes

LOOPS = ("scf.for", "affine.for", "scf.parallel")


def loops_in(function: Operation) -> Iterator[Operation]:
    """The loops of FUNCTION, from the outside in."""
    return (op for op in function.walk() if operation_name(op) in LOOPS)


def bounds_others(op: Operation) -> bool:
    """Whether the variable of the loop OP is only used for bounds of loops inside, and it has some."""
    if len(op.regions) != 1 or len(op.regions[0].block.args) != 1 + len(op.results):
        return False
    bounds = list(_bounded_by(op.regions[0].block.args[0]))
    return bool(bounds) and None not in bounds


def is_for_bounds(op: Operation) -> bool:
    """Whether what OP computes is only used for bounds of loops."""
    return all(None not in _bounded_by(result) for result in op.results)


def _bounded_by(value: SSAValue) -> Iterator[Operation | None]:
    """The loops whose bounds are computed from VALUE; None for another use."""
    for use in value.uses:
        user = use.operation
        if operation_name(user) in LOOPS and use.index < len(user.operands) - len(user.results):
            yield user
        elif user.regions or not user.results or not only_computes(user):
            yield None
        else:
            for result in user.results:
                yield from _bounded_by(result) if isinstance(result.type, IndexType) else (None,)


def is_counted(op: Operation) -> bool:
    """Whether OP is a loop of one variable, whose bounds have signs. It may carry values."""
    return (
        operation_name(op) in LOOPS
        and len(op.regions[0].block.args) == 1 + len(op.results)
        and questions.loop(op) is not None
    )


def is_simple(op: Operation) -> bool:
    """Whether OP is such a loop, and carries nothing."""
    return not op.results and is_counted(op)


def carried_first(op: Operation) -> Sequence[SSAValue]:
    """What the loop OP carries into its first iteration."""
    return op.operands[len(op.operands) - len(op.results) :]


def last_of_chain(loop: Operation) -> Operation:
    """What yields in the innermost of the loops that hand on what LOOP carries. Raises NotAffine."""
    last = loop.regions[0].block.last_op
    assert last is not None
    inner = last.operands[0].owner
    if not isinstance(inner, Operation) or not is_counted(inner):
        return last
    arguments = loop.regions[0].block.args[1:]
    if tuple(carried_first(inner)) != tuple(arguments) or tuple(inner.results) != tuple(last.operands):
        raise NotAffine("a loop inside carries other values")
    return last_of_chain(inner)


def variable_of(op: Operation) -> SSAValue:
    """The variable of the loop OP."""
    return op.regions[0].block.args[0]


def blocks_of_statements(root: Operation) -> Iterator[Block]:
    """The blocks in the loop ROOT in which something is done beside loops and branches."""
    for op in root.walk():
        if is_counted(op) or operation_name(op) == "scf.if":
            for region in op.regions:
                if any(map(_is_statement, region.block.ops)) if region.blocks else False:
                    yield region.block


def _is_statement(op: Operation) -> bool:
    if op.regions:
        return not (is_counted(op) or operation_name(op) == "scf.if")
    if op.has_trait(IsTerminator):
        around = op.parent_op()
        return around is not None and is_counted(around) and not all(map(_is_handed_on, op.operands))
    return not op.results or not only_computes(op)


def _is_handed_on(value: SSAValue) -> bool:
    """Whether VALUE, which the body of a loop yields, is what a loop in it made."""
    return isinstance(value.owner, Operation) and is_counted(value.owner)
