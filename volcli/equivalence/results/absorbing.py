"""Arithmetic whose result may be the same for all numbers that an operand may be.

    arith.minsi %x, %least : i32        is %least, if that is -2^31
    (%x & 1) >> 63                      is 0
    arith.trunci (%x << 32)             is 0, as i32
    arith.cmpi ult, %x, %zero           is false

So a result that is computed by it from other elements need not be another number. Sums, differences and casts
to more bits have another result for each number; of other arithmetic on integers, and of comparisons and
extrema, it is not known. Products and masks need a number that the program states to be one for all operands.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from volcli.equivalence.paths.leaves import ABSORBED, ABSORBED_BY_CONSTANTS, Leaf
from volcli.language import questions
from volcli.language.questions import Vanishing
from volcli.language.reads import element_type
from volcli.limits import equivalence as limits

_KEEPS = ("addi", "addf", "mulf")
_EXTREMA = ("max", "min")


def absorbed(result: OpResult) -> Leaf | None:
    """That RESULT may not depend on the operands of its operation; None if it does."""
    op = result.op
    kinds = [element_type(value.type) for value in (result, *op.operands)]
    combined = questions.combines(op) or ""
    is_choice = questions.vanishing(op) is Vanishing.BY_CONDITION
    if is_choice or combined in _KEEPS or questions.subtracts(op) is not None or _widens(result):
        return None
    is_alone = _has_one_operand_twice(op.operands) and not combined.startswith("mul")
    if any(map(_is_truth, kinds[1:])) or (is_alone and any(map(_is_integer, kinds))):
        return ABSORBED
    if any(map(_is_integer, kinds)):
        return ABSORBED_BY_CONSTANTS
    return ABSORBED if combined.startswith(_EXTREMA) and _is_clamped(op) else None


def _is_clamped(op: Operation) -> bool:
    """Whether OP, the extremum of floats, has a constant operand that may be beyond the other one.

    Of one extremum that is an infinite constant; what is an extremum itself is on one side of some number.
    """
    fills = [questions.constant_fill(v.op) if isinstance(v, OpResult) else None for v in op.operands]
    numbers = [each for each in fills if each is not None]
    if not numbers:
        return False
    beyond = float("inf") if (questions.combines(op) or "").startswith("max") else float("-inf")
    return beyond in numbers or _is_from_extremum(op)


def _is_from_extremum(op: Operation) -> bool:
    """Whether an extremum is among the operations that the operands of OP are computed by."""
    pending, seen = list(op.operands), set[Operation]()
    while pending:
        value = pending.pop()
        if not isinstance(value, OpResult) or value.op in seen or len(seen) > limits.ABSORBING_OPERATIONS:
            continue
        seen.add(value.op)
        if (questions.combines(value.op) or "").startswith(_EXTREMA):
            return True
        pending += value.op.operands
    return len(seen) > limits.ABSORBING_OPERATIONS


def _is_integer(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType | IndexType)


def _is_truth(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType) and kind.bitwidth == 1


def _widens(result: OpResult) -> bool:
    """Whether RESULT is its only operand with as many bits, or more."""
    if len(result.op.operands) != 1:
        return False
    widths = [_width(element_type(value.type)) for value in (result.op.operands[0], result)]
    return widths[0] <= widths[1]


def _width(kind: Attribute) -> int:
    width = getattr(kind, "bitwidth", None)
    return width if isinstance(width, int) else 64


def _has_one_operand_twice(operands: Sequence[SSAValue]) -> bool:
    return len(set(operands)) < len(operands)
