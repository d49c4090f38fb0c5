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

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import islpy as isl

from volcli.model.mars.footprints.cases import tiles_of
from volcli.model.mars.footprints.footprints import AffineDependence, Footprints
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet, TileClass
from volcli.model.mars.partition.tiled_program import TiledProgram
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import affine_map, unit
from volcli.model.memory.accesses.site import Site
from volcli.presburger.sets import build
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
        if in_program is not None:
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
    """What the tiles of a class ONE hold in the PROGRAM: sets that move as the tile does."""

    def __init__(self, answer: MarsAnswer, one: TileClass, program: TiledProgram) -> None:
        self._answer, self._one, self._program = answer, one, program

    def of(self, site: Site, relation: isl.Map) -> AccessedSets:
        """The sets of which RELATION reads an element in some tile, and in which tiles not."""
        read = self._program.by(relation, only_whole=self._answer.only_whole).held
        read = read.intersect_domain(self._tiles)
        reached = [each.intersect(read).domain() for each in self._sets]
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
        """`{ u -> e + A·D·(u - v) }` for each set, with e in the set of the example v.

        A is the one linear part: of what is produced, the identity on tiled loops.
        """
        flow, tiling, one = self._program.flow, self._program.tiling, self._one
        if not one.sets:
            return []
        rank, count = one.sets[0].points.dim(DIM.set), len(one.example)
        linear = flow.dependences[0].of_tiled(count) if flow.writer is None else unit(rank)
        steps = [tiling.translation(column, {}) for column in unit(count)]
        scale = math.lcm(*(int(entry.q) for column in steps for entry in column))
        columns = [[int(scale * entry) for entry in column] for column in steps]
        rows = [[_dot(row, column) for column in columns] for row in linear]
        scaled = [[scale * entry for entry in row] for row in unit(rank)]
        both = [[*row, *own] for row, own in zip(rows, scaled, strict=True)]
        moved = affine_map(both, [-_dot(row, one.example) for row in rows])
        moved = moved.apply_range(affine_map(scaled, (0,) * rank).reverse())
        anywhere = isl.Set.universe(build.space((), count))
        return [
            moved.intersect_domain(anywhere.flat_product(each.points)).project_out(DIM.in_, count, rank)
            for each in one.sets
        ]


def _dot(row: Sequence[int], column: Sequence[int]) -> int:
    """The product of ROW and COLUMN, as far as the shorter one."""
    return sum(a * b for a, b in zip(row, column, strict=False))


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
