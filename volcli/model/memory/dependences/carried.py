"""What loops carry between many accesses: a dependence for each class of pairs, and not for each pair.

Accesses are *alike* if they do the same to the same elements in the same iterations, are written in the same
way, and are parts of equal updates. What a loop carries between two accesses does not depend on the order in
which one iteration runs them; so it is the same for each pair of accesses that are like these two.

    for %i { %a = load %m[%i]; store %a, %m[%i + 1]; %b = load %m[%i]; store %b, %m[%i + 1] }

has 4 accesses in 2 classes, and a flow from each store to each load: one dependence, of 4 pairs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import overload

from volcli.limits import memory as limits
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Origin
from volcli.model.memory.dependences.answers import Dependence
from volcli.model.memory.dependences.model import Memory


@dataclass(frozen=True, eq=False)
class PairClass:
    """What is `found` of each pair of one of `sources` and one of `sinks`, said of the first ones."""

    sources: Sequence[Site]
    sinks: Sequence[Site]
    found: tuple[Dependence, ...]

    def __len__(self) -> int:
        return len(self.sources) * len(self.sinks) * len(self.found)

    def with_found(self, found: tuple[Dependence, ...]) -> PairClass:
        """These pairs with some of what is FOUND."""
        return self if len(found) == len(self.found) else PairClass(self.sources, self.sinks, found)


class CarriedDependences(Sequence[Dependence]):
    """The dependences of all pairs of CLASSES, in the order of their sources, sinks and depths.

    They are made one by one when they are gone through; how many they are, and the first one of each class,
    is known without.
    """

    def __init__(self, classes: Sequence[PairClass] = ()) -> None:
        self._classes = classes
        self._count = sum(map(len, classes))

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Dependence: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Dependence]: ...

    def __getitem__(self, index: int | slice) -> Dependence | Sequence[Dependence]:
        if isinstance(index, slice):
            return [*self][index]
        return next(islice(self, range(self._count)[index], None))

    def __iter__(self) -> Iterator[Dependence]:
        by_source: dict[Site, list[PairClass]] = {}
        for one in self._classes:
            for source in one.sources:
                by_source.setdefault(source, []).append(one)
        for source in sorted(by_source, key=_number):
            pairs = ((sink, one.found) for one in by_source[source] for sink in one.sinks)
            for sink, found in sorted(pairs, key=lambda pair: pair[0].number):
                for each in found:
                    yield replace(each, source=source, sink=sink)

    def first_ones(self) -> list[Dependence]:
        """The first dependence of each class and depth, in their order: all others are like these."""
        return sorted((each for one in self._classes for each in one.found), key=lambda each: each.key)

    def only(self, condition: Callable[[Dependence], bool]) -> CarriedDependences:
        """Those of the classes whose dependences fulfil a CONDITION that is the same for all of a class."""
        kept = ((one, tuple(filter(condition, one.found))) for one in self._classes)
        return CarriedDependences([one.with_found(found) for one, found in kept if found])

    def by_depth(self) -> Mapping[int, CarriedDependences]:
        """Those at each depth at which there are any."""
        found: dict[int, list[PairClass]] = {}
        for one in self._classes:
            for each in one.found:
                found.setdefault(each.depth, []).append(one.with_found((each,)))
        return {depth: CarriedDependences(classes) for depth, classes in found.items()}

    def joined(self, other: CarriedDependences) -> CarriedDependences:
        """These and the OTHER ones."""
        return CarriedDependences([*self._classes, *other._classes])

    def position(self, first: Dependence) -> int:
        """How many come before the FIRST one of some class."""
        before = 0
        for one in self._classes:
            sources = bisect_left(one.sources, first.source.number, key=_number)
            before += sources * len(one.sinks) * len(one.found)
            if sources < len(one.sources) and one.sources[sources] is first.source:
                sinks = bisect_left(one.sinks, first.sink.number, key=_number)
                before += sinks * len(one.found)
                if sinks < len(one.sinks) and one.sinks[sinks] is first.sink:
                    before += sum(each.depth < first.depth for each in one.found)
        return before


class AccessClasses:
    """Which accesses of MEMORY are alike; accesses of different CONTEXT are not, such as parts of updates."""

    def __init__(self, memory: Memory, context: Callable[[Site], Hashable]) -> None:
        self._memory = memory
        self._context = context

    def carried(self, sites: Sequence[Site]) -> CarriedDependences:
        """All that some loop carries between SITES, which are in their order."""
        alike = {each[0]: each for each in self._classes(sites)}
        pairs = self._memory.partners.pairs([*alike])
        found = ((source, sink, self._memory.carried(source, sink)) for source, sink in pairs)
        return CarriedDependences(
            [PairClass(alike[a], alike[b], dependences) for a, b, dependences in found if dependences]
        )

    def _classes(self, sites: Sequence[Site]) -> list[list[Site]]:
        """SITES by what they are like, in the order of the first ones."""
        written: dict[Hashable, list[Site]] = {}
        for site in sites:
            written.setdefault(self._written(site), []).append(site)
        classes: list[list[Site]] = []
        for each in written.values():
            classes += (
                [[site] for site in each] if len(each) < limits.FEW_ACCESSES else self._same_elements(each)
            )
        return sorted(classes, key=lambda each: each[0].number)

    def _written(self, site: Site) -> Hashable:
        """What SITE does, and how that is written."""
        access, place = site.access, site.place
        if site.number >= len(self._memory.sites) or place.root.origin is Origin.ESCAPED:
            return site.number
        loops = tuple(map(id, site.levels))  # which the nests keep
        return access.effect, access.memref, access.index, place.root, loops, self._context(site)

    def _same_elements(self, sites: Sequence[Site]) -> list[list[Site]]:
        """SITES by their relations: those that are written in the same way may run in other iterations."""
        found: dict[Hashable, list[Site]] = {}
        for site in sites:
            relation = self._memory.instances.relation(site)
            found.setdefault((relation.key, relation.offset), []).append(site)
        return [*found.values()]


def _number(site: Site) -> int:
    return site.number
