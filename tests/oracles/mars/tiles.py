"""Tiles of programs: who consumes what from whom, and whether their order is legal.

A tile of a nest is `t = floor(H x / s)` of its iterations x. Nothing of volcli is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracles.mars.enumeration import Affine, Origin, Place, Point, Program, Trace


@dataclass(frozen=True)
class Tiling:
    """Hyperplanes over the names of loops, each with a size."""

    planes: tuple[tuple[Affine, int], ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for plane, _ in self.planes for name, factor in plane.factors if factor)

    def tile(self, loops: Sequence[str], point: Point) -> Point:
        environment = dict(zip(loops, point, strict=True))
        return tuple(plane.at(environment) // size for plane, size in self.planes)

    def translation(self, by: Point) -> dict[str, Fraction]:
        """How far each loop is, if the tile is BY further: H^-1 * diag(s) * BY."""
        names = sorted(self.names)
        rows = [
            [*(Fraction(dict(plane.factors).get(name, 0)) for name in names), Fraction(size * step)]
            for (plane, size), step in zip(self.planes, by, strict=True)
        ]
        for column in range(len(names)):
            pivot = next(row for row in rows[column:] if row[column])
            rows.remove(pivot)
            pivot = [x / pivot[column] for x in pivot]
            rows = [[x - row[column] * y for x, y in zip(row, pivot, strict=True)] for row in rows]
            rows.insert(column, pivot)
        return {name: row[-1] for name, row in zip(names, rows, strict=True)}

    @property
    def text(self) -> str:
        return ", ".join(f"{_plane_text(plane)}:{size}" for plane, size in self.planes)


def _plane_text(plane: Affine) -> str:
    text = "+".join(f"{f}*{name}" for name, f in plane.factors if f)
    return text.replace("+-", "-").replace("1*", "") if text else "0"


Space = tuple[int, int]
"""The number of a nest, and that of a tiling: what is in its tiles."""


@dataclass(frozen=True)
class Tiled:
    """A program in tiles: each access is in those of the first tiling all of whose loops are around it, or in none."""

    program: Program
    tilings: tuple[Tiling, ...]

    def space(self, place: Place) -> Space | None:
        """In whose tiles the access at PLACE is; None if it is in none."""
        names = set(place.loops)
        return next(((place.nest, k) for k, each in enumerate(self.tilings) if each.names <= names), None)

    def tile(self, place: Place, point: Point) -> Point:
        """The tile of the iteration POINT of the access at PLACE, which is in tiles."""
        space = self.space(place)
        assert space is not None
        return self.tilings[space[1]].tile(place.loops, point)

    def writer(self, trace: Trace, origin: Origin, reader: Place) -> int | None:
        """The store of ORIGIN; None if the value was there before the tiles of READER ran: another nest, which is in
        no tile and shares no loop with the reader, has written it."""
        if origin is None:
            return None
        place = trace.places[origin[0]]
        is_between = self.program.times > 0 or place.nest == reader.nest
        return origin[0] if is_between or self.space(place) is not None else None

    @property
    def text(self) -> str:
        return "; ".join(each.text for each in self.tilings)


Consumed = dict[Point, frozenset[Point]]
"""Of each element, or iteration of a store, the tiles that consume it."""


def consumed(tiled: Tiled, trace: Trace, array: str, writer: int | None, space: Space) -> Consumed:
    """What tiles of SPACE read of ARRAY: elements as they were before (WRITER None), or iterations of WRITER."""
    found: dict[Point, set[Point]] = defaultdict(set)
    for number, instances in trace.reads.items():
        place = trace.places[number]
        if tiled.space(place) != space or place.access.array != array:
            continue
        for point, element, origin in instances:
            if tiled.writer(trace, origin, place) == writer:
                found[element if writer is None or origin is None else origin[1]].add(
                    tiled.tile(place, point)
                )
    return {key: frozenset(tiles) for key, tiles in found.items()}


def by_tile(
    tiled: Tiled, trace: Trace, found: Consumed, writer: int | None, space: Space
) -> dict[Point, Consumed]:
    """The elements that each tile reads, with all tiles that read them; or the iterations of WRITER that each
    tile produces for others, with these."""
    result: dict[Point, Consumed] = defaultdict(dict)
    for key, tiles in found.items():
        if writer is None:
            for tile in tiles:
                result[tile][key] = tiles
            continue
        place = trace.places[writer]
        own_space = tiled.space(place)
        if own_space is None:
            continue
        own = tiled.tile(place, key)
        others = tiles - {own} if own_space == space else tiles
        if others:
            result[own][key] = others
    return dict(result)


Sets = Mapping[frozenset[Point], frozenset[Point]]
"""The elements of each set, by the tiles that consume it."""


def partition(elements: Consumed) -> Sets:
    """The elements with the same consumers, by these."""
    found: dict[frozenset[Point], set[Point]] = defaultdict(set)
    for element, tiles in elements.items():
        found[tiles].add(element)
    return {tiles: frozenset(points) for tiles, points in found.items()}


Flow = tuple[str, int | None, Space]
"""The array, the store (None: initial values) and the tiles of the readers."""


def flows(tiled: Tiled, trace: Trace) -> set[Flow]:
    """All that is read in tiles."""
    found: set[Flow] = set()
    for number, instances in trace.reads.items():
        place = trace.places[number]
        space = tiled.space(place)
        if space is not None:
            origins = {tiled.writer(trace, origin, place) for _, _, origin in instances}
            found |= {(place.access.array, origin, space) for origin in origins}
    return found


Node = tuple[Space, Point]
Broken = set[tuple[str, Space, Point, Point]]
"""An array, a space, and tiles of reader and writer, so that the order of tiles is illegal."""


def entangled(tiled: Tiled, trace: Trace) -> Broken:
    """What tiles of several spaces read of each other, so that none can be first: a loop is around them all."""
    needs: dict[Node, set[Node]] = defaultdict(set)
    read: set[tuple[str, Node, Node]] = set()
    for number, instances in trace.reads.items():
        place = trace.places[number]
        space = tiled.space(place)
        for point, _, origin in instances:
            writer = tiled.writer(trace, origin, place)
            if space is None or origin is None or writer is None:
                continue
            other = trace.places[writer]
            other_space = tiled.space(other)
            if other_space is None:
                continue
            pair = (space, tiled.tile(place, point)), (other_space, tiled.tile(other, origin[1]))
            if pair[0] != pair[1]:
                needs[pair[0]].add(pair[1])
            if other_space != space:
                read.add((place.access.array, *pair))
    reached = {first: _reached(first, needs) for first in {writer for _, _, writer in read}}
    return {
        (array, space, reader[1], writer[1])
        for array, reader, writer in read
        if reader in reached[writer]
        for space in (reader[0], writer[0])
    }


def _reached(first: Node, needs: Mapping[Node, set[Node]]) -> set[Node]:
    """What the FIRST needs, and what that needs."""
    found, pending = set[Node](), [first]
    while pending:
        new = needs.get(pending.pop(), set[Node]()) - found
        found |= new
        pending += new
    return found


def broken(tiled: Tiled, trace: Trace) -> Broken:
    """What tiles in their lexicographic order read too early: array, space, and the tiles of reader and writer."""
    found = entangled(tiled, trace)
    for number, instances in trace.reads.items():
        place = trace.places[number]
        space = tiled.space(place)
        for point, _, origin in instances:
            if space is None or origin is None or tiled.space(trace.places[origin[0]]) != space:
                continue
            reader, writer = tiled.tile(place, point), tiled.tile(trace.places[origin[0]], origin[1])
            if writer > reader:
                found.add((place.access.array, space, reader, writer))
    return found


def without_order(tiled: Tiled, trace: Trace) -> Broken:
    """What is read too early in the lexicographic order, in spaces whose tiles have no order at all: some need
    values of each other, so that no sequence of steps, each of a tile whose values are all there, reaches them."""
    found = entangled(tiled, trace)
    waiting: dict[Space, dict[Point, set[Point]]] = defaultdict(lambda: defaultdict(set))
    for number, instances in trace.reads.items():
        place = trace.places[number]
        space = tiled.space(place)
        for point, _, origin in instances:
            if space is not None and origin is not None and tiled.space(trace.places[origin[0]]) == space:
                reader, writer = tiled.tile(place, point), tiled.tile(trace.places[origin[0]], origin[1])
                waiting[space][reader] |= {writer} - {reader}
    for space, needed in waiting.items():
        while ready := {tile for tile, others in needed.items() if not others & needed.keys()}:
            for tile in ready:
                del needed[tile]
        if needed:
            found |= {each for each in broken(tiled, trace) if each[1] == space}
    return found
