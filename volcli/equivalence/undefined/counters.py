"""Loops that end whatever the data is: a counter with an odd step takes all values of its type.

In integers of w bits, k, k + c, k + 2c, ... are all 2^w numbers if c is odd. A condition on k that is false
for one of them ends the loop, whatever n is:

    while (k < n)  k += 3        false for the largest k
    while (k != n) k += 1        false for k = n
    while (k <= n) k += 1        true for each k, where n is the largest number: nothing is known
    while (k != n) k += 2        k is odd or even throughout
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.loops import While

_SOMETIME_FALSE = frozenset({0, 1, 2, 4, 6, 8})
"""eq, ne, slt, sgt, ult, ugt: for each n, `k PREDICATE n` is false for some k, and `n PREDICATE k`."""


def ends_by_counting(op: Operation) -> bool:
    """Whether OP, a loop with a condition, ends in any case, if all loops in it do."""
    stated = questions.loop(op)
    if not isinstance(stated, While):
        return False
    pending = [stated.condition]
    while pending:
        made = pending.pop()
        made = made.op if isinstance(made, OpResult) else None
        if isinstance(made, arith.AndIOp):
            pending += made.operands
        elif isinstance(made, arith.CmpiOp) and _is_false_once(made, op, stated):
            return True
    return False


def _is_false_once(compared: arith.CmpiOp, op: Operation, stated: While) -> bool:
    """Whether COMPARED, in the loop OP, compares a counter with what does not change."""
    pairs = ((compared.lhs, compared.rhs), (compared.rhs, compared.lhs))
    return compared.predicate.value.data in _SOMETIME_FALSE and any(
        _is_counter(one, stated) and _is_outside(other, op) for one, other in pairs
    )


def _is_counter(value: SSAValue, stated: While) -> bool:
    """Whether VALUE, in the first region, takes all values of its type, one in each iteration."""
    before, _ = _without_step(value, stated)
    if before not in stated.before:
        return False
    yielded = stated.yielded[stated.before.index(before)]
    start, step = _without_step(yielded, stated)
    return start is before and step % 2 == 1


def _without_step(value: SSAValue, stated: While) -> tuple[SSAValue, int]:
    """A value at the beginning of an iteration, and the number that VALUE is more than it, modulo 2^w."""
    step = 0
    while True:
        if value in stated.after:
            value = stated.forwarded[stated.after.index(value)]
        elif (added := _added(value)) is None:
            return value, step
        else:
            value, number = added
            step += number


def _added(value: SSAValue) -> tuple[SSAValue, int] | None:
    """The operand that VALUE is a number more than, and that number; a sum that may be poison is none."""
    op = value.op if isinstance(value, OpResult) else None
    if not isinstance(op, arith.AddiOp | arith.SubiOp) or op.overflow_flags.data:  # pyright: ignore
        return None
    if (number := _number(op.rhs)) is not None:
        return op.lhs, number if isinstance(op, arith.AddiOp) else -number
    number = _number(op.lhs) if isinstance(op, arith.AddiOp) else None
    return None if number is None else (op.rhs, number)


def _number(value: SSAValue) -> int | None:
    number = questions.constant_fill(value.op) if isinstance(value, OpResult) else None
    return number if isinstance(number, int) else None


def _is_outside(value: SSAValue, op: Operation) -> bool:
    """Whether VALUE is the same in all iterations of OP: a constant in it is."""
    if _number(value) is not None:
        return True
    owner = value.block.parent_op() if isinstance(value, BlockArgument) else value.owner
    return isinstance(owner, Operation) and not op.is_ancestor(owner)
