"""Loops that provably never end: the state of an iteration is that of an earlier one.

An iteration of a loop in which nothing is written is a function of the values that it is passed. Where these
are those of an earlier iteration, everything in between happens again, and again:

    scf.while (%k = 0) { %k != %n } do { yield %k + 0 }      iteration 1 begins as iteration 0 did, for n = 1

States are kept of the iterations 0, 1, 3, 7, ... (R. Brent, An improved Monte Carlo factorization algorithm,
1980): each cycle is found after at most three times as many iterations as lead into it and through it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.ir import Operation, Region
from xdsl.traits import IsTerminator, is_side_effect_free

from volcli.execution.outcomes import Endless
from volcli.execution.table import scalars
from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.memory import Effect, Effects


class Repetition:
    """The states of the iterations of a loop in which nothing is written; of blocks, each jump is one."""

    def __init__(self) -> None:
        self._count = 0
        self._kept: tuple[int, Sequence[Any]] | None = None

    def begins(self, op: Operation, state: Sequence[Any]) -> None:
        """Note that an iteration begins with STATE. Raises Endless if an earlier one did."""
        if self._kept is not None and _is_same(self._kept[1], state):
            again = f"iteration {self._count} begins as iteration {self._kept[0]} did"
            raise Endless(op, f"the loop never ends: {again}, and it writes nothing")
        self._count += 1
        if self._count & (self._count - 1) == 0:
            self._kept = self._count - 1, state


def repeats(op: Operation) -> bool:
    """Whether nothing in OP, a loop, changes anything but the values that it passes on."""
    return all(_changes_nothing(inner) for inner in op.walk() if inner is not op)


def blocks_repeat(region: Region) -> bool:
    """Whether the next block of REGION, and what that is passed, decide all that follows.

    Nothing is written in its blocks, and what one of them computes is used there alone, that of the first
    block apart: it runs once.
    """
    first = region.blocks[0]
    if any(block.last_op is not None and first in block.last_op.successors for block in region.blocks):
        return False
    for block in region.blocks:
        values = [*block.args, *(result for op in block.ops for result in op.results)]
        users = (use.operation for value in values for use in value.uses)
        if block is not first and not all(block.find_ancestor_op_in_block(user) for user in users):
            return False
    return all(_changes_nothing(op) for block in region.blocks for op in block.walk())


def _changes_nothing(op: Operation) -> bool:
    if scalars.answers(type(op)) or op.has_trait(IsTerminator) or is_side_effect_free(op):
        return True
    if questions.loop.answers(type(op)) or questions.guards.answers(type(op)):
        return True  # what is in its regions is asked on its own
    try:
        accesses = questions.accesses(op)
    except NotAffine:
        return False
    effects = questions.effects(op) if questions.effects.answers(type(op)) else Effects()
    return bool(accesses) and effects == Effects() and all(each.effect is Effect.READ for each in accesses)


def _is_same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(map(_is_same_value, one, other))


def _is_same_value(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return _is_same(cast("tuple[Any, ...]", one), other)
    if isinstance(one, np.generic):
        return one.tobytes() == other.tobytes()
    return isinstance(one, int) and one == other
