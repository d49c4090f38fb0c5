"""Values that are equal in two iterations of a loop, whatever the iterations are.

Values are equal if both are the one value that is made outside of the loop, or if operations of arithmetic
that are the same but for their operands compute them from values that are equal. An induction variable is
equal to itself in iterations that agree in it.

    scf.parallel (%i, %j) { %z = arith.constant 0 ; %v = arith.addf %x, %y ; %w = arith.sitofp %i }

%z, and %v of arguments %x and %y, are equal in all iterations, %w in those of one %i. What is loaded may be
another number in each.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from xdsl.ir import Block, Operation, OpResult, SSAValue

from volcli.language.interface import operation_name
from volcli.language.memory import is_memref
from volcli.limits import language as limits

_ARITHMETIC = frozenset(("affine", "arith", "complex", "index", "math"))
"""Dialects of which operations without memory compute numbers from operands and attributes alone."""


def is_one_value(
    one: SSAValue, other: SSAValue, loop: Operation, same: Container[SSAValue] = frozenset()
) -> bool:
    """Whether ONE and OTHER are equal in two iterations of LOOP that agree in the induction variables SAME.

    Of values that are computed in many steps that is not asked: False.
    """
    return not_one_value(one, other, loop, same, lambda _: False) == []


def not_one_value(
    one: SSAValue,
    other: SSAValue,
    loop: Operation,
    same: Container[SSAValue],
    is_known: Callable[[SSAValue], bool],
) -> list[tuple[SSAValue, SSAValue]] | None:
    """The pairs of KNOWN values that need to be equal for ONE and OTHER to be one; None if others do, too."""
    found: list[tuple[SSAValue, SSAValue]] = []
    pending = [(one, other)]
    asked = {(one, other)}
    while pending:
        first, second = pending.pop()
        if first is second and (first in same or is_outside(first, loop)):
            continue
        if is_known(first) and is_known(second):
            found.append((first, second))
            continue
        operands = _operands(first, second)
        if operands is None or len(asked) > limits.STEPS_OF_ONE_VALUE:
            return None
        new = [pair for pair in operands if pair not in asked]
        asked.update(new)
        pending += new
    return found


def is_outside(value: SSAValue, loop: Operation) -> bool:
    """Whether VALUE is made outside of LOOP, and before it: it is the same one while the loop runs."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    around = None if block is None else block.parent
    return around is not None and around.is_ancestor(loop) and not loop.is_ancestor(value.owner)


def _operands(one: SSAValue, other: SSAValue) -> list[tuple[SSAValue, SSAValue]] | None:
    """The pairs that are to be equal for ONE and OTHER to be; None if nothing makes them equal."""
    if not isinstance(one, OpResult) or not isinstance(other, OpResult):
        return None
    first, second = one.op, other.op
    if first is not second and not _is_alike(first, second):
        return None
    if one.index != other.index or one.type != other.type or not _is_arithmetic(first):
        return None
    return list(zip(first.operands, second.operands, strict=True))


def _is_alike(one: Operation, other: Operation) -> bool:
    """Whether two operations are the same but for their operands."""
    said = ((op.name, op.attributes, op.properties, len(op.operands)) for op in (one, other))
    return next(said) == next(said)


def _is_arithmetic(op: Operation) -> bool:
    dialect = operation_name(op).partition(".")[0]
    return dialect in _ARITHMETIC and not op.regions and not any(map(is_memref, op.operands))
