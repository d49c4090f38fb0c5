"""The last writers of what is read: `{ [[i] -> [e]] -> [j] }` for reads in iteration i of elements e.

With the times t of writes to e before the read, those are last after which there is no other one that surely
writes: the lexicographically greatest ones. A time before that of the read is equal to it at the positions
0, ..., p - 1 and less at p; the larger p, the later it is. So the writes are looked at from the largest p on,
those of one p one after the other where numbers say which are later, and reads that have their last writer
are looked at no more (Feautrier 1991): mostly all have one at once.

    for i { s: m[i] = ..; for j { t: .. = m[i];  u: m[i] = .. } }

At j > 0, t reads what u wrote in the iteration j - 1: the times are equal but for j. The next group is asked
at j = 0 alone, and s is found: the times are equal but for the place within i.

The greatest time of one group is isl's `lexmax`. It is wrong for some relations with divisions: the version
of July 2025, whose flow analysis rests on it and on complements, left m[1] without a writer in `m[1] = ..;
for i < 2: m[2 * i mod 6] = ..`. So it is checked against the definition where there are divisions; that is
computed by subtraction where the check fails, and where the order of some writes is unknown.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import chain

import islpy as isl

from volcli.model.memory.accesses.site import Site
from volcli.model.memory.flow.candidates import Candidate, are_disjoint, not_hidden
from volcli.model.memory.flow.earlier import (
    TimedGroup,
    TimedWrite,
    TimeEntries,
    from_last_to_first,
    less,
    precedes,
)
from volcli.model.memory.flow.projections import difference, greatest, sure_difference
from volcli.model.memory.flow.schedules import Times
from volcli.presburger.relations.contents import Contents
from volcli.presburger.relations.relation import Relation


@dataclass(frozen=True, eq=False)
class LastWrites:
    """`{ [j] -> [[i] -> [e]] }` for each writer: the last write surely, or possibly; what nothing wrote."""

    certain: Mapping[Site, isl.Map]
    possible: Mapping[Site, isl.Map]
    never_written: isl.Map
    unwritten: isl.Map


class Writes:
    """All writes to one buffer `{ [j] -> [element] }`, each of which is exact or not.

    UNORDERED are pairs of times whose order is not known. IN BOXES are those accesses of which numbers say
    where they go.
    """

    def __init__(
        self,
        accesses: Mapping[Site, Relation],
        times: Times,
        space: isl.Space,
        unordered: isl.Map | None = None,
    ) -> None:
        self._times = times
        self._space = space
        self._unordered = unordered
        self._certain: list[TimedWrite] = []
        self._possible: list[TimedWrite] = []
        self._contents = Contents()
        self._known: dict[Hashable, LastWrites] = {}
        for site, relation in accesses.items():
            write = TimedWrite(site, relation.points.reverse(), times.entries[site])
            (self._certain if relation.exact else self._possible).append(write)

    def before(self, reads: isl.Map, reader: Site | None) -> LastWrites:
        """The last writes before READS of READER, `{ [i] -> [e] }`; without it, of all."""
        if self._orders is not None:
            return self._by_subtraction(reads, reader, *self._orders)
        points, number_of = self._contents.of(reads, None)
        time = None if reader is None else self._times.entries[reader]
        groups = list(from_last_to_first(self._certain, time))
        key = number_of, self._order(time, groups)
        if key not in self._known:
            self._known[key] = self._last(points, time, groups)
        return self._known[key]

    def at_most(self, reads: isl.Map, reader: Site | None) -> LastWrites:
        """Supersets of what `before` answers: all writes to the same elements, but for those that show to run
        after READER. Each is found by itself, and nothing is hidden.

        An operation and those in its regions may interleave, whatever their times.
        """
        elements, found = reads.range_map(), dict[Site, isl.Map]()
        for write in (*self._certain, *self._possible):
            if reader is not None and self._is_after(write, reader):
                continue
            pairs = elements.apply_range(write.iterations)
            if not pairs.is_empty():
                found[write.site] = pairs.reverse()
        return LastWrites({}, found, isl.Map.empty(reads.get_space()), reads)

    def _is_after(self, write: TimedWrite, reader: Site) -> bool:
        """Whether it shows that all iterations of WRITE run after all those of READER."""
        mine, other = write.site.op, reader.op
        if mine.is_ancestor(other) or other.is_ancestor(mine):
            return False
        return precedes(self._times.entries[reader], write.time)

    def _order(self, time: TimeEntries | None, certain: Sequence[TimedGroup]) -> Hashable:
        """All that the last writes before an access at TIME depend on, but for what it reads: which ones are
        looked at, in which order, and where its time is compared with that of another iteration.

        In `m[i] = ..; .. = m[i]; .. = m[i]` it is the same for both reads.
        """
        found: list[Hashable] = []
        for position, group in chain(certain, from_last_to_first(self._possible, time)):
            compared = () if time is None else time[: position + 1]
            loops_of = (
                entry
                for k, entry in enumerate(compared)
                if not (entry.is_constant and all(write.time[k].is_constant for write in group))
            )
            found.append((position, tuple(write.site.number for write in group), tuple(loops_of)))
        return tuple(found)

    def _last(self, reads: isl.Map, time: TimeEntries | None, certain: Sequence[TimedGroup]) -> LastWrites:
        last, unwritten = self._in_order(reads, time, certain)
        possible = self._possible
        if last and unwritten.is_empty():  # each read has one of these, and hides what is earlier than all
            surely = [self._times.entries[site] for site in last]
            possible = [write for write in possible if not all(map(write.is_before, surely))]
        if not possible and self._possible:
            for pairs in last.values():
                hash(pairs)  # which removes redundant constraints, as what is done with possible ones does
        possible = self._earlier(possible, reads, time)
        if not possible:
            nothing = unwritten.unwrap()
            return LastWrites(last, last, nothing, nothing)
        if not last:
            written = reduce(isl.Set.union, (pairs.domain() for pairs in possible.values()))
            each = {site: pairs.reverse() for site, pairs in possible.items()}
            return LastWrites({}, each, sure_difference(unwritten, written).unwrap(), unwritten.unwrap())
        perhaps = self._at_times(possible)
        sure = self._at_times({site: pairs.reverse() for site, pairs in last.items()})
        return LastWrites(
            self._by_writer(sure.subtract(perhaps.apply_range(self._later)), last),
            self._by_writer(
                sure.union(perhaps.subtract(sure.apply_range(self._later))), {**last, **possible}
            ),
            sure_difference(unwritten, perhaps.domain()).unwrap(),
            unwritten.unwrap(),
        )

    def _in_order(
        self, reads: isl.Map, time: TimeEntries | None, groups: Sequence[TimedGroup]
    ) -> tuple[dict[Site, isl.Map], isl.Set]:
        """The last of the writes that are certain, and `{ [i] -> [e] }` without one."""
        found: dict[Site, isl.Map] = {}
        elements, rest = reads.range_map(), reads.wrap()
        for position, group in groups:
            candidates: list[Candidate] = []
            for write in group:
                pairs = elements.apply_range(write.iterations)
                pairs = pairs if time is None else less(pairs, write.time, time, position)
                if not pairs.is_empty():
                    candidates.append(Candidate(write, pairs, pairs.domain()))
            candidates = not_hidden(candidates)
            for site, pairs in self._greatest(candidates):
                found[site] = found[site].union(pairs) if site in found else pairs
            for candidate in candidates:
                rest = difference(rest, candidate.reads)
            if candidates:
                if rest.is_empty():
                    break
                elements = elements.intersect_domain(rest)
        return {site: pairs.reverse() for site, pairs in found.items()}, rest

    def _greatest(self, candidates: Sequence[Candidate]) -> Iterator[tuple[Site, isl.Map]]:
        """The last of CANDIDATES, `{ [[i] -> [e]] -> [j] }` of each writer."""
        if len(candidates) > 1 and not are_disjoint(candidates):
            yield from self._greatest_of_several(candidates)
            return
        for each in candidates:
            last = each.pairs if each.pairs.plain_is_single_valued() else greatest(each.pairs)
            if last is not None:
                yield each.site, last
            else:
                yield from self._greatest_of_several([each])

    def _greatest_of_several(self, candidates: Sequence[Candidate]) -> Iterator[tuple[Site, isl.Map]]:
        """The last of CANDIDATES, by the times at which they run."""
        times = [self._times.relation(each.site) for each in candidates]
        timed = (each.pairs.apply_range(when) for each, when in zip(candidates, times, strict=True))
        together = reduce(isl.Map.union, timed)
        last = greatest(together)
        if last is None:
            last = together.subtract(together.apply_range(self._later))
        for each, when in zip(candidates, times, strict=True):
            pairs = last.apply_range(when.reverse())
            if not pairs.is_empty():
                yield each.site, pairs

    @cached_property
    def _orders(self) -> tuple[isl.Map, isl.Map] | None:
        """`{ [t] -> [u] : u is earlier than t }`, surely and perhaps, if the order of some is not known."""
        free = self._unordered
        return None if free is None else (self._later.subtract(free), self._later.union(free))

    def _by_subtraction(
        self, reads: isl.Map, reader: Site | None, later: isl.Map, perhaps_later: isl.Map
    ) -> LastWrites:
        """What is last by definition, where the order of some times is not known."""
        sure = self._before(self._certain, reads, reader, later)
        perhaps = self._before(self._possible, reads, reader, perhaps_later)
        if reader is not None:
            possibly = self._before(self._certain, reads, reader, perhaps_later)
            perhaps = perhaps.union(possibly.subtract(sure))
        hidden = sure.apply_range(later)
        last = sure.subtract(hidden)
        between = perhaps.apply_range(perhaps_later).union(sure.apply_range(perhaps_later).subtract(hidden))
        unwritten = difference(reads.wrap(), sure.domain())
        return LastWrites(
            self._by_writer(last.subtract(between), self._times.entries),
            self._by_writer(last.union(perhaps.subtract(hidden)), self._times.entries),
            sure_difference(unwritten, perhaps.domain()).unwrap(),
            unwritten.unwrap(),
        )

    def _earlier(
        self, writes: Sequence[TimedWrite], reads: isl.Map, time: TimeEntries | None
    ) -> dict[Site, isl.Map]:
        """`{ [[i] -> [e]] -> [j] }` of WRITES in j to e, than which the read in i, at TIME, is later."""
        found: dict[Site, isl.Map] = {}
        elements = reads.range_map()
        for position, group in from_last_to_first(writes, time):
            for write in group:
                pairs = elements.apply_range(write.iterations)
                pairs = pairs if time is None else less(pairs, write.time, time, position)
                if not pairs.is_empty():
                    site = write.site
                    found[site] = found[site].union(pairs) if site in found else pairs
        return found

    def _at_times(self, pairs: Mapping[Site, isl.Map]) -> isl.Map:
        """`{ [[i] -> [e]] -> [t] }`: the times at which writers run in `{ [[i] -> [e]] -> [j] }`."""
        timed = (each.apply_range(self._times.relation(site)) for site, each in pairs.items())
        return reduce(isl.Map.union, timed)

    def _before(
        self, writes: Iterable[TimedWrite], reads: isl.Map, reader: Site | None, later: isl.Map
    ) -> isl.Map:
        """`{ [[i] -> [e]] -> [t] }` of WRITES at t to e, than which the read in i is LATER."""
        found = isl.Map.empty(self._space)
        for write in writes:
            found = found.union(write.iterations.apply_range(self._times.relation(write.site)))
        found = reads.range_map().apply_range(found)
        if reader is None:
            return found
        instances = isl.Map.universe(reads.get_space()).domain_map()  # what is found has only those of READS
        return found.intersect(instances.apply_range(self._times.relation(reader)).apply_range(later))

    def _by_writer(self, last: isl.Map, among: Container[Site]) -> dict[Site, isl.Map]:
        """The writes at these times, `{ [[i] -> [e]] -> [t] }`, those of each writer AMONG some."""
        found: dict[Site, isl.Map] = {}
        for write in (*self._certain, *self._possible):
            if write.site not in among:
                continue
            pairs = last.apply_range(self._times.relation(write.site).reverse())
            if not pairs.is_empty():
                found[write.site] = pairs.reverse()
        return found

    @cached_property
    def _later(self) -> isl.Map:
        """`{ [t] -> [u] : u is earlier than t }`"""
        return isl.Map.lex_gt(self._space.range())
