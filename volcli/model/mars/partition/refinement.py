r"""MARS: a footprint cut into the sets of elements that the same tiles consume.

With Φ(c) = the union over dependences of B_i<T(o + diag(s)·c)>, the footprint of the class c of consumers,
two elements of the footprint of a tile are in one MARS if the same classes consume them:

    M_C = (intersection of Φ(c), c in C)  minus  (union of Φ(c), c not in C)

(Ferry, Derrien and Rajopadhye, 4.3 and 4.4). Not all 2^|P| sets C are looked at: the footprint is one part at
first, and each Φ(c) cuts the parts that it intersects in two. Each M_C is *atomic* (a tile that consumes one
element of it consumes all), *maximal* (two have different consumers) and *irredundant* (no element is in
two); `ConsumerPartition.violation` looks for an exception.

What a tile produces is its own points, of which other tiles consume some: the same, with the points of the
tile as what is cut, and the tile itself left out of the consumers (section 4.6, uniform dependences).

>>> from volcli.model.mars.tilings.tiling import HyperplaneTiling
>>> tiling = HyperplaneTiling.parse("i+j: 8, j-i: 8")
>>> for mars in read_by_tiles(Footprints(tiling, (0, 0)), [AffineDependence(((1, 0),), (0,))]).sets:
...     print(mars.points, *map(str, mars.consumers), sep="; ")
{ [i0] : -3 <= i0 < 0 }; (-1, 0) + p (1, 1); (0, 0) + p (1, 1)
{ [0] }; (0, 0) + p (1, 1)
{ [i0] : 0 < i0 <= 3 }; (0, 0) + p (1, 1); (1, 0) + p (1, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import islpy as isl

from volcli.model.mars.footprints.consumers import Consumer, candidates
from volcli.model.mars.footprints.footprints import AffineDependence, Footprints
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True, eq=False)
class ConsumedSet:
    """Elements, and the classes of tiles that consume each of them."""

    points: isl.Set
    consumers: tuple[Consumer, ...]


@dataclass(frozen=True, eq=False)
class ConsumerPartition:
    """The MARS of a tile: of its footprint, or of what it produces."""

    whole: isl.Set
    sets: tuple[ConsumedSet, ...]
    reads: dict[Consumer, isl.Set]
    """What each class of consumers reads of `whole`."""

    @cached_property
    def consumers(self) -> tuple[Consumer, ...]:
        """The classes that read something, in the order of their offsets."""
        return tuple(self.reads)

    def violation(self) -> str | None:
        """Which of the three properties fails, and for which sets; None, as it must be."""
        if len({mars.consumers for mars in self.sets}) < len(self.sets):
            return "not maximal: two sets have the same consumers"
        for mars in self.sets:
            for consumer, read in self.reads.items():
                is_met = consumer in mars.consumers
                if not (mars.points.is_subset(read) if is_met else mars.points.is_disjoint(read)):
                    return f"not atomic: {consumer} consumes a part of {mars.points}"
        rest = self.whole
        for mars in self.sets:
            if not mars.points.is_subset(self.whole):
                return f"{mars.points} has an element without a consumer"
            rest = rest.subtract(mars.points)
        # Sets with different consumers are disjoint if they are atomic, and so no element is in two.
        return None if rest.is_empty() else f"not in any set: {rest}"


def read_by_tiles(footprints: Footprints, dependences: Sequence[AffineDependence]) -> ConsumerPartition:
    """The MARS of the footprint of a tile. DEPENDENCES have one linear part. Raises NotFinite."""
    classes = candidates(footprints.tiling, dependences)
    reads = {each: _read(footprints, dependences, each) for each in classes}
    own = next(each for each in classes if each.is_own)
    return _partition(reads[own], reads)


def produced_by_tiles(
    footprints: Footprints,
    dependences: Sequence[AffineDependence],
    inner: isl.Set | None = None,
    *,
    is_same: bool = True,
) -> ConsumerPartition:
    """The MARS of what a tile produces and other tiles consume, by uniform DEPENDENCES.

    INNER are the iterations of the producing statement's loops inside a tile. The consumers are tiles of the
    same nest if IS_SAME, and else of another one: the tile of the same number is one of them, too.
    """
    tiled = len(footprints.tiling.iterators)
    itself = identity(tiled, inner)
    classes = [
        each
        for each in candidates(footprints.tiling, [itself, *dependences])
        if not (is_same and each.is_own)
    ]
    reads = {each: _read(footprints, dependences, each) for each in classes}
    own = footprints.of(itself, (0,) * tiled)
    found = _partition(own, reads)
    sets = tuple(mars for mars in found.sets if mars.consumers)
    consumed = reduce(isl.Set.union, (mars.points for mars in sets), own.subtract(own))
    return ConsumerPartition(consumed, sets, found.reads)


def identity(tiled: int, inner: isl.Set | None) -> AffineDependence:
    """What a statement in TILED loops, and INNER ones, produces: its own iterations."""
    rank = tiled + (0 if inner is None else inner.dim(DIM.set))
    return AffineDependence(
        tuple(tuple(int(r == c) for c in range(rank)) for r in range(rank)), (0,) * rank, inner
    )


def _read(footprints: Footprints, dependences: Sequence[AffineDependence], consumer: Consumer) -> isl.Set:
    images = [footprints.of(each, consumer.offset) for each in dependences]
    return coalesced(reduce(isl.Set.union, images))


def _partition(whole: isl.Set, reads: dict[Consumer, isl.Set]) -> ConsumerPartition:
    """WHOLE cut by what each class READS of it."""
    met = {each: part for each, read in reads.items() if not (part := whole.intersect(read)).is_empty()}
    parts: list[tuple[isl.Set, tuple[Consumer, ...]]] = [] if whole.is_empty() else [(whole, ())]
    for consumer, read in met.items():
        cut: list[tuple[isl.Set, tuple[Consumer, ...]]] = []
        for part, consumers in parts:
            inside = part.intersect(read)
            if inside.is_empty():
                cut.append((part, consumers))
                continue
            outside = part.subtract(read)
            cut.append((coalesced(inside), (*consumers, consumer)))
            if not outside.is_empty():
                cut.append((coalesced(outside), consumers))
        parts = cut
    sets = sorted(parts, key=lambda part: [each.offset for each in part[1]])
    return ConsumerPartition(whole, tuple(ConsumedSet(points, consumers) for points, consumers in sets), met)
