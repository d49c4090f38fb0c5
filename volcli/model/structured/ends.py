"""The ends of a counted loop: where its iterations end, and what is there to be used after them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from volcli.language.programs.blocks import home
from volcli.limits import structure as limits
from volcli.model.structured.copying import Copier
from volcli.model.structured.counting import Counted, touches_nothing
from volcli.model.structured.graph import NaturalLoop


def last_ones(
    found: Counted, loop: NaturalLoop, used: Mapping[SSAValue, None], carried: Sequence[SSAValue]
) -> tuple[list[SSAValue], list[Operation]]:
    """What LOOP computes in its last iteration and is USED after it; it has one if it is tested after.

    First the values that it must hand on, then what is to be computed again after it: of the number of the
    last iteration, and of what is CARRIED.
    """
    inside = [v for v in used if v not in carried and home(v) in loop.blocks] if found.tested_behind else []
    again: dict[Operation, None] = {}
    handed_on: list[SSAValue] = []
    for value in inside:
        needed = _computing(value, loop, (*carried, loop.header.args[found.position]))
        if needed is None:
            handed_on.append(value)
        else:
            again |= needed
    return handed_on, list(again)


def _computing(value: SSAValue, loop: NaturalLoop, known: Sequence[SSAValue]) -> dict[Operation, None] | None:
    """The operations of LOOP that compute VALUE of what is KNOWN, in their order; None if others do."""
    if value in known or home(value) not in loop.blocks:
        return {}
    if not isinstance(value, OpResult) or not touches_nothing(value.op):
        return None
    found: dict[Operation, None] = {}
    for operand in value.op.operands:
        needed = _computing(operand, loop, known)
        if needed is None or len(found) > limits.REPEATED_OPERATIONS:
            return None
        found |= needed
    return found | {value.op: None}


def again(
    loop: NaturalLoop, used: Mapping[SSAValue, None], carried: Sequence[SSAValue]
) -> list[Operation] | None:
    """The operations of the header, which runs once more than LOOP; None if they do not give what is USED."""
    inside = {v for v in used if v not in carried and home(v) in loop.blocks}
    found = [op for op in loop.header.ops if op is not loop.header.last_op]
    given = {result for op in found for result in op.results}
    return found if inside <= given and all(map(touches_nothing, found)) else None


def upper_end(copier: Copier, found: Counted, lower: SSAValue, kind: Attribute, into: Block) -> SSAValue:
    """The end of the iterations."""
    if found.bound is None:
        upper = copier.number(found.offset, kind)
    else:
        upper = _plus(copier, copier.mapped([found.bound])[0], found.offset, kind, into)
    if not found.tested_behind:
        return upper
    least = _plus(copier, lower, 1, kind, into)
    return copier.make("arith.maxsi", into, (least, upper), [kind]).results[0]


def last_value(
    copier: Copier, found: Counted, lower: SSAValue, upper: SSAValue, kind: Attribute, into: Block
) -> SSAValue:
    """What the argument is at the end: the first of lower, lower + step, ... that is not below UPPER."""

    def made(name: str, left: SSAValue, right: SSAValue) -> SSAValue:
        return copier.make(f"arith.{name}", into, (left, right), [kind]).results[0]

    last = upper
    if found.step != 1:
        step = copier.number(found.step, kind)
        count = made("ceildivsi", made("subi", upper, lower), step)
        last = made("addi", lower, made("muli", count, step))
    return last if found.tested_behind else made("maxsi", lower, last)


def _plus(copier: Copier, value: SSAValue, number: int, kind: Attribute, into: Block) -> SSAValue:
    if number == 0:
        return value
    return copier.make("arith.addi", into, (value, copier.number(number, kind)), [kind]).results[0]
