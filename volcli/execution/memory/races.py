"""Races: elements that two iterations of a parallel loop access, one of them writing.

The iterations of a parallel loop run one after the other here, in any order. An `AccessWatch` keeps, of each
element that the loop accesses, the iterations that wrote it and those that read it: two iterations that
access an element, at least one of them writing it, are a race, whichever runs first. Atomic accesses race
only with others. Memory that an iteration allocates is its own: it is another allocation in each.

Iterations that write one value do not race (`one_value.py`). That is asked of the operations, not of the
numbers: two values that happen to be equal in this run are not so in others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from volcli.execution.outcomes import Defect, Undefined
from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.memory import Effect
from volcli.language.programs.one_value import is_one_value

Memory = object
"""An allocation, which is itself alone."""
Element = tuple[Memory, int]
Iteration = tuple[int, ...]
Iterations = tuple[int | None, ...]
"""In each dimension the number that all of them have, or None."""


class WrittenElement(NamedTuple):
    """The iterations that wrote an element, and OP, which stored the value of each; None if they differ."""

    iterations: Iterations
    op: Operation | None


class AccessWatch:
    """The accesses of the iterations of one parallel loop; `outer` is that of the loop around it."""

    def __init__(self, loop: Operation, outer: AccessWatch | None) -> None:
        self.loop = loop
        self.outer = outer
        self.iteration: Iteration = ()
        self._writes: dict[Element, WrittenElement] = {}
        self._reads: dict[Element, Iterations] = {}
        self._atomic: dict[Element, Iteration] = {}

    def reads(self, op: Operation, memory: Memory, at: int) -> None:
        """OP reads an element. Raises Undefined if another iteration wrote it."""
        element = (memory, at)
        written = self._writes.get(element)
        self._check(op, written and written.iterations)
        self._check(op, self._atomic.get(element))
        self._reads[element] = _joined(self._reads.get(element), self.iteration)
        if self.outer is not None:
            self.outer.reads(op, memory, at)

    def writes(self, op: Operation, memory: Memory, at: int) -> None:
        """OP writes an element. Raises Undefined if another iteration reads it, or writes another value."""
        element = (memory, at)
        self._check(op, self._reads.get(element))
        self._check(op, self._atomic.get(element))
        self._writes[element] = self._written(op, self._writes.get(element))
        if self.outer is not None:
            self.outer.writes(op, memory, at)

    def updates(self, op: Operation, memory: Memory, at: int) -> None:
        """OP reads and writes an element at once. Raises Undefined if another iteration does, not at once."""
        element = (memory, at)
        written = self._writes.get(element)
        self._check(op, written and written.iterations)
        self._check(op, self._reads.get(element))
        self._atomic[element] = self.iteration
        if self.outer is not None:
            self.outer.updates(op, memory, at)

    def _check(self, op: Operation, others: Iterations | None) -> None:
        if others is not None and others != self.iteration:
            raise race(op, others, self.iteration)

    def _written(self, op: Operation, before: WrittenElement | None) -> WrittenElement:
        """What was WRITTEN BEFORE, and OP writes. Raises Undefined if iterations write several values."""
        if before is None:
            return WrittenElement(self.iteration, op)
        iterations = _joined(before.iterations, self.iteration)
        is_one = before.op is not None and self._writes_one_value(before.op, op, iterations)
        if not is_one and before.iterations != self.iteration:
            raise race(op, before.iterations, self.iteration)
        return WrittenElement(iterations, op if is_one else None)

    def _writes_one_value(self, one: Operation, other: Operation, iterations: Iterations) -> bool:
        """Whether ONE and OTHER store one value in ITERATIONS."""
        if one is other and None not in iterations:
            return True
        same = _agreed(self.loop, iterations)
        mine, theirs = (stored_by(op) if self.loop.is_ancestor(op) else () for op in (one, other))
        return any(is_one_value(a, b, self.loop, same) for a, b in product(mine, theirs))


def _joined(one: Iterations | None, other: Iteration) -> Iterations:
    """What is the same in both."""
    if one is None or one == other:
        return other
    return tuple(a if a == b else None for a, b in zip(one, other, strict=True))


def _agreed(loop: Operation, iterations: Iterations) -> frozenset[SSAValue]:
    """The induction variables of LOOP that are the same in all ITERATIONS."""
    if not questions.loop.answers(type(loop)):
        return frozenset()
    values = loop.regions[0].blocks[0].args
    return frozenset(value for value, each in zip(values, iterations, strict=False) if each is not None)


def stored_by(op: Operation) -> Sequence[SSAValue]:
    """The values that OP stores, if it states them."""
    try:
        accesses = questions.accesses(op) or ()
    except NotAffine:
        return ()
    return [each.stored for each in accesses if each.effect is Effect.WRITE and each.stored is not None]


def race(op: Operation, one: Iterations, other: Iteration) -> Undefined:
    """OP accesses in the iteration OTHER what ONE accesses, too."""
    two = f"{_iteration(one)} and {_iteration(other)}"
    return Undefined(op, Defect.RACE, f"{two} of a parallel loop access one element")


def _iteration(iteration: Iterations) -> str:
    if None in iteration:
        return "another iteration"
    return f"iteration ({', '.join(map(str, iteration))})"
