r"""Which MARS each access of a tile reads or writes: of those of its array, by their numbers.

What a tile T(u) reads of an array is a part of the footprint of T(u), so a load with the dependence B_i reads
of the set M

    M ∩ B_i<T(u)>           of an array that is only read, or was there before
    M ∩ B_i<T(c)>           of values that T(u) produces, in each of the tiles c that consume M

A store writes all of what its tile produces. Where sizes are numbers, B_i is the flow of the program: then a
load may read a set in some tiles of a class only.

    for i in tiles of 3: b[i] = b[i] + b[0]     b[0] has its first value in the tile 0 only

    %x = affine.load %a[%t - 1, %i + 1]         reads the sets 1, 2 and 3 of %a
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import islpy as isl

from volcli.model.mars.footprints.cases import tiles_of
from volcli.model.mars.footprints.consumers import Consumer
from volcli.model.mars.footprints.footprints import AffineDependence, Footprints
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet, TileClass
from volcli.model.mars.partition.positions import everywhere
from volcli.model.mars.partition.tiled_program import TiledProgram
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import affine_map, unit
from volcli.model.memory.accesses.site import Site
from volcli.presburger.sets.build import DIM, at_values, number

Numbers = tuple[int, ...]
"""Positions of sets among those of a class of tiles."""


@dataclass(frozen=True, eq=False)
class AccessedSets:
    """The sets, by NUMBERS, that SITE reads or writes; those IN_SOME not in all tiles of the class."""

    site: Site
    numbers: Numbers
    in_some: Numbers = ()


def accessed_sets(answer: MarsAnswer, one: TileClass) -> Iterator[AccessedSets]:
    """Each access to the array of ANSWER, and which sets of the tiles of the class ONE it reads or writes.

    Where the sets depend on the position of the tile, they are those of the example.
    """
    flow = answer.flow
    if flow.nest is None:
        return
    if flow.writer is not None:
        yield AccessedSets(flow.writer, tuple(range(len(one.sets))))
    by_position = bool(one.sets) and one.sets[0].tiles is not None
    in_program = None if by_position or answer.program is None else _InProgram(answer, one, answer.program)
    for position, site in enumerate(flow.readers):
        if in_program is not None and not in_program.is_stated(position):
            yield in_program.of(site, flow.relations[position])
            continue
        if by_position:
            consumers = flow.relations[position].reverse().apply_range(tiles_of(flow.nest.tiling))
            read = [_is_consumed(each, consumers, None if flow.writer else one.example) for each in one.sets]
        else:
            images = _Images(flow.nest.tiling, one, is_own=flow.writer is None)
            read = [images.is_met(each, flow.of_readers[position]) for each in one.sets]
        yield AccessedSets(site, tuple(number for number, is_read in enumerate(read) if is_read))


class _InProgram:
    """What the tiles of a class ONE hold in the PROGRAM, by sets with consumers relative to the tile."""

    def __init__(self, answer: MarsAnswer, one: TileClass, program: TiledProgram) -> None:
        self._answer, self._one, self._program = answer, one, program

    def is_stated(self, position: int) -> bool:
        """Whether the reader at POSITION reads in these tiles what its dependences state."""
        program, flow = self._program, self._program.flow
        stated = flow.of_readers[position] if flow.of_readers else ()
        if not stated:
            return False
        tiles = tiles_of(program.tiling if flow.writer is None else program.producers)
        relation, of_tiles = flow.relations[position], everywhere(stated, len(program.tiling.iterators))
        inside = tiles.intersect_range(self._tiles).domain()
        if flow.writer is None:
            return relation.intersect_domain(inside).is_equal(of_tiles.intersect_domain(inside))
        rank, tiled = relation.dim(DIM.out), inside.dim(DIM.set)
        written = inside.apply(affine_map(unit(rank)[:tiled], (0,) * tiled).reverse())
        return relation.intersect_range(written).is_equal(of_tiles.intersect_range(written))

    def of(self, site: Site, relation: isl.Map) -> AccessedSets:
        """The sets of which RELATION reads an element in some tile, and in which tiles not."""
        read = self._program.by(relation, only_whole=self._answer.only_whole).held
        reached = [self._tiles.intersect(each.intersect(read).domain()) for each in self._sets]
        numbers = tuple(number for number, tiles in enumerate(reached) if not tiles.is_empty())
        in_some = tuple(number for number in numbers if not self._tiles.is_subset(reached[number]))
        return AccessedSets(site, numbers, in_some)

    @cached_property
    def _tiles(self) -> isl.Set:
        """The tiles of the class that the answer covers."""
        covers, own = self._answer.covers, self._one.tiles
        covers = self._program.everything.held.domain() if covers is None else covers
        return covers if own is None else covers.intersect(own)

    @cached_property
    def _sets(self) -> list[isl.Map]:
        """From each tile to the elements of a set: those that its consumers get, and no others."""
        said = self._program.among_whole if self._answer.only_whole else self._program.everything
        classes = dict.fromkeys(each for mars in self._one.sets for each in mars.consumers)
        held, reads = said.held.intersect_domain(self._tiles), said.consumers.reverse()
        reached: dict[Consumer, isl.Map] = {
            each: each.tiles.apply_range(reads).intersect(held) for each in classes
        }
        return [_met(held, reached, mars.consumers) for mars in self._one.sets]


def _met(held: isl.Map, reached: Mapping[Consumer, isl.Map], consumers: Sequence[Consumer]) -> isl.Map:
    """What tiles HELD and each of CONSUMERS, and no other one, REACHED."""
    for each, elements in reached.items():
        held = held.intersect(elements) if each in consumers else held.subtract(elements)
    return held


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
