"""The flow of values through one buffer: what its accesses are, and what the last writers answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ParamSpec, TypeVar

import islpy as isl

from volcli.limits import memory as limits
from volcli.limits.presburger import DEARER
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.flow.answers import BufferFlow, LastWriter, ReadFlow, WriteFlow
from volcli.model.memory.flow.buffer_accesses import BufferAccesses
from volcli.model.memory.flow.last_writers import LastWrites, Writes
from volcli.model.memory.flow.projections import difference, first_dimensions, outermost, tidy
from volcli.model.memory.flow.schedules import Times
from volcli.model.memory.flow.unordered import Unordered
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.extremes import hull
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import reproducibly_coalesced
from volcli.presburger.sets.unwieldy import Allowance, divisions, is_dear, within_nested

MapOrSet = TypeVar("MapOrSet", isl.Map, isl.Set)
Answer = TypeVar("Answer")
P = ParamSpec("P")


class FlowSolver:
    """The flow between accesses to one buffer; and to whoever reads it later, if it OUTLIVES the function.

    A question about one access may cost at most OPERATIONS of isl. Where it is only asked what the flow is AT
    MOST, for the reason that is given so, writes hide no others.
    """

    def __init__(
        self,
        accesses: BufferAccesses,
        times: Times,
        free: Unordered | None,
        *,
        outlives: bool,
        operations: int,
        at_most: str | None = None,
    ) -> None:
        points = [each.points for each in accesses.relations.values() if not each.is_numeric]
        share = DEARER if any(map(is_dear, points)) else limits.DIVIDED_SHARE
        self._allowance = Allowance(operations, operations // share, "flow of accesses with divisions")
        self._is_divided = any(map(divisions, points))
        self._reads: dict[Hashable, ReadFlow] = {}
        self._unwritten: dict[Hashable, isl.Map] = {}
        self._accesses = accesses
        self._outlives = outlives
        self._at_most = at_most
        self._because = at_most or (accesses.because if free is None else free.because)
        """Why what is certain is less than what is possible, if the access itself is exact."""
        rank = accesses.made + accesses.rank
        length = len(next(iter(times.entries.values())))
        space = isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, rank, length)
        writes = {site: accesses.relations[site] for site in accesses.writes}
        self._writes = Writes(writes, times, space, None if free is None else free.pairs)
        last = self._writes.before if at_most is None else self._writes.at_most
        self._last = {
            site: self._query(last, accesses.relations[site].points, site) for site in accesses.reads
        }
        every = isl.Set.universe(build.space((), rank))
        nobody = isl.Map.from_domain_and_range(isl.Set.universe(build.space((), 0)), every)
        self._after = self._query(last, nobody, None) if outlives else None

    def _query(self, ask: Callable[P, Answer], *given: P.args, **named: P.kwargs) -> Answer:
        """What is answered within the budget of one query."""
        with self._allowance.of(is_dear=self._is_divided):
            return ask(*given, **named)

    def solved(self, root: Root) -> BufferFlow:
        """All answers about ROOT."""
        own = self._accesses.own
        reads = tuple(self._query(self._read, site) for site in own if not site.is_write)
        writes = tuple(self._query(self._write, site) for site in own if site.is_write)
        is_exact = all(r.is_exact for r in reads) and all(w.is_exact for w in writes)
        because = self._at_most or self._accesses.because or (None if is_exact else self._because)
        return BufferFlow(
            root,
            reads,
            writes,
            self._outlives,
            None if root.origin is Origin.ALLOCATION else self._live_in(reads),
            self._live_out(),
            because is None,
            because,
        )

    def _read(self, site: Site) -> ReadFlow:
        """Where the values of a read come from; equal reads with the same last writers are answered once."""
        read = self._accesses.relations[site]
        key = id(self._last[site]), id(site.levels), read.exact, read.because
        if key not in self._reads:
            self._reads[key] = self._sources(site, read)
        known = self._reads[key]
        if known.site is site:
            return known
        return replace(known, site=site, writers=tuple(replace(w, reader=site) for w in known.writers))

    def _sources(self, site: Site, read: Relation) -> ReadFlow:
        last = self._last[site]
        found: list[LastWriter] = []
        for writer in self._accesses.writes if last.possible else ():
            pairs = self._between(last.possible, writer, site)
            if pairs is None:
                continue
            certain = pairs
            if last.certain is not last.possible:
                certain = self._between(last.certain, writer, site)
            if certain is None or not read.exact:
                certain = _none(pairs)
            exact = certain is pairs or bool(pairs.is_subset(certain))
            because = self._accesses.relations[writer].because or read.because or self._because
            pairs = pairs.coalesce()
            certain = pairs if exact else certain
            found.append(LastWriter(writer, site, pairs, certain, exact, None if exact else because))
        unwritten = never = self._elements(site, last.unwritten)
        because = next((each.because for each in found if not each.exact), None)
        if not read.exact or last.unwritten is not last.never_written:
            never = self._elements(site, last.never_written) if read.exact else _none(unwritten)
            if not unwritten.is_subset(never):
                because = because or read.because or self._because
        return ReadFlow(site, tuple(found), unwritten, never, because)

    def _between(self, writes: Mapping[Site, isl.Map], writer: Site, reader: Site) -> isl.Map | None:
        """`{ [iteration of the writer] -> [iteration of the reader] }`; None if there are none."""
        if writer not in writes:
            return None
        pairs = writes[writer].range_factor_domain()
        pairs = outermost(outermost(pairs, DIM.in_, len(writer.levels)), DIM.out, len(reader.levels))
        numbers = self._accesses.numbers
        return numbers.range_iterations(numbers.domain_iterations(pairs, writer), reader)

    def _elements(self, site: Site, points: isl.Map) -> isl.Map:
        """`{ [iteration] -> [element] }`, without the operation's own loops and those of the allocation."""
        key = id(points), id(site.levels)  # POINTS are what `_last` holds
        if key not in self._unwritten:
            inner = outermost(points, DIM.in_, len(site.levels))
            inner = self._accesses.numbers.domain_iterations(inner, site)
            self._unwritten[key] = inner.project_out(DIM.out, 0, self._accesses.made).coalesce()
        return self._unwritten[key]

    def _write(self, site: Site) -> WriteFlow:
        depth, write = len(site.levels), self._accesses.relations[site]
        runs = first_dimensions(write.points.domain(), depth).coalesce()
        used, certain = _none(runs), _none(runs)
        same = True
        for last, is_exact in self._users.get(site, ()):
            used = used.union(first_dimensions(last.possible[site].domain(), depth))
            same = same and is_exact and last.certain is last.possible
            if is_exact and site in last.certain:
                certain = certain.union(first_dimensions(last.certain[site].domain(), depth))
        is_exact = same or bool(used.is_subset(certain))
        because = None if is_exact else write.because or self._because
        try:
            dead = tidy(difference(runs, used), runs)
        except BudgetExceeded as error:
            dead, is_exact, because = _none(runs), False, error.reason
        dead = dead if self._accesses.may_be(dead) else _none(dead)
        dead, read, runs = (
            self._accesses.numbers.iterations(each, site) for each in (dead, certain.coalesce(), runs)
        )
        return WriteFlow(site, dead, read, runs, is_exact, because)

    @cached_property
    def _users(self) -> dict[Site, list[tuple[LastWrites, bool]]]:
        """Of each write, the reads that may get its value, and whether these are exact."""
        known = ((self._last[site], self._accesses.relations[site].exact) for site in self._accesses.reads)
        users = list({(id(last), is_exact): (last, is_exact) for last, is_exact in known}.values())
        if self._after is not None:
            users.append((self._after, True))
        found: dict[Site, list[tuple[LastWrites, bool]]] = {}
        for last, is_exact in users:
            for site in last.possible:
                found.setdefault(site, []).append((last, is_exact))
        return found

    def _live_in(self, reads: Sequence[ReadFlow]) -> isl.Set:
        found = isl.Set.empty(build.space((), self._accesses.rank))
        for read in reads:
            if read.unwritten is not None:
                found = found.union(read.unwritten.range())
        for site in [*self._accesses.relations][len(self._accesses.own) :]:  # of what may be this buffer
            if not site.is_write:
                found = found.union(self._elements(site, self._last[site].unwritten).range())
        return self._joined(found)

    def _live_out(self) -> isl.Set | None:
        if self._after is None or self._accesses.made:
            return None
        found = isl.Set.empty(build.space((), self._accesses.rank))
        for pairs in self._after.possible.values():
            found = found.union(pairs.range_factor_range().range())
        return self._joined(found)

    def _joined(self, points: isl.Set) -> isl.Set:
        """POINTS in few pieces; where it is asked what there is at most, their hull if that is dear."""
        try:
            with within_nested(points):
                return _whole(reproducibly_coalesced(points))
        except BudgetExceeded:
            if self._at_most is None:
                raise
            return _box(points)


def _box(points: isl.Set) -> isl.Set:
    """The elements between the least and the greatest of POINTS, in each dimension."""
    found = isl.Set.universe(points.get_space())
    for position, (low, high) in enumerate(hull(points)):
        found = found if low is None else found.lower_bound_val(DIM.set, position, build.number(low))
        found = found if high is None else found.upper_bound_val(DIM.set, position, build.number(high))
    return found


def _whole(points: isl.Set) -> isl.Set:
    """POINTS; if they are all that there are, as the whole space, which isl does not always see.

    Of large numbers that is not looked at: it took seconds, and is another way to write the same set.
    """
    if points.n_basic_set() < 2 or is_dear(points):
        return points
    every = isl.Set.universe(points.get_space())
    try:
        with budget(limits.WHOLE_OPERATIONS):
            return every if every.is_subset(points) else points
    except BudgetExceeded:
        return points


def _none(points: MapOrSet) -> MapOrSet:
    return type(points).empty(points.get_space())
