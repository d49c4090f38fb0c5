"""Buffers that cannot have a finding: each read has a value, and no store is dead.

The flow through a buffer is a set of pairs of iterations for each read. That each read was written, and that
of each write some value is read, is much less, and true of nearly all buffers. Where loops have constant
numbers of iterations it mostly shows in plain integers: a read by what writes before it cover
(`covering.py`), a write by one of its iterations (`next_accesses.py`). What does not show here is left to the
flow: nothing is concluded from that.

    alloc %m; for %i { store %m[%i] }; for %j { load %m[%j] }      the store covers the load, which reads it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType

from volcli.model.memory.accesses.site import Site
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.covering import WrittenElements
from volcli.model.memory.flow.next_accesses import NextAccesses
from volcli.model.memory.flow.schedules import Schedules
from volcli.model.memory.flow.timed import TimedAccess, time_of, timed
from volcli.model.memory.flow.unordered import may_be_unordered
from volcli.presburger.measures.first_solution import TooLong


class OrdinaryBuffers:
    """Which buffers of one function are known to be ordinary."""

    def __init__(self, memory: Memory, schedules: Schedules) -> None:
        self._memory = memory
        self._schedules = schedules

    def in_vain(
        self, own: Sequence[Site], asked: Sequence[Site], made: int, *, outlives: bool
    ) -> list[Site] | None:
        """Of OWN, all accesses to one buffer that has no other name, those writes among the ASKED accesses of
        which nothing is ever read; None if that is not known, or some read may find what nothing wrote.

        The buffer is made in each iteration of `made` loops, and may OUTLIVE the function.
        """
        if may_be_unordered(own, self._schedules.nests):
            return None
        times, instances = self._schedules.of(own), self._memory.instances
        accesses = {site: timed(instances, times, site, made) for site in own}
        known = [each for each in accesses.values() if each is not None]
        writes = [each for each in known if each.site.is_write]
        if len(writes) < sum(site.is_write for site in own) or len({len(each.element) for each in known}) > 1:
            return None
        written, following, found = WrittenElements(writes), NextAccesses(known), list[Site]()
        for site in asked:
            access = accesses[site]
            if not site.is_write:
                time, shape = time_of(times, site), _shape(site)
                is_written = access is not None and written.cover(access)
                if not is_written and not (shape and written.cover_all(time, made, shape)):
                    return None
            elif access is None or not self._is_read(access, following, outlives=outlives):
                is_known = len(known) == len(own) and not any(map(self._may_be_cut_short, own))
                if access is None or not is_known or not _runs_once(access):
                    return None
                found.append(site)
        return found

    def _is_read(self, write: TimedAccess, following: NextAccesses, *, outlives: bool) -> bool:
        """Whether WRITE never runs, or shows to be read in some iteration before something overwrites it."""
        if 0 in write.box.trips.values():
            return True
        try:
            for numbers in _tried(write):
                found = following.after(write, numbers)
                reader = None if found is None else found.site
                is_used = outlives if reader is None else not reader.is_write
                if is_used and self._may_happen(write.site, reader or write.site):
                    return True
        except TooLong:
            pass
        return False

    def _may_happen(self, *sites: Site) -> bool:
        """Whether assertions let some execution come to all of SITES."""
        if not any(map(self._may_be_cut_short, sites)):
            return True
        domains = [self._memory.instances.domains.of(site.op).points.params() for site in sites]
        return not reduce(isl.Set.intersect, domains).is_empty()

    def _may_be_cut_short(self, site: Site) -> bool:
        """Whether SITE may not run in some iterations of the loops around, as an assertion has failed."""
        return not self._memory.instances.domains.is_of_loops(site.op)


def _shape(site: Site) -> Sequence[int]:
    """The sizes of the buffer that SITE goes to, by which its elements have their indices; () if unknown."""
    kind = site.place.root.value.type
    if not isinstance(kind, MemRefType) or DYNAMIC_INDEX in kind.get_shape():
        return ()
    return kind.get_shape()


def _runs_once(access: TimedAccess) -> bool:
    """Whether ACCESS has one iteration: what is true of that one is true of all."""
    return all(trips == 1 for trips in access.box.trips.values()) and not access.box.conditions


def _tried(write: TimedAccess) -> Iterator[Sequence[int]]:
    """Iterations of WRITE that are worth looking at: the last one of the box, and the first one that runs."""
    last = [last for _, last in write.ranges]
    if write.runs_at(last):
        yield last
    first = write.first
    if first is not None:
        yield first
