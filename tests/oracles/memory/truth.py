"""What follows from a trace: dependences, the flow of values, bounds, parallel loops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tests.oracles.interpreter.storage import Memory
from tests.oracles.memory.execute import Entry, Instance
from tests.oracles.memory.memrefs import Index
from tests.oracles.memory.nodes import Site

Pair = tuple[int, int]
Moment = tuple[int, Index]  # a site and the values of the induction variables around it
Place = tuple[str, Index]  # an element of a buffer


@dataclass(frozen=True)
class Truth:
    """All that is true of one run. `live_out` are the buffers that outlive the function."""

    sites: Sequence[Site]
    trace: Sequence[Instance]
    live_out: frozenset[str]
    entries: Sequence[Entry] = ()

    def is_pair(self, source: int, sink: int) -> bool:
        """Whether one of the two sites writes."""
        return self.sites[source].access.write or self.sites[sink].access.write

    @cached_property
    def _visits(self) -> dict[Place, dict[int, list[Instance]]]:
        """The instances that access an element, by their sites."""
        found: dict[Place, dict[int, list[Instance]]] = defaultdict(lambda: defaultdict(list))
        for each in self.trace:
            found[each.buffer, each.element][each.site].append(each)
        return found

    @cached_property
    def _by_pair(self) -> dict[tuple[int, int, int], set[Index]]:
        """The distance vectors by source, sink and depth."""
        found: dict[tuple[int, int, int], set[Index]] = defaultdict(set)
        for visits in self._visits.values():
            for source, sources in visits.items():
                for sink, sinks in visits.items():
                    if self.is_pair(source, sink):
                        self._pairs(found, sources, sinks)
        return found

    def _pairs(
        self,
        found: dict[tuple[int, int, int], set[Index]],
        sources: Sequence[Instance],
        sinks: Sequence[Instance],
    ) -> None:
        """Add the distances from SOURCES to SINKS, which access the same element."""
        source, sink = sources[0].site, sinks[0].site
        common = self.sites[source].common(self.sites[sink])
        first: dict[Index, int] = {}
        last: dict[Index, int] = {}
        for each in reversed(sources):
            first[each.ivs[:common]] = each.time
        for each in sinks:
            last[each.ivs[:common]] = each.time
        for start, began in first.items():
            for end, ended in last.items():
                distance = tuple(b - a for a, b in zip(start, end, strict=True))
                depth = next((d for d, part in enumerate(distance, 1) if part), common + 1)
                # A read-modify-write is two accesses; an instance does not depend on itself.
                if depth > common and began >= ended:
                    continue
                if depth > common or distance[depth - 1] > 0:
                    found[source, sink, depth].add(distance)

    def distances(self, source: int, sink: int, depth: int) -> set[Index]:
        """The distance vectors at DEPTH, from 1 to the number of common induction variables + 1."""
        return self._by_pair.get((source, sink, depth), set())

    @cached_property
    def _flow(self) -> tuple[dict[Instance, Instance | None], set[Instance]]:
        """The last writer before each read, and the writes that nothing reads."""
        memory = Memory[Place, Instance]()
        writers: dict[Instance, Instance | None] = {}
        for each in self.trace:
            place = (each.buffer, each.element)
            if self.sites[each.site].access.write:
                memory.write(place, each)
            else:
                writers[each] = memory.read(place)
        memory.outlive(lambda place: place[0] in self.live_out)
        return writers, memory.unread

    @cached_property
    def flow(self) -> dict[Pair, set[tuple[Index, Index]]]:
        """Which write instance gives which read instance its value, by their sites."""
        found: dict[Pair, set[tuple[Index, Index]]] = defaultdict(set)
        for read, writer in self._flow[0].items():
            if writer is not None:
                found[writer.site, read.site].add((writer.ivs, read.ivs))
        return found

    @cached_property
    def unwritten(self) -> set[Moment]:
        """The reads of what nothing wrote before: live-in, or of a fresh buffer."""
        return {(read.site, read.ivs) for read, writer in self._flow[0].items() if writer is None}

    @cached_property
    def dead(self) -> set[Moment]:
        """The writes that are overwritten, or lost with their buffer, before anything reads them."""
        return {(each.site, each.ivs) for each in self._flow[1]}

    @cached_property
    def out_of_bounds(self) -> set[Moment]:
        """The accesses outside the memref that they name."""
        return {(each.site, each.ivs) for each in self.trace if not each.in_bounds}

    @cached_property
    def out_of_base(self) -> set[Moment]:
        """The accesses outside the buffer."""
        return {(each.site, each.ivs) for each in self.trace if not each.in_base}

    @cached_property
    def carrying(self) -> set[int]:
        """The loops, by number, that carry a dependence: those that are not parallel, or have a race.

        Two writes of one value may come in any order.
        """
        return {
            self.sites[source].ivs[depth - 1][0]
            for source, sink, depth in self._by_pair
            if depth <= self.common(source, sink)
            and not self.sites[source].writes_one_value(self.sites[sink], depth)
        }

    def is_repeated(self, loop: int) -> bool:
        """Whether LOOP, those around it, and those around accesses in it have two iterations in all dimensions."""
        inside = {each for site in self.sites if loop in site.loops for each in site.loops}
        around = {each for site in self.sites if loop in site.loops for each in _before(site.loops, loop)}
        if not inside:
            return False
        entered = {each: [e for e in self.entries if e.loop == each] for each in inside - around}
        if not all(entered.values()):
            return False
        places = zip(*(e.ivs for e in entered[loop]), strict=True)
        return all(min(e.counts, default=0) >= 2 for each in entered.values() for e in each) and all(
            len(set(values)) >= 2 for values in places
        )

    def common(self, source: int, sink: int) -> int:
        """The number of induction variables of the loops around both."""
        return self.sites[source].common(self.sites[sink])


def _before(loops: Sequence[int], loop: int) -> Sequence[int]:
    """The LOOPS in front of LOOP, one of them."""
    return loops[: loops.index(loop)]
