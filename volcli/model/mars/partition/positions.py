r"""MARS that depend on where a tile is: several linear parts, and numeric sizes.

By dependences with different linear parts, footprints of two tiles are not translates of each other, and
neither are their MARS (4.5 of Ferry, Derrien and Rajopadhye; that the null spaces are equal does not suffice,
erratum E001-4). With numbers for the sizes, what tiles consume is one relation of Presburger arithmetic, over
all tiles,

    C = { a -> t : a = B_i(x) for some i and x in T(t) }

and two elements are in one MARS if they have the same consumers. One element after the other is compared
with the first one that is left, a': its MARS are

    { a : C(a) = C(a') },   that is, those for which C(a) \ C(a') and C(a') \ C(a) are empty

>>> from volcli.model.mars.tilings.tiling import HyperplaneTiling
>>> tiling = HyperplaneTiling.parse("i+j: 8, j-i: 8")
>>> both = [AffineDependence(((1, -1),), (0,)), AffineDependence(((1, 1),), (0,))]
>>> said = Positions(tiling, everywhere(both, 2))
>>> len(said.of((0, 0))), len(said.of((1, 0)))
(3, 4)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce

import islpy as isl

from volcli.model.mars.footprints.cases import tiles_of
from volcli.model.mars.footprints.footprints import AffineDependence
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import affine_map, unit
from volcli.presburger.measures.points import least_point
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM, number
from volcli.presburger.sets.coalescing import coalesced


class Positions:
    """What tiles consume, by numeric sizes and any RELATION `{ x -> a }` from iterations to elements.

    With PRODUCERS, the elements are iterations of a statement in a nest of these tiles, tiled loops first. If
    this is the same nest (IS_SAME), a tile does not count as a consumer of its own. Only tiles WITHIN a set
    count as consumers (None: all)."""

    def __init__(
        self,
        tiling: HyperplaneTiling,
        relation: isl.Map,
        producers: HyperplaneTiling | None = None,
        *,
        is_same: bool = True,
        within: isl.Set | None = None,
    ) -> None:
        self.tiling = tiling
        self._relation = relation
        self._producers = producers
        self._is_same = is_same
        self._within = within

    @cached_property
    def consumers(self) -> isl.Map:
        """C: from elements to the tiles that consume them."""
        found = self._relation.reverse().apply_range(tiles_of(self.tiling))
        found = coalesced(found if self._within is None else found.intersect_range(self._within))
        if self._producers is None or not self._is_same:
            return found
        return coalesced(found.subtract(self._producer))

    @cached_property
    def held(self) -> isl.Map:
        """From tiles to the elements of their footprint, or to what they produce and others consume."""
        if self._producers is None:
            return self.consumers.reverse()
        return coalesced(self._producer.intersect_domain(self.consumers.domain()).reverse())

    @cached_property
    def _producer(self) -> isl.Map:
        """From each iteration of the writer to the tile in which it runs."""
        producers = self._producers or self.tiling
        tiled, rank = len(producers.iterators), self._relation.dim(DIM.out)
        return tiles_of(producers).apply_domain(affine_map(unit(rank)[:tiled], (0,) * tiled).reverse())

    def of(self, tile: Sequence[int]) -> list[tuple[isl.Set, isl.Set]]:
        """The MARS of TILE, each with the tiles that consume it, by their least elements."""
        point = isl.Set.universe(self.held.domain().get_space())
        for position, coordinate in enumerate(tile):
            point = point.fix_val(DIM.set, position, number(coordinate))
        rest = self.held.intersect_domain(point).range()
        consumers = self.consumers.intersect_domain(rest)
        found: list[tuple[isl.Set, isl.Set]] = []
        while not rest.is_empty():
            of_least = coalesced(isl.Set.from_point(least_point(rest)).apply(consumers))
            expected = isl.Map.from_domain_and_range(rest, of_least)
            points = coalesced(rest.subtract(different(consumers.intersect_domain(rest), expected).domain()))
            found.append((points, of_least))
            rest = rest.subtract(points)
        return found

    def consumers_of_tiles(
        self, tiles: isl.Set, example: Sequence[int], sets: Sequence[isl.Set]
    ) -> list[isl.Map] | None:
        """The consumers of each of SETS, which EXAMPLE produces, for all TILES; None if these have others.

        With D = H^-1 * diag(s) of the producers, an integer matrix, and E_k a set of the example u, the tile
        v has

            E_k + D·(v - u),    with the consumers    R_k(v) = C(e + D·(v - u)) for every e in E_k

        if C is the same for every e, and if nothing else that v produces is consumed. That is the condition
        on producer tiles of 4.6: each tile v does the same, with consumers that follow from v.
        """
        moved = self._moved(example, sets[0].dim(DIM.set))
        if moved is None:
            return None
        count, rank, found = len(example), sets[0].dim(DIM.set), list[isl.Map]()
        rest = self.held.intersect_domain(tiles)
        for each in sets:
            pairs = moved.intersect_domain(tiles.flat_product(each))
            consumers = pairs.apply_range(self.consumers)
            of_tile = consumers.project_out(DIM.in_, count, rank)
            first = affine_map(unit(count + rank)[:count], (0,) * count).intersect_domain(pairs.domain())
            if not first.apply_range(of_tile).is_subset(consumers):
                return None
            rest = rest.subtract(pairs.project_out(DIM.in_, count, rank))
            found.append(coalesced(of_tile))
        return found if rest.is_empty() else None

    def _moved(self, example: Sequence[int], rank: int) -> isl.Map | None:
        """`{ (v, e) -> e + D·(v - EXAMPLE) }` for elements of RANK coordinates; None if D is not integer."""
        if self._producers is None:
            return None
        count = len(example)
        columns = [self._producers.translation(column, {}) for column in unit(count)]
        if any(entry.q != 1 for column in columns for entry in column):
            return None
        steps = [[int(column[r].p) for column in columns] if r < count else [0] * count for r in range(rank)]
        offset = [-sum(a * b for a, b in zip(row, example, strict=True)) for row in steps]
        return affine_map([[*row, *same] for row, same in zip(steps, unit(rank), strict=True)], offset)


def different(one: isl.Map, other: isl.Map) -> isl.Map:
    """What is in one of two relations, and not in both."""
    return one.subtract(other).union(other.subtract(one))


def everywhere(dependences: Sequence[AffineDependence], tiled: int) -> isl.Map:
    """`{ x -> A·x + b }` of the DEPENDENCES, for all iterations x of TILED loops that run."""
    found: list[isl.Map] = []
    for each in dependences:
        pairs = affine_map(each.matrix, each.offset)
        runs = isl.Set.universe(build.space((), tiled)) if each.runs is None else each.runs
        pairs = pairs.intersect_domain(runs if each.inner is None else runs.flat_product(each.inner))
        found.append(pairs.project_out(DIM.in_, tiled, pairs.dim(DIM.in_) - tiled))
    return coalesced(reduce(isl.Map.union, found))
