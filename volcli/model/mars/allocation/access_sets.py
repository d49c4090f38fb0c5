r"""Which MARS each access of a tile reads or writes: of those of its array, by their numbers.

What a tile T(u) reads of an array is a part of the footprint of T(u), so a load with the dependence B_i reads
of the set M

    M ∩ B_i<T(u)>           of an array that is only read, or was there before
    M ∩ B_i<T(c)>           of values that T(u) produces, in each of the tiles c that consume M

A store writes all of what its tile produces.

    %x = affine.load %a[%t - 1, %i + 1]         reads the sets 1, 2 and 3 of %a
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from volcli.model.mars.footprints.cases import tiles_of
from volcli.model.mars.footprints.footprints import AffineDependence, Footprints
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet, TileClass
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.memory.accesses.site import Site
from volcli.presburger.sets.build import DIM, at_values, number

Numbers = tuple[int, ...]
"""Positions of sets among those of a class of tiles."""


def accessed_sets(answer: MarsAnswer, one: TileClass) -> Iterator[tuple[Site, Numbers]]:
    """Each access to the array of ANSWER, and which sets of the tiles of the class ONE it reads or writes."""
    flow = answer.flow
    if flow.nest is None:
        return
    if flow.writer is not None:
        yield flow.writer, tuple(range(len(one.sets)))
    for position, site in enumerate(flow.readers):
        if one.sets and one.sets[0].tiles is not None:
            consumers = flow.relations[position].reverse().apply_range(tiles_of(flow.nest.tiling))
            read = [_is_consumed(each, consumers, None if flow.writer else one.example) for each in one.sets]
        else:
            images = _Images(flow.nest.tiling, one, is_own=flow.writer is None)
            read = [images.is_met(each, flow.of_readers[position]) for each in one.sets]
        yield site, tuple(number for number, is_read in enumerate(read) if is_read)


def _is_consumed(mars: MarsSet, consumers: isl.Map, own: Sequence[int] | None) -> bool:
    """Whether one of the tiles that consume MARS, or the OWN tile, does so by CONSUMERS of elements."""
    assert mars.tiles is not None
    tiles = mars.tiles
    for position, coordinate in enumerate(own or ()):
        tiles = tiles.fix_val(DIM.set, position, number(coordinate))
    return not consumers.intersect_domain(mars.points).intersect_range(tiles).is_empty()


class _Images:
    """The images of tiles near the example of a class ONE, for the sizes that it has as an example."""

    def __init__(self, tiling: HyperplaneTiling, one: TileClass, *, is_own: bool) -> None:
        sizes = tuple(size if isinstance(size, int) else one.values[size] for size in tiling.sizes)
        self._footprints = Footprints(replace(tiling, sizes=sizes), one.example)
        origin = {f"o{j}": size * t for j, (size, t) in enumerate(zip(sizes, one.example, strict=True))}
        self._values: Mapping[str, int] = {**one.values, **origin}
        self._is_own = is_own

    def is_met(self, mars: MarsSet, dependences: Sequence[AffineDependence]) -> bool:
        """Whether one of DEPENDENCES leads to MARS, from the tile itself or from its consumers."""
        points = at_values(mars.points, self._values)
        own = [each for each in mars.consumers if each.is_own]
        return any(
            not points.is_disjoint(self._footprints.of(dependence, consumer.offset))
            for consumer in (own if self._is_own else mars.consumers)
            for dependence in dependences
        )
