"""MARS of tiles without ends: the tiles that read each element, by dependences, one by one.

Tiles are all sets of points of Z^d (loops without ends); those are enumerated that may read what the tile at
hand reads. Nothing of volcli is used."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tests.oracles.mars.enumeration import Point
from tests.oracles.mars.tiles import Sets, partition

Affine = tuple[Sequence[Sequence[int]], Sequence[int]]
"""A matrix and an offset."""


def tile_of(normals: Sequence[Point], sizes: Point, point: Point) -> Point:
    """The tile in which POINT is."""
    return tuple(dot(h, point) // s for h, s in zip(normals, sizes, strict=True))


def dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))


def image(function: Affine, point: Point) -> Point:
    matrix, offset = function
    return tuple(dot(row, point) + b for row, b in zip(matrix, offset, strict=True))


def points_near(rank: int, reach: int) -> Iterator[Point]:
    """All points of no coordinate beyond REACH."""
    return itertools.product(range(-reach, reach + 1), repeat=rank)


def whole_tiles(normals: Sequence[Point], sizes: Point, reach: int) -> set[Point]:
    """The tiles that have all of their points within REACH: those none of whose points is a little beyond."""
    inside, beyond = set[Point](), set[Point]()
    for point in points_near(len(normals[0]), reach + BEYOND):
        is_inside = all(abs(x) <= reach for x in point)
        (inside if is_inside else beyond).add(tile_of(normals, sizes, point))
    return inside - beyond


BEYOND = 8


def _accesses(
    normals: Sequence[Point], sizes: Point, functions: Sequence[Affine], reach: int
) -> Iterator[tuple[Point, Point]]:
    """What FUNCTIONS are of the points within REACH, with the tiles of these, which are whole."""
    whole = whole_tiles(normals, sizes, reach)
    for point in points_near(len(normals[0]), reach):
        at = tile_of(normals, sizes, point)
        if at in whole:
            yield from ((image(function, point), at) for function in functions)


def read(
    normals: Sequence[Point], sizes: Point, functions: Sequence[Affine], tile: Point, reach: int
) -> Sets:
    """The elements that TILE reads, by the tiles that read them, of iterations within REACH."""
    consumers: Mapping[Point, set[Point]] = defaultdict(set)
    for element, at in _accesses(normals, sizes, functions, reach):
        consumers[element].add(at)
    return _partition({element: tiles for element, tiles in consumers.items() if tile in tiles})


def produced(
    normals: Sequence[Point], sizes: Point, functions: Sequence[Affine], tile: Point, reach: int
) -> Sets:
    """The points of TILE whose values other tiles read, by these tiles, of iterations within REACH."""
    consumers: Mapping[Point, set[Point]] = defaultdict(set)
    for source, at in _accesses(normals, sizes, functions, reach):
        if tile_of(normals, sizes, source) == tile != at:
            consumers[source].add(at)
    return _partition(consumers)


def exchanged(
    normals: Sequence[Point], sizes: Point, functions: Sequence[Affine], tiles: Sequence[Point], reach: int
) -> list[tuple[int, int]]:
    """How many sets of other tiles each of TILES reads, and how many it produces, of iterations within REACH.

    The hyperplanes may be more than the loops: such tiles are not all alike.
    """
    consumers: Mapping[Point, set[Point]] = defaultdict(set)
    for source, at in _accesses(normals, sizes, functions, reach):
        if tile_of(normals, sizes, source) != at:
            consumers[source].add(at)
    sets = {(tile_of(normals, sizes, source), frozenset(tiles)) for source, tiles in consumers.items()}
    return [
        (sum(tile in by for _, by in sets), sum(producer == tile for producer, _ in sets)) for tile in tiles
    ]


def _partition(consumers: Mapping[Point, set[Point]]) -> Sets:
    return partition({element: frozenset(tiles) for element, tiles in consumers.items()})
