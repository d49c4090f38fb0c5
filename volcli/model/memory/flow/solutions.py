"""The flow through buffers that are accessed alike is solved once: equal layers of a network are.

Two buffers are accessed alike if a bijection of their accesses keeps the order of the text, with
equal relations at equal times. Times are compared after `Schedules.of` has numbered them within the buffer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.flow.answers import BufferFlow
from volcli.model.memory.flow.buffer_accesses import BufferAccesses
from volcli.model.memory.flow.schedules import Schedules, Times
from volcli.model.memory.flow.solver import FlowSolver
from volcli.model.memory.flow.unordered import Unordered, may_be_unordered, unordered
from volcli.model.memory.flow.writers import BufferWriters
from volcli.presburger.relations.contents import Contents


class Solutions:
    """What was answered of the buffers of one function, by what is done to them."""

    def __init__(self, schedules: Schedules, operations: int) -> None:
        self._operations = operations
        self._schedules = schedules
        self._contents = Contents()
        self._known: dict[Hashable, tuple[BufferFlow, list[Site]]] = {}

    def of(self, root: Root, accesses: BufferAccesses, *, outlives: bool) -> BufferFlow:
        """The flow through ROOT, with these ACCESSES."""
        return replace(self._of(root, accesses, outlives=outlives), digits=accesses.digits)

    def at_most(self, root: Root, accesses: BufferAccesses, because: str, *, outlives: bool) -> BufferFlow:
        """What the flow through ROOT is at most: its exact form is not known BECAUSE of something."""
        times = self._schedules.of([*accesses.relations])
        solver = self._solver(accesses, times, None, outlives, because)
        return replace(solver.solved(root), digits=accesses.digits)

    def writers(self, accesses: BufferAccesses, assumptions: tuple[str, ...]) -> BufferWriters:
        """The last writers of the buffer of ACCESSES."""
        times, free = self._times(accesses)
        return BufferWriters(accesses, times, free, assumptions)

    def _times(self, accesses: BufferAccesses) -> tuple[Times, Unordered | None]:
        """When ACCESSES run, and those that have no order."""
        sites, nests = [*accesses.relations], self._schedules.nests
        times = self._schedules.of(sites)
        is_free = may_be_unordered(sites, nests)
        return times, unordered(accesses.relations, times, nests) if is_free else None

    def _of(self, root: Root, accesses: BufferAccesses, *, outlives: bool) -> BufferFlow:
        sites = [*accesses.relations]
        times, free = self._times(accesses)
        if free is not None:
            return self._solver(accesses, times, free, outlives).solved(root)
        key = self._key(root, accesses, times), outlives
        if key not in self._known:
            found = self._solver(accesses, times, None, outlives).solved(root)
            self._known[key] = found, sites
        known, others = self._known[key]
        return known if known.root is root else _renamed(known, root, others, sites)

    def _solver(
        self,
        accesses: BufferAccesses,
        times: Times,
        free: Unordered | None,
        outlives: bool,
        at_most: str | None = None,
    ) -> FlowSolver:
        operations = self._operations
        return FlowSolver(accesses, times, free, outlives=outlives, operations=operations, at_most=at_most)

    def _key(self, root: Root, accesses: BufferAccesses, times: Times) -> Hashable:
        """What the flow depends on."""
        rows = tuple(
            (
                self._contents.key(relation),
                times.entries[site],
                accesses.numbers.of(site.levels),
                relation.exact,
                relation.because,
                site.is_write,
                len(site.levels),
            )
            for site, relation in accesses.relations.items()
        )
        return rows, len(accesses.own), accesses.made, accesses.rank, root.origin is Origin.ALLOCATION


def _renamed(flow: BufferFlow, root: Root, sites: Sequence[Site], others: Sequence[Site]) -> BufferFlow:
    """FLOW as that of ROOT, with OTHERS in the places of SITES."""
    to = dict(zip(sites, others, strict=True))
    reads = tuple(
        replace(
            read,
            site=to[read.site],
            writers=tuple(replace(w, writer=to[w.writer], reader=to[w.reader]) for w in read.writers),
        )
        for read in flow.reads
    )
    writes = tuple(replace(write, site=to[write.site]) for write in flow.writes)
    return replace(flow, root=root, reads=reads, writes=writes)
