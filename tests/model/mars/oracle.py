"""MARS by enumeration in plain Python: the tiles that read each element, one by one.

Tiles are all sets of points of Z^d (loops without ends); those are enumerated that may read what the tile at
hand reads. Nothing of volcli is used."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

Vector = tuple[int, ...]
Affine = tuple[Sequence[Sequence[int]], Sequence[int]]
"""A matrix and an offset."""


def tile_of(normals: Sequence[Vector], sizes: Vector, point: Vector) -> Vector:
    """The tile in which POINT is."""
    return tuple(dot(h, point) // s for h, s in zip(normals, sizes, strict=True))


def dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))


def image(function: Affine, point: Vector) -> Vector:
    matrix, offset = function
    return tuple(dot(row, point) + b for row, b in zip(matrix, offset, strict=True))


def points_near(rank: int, reach: int) -> Iterator[Vector]:
    """All points of no coordinate beyond REACH."""
    return itertools.product(range(-reach, reach + 1), repeat=rank)


def whole_tiles(normals: Sequence[Vector], sizes: Vector, reach: int) -> set[Vector]:
    """The tiles that have all of their points within REACH: those none of whose points is a little beyond."""
    inside, beyond = set[Vector](), set[Vector]()
    for point in points_near(len(normals), reach + BEYOND):
        is_inside = all(abs(x) <= reach for x in point)
        (inside if is_inside else beyond).add(tile_of(normals, sizes, point))
    return inside - beyond


BEYOND = 8


def read(
    normals: Sequence[Vector], sizes: Vector, functions: Sequence[Affine], tile: Vector, reach: int
) -> dict[frozenset[Vector], set[Vector]]:
    """The elements that TILE reads, by the tiles that read them, of iterations within REACH."""
    consumers: Mapping[Vector, set[Vector]] = defaultdict(set)
    whole = whole_tiles(normals, sizes, reach)
    for point in points_near(len(normals), reach):
        at = tile_of(normals, sizes, point)
        if at not in whole:
            continue
        for function in functions:
            consumers[image(function, point)].add(at)
    return by_consumers({element: tiles for element, tiles in consumers.items() if tile in tiles})


def produced(
    normals: Sequence[Vector], sizes: Vector, functions: Sequence[Affine], tile: Vector, reach: int
) -> dict[frozenset[Vector], set[Vector]]:
    """The points of TILE whose values other tiles read, by these tiles, of iterations within REACH."""
    consumers: Mapping[Vector, set[Vector]] = defaultdict(set)
    whole = whole_tiles(normals, sizes, reach)
    for point in points_near(len(normals), reach):
        at = tile_of(normals, sizes, point)
        if at not in whole:
            continue
        for function in functions:
            source = image(function, point)
            if tile_of(normals, sizes, source) == tile != at:
                consumers[source].add(at)
    return by_consumers(consumers)


def by_consumers(consumers: Mapping[Vector, set[Vector]]) -> dict[frozenset[Vector], set[Vector]]:
    """The elements with the same CONSUMERS, by these."""
    found: dict[frozenset[Vector], set[Vector]] = defaultdict(set)
    for element, tiles in consumers.items():
        found[frozenset(tiles)].add(element)
    return dict(found)


def form(points: Iterable[Vector]) -> tuple[Vector, ...]:
    """POINTS with the first one at the origin."""
    first, *others = sorted(points)
    return tuple(tuple(x - y for x, y in zip(point, first, strict=True)) for point in (first, *others))
