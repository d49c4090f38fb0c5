"""Which operations of a function use or free memory that was freed, or let stack memory leave.

The operations are visited in the order of execution, with the state in front of each (`states.py`). An
allocation that runs again gives new memory, so it is not freed any more; what one branch of several frees is
perhaps freed after them. A loop that frees something is visited up to three times: its first iteration, the
second one if the loop has two for sure, and any later one, in front of which everything that the loop frees
is perhaps freed.

    %a = memref.alloc()
    affine.for %i = 0 to 2 { memref.dealloc %a }             the second iteration frees %a twice

Blocks that branch to each other are visited in an order in which each comes after those that lead to it;
where an execution may come back, all that the blocks free is perhaps freed. So each operation is visited a
few times, and memory that is perhaps freed never becomes a proof.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from volcli.language.memory import is_memref
from volcli.language.unchanged import operations_in
from volcli.limits import memory as limits
from volcli.model.memory.buffers.buffers import Buffers
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.memory.lifetimes.answers import Misuse, Wrong
from volcli.model.memory.lifetimes.frees import Free, Frees
from volcli.model.memory.lifetimes.regions import Runs, in_order, runs_always, runs_of
from volcli.model.memory.lifetimes.states import Freed, Memory, State, joined, perhaps

Visit = Generator[Any, State, State]
"""A visit that yields the visits of what is inside, and gets their states: Python's stack stays flat."""


def driven(visit: Visit) -> State:
    """The state that VISIT ends with."""
    stack: list[Visit] = [visit]
    state: State | None = None
    while stack:
        try:
            inner = next(stack[-1]) if state is None else stack[-1].send(state)
            state = None
            stack.append(inner)
        except StopIteration as stop:
            stack.pop()
            state = stop.value
    return state or {}


