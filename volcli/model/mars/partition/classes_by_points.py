r"""Classes of tiles that have the same sets, told apart by going through what all tiles hold.

With the consumers C(e), a tile has the sets { e : C(e) = c }. Two tiles are in one class if their sets, each
moved to the origin, are the same; if these would be many classes, if the sizes of their sets are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.limits import mars as limits
from volcli.model.mars.partition.positions import Positions
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced

Point = tuple[int, ...]
Points = tuple[Point, ...]


@dataclass(frozen=True, eq=False)
class LikeTiles:
    """TILES that have the SETS of the EXAMPLE: points, and the tiles that consume them.

    Each is a translate of a set of the example; if `is_moved` is False, it only has as many points."""

    tiles: isl.Set
    example: Point
    sets: tuple[tuple[isl.Set, isl.Set], ...]
    is_moved: bool = True


@dataclass(frozen=True)
class EnumeratedTiles:
    """The sets of each tile, by their consumers."""

    sets: dict[Point, dict[Points, list[Point]]]

    def by_forms(self) -> list[LikeTiles] | None:
        """The classes of tiles that have the same sets up to translation; None if they are many."""
        kinds = self._kinds(_moved_to_origin)
        return [self._like(each) for each in kinds] if len(kinds) <= limits.SHAPES_OF_TILES else None

    def by_sizes(self) -> list[LikeTiles] | None:
        """The classes of tiles that have sets of the same sizes; None if they are many."""
        kinds = self._kinds(len)
        if len(kinds) > limits.KINDS_OF_TILES:
            return None
        return [self._like(each, is_moved=False) for each in kinds]

    def most(self) -> list[LikeTiles]:
        """The classes of the most tiles, by their sets up to translation."""
        return [self._like(each) for each in self._kinds(_moved_to_origin)[: limits.KINDS_OF_TILES]]

    def _kinds(self, of_set: Callable[[list[Point]], Points | int]) -> list[list[Point]]:
        """The tiles whose sets are the same by OF_SET, first the most."""
        kinds: dict[tuple[object, ...], list[Point]] = defaultdict(list)
        for tile, sets in self.sets.items():
            kinds[tuple(sorted(map(of_set, sets.values())))].append(tile)
        return sorted(kinds.values(), key=lambda each: (-len(each), each))

    def _like(self, tiles: Sequence[Point], *, is_moved: bool = True) -> LikeTiles:
        """TILES of one kind, with the sets of one of them."""
        example = _nearest(tiles)
        sets = sorted((points, consumers) for consumers, points in self.sets[example].items())
        both = tuple((_set_of(points), _set_of(consumers)) for points, consumers in sets)
        return LikeTiles(_set_of(tiles), example, both, is_moved)


def enumerated(said: Positions) -> EnumeratedTiles | None:
    """What all tiles hold, by consumers; None if that is much, depends on symbols, or is nothing."""
    kept = _points(said.held)
    consumed = None if not kept else _points(said.consumers)
    if not kept or consumed is None:
        return None
    elements, rank = said.held.dim(DIM.out), said.held.dim(DIM.in_)
    by_element: dict[Point, list[Point]] = defaultdict(list)
    for point in consumed:
        by_element[point[:elements]].append(point[elements:])
    names = {element: tuple(tiles) for element, tiles in by_element.items()}
    found: dict[Point, dict[Points, list[Point]]] = defaultdict(lambda: defaultdict(list))
    for point in kept:
        found[point[:rank]][names[point[rank:]]].append(point[rank:])
    return EnumeratedTiles(dict(found))


def _points(relation: isl.Map) -> list[Point] | None:
    return few_points(relation.wrap().flatten(), limits.COMPARED_POINTS, limits.COMPARED_OPERATIONS)


def _moved_to_origin(points: list[Point]) -> Points:
    """POINTS, which are sorted, with the first one at the origin."""
    first = points[0]
    return tuple(tuple(x - y for x, y in zip(point, first, strict=True)) for point in points)


def _nearest(tiles: Sequence[Point]) -> Point:
    """A tile with small coordinates, none below 0 where that can be."""
    return min(tiles, key=lambda tile: (max((abs(x) + (x < 0) for x in tile), default=0), tile))


def _set_of(points: Sequence[Point]) -> isl.Set:
    """POINTS, which are some."""
    text = "; ".join(f"[{', '.join(map(str, point))}]" for point in points)
    return coalesced(isl.Set(f"{{ {text} }}"))
