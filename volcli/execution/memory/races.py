"""Races: elements that two iterations of a parallel loop access, one of them writing.

The iterations of a parallel loop run one after the other here, in any order. An `AccessWatch` keeps, of each
element that the loop accesses, the iteration that last wrote it and one that read it: two iterations that
access an element, at least one of them writing it, are a race, whichever runs first. Atomic accesses race
only with others. Memory that an iteration allocates is its own: it is another allocation in each.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from volcli.execution.outcomes import Defect, Undefined

Memory = object
"""An allocation, which is itself alone."""
Element = tuple[Memory, int]
Iteration = tuple[int, ...]
SEVERAL: Iteration = (-1,) * 99
"""In the place of one iteration: more than one."""


class AccessWatch:
    """The accesses of the iterations of one parallel loop; `outer` is that of the loop around it."""

    def __init__(self, loop: Operation, outer: AccessWatch | None) -> None:
        self.loop = loop
        self.outer = outer
        self.iteration: Iteration = ()
        self._writes: dict[Element, Iteration] = {}
        self._reads: dict[Element, Iteration] = {}
        self._atomic: dict[Element, Iteration] = {}

    def reads(self, op: Operation, memory: Memory, at: int) -> None:
        """OP reads an element. Raises Undefined if another iteration wrote it."""
        element = (memory, at)
        self._check(op, element, (self._writes, self._atomic))
        if self._reads.setdefault(element, self.iteration) != self.iteration:
            self._reads[element] = SEVERAL
        if self.outer is not None:
            self.outer.reads(op, memory, at)

    def writes(self, op: Operation, memory: Memory, at: int) -> None:
        """OP writes an element. Raises Undefined if another iteration reads or writes it."""
        element = (memory, at)
        self._check(op, element, (self._writes, self._reads, self._atomic))
        self._writes[element] = self.iteration
        if self.outer is not None:
            self.outer.writes(op, memory, at)

    def updates(self, op: Operation, memory: Memory, at: int) -> None:
        """OP reads and writes an element at once. Raises Undefined if another iteration does, not at once."""
        element = (memory, at)
        self._check(op, element, (self._writes, self._reads))
        self._atomic[element] = self.iteration
        if self.outer is not None:
            self.outer.updates(op, memory, at)

    def _check(self, op: Operation, element: Element, others: Iterable[dict[Element, Iteration]]) -> None:
        for iterations in others:
            other = iterations.get(element)
            if other is not None and other != self.iteration:
                raise race(op, other, self.iteration)


def race(op: Operation, one: Iteration, other: Iteration) -> Undefined:
    """OP accesses in the iteration OTHER what ONE accesses, too."""
    two = f"{_iteration(one)} and {_iteration(other)}"
    return Undefined(op, Defect.RACE, f"{two} of a parallel loop access one element")


def _iteration(iteration: Iteration) -> str:
    return "another iteration" if iteration is SEVERAL else f"iteration ({', '.join(map(str, iteration))})"