class Walk:
    """One visit of FUNCTION, whose memrefs are in BUFFERS; `found` is what is wrong."""

    def __init__(self, function: Operation, buffers: Buffers) -> None:
        self.function = function
        self.buffers = buffers
        self.found: dict[tuple[Operation, Wrong, SSAValue], Misuse] = {}
        self.own_frees = Frees(buffers)
        self.place = {op: number for number, op in enumerate(operations_in(function))}
        self._second: list[Operation] = []
        self._exact = 0
        self._freed: dict[Operation, list[tuple[Memory, Operation]]] | None = None

    # -- what subclasses say -----------------------------------------------------------------------------

    def used(self, op: Operation, state: State) -> None:
        """Report what OP itself uses of what is freed in STATE, and how it lets memory leave."""

    def frees(self, op: Operation) -> list[Free]:
        """What OP frees."""
        return self.own_frees.of(op)

    # -- memory ------------------------------------------------------------------------------------------

    def memories(self, value: SSAValue) -> Sequence[Memory]:
        """The buffers of which VALUE is one; None among them if it may be any."""
        if not is_memref(value):
            return (value,)
        root = self.buffers.root(value)
        if root.among:
            return tuple(root.among)
        if root.origin in (Origin.UNKNOWN, Origin.ESCAPED):
            return (None,)
        return (root.behind or root,)

    def freed(self, value: SSAValue, state: State) -> Freed | None:
        """Whether the memory of VALUE is freed in STATE: certainly, perhaps, or not at all (None)."""
        if not state:
            return None
        memories = self.memories(value)
        found = [state[each] for each in memories if each is not None and each in state]
        if found and len(found) == len(memories) and all(each.certain for each in found):
            return self.first(found)
        if not found and None in memories:
            found = list(state.values())
        if not found and is_memref(value):
            found = [freed for memory, freed in state.items() if _may_be(memory, memories)]
        return Freed(self.first(found).op, certain=False) if found else None

    def first(self, found: Sequence[Freed]) -> Freed:
        """The one of FOUND whose operation comes first in the text."""
        return min(found, key=lambda each: self.place[each.op])

    def report(self, misuse: Misuse) -> None:
        """Keep MISUSE, and what is certain if it is found twice; in a second iteration, what runs in each."""
        certain = misuse.certain and all(runs_always(misuse.op, each) for each in self._second)
        key = misuse.op, misuse.wrong, misuse.value
        known = self.found.get(key)
        if known is None or (certain and not known.certain):
            self.found[key] = replace(misuse, certain=certain)

    # -- visits ------------------------------------------------------------------------------------------

    def region(self, region: Region, state: State) -> Visit:
        """REGION, entered in STATE; the state in which it ends."""
        after: dict[Block, State] = {}
        ends: list[State] = []
        for block, before, is_again in in_order(region):
            states = [after[each] for each in before if each in after]
            entered = joined([*([state] if block is region.first_block else []), *states])
            if is_again:
                entered = perhaps(entered, self._freed_in(region.parent))
            after[block] = yield self._block(block, entered)
            if block.last_op is None or not block.last_op.successors:
                ends.append(after[block])
        return joined(ends)

    def _block(self, block: Block, state: State) -> Visit:
        for op in block.ops:
            self.used(op, state)
            for free in self.frees(op):
                state = self._after_free(free, state)
            if op.regions:
                state = yield self._inside(op, state)
            new = [result for result in op.results if self._is_new(result)]
            if state and new:
                state = {each: freed for each, freed in state.items() if not _is_made(each, new)}
        return state

    def _inside(self, op: Operation, state: State) -> Visit:
        runs = runs_of(op)
        if not runs.regions or runs.most == 0:
            return state
        if runs.exclusive:
            ends: list[State] = [] if runs.least else [state]
            for region in runs.regions:
                ends.append((yield self.region(region, state)))
            return joined(ends)
        freed = self._freed_in(op)
        if not freed or runs.most == 1:
            end = yield self._regions(runs, state)
            return end if runs.least else joined((state, end))
        return (yield self._loop(op, runs, state, freed))

    def _loop(self, op: Operation, runs: Runs, state: State, freed: list[tuple[Memory, Operation]]) -> Visit:
        """A loop that frees something: the first iteration, the second one, and any later one."""
        ends: list[State] = [] if runs.least else [state]
        if runs.known and self._exact < limits.FREEING_LOOPS:
            self._exact += 1
            end = yield self._regions(runs, state)
            if runs.least >= 2:
                self._second.append(op)
                end = yield self._regions(runs, end)
                self._second.pop()
            ends.append(end)
            self._exact -= 1
            if runs.most == 2:
                return joined(ends)
        ends.append((yield self._regions(runs, perhaps(state, freed))))
        return joined(ends)

    def _regions(self, runs: Runs, state: State) -> Visit:
        for region in runs.regions:
            state = yield self.region(region, state)
        return state

    # -- frees -------------------------------------------------------------------------------------------

    def _after_free(self, free: Free, state: State) -> State:
        """Report what is wrong with FREE; the state after it."""
        earlier = self.freed(free.value, state)
        if free.wrong is not None or free.may_be_wrong:
            certain = free.wrong is not None and not free.conditional
            because = free.wrong or "a view of a buffer"
            self.report(Misuse(Wrong.NO_ALLOCATION, free.op, free.value, certain, None, because))
        elif earlier is not None:
            is_sure = not free.conditional
            certain = earlier.certain and is_sure
            self.report(
                Misuse(Wrong.FREED_TWICE, free.op, free.value, certain, earlier.op, whenever_freed=is_sure)
            )
        memories, is_certain = self.memories(free.value), self.is_sure(free)
        found = dict(state)
        for each in memories:
            was = found.get(each)
            if was is None or (is_certain and not was.certain):
                found[each] = Freed(free.op, is_certain)
        return found

    def is_sure(self, free: Free) -> bool:
        """Whether FREE frees one memory, which is known, whenever it runs."""
        memories = self.memories(free.value)
        return len(memories) == 1 and None not in memories and not free.conditional and not free.wrong

    def _freed_in(self, op: Operation | None) -> list[tuple[Memory, Operation]]:
        """What operations in OP free, each buffer once."""
        if self._freed is None:
            self._freed = {}
            for inner in operations_in(self.function):
                freed = [(m, inner) for free in self.frees(inner) for m in self.memories(free.value)]
                around = inner.parent_op() if freed else None
                while around is not None:
                    self._freed.setdefault(around, []).extend(freed)
                    around = None if around is self.function else around.parent_op()
        return [] if op is None else self._freed.get(op, [])

    def _is_new(self, result: OpResult) -> bool:
        if not is_memref(result):
            return False
        root = self.buffers.root(result)
        return root.origin is Origin.ALLOCATION and root.value is result


def _may_be(memory: Memory, memories: Sequence[Memory]) -> bool:
    """Whether a freed MEMORY may be one of MEMORIES: what is not known, or what the caller may pass twice."""
    older = (Origin.ARGUMENT, Origin.GLOBAL)
    if memory is None:
        return True
    if not isinstance(memory, Root) or memory.origin not in older or memory in memories:
        return False
    origins = {memory.origin, *(each.origin for each in memories if isinstance(each, Root))}
    return Origin.ARGUMENT in origins and any(
        isinstance(each, Root) and each.origin in older for each in memories
    )


def _is_made(memory: Memory, new: Sequence[OpResult]) -> bool:
    return isinstance(memory, Root) and any(memory.value is each for each in new)
