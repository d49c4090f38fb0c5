"""Loops that provably never end: the state of an iteration is that of an earlier one.

An iteration of a loop in which nothing is written is a function of the values that it is passed. Where these
are those of an earlier iteration, everything in between happens again, and again:

    scf.while (%k = 0) { %k != %n } do { yield %k + 0 }      iteration 1 begins as iteration 0 did, for n = 1

States are kept of the iterations 0, 1, 3, 7, ... (R. Brent, An improved Monte Carlo factorization algorithm,
1980): each cycle is found after at most three times as many iterations as lead into it and through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
from xdsl.ir import Block, Operation, Region
from xdsl.traits import IsTerminator, is_side_effect_free

from volcli.execution.memory.machine import Machine
from volcli.execution.outcomes import Endless, Stopped
from volcli.execution.table import scalars
from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.memory import Effect, Effects
from volcli.language.programs.blocks import natural_loops, successors
from volcli.language.programs.graphs import components


class Repetition:
    """The states of the iterations of a loop in which nothing is written."""

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


def run_while(
    machine: Machine,
    op: Operation,
    before: Callable[..., tuple[bool, Sequence[Any]]],
    after: Callable[..., Sequence[Any]],
    carried: Sequence[Any],
) -> Sequence[Any]:
    """Run AFTER, of OP, while BEFORE holds of what is CARRIED: what BEFORE passes on in the end."""
    iteration = 0
    states = Repetition() if repeats(op) else None
    try:
        while True:
            machine.takes_steps(op, 1)
            if states is not None:
                states.begins(op, carried)
            goes_on, passed = before(*carried)
            if not goes_on:
                return passed
            carried = tuple(after(*passed))
            iteration += 1
    except Stopped as stopped:
        stopped.inside(op, f"iteration {iteration}")
        raise


def repeats(op: Operation) -> bool:
    """Whether nothing in OP, a loop, changes anything but the values that it passes on."""
    return all(_changes_nothing(inner) for inner in op.walk() if inner is not op)


def repeating_blocks(region: Region) -> dict[Block, frozenset[Block]]:
    """At which blocks of REGION an iteration of a cycle begins that writes nothing, with the cycle's blocks.

    What is passed to the header of a natural loop decides what its iteration does: what else is computed in
    the loop is computed again after the header, as that dominates it. Of a cycle with several entries each
    block is one, if what is computed in it is used there alone.
    """
    loops = natural_loops(region.blocks)
    found = dict(loops)
    for blocks in (frozenset(region.blocks), *(inside - {header} for header, inside in loops.items())):
        for inside in _cycles(blocks):
            if inside not in loops.values() and all(map(_is_used_in_itself, inside)):
                found |= {block: inside for block in inside if block not in loops}
    return {header: inside for header, inside in found.items() if _all_change_nothing(inside)}


def _cycles(blocks: frozenset[Block]) -> Iterator[frozenset[Block]]:
    """The largest cycles among BLOCKS."""

    def leads(block: Block) -> Iterable[Block]:
        return (each for each in successors(block) if each in blocks)

    for members in components(blocks, leads):
        if len(members) > 1:
            yield frozenset(members)


def _all_change_nothing(blocks: Iterable[Block]) -> bool:
    return all(_changes_nothing(op) for block in blocks for op in block.walk())


def _is_used_in_itself(block: Block) -> bool:
    values = [*block.args, *(result for op in block.ops for result in op.results)]
    users = (use.operation for value in values for use in value.uses)
    return all(block.find_ancestor_op_in_block(user) is not None for user in users)


class Cycles:
    """The states of the cycles of a region in which nothing is written: its blocks have numbers.

    `headers` are those at which an iteration begins, each with the blocks of its cycle.
    """

    def __init__(self, headers: Mapping[int, frozenset[int]]) -> None:
        self._headers = headers
        self._states: dict[int, Repetition] = {}

    def jumps(self, op: Operation, source: int, target: int, passed: Sequence[Any]) -> None:
        """Note that OP, in block SOURCE, goes on at TARGET. Raises Endless if it did so before, likewise.

        What is outside of a cycle may be something else when it is entered again.
        """
        inside = self._headers.get(target)
        if inside is None:
            return
        if source not in inside:
            for each in inside:
                self._states.pop(each, None)
        self._states.setdefault(target, Repetition()).begins(op, tuple(passed))


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
