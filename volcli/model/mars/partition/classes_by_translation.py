r"""Classes of tiles that have the same sets, each moved as one of the dependences moves footprints.

With the sets E_1, ..., E_n of an example u, a tile v is in its class if

    E_k + D_k (v - u) is in one set of v for each k, in another one for each k, and their union is all of v

where D_k = A H^-1 diag(s) for the linear part A of one of the dependences, or 0 if there is none. Then
another example is taken, from the tiles that are left. That needs no numbers of elements, and no numbers
for symbols of the program.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import islpy as isl

from volcli.limits import mars as limits
from volcli.model.mars.partition.classes_by_points import LikeTiles, Point
from volcli.model.mars.partition.positions import Positions, different
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import Matrix, affine_map, unit
from volcli.presburger.measures.points import least_point
from volcli.presburger.sets.build import DIM, number
from volcli.presburger.sets.coalescing import coalesced

_NOWHERE: Matrix = ()
"""The move of sets that stay where they are: of a[i mod 3], all tiles of three or more have the same ones."""


@dataclass(frozen=True)
class MovedTiles:
    """The TILES of a class, and FIRSTS: from each of them to the first element of each of its sets."""

    tiles: isl.Set
    firsts: tuple[isl.Map, ...]

    def joined(self, consumers: isl.Map) -> isl.Set:
        """The tiles in which two of the sets have the same CONSUMERS."""
        of_tiles = [each.intersect_domain(self.tiles).apply_range(consumers) for each in self.firsts]
        pairs = itertools.combinations(of_tiles, 2)
        told_apart = (different(one, other).domain() for one, other in pairs)
        return self.tiles.subtract(reduce(isl.Set.intersect, told_apart, self.tiles))

    def among(self, tiles: isl.Set) -> MovedTiles:
        """Those of the class that are in TILES."""
        return MovedTiles(self.tiles.intersect(tiles), self.firsts)


def by_examples(
    said: Positions, tiles: isl.Set, moves: Sequence[Matrix]
) -> Iterator[tuple[LikeTiles, MovedTiles]]:
    """Classes of TILES by MOVES, as many as the limit allows."""
    rest = tiles
    for _ in range(limits.KINDS_OF_TILES):
        if rest.is_empty():
            return
        example = nearest(rest)
        own = isl.Set.from_point(_point(example, tiles))
        if not said.held.intersect_domain(own).range().is_bounded():
            return  # what it holds depends on symbols, and is here for all values of them
        sets = said.of(example)
        moved = _like(said, said.held.domain(), example, [points for points, _ in sets], moves)
        yield LikeTiles(moved.tiles, example, tuple(sets)), moved
        rest = coalesced(rest.subtract(moved.tiles))


def _like(
    said: Positions, tiles: isl.Set, example: Point, sets: Sequence[isl.Set], moves: Sequence[Matrix]
) -> MovedTiles:
    """Those of TILES that have SETS of the EXAMPLE, each moved by one of MOVES."""
    held = said.held.intersect_domain(tiles)
    wrong, rest, firsts = tiles.subtract(tiles), held, list[isl.Map]()
    points = [isl.Set.from_point(least_point(each)) for each in sets]
    for each, point in zip(sets, points, strict=True):
        fitting: list[tuple[isl.Map, isl.Map, isl.Set]] = []
        for move in moves or [_NOWHERE]:
            pairs, first = (_moved(some, tiles, example, move) for some in (each, point))
            fitting.append((pairs, first, _misfits(pairs, first, held, said.consumers)))
        pairs, first, misfits = reduce(lambda a, b: b if b[2].is_strict_subset(a[2]) else a, fitting)
        wrong, rest = wrong.union(misfits), rest.subtract(pairs)
        firsts.append(first)
    moved = MovedTiles(coalesced(tiles.subtract(wrong.union(rest.domain()))), tuple(firsts))
    return moved.among(coalesced(moved.tiles.subtract(moved.joined(said.consumers))))


def _misfits(pairs: isl.Map, first: isl.Map, held: isl.Map, consumers: isl.Map) -> isl.Set:
    """The tiles for which PAIRS do not lead to elements of one set that they hold.

    They are of one set if each has the consumers of the FIRST of them.
    """
    expected = pairs.domain_map().apply_range(first).apply_range(consumers)
    found = pairs.range_map().apply_range(consumers)
    apart = different(expected, found).domain().unwrap().domain()
    return pairs.subtract(held).domain().union(apart)


def moves_of(tiling: HyperplaneTiling, parts: Sequence[Matrix]) -> list[Matrix]:
    """D = A·H^-1·diag(s) for each linear part A, if it is an integer matrix."""
    count = len(tiling.sizes)
    columns = [tiling.translation(column, {}) for column in unit(count)]
    found: list[Matrix] = []
    for part in dict.fromkeys(parts):
        rows = [[sum(a * c for a, c in zip(row, column, strict=True)) for column in columns] for row in part]
        if all(entry.q == 1 for row in rows for entry in row if not isinstance(entry, int)):
            found.append(
                tuple(tuple(int(e) if isinstance(e, int) else int(e.p) for e in row) for row in rows)
            )
    return found


def _moved(points: isl.Set, tiles: isl.Set, example: Sequence[int], move: Matrix) -> isl.Map:
    """`{ v -> e + MOVE·(v - EXAMPLE) : e in POINTS, v in TILES }`; coordinates without a row in MOVE stay."""
    count, rank = len(example), points.dim(DIM.set)
    move = (*move, *((0,) * count,) * (rank - len(move)))
    offset = [-sum(a * b for a, b in zip(row, example, strict=True)) for row in move]
    both = tiles.flat_product(points)
    to = affine_map([[*row, *same] for row, same in zip(move, unit(rank), strict=True)], offset)
    first = affine_map(unit(count + rank)[:count], (0,) * count)
    return to.intersect_domain(both).apply_domain(first)


def is_among(tile: Point, tiles: isl.Set) -> bool:
    """Whether TILE is one of TILES."""
    return isl.Set.from_point(_point(tile, tiles)).is_subset(tiles)


def _point(tile: Point, tiles: isl.Set) -> isl.Point:
    point = isl.Point.zero(tiles.get_space())
    for position, coordinate in enumerate(tile):
        point = point.set_coordinate_val(DIM.set, position, number(coordinate))
    return point


def nearest(tiles: isl.Set) -> Point:
    """A tile of TILES with small coordinates, none below 0 where that can be."""
    rank = tiles.dim(DIM.set)
    for low, reach in ((0, 1), (0, 4), (-1, 1), (-4, 4), (0, 16), (-16, 16)):
        near = tiles
        for position in range(rank):
            near = near.lower_bound_val(DIM.set, position, number(low))
            near = near.upper_bound_val(DIM.set, position, number(reach))
        if not near.is_empty():
            tiles = near
            break
    point = least_point(tiles)
    return tuple(point.get_coordinate_val(DIM.set, k).to_python() for k in range(rank))
