"""Instructions of index arithmetic, and what they take: a model of cost that two programs are compared by.

A minimum of k numbers takes k - 1 comparisons; what is selected then is free, as in `select(c, a, b)`, which
costs what c, a and b do. Quotients are divisions however they round. `max(a * 16 + q, r)` is a product, a sum
and a comparison, 3 + 1 + 2 = 6 cycles. These are cycles of one instruction after the other, not of a machine
that runs several at once: what counts is whether one number is below another.

Source: P. Suriana (2016), section 5.3, table 5.2. Shifts and `xor`, which the table does not have, take one
cycle, as `and` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import Enum


class Instruction(Enum):
    """The instructions of table 5.2 that index arithmetic is made of."""

    CAST = "cast"
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    MOD = "mod"
    COMPARE = "compare"
    AND = "and"
    OR = "or"
    NOT = "not"
    SHIFT = "shift"


CYCLES: Mapping[Instruction, int] = {
    Instruction.CAST: 1,
    Instruction.ADD: 1,
    Instruction.SUB: 1,
    Instruction.MUL: 3,
    Instruction.DIV: 24,
    Instruction.MOD: 1,
    Instruction.COMPARE: 2,
    Instruction.AND: 1,
    Instruction.OR: 1,
    Instruction.NOT: 1,
    Instruction.SHIFT: 1,
}

Instructions = Counter[Instruction]
"""How many there are of each."""


def cycles(instructions: Instructions) -> int:
    """What INSTRUCTIONS take, one after the other.

    >>> cycles(Counter({Instruction.MUL: 2, Instruction.ADD: 1}))
    7
    """
    return sum(CYCLES[each] * count for each, count in instructions.items())


def in_order(instructions: Instructions) -> tuple[tuple[str, int], ...]:
    """INSTRUCTIONS by their names, in the order of the table, those that there are."""
    return tuple((each.value, instructions[each]) for each in Instruction if instructions[each])
