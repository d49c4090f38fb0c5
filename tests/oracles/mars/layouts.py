"""What is said of one tile's bursts, compared with the addresses of what it reads."""

from __future__ import annotations

from collections.abc import Collection

from tests.oracles.mars.enumeration import Point
from tests.oracles.mars.one_flow import OneFlow, Wrong, from_least, minus
from tests.oracles.mars.said import Consumers


class LayoutCheck:
    """The layout that is given with one answer."""

    def __init__(self, flow: OneFlow) -> None:
        self._flow = flow

    def check(self) -> None:
        """What one tile reads from others: elements, bytes, bursts from the array and from sets in order."""
        layout = self._flow.fact["layout"]
        if layout is None or layout["tile"] is None or self._flow.values:
            return  # a tile that there is for some values of the symbols
        tile = tuple(layout["tile"])
        read = {
            key for key, tiles in self._flow.everything.items() if tile in tiles and self._owner(key) != tile
        }
        rows = layout["row_major"]
        if layout["elements"] is not None and int(layout["elements"]) != len(read):
            raise Wrong("elements that a tile reads", self._flow.name, tile, layout["elements"], len(read))
        if rows is not None and not rows["at_most"]:
            places = {
                self._flow.trace.writes[self._flow.writer][key] if self._flow.writer is not None else key
                for key in read
            }
            addresses = {self._flow.type.address(place) for place in places}
            runs = len([a for a in addresses if a - 1 not in addresses])
            said = [None if rows[each] is None else int(rows[each]) for each in ("elements", "bursts")]
            if said[0] not in (None, len(places)) or said[1] not in (None, runs):
                raise Wrong("bursts from the array", self._flow.name, tile, rows, len(places), runs)
            sizes = {rows["bytes"], layout["bytes"]} if len(places) == len(read) else set[str]()
            if len(sizes) > 1 and None not in sizes:
                raise Wrong("bytes of the same elements", self._flow.name, tile, rows, layout)
        blocks = self._blocks(tile)
        runs = sum(len([each for each in places if each - 1 not in places]) for places in blocks)
        if runs and layout["bursts"] != runs:
            raise Wrong("bursts from the sets", self._flow.name, tile, layout, runs)
        if runs and self._flow.fact["flow_in"] not in (None, sum(map(len, blocks))):
            raise Wrong("sets that a tile reads", self._flow.name, tile, self._flow.fact["flow_in"], blocks)

    def _owner(self, key: Point) -> Point | None:
        """The tile that produces KEY for tiles of its own space."""
        return (
            self._flow.tiled.tile(self._flow.written, key)
            if self._flow.is_same and self._flow.written is not None
            else None
        )

    def _blocks(self, tile: Point) -> Collection[set[int]]:
        """The places of sets that TILE reads of each block; none if consumers have no end, or are in another space."""
        one, layout = self._flow.fact["classes"][0], self._flow.fact["layout"]
        texts = [self._flow.fact["sets"][member["set"]]["consumers"] for member in one["sets"]]
        if any("{" in text or "p" in text for each in texts for text in each):
            return ()
        families = [
            frozenset(Consumers(tuple(each)).of((0,) * len(tile), frozenset(), self._flow.values))
            for each in texts
        ]
        if self._flow.writer is None:
            families = [from_least(family) for family in families]
        elif not self._flow.is_same:
            return ()
        place = {families[k]: position for position, k in enumerate(layout["order"])}
        blocks: dict[Point, set[int]] = {}
        for key, tiles in self._flow.everything.items():
            if tile not in tiles or self._owner(key) == tile:
                continue
            owner = self._owner(key) or min(tiles)
            family = frozenset(minus(t, owner) for t in tiles if t != owner or self._flow.writer is None)
            if family not in place:
                return ()
            blocks.setdefault(owner, set()).add(place[family])
        return blocks.values()
