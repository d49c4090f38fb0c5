"""What tiles move when a program runs, counted tile by tile: from arrays as they are, whole footprints, and sets.

A tile reads the values that others have produced or that were there before, and writes those that others read or that
are left at the end. A burst is a run of neighbouring addresses in one array, or in the block of one tile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.oracles.mars.enumeration import Origin, Point, Trace
from tests.oracles.mars.texts import Array
from tests.oracles.mars.tiles import Space, Tiled
from volcli.model.mars.partition.layout import best_order

Tile = tuple[Space, Point]
Value = tuple[str, Origin, Point]
"""The array, the write that made it, and its element."""


@dataclass(frozen=True)
class Moved:
    """Elements and bursts."""

    elements: int = 0
    bursts: int = 0

    def plus(self, other: Moved) -> Moved:
        return Moved(self.elements + other.elements, self.bursts + other.bursts)

    @staticmethod
    def at(addresses: Iterable[int]) -> Moved:
        found = set(addresses)
        return Moved(len(found), sum(each - 1 not in found for each in found))


class Transfers:
    """All tiles of a program that has run."""

    def __init__(self, tiled: Tiled, trace: Trace, arrays: Mapping[str, Array]) -> None:
        self._tiled, self._trace, self._arrays = tiled, trace, arrays
        self.consumers: dict[Value, set[Tile]] = defaultdict(set)
        self._touched: dict[tuple[Tile, str, bool], set[Point]] = defaultdict(set)
        for number, instances in trace.reads.items():
            place = trace.places[number]
            for point, element, origin in instances:
                tile = self._tile(number, point)
                self.consumers[place.access.array, origin, element].add(tile)
                self._touched[tile, place.access.array, False].add(element)
        last: dict[tuple[str, Point], Value] = {}
        for number, written in trace.writes.items():
            array = trace.places[number].access.array
            for point, element in written.items():
                self._touched[self._tile(number, point), array, True].add(element)
        for array, element, number, point in trace.left:
            last[array, element] = (array, (number, point), element)
        self._left = set(last.values())

    def _tile(self, number: int, point: Point) -> Tile:
        place = self._trace.places[number]
        space = self._tiled.space(place)
        assert space is not None
        return space, self._tiled.tile(place, point)

    def _owner(self, value: Value) -> Tile | None:
        """The tile that made VALUE; None if it was there before."""
        origin = value[1]
        return None if origin is None else self._tile(*origin)

    def _crossing(self) -> Iterator[tuple[Value, set[Tile]]]:
        """The values that tiles read of others, or from before, with these tiles."""
        for value, tiles in self.consumers.items():
            others = tiles - {self._owner(value)}
            if others:
                yield value, {tile for tile in others if tile is not None}

    def as_declared(self) -> Moved:
        """What is needed, from and to the arrays as they are."""
        read: dict[tuple[Tile, str], set[int]] = defaultdict(set)
        written: dict[tuple[Tile, str], set[int]] = defaultdict(set)
        for value, tiles in self._crossing():
            array, _, element = value
            for tile in tiles:
                read[tile, array].add(self._arrays[array].address(element))
            owner = self._owner(value)
            if owner is not None:
                written[owner, array].add(self._arrays[array].address(element))
        return self._sum([*read.values(), *written.values(), *self._kept().values()])

    def _kept(self) -> Mapping[tuple[Tile, str], set[int]]:
        """What is left at the end, and no other tile reads: by the tile that writes it to the array."""
        sent = {value for value, _ in self._crossing()}
        kept: dict[tuple[Tile, str], set[int]] = defaultdict(set)
        for value in self._left - sent:
            owner = self._owner(value)
            if owner is not None:
                kept[owner, value[0]].add(self._arrays[value[0]].address(value[2]))
        return kept

    def footprints(self) -> Moved:
        """The bounding box of what a tile reads of each array, and of what it writes."""
        boxes: list[set[int]] = []
        for (_, array, _), elements in self._touched.items():
            lows, highs = (list(map(f, zip(*elements, strict=True))) for f in (min, max))
            rows = _box(lows, highs)
            boxes.append({self._arrays[array].address(each) for each in rows})
        return self._sum(boxes)

    def by_sets(self) -> Moved:
        """Blocks of sets with the same consumers: a tile writes its block in one burst, and reads runs of sets.

        What was there before is in the block of the first tile that reads it, and was put there once, as it is.
        """
        blocks: dict[tuple[Tile, object], dict[frozenset[Tile], int]] = defaultdict(lambda: defaultdict(int))
        for value, tiles in self._crossing():
            owner = self._owner(value)
            key = (
                (owner, value[1][0]) if owner is not None and value[1] is not None else (min(tiles), value[0])
            )
            blocks[key][frozenset(tiles)] += 1
        total = self._sum(self._kept().values())
        for (_, writer), sets in blocks.items():
            consumers = list(sets)
            order, _ = best_order(consumers)
            placed = [consumers[k] for k in order]
            if isinstance(writer, int):
                total = total.plus(Moved(sum(sets.values()), 1))
            for tile in {t for tiles in consumers for t in tiles}:
                runs = Moved.at(k for k, tiles in enumerate(placed) if tile in tiles).bursts
                total = total.plus(Moved(sum(sets[each] for each in placed if tile in each), runs))
        return total

    @staticmethod
    def _sum(parts: Iterable[Iterable[int]]) -> Moved:
        total = Moved()
        for part in parts:
            total = total.plus(Moved.at(part))
        return total


def _box(lows: list[int], highs: list[int]) -> Iterator[Point]:
    if not lows:
        yield ()
        return
    for first in range(lows[0], highs[0] + 1):
        for rest in _box(lows[1:], highs[1:]):
            yield (first, *rest)
