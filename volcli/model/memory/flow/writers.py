"""The last writers of one buffer: before each access to it, and at the end of the function."""

from __future__ import annotations

import islpy as isl

from volcli.language.expressions import constant
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.flow.buffer_accesses import BufferAccesses
from volcli.model.memory.flow.last_writers import LastWrites, Writes
from volcli.model.memory.flow.schedules import Times
from volcli.model.memory.flow.unordered import Unordered
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


class BufferWriters:
    """The last writers of the buffer of ACCESSES, at these TIMES, where FREE ones have no order.

    Iterations are the numbers of those of the loops around an access, and of the operation's own loops.
    What is said rests on ASSUMPTIONS.
    """

    def __init__(
        self, accesses: BufferAccesses, times: Times, free: Unordered | None, assumptions: tuple[str, ...]
    ) -> None:
        self.accesses = accesses
        self.assumptions = assumptions
        self.because = None if free is None else free.because
        self.rank = accesses.made + accesses.rank
        length = len(next(iter(times.entries.values())))
        space = isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, self.rank, length)
        writes = {site: accesses.relations[site] for site in accesses.writes}
        self._writes = Writes(writes, times, space, None if free is None else free.pairs)

    def before(self, site: Site) -> LastWrites:
        """The last writes before what SITE reads."""
        return self._writes.before(self.accesses.relations[site].points, site)

    def before_operation(self, site: Site) -> LastWrites:
        """The last writes to any element before the first point of SITE, which is in no loop."""
        count = self.accesses.relations[site].points.dim(DIM.in_)
        first = build.relation(0, (constant(0),) * count).range()
        return self._writes.before(isl.Map.from_domain_and_range(first, self._every), site)

    def at_end(self) -> LastWrites:
        """The last writes of all."""
        nothing = isl.Set.universe(build.space((), 0))
        return self._writes.before(isl.Map.from_domain_and_range(nothing, self._every), None)

    @property
    def _every(self) -> isl.Set:
        return isl.Set.universe(build.space((), self.rank))
