"""Which accesses to one buffer can share an element: a sweep over the offsets of those that are alike.

The accesses of a class go to the elements `offset + x`, for x in a set X that is one for all of the class. So
a source and a sink with the sets X and Y go to one element only if

    offset(sink) - offset(source)   is in   { x - y : x in X, y in Y }

which is in an interval in each dimension: the window of two classes, for all parameters. Where that is one
number, sinks are found by hashing; else in the order of their offsets.

    affine.for %i = 0 to 4 { store %m[%i + 10]; load %m[%i + 13]; load %m[%i + 20] }    the window is -3 .. 3

A few accesses are compared with all others: a window would cost more than it saves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence

import islpy as isl

from volcli.limits import memory as limits
from volcli.model.memory.accesses.instances import Instances
from volcli.model.memory.accesses.site import Site
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.extremes import Interval, interval
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import without

Window = tuple[Interval, ...]


class Windows:
    """The windows of one function's classes of accesses, each found once."""

    def __init__(self, instances: Instances, operations: int) -> None:
        self._operations = operations
        self._windows: dict[tuple[Hashable, Hashable], Window | None] = {}
        self.relation = instances.relation

    def of(self, source: Relation, sink: Relation) -> Window | None:
        """How far the offset of SINK may be from that of SOURCE; None: any distance."""
        key = source.key, sink.key
        if key not in self._windows:
            self._windows[key] = self._found(source, sink)
        return self._windows[key]

    def _found(self, source: Relation, sink: Relation) -> Window | None:
        if len(source.offset) != len(sink.offset):
            return None
        try:
            with budget(self._operations):
                first, second = (_elements(each) for each in (source, sink))
                first = first.align_params(second.get_space())
                second = second.align_params(first.get_space())
                steps = isl.Map.from_domain_and_range(second, first).deltas()
                steps = steps.project_out(DIM.param, 0, steps.dim(DIM.param))
                if steps.is_empty():
                    return ((1, 0),) * len(source.offset)
                found = tuple(interval(steps, k) for k in range(len(source.offset)))
        except BudgetExceeded:
            return None
        return None if all(each == (None, None) for each in found) else found


def _elements(relation: Relation) -> isl.Set:
    """The elements of RELATION's class: for any values of what may differ between iterations."""
    return without(relation.points.range(), *(name for name, _ in relation.unstable))


class Nearby:
    """The accesses to one buffer, by their classes and their offsets."""

    def __init__(self, windows: Windows, sites: Iterable[Site]) -> None:
        self._windows = windows
        self._classes: dict[Hashable, list[tuple[Site, Relation]]] = {}
        for site in sites:
            relation = windows.relation(site)
            self._classes.setdefault(relation.key, []).append((site, relation))
        self._sorted: dict[Hashable, _ByOffset] = {}

    def of(self, source: Site) -> list[Site]:
        """The accesses that may share an element with SOURCE, and perhaps others, in their order."""
        relation, found = self._windows.relation(source), list[Site]()
        own = len(self._classes[relation.key])
        for key, sinks in self._classes.items():
            one = sinks[0][1]
            window = None if own * len(sinks) < limits.WINDOW_PAIRS else self._windows.of(relation, one)
            if window is None:
                found += (site for site, _ in sinks)
            else:
                found += self._within(key, window, relation.offset)
        return sorted(found, key=lambda site: site.number)

    def _within(self, key: Hashable, window: Window, offset: tuple[int, ...]) -> Iterator[Site]:
        hashed = tuple(k for k, (low, high) in enumerate(window) if low is not None and low == high)
        ranged = [k for k, (low, high) in enumerate(window) if low != high and None not in (low, high)]
        swept = ranged[0] if ranged else None
        if (key, hashed, swept) not in self._sorted:
            self._sorted[key, hashed, swept] = _ByOffset(self._classes[key], hashed, swept)
        return self._sorted[key, hashed, swept].within(window, offset)


class _ByOffset:
    """The accesses of a class by their offsets along HASHED dimensions, in the order of those along SWEPT."""

    def __init__(
        self, accesses: Sequence[tuple[Site, Relation]], hashed: tuple[int, ...], swept: int | None
    ) -> None:
        self._hashed, self._swept = hashed, swept
        self._found: dict[tuple[int, ...], list[tuple[int, tuple[int, ...], Site]]] = {}
        for site, relation in accesses:
            offset = relation.offset
            first = 0 if swept is None else offset[swept]
            self._found.setdefault(tuple(offset[k] for k in hashed), []).append((first, offset, site))
        for each in self._found.values():
            each.sort(key=lambda found: found[0])

    def within(self, window: Window, offset: tuple[int, ...]) -> Iterator[Site]:
        """Those whose offset is in WINDOW, from OFFSET on."""
        ends = [
            (None if low is None else low + at, None if high is None else high + at)
            for (low, high), at in zip(window, offset, strict=True)
        ]
        same = self._found.get(tuple(low for k in self._hashed if (low := ends[k][0]) is not None), [])
        first, last = 0, len(same)
        if self._swept is not None:
            low, high = ends[self._swept]
            if low is not None and high is not None:
                first = bisect_left(same, low, key=lambda found: found[0])
                last = bisect_right(same, high, key=lambda found: found[0])
        for _, other, site in same[first:last]:
            if all((low is None or low <= at) and (high is None or at <= high)
                   for (low, high), at in zip(ends, other, strict=True)):  # fmt: skip
                yield site
