"""One answer about what tiles read of an array, or produce for each other, compared with an enumeration."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tests.oracles.mars import enumeration
from tests.oracles.mars.enumeration import Place, Point, TooLong, Trace, execute, periods_in, sizes_needed
from tests.oracles.mars.said import Consumers, is_in, least_values, points_of
from tests.oracles.mars.texts import Array
from tests.oracles.mars.tiles import Sets, Tiled, by_tile, consumed, partition

Json = Mapping[str, Any]


class Wrong(Exception):
    """An answer that execution contradicts: the class of the error, and what is true instead."""

    def __init__(self, kind: str, *details: object) -> None:
        super().__init__(kind, *details)
        self.kind = kind


class OneFlow:
    """Initial values (`writer` None), or values of one store, that tiles of one space read."""

    def __init__(
        self,
        tiled: Tiled,
        trace: Trace,
        arrays: Mapping[str, Array],
        line_of: Mapping[int, int],
        fact: Json,
        accesses: Sequence[Json],
    ) -> None:
        self.tiled, self.trace, self.fact, self.accesses = tiled, trace, fact, accesses
        self.values, self.line_of = tiled.program.symbols, line_of
        self.array: str = fact["array"].removeprefix("%")
        self.arrays, self.type = arrays, arrays[self.array]
        (space,) = {tiled.space(each) for each in self._at(fact["line"])}
        if space is None:
            raise Wrong("accesses outside of all tiles are answered", self.name)
        self.space = space
        self.writer: int | None = None
        if fact["kind"] == "produced":
            (line,) = {each["line"] for each in accesses if each["access"] == "write"} or {None}
            if line is None:
                raise Wrong("sets of no store", self.name)
            (self.writer,) = (each.access.number for each in self._at(line) if each.is_write)
        self.found = self.everything = consumed(tiled, trace, self.array, self.writer, space)
        if fact["only_whole"]:
            self.found = {key: tiles & self.whole for key, tiles in self.everything.items()}
        self.truth = by_tile(tiled, trace, self.found, self.writer, space)

    def _at(self, line: int) -> list[Place]:
        """The accesses in LINE: all of an operation."""
        return [place for number, place in self.trace.places.items() if self.line_of[number] == line]

    @property
    def name(self) -> str:
        return f"{self.fact['array']} {self.fact['kind']} line {self.fact['line']}"

    @property
    def is_relative(self) -> bool:
        """Whether all consumers are told by their distance from the tile."""
        return all(Consumers(tuple(each["consumers"])).are_relative for each in self.fact["sets"])

    @property
    def written(self) -> Place | None:
        return None if self.writer is None else self.trace.places[self.writer]

    @property
    def is_same(self) -> bool:
        """Whether tiles produce for others of the same space, and not for themselves."""
        return self.written is not None and self.tiled.space(self.written) == self.space

    @cached_property
    def running(self) -> frozenset[Point]:
        """The tiles that consume anything of this flow."""
        return frozenset(tile for tiles in self.found.values() for tile in tiles)

    @cached_property
    def whole(self) -> frozenset[Point]:
        """The tiles of the readers all of whose points are iterations of a reader, or left out by steps or moduli."""
        tiling, executed = self.tiled.tilings[self.space[1]], set[Point]()
        names = sorted(tiling.names)
        for number, instances in self.trace.reads.items():
            place = self.trace.places[number]
            if self.tiled.space(place) == self.space and place.access.array == self.array:
                where = [place.loops.index(name) for name in names]
                executed |= {tuple(point[k] for k in where) for point, _, _ in instances}
        ranges = [range(min(column) - 20, max(column) + 21) for column in zip(*executed, strict=True)]
        near = {tiling.tile(names, point) for point in executed}
        found = list(periods_in((self.tiled.program.nests[self.space[0]],)))
        periods = [math.lcm(*(period for name, period in found if name == own)) for own in names]
        kept = {_residue(point, periods) for point in executed}
        cut = {
            tiling.tile(names, each)
            for each in itertools.product(*ranges)
            if each not in executed and _residue(each, periods) in kept
        }
        return frozenset(near - cut)

    # -- sets ------------------------------------------------------------------------------------------

    def check(self) -> tuple[int, int]:
        """All that is said; how many tiles and elements were compared. Raises Wrong."""
        covered = self._covered()
        if self.fact["others"] not in (None, len(self.truth) - len(covered)) and not self.fact["only_whole"]:
            raise Wrong(
                "how many others there are", self.name, self.fact["others"], len(self.truth), len(covered)
            )
        elements = 0
        for one in self.fact["classes"]:
            tiles = [
                tile for tile in covered if one["tiles"] is None or is_in(one["tiles"], tile, self.values)
            ]
            covered = [tile for tile in covered if tile not in tiles]
            elements += self._check_class(one, tiles)
        if covered:
            raise Wrong("a tile that is covered is in no class", self.name, covered[0])
        return len(self.truth), elements

    def _covered(self) -> list[Point]:
        text = self.fact["covers"]
        return [tile for tile in sorted(self.truth) if text is None or is_in(text, tile, self.values)]

    def _check_class(self, one: Json, tiles: Sequence[Point]) -> int:
        example = tuple(one["example"])
        texts = [self.fact["sets"][member["set"]]["consumers"] for member in one["sets"]]
        is_relative = all(Consumers(tuple(each)).are_relative for each in texts)
        there = self if is_relative or example in tiles else self._where_is(one, example)
        if there is None:
            return 0
        if example in tiles or not is_relative:
            there.check_example(one, example)
        if is_relative or example in tiles:
            self._check_accesses(one, tiles if is_relative else [example])
        for tile in tiles:
            if is_relative and self.writer is not None:
                self._check_sets(tile, self.said(one, tile))
            elif is_relative:
                self._check_forms(tile, self.said(one, tile))
            else:
                self._check_tile(one, tile, there.said(one, example), partition(self.truth[tile]))
        return sum(len(self.truth[tile]) for tile in tiles)

    def _where_is(self, one: Json, example: Point) -> OneFlow | None:
        """The same for the least values of the symbols for which the EXAMPLE of the class ONE is covered, and all
        accesses are inside their arrays; None if there are none, so that anything is true, or too many accesses."""
        if least_values(self.fact["covers"], example, self.values) is None:
            raise Wrong("the example is no tile of the class that has sets", self.name, one["tiles"], example)
        needed: dict[str, int] = {}
        for _ in range(4):
            values = least_values(self.fact["covers"], example, self.values, needed)
            if values is None:
                break
            tiled = replace(self.tiled, program=replace(self.tiled.program, symbols=values))
            try:
                trace = execute(tiled.program, enumeration.ACCESSES)
            except TooLong:
                return None
            needed = sizes_needed(trace)
            if all(values.get(name, size) >= size for name, size in needed.items()):
                return OneFlow(tiled, trace, self.arrays, self.line_of, self.fact, self.accesses)
        return None

    def check_example(self, one: Json, example: Point) -> None:
        """The sets of the EXAMPLE of the class ONE. Raises Wrong."""
        if example not in self.truth:
            raise Wrong("the example holds nothing", self.name, example, dict(self.values))
        self._check_sets(example, self.said(one, example))

    def _check_sets(self, tile: Point, said: Sets) -> None:
        actual = partition(self.truth[tile])
        if said != actual:
            raise Wrong("sets of a tile", self.name, tile, _difference(said, actual))

    def said(self, one: Json, tile: Point) -> Sets:
        """The sets of TILE as those of the class ONE are said: its example, or a translate of it."""
        found: dict[frozenset[Point], frozenset[Point]] = {}
        for number, member in enumerate(one["sets"]):
            points = self._points(member["set"], minus(tile, tuple(one["example"])))
            if member["count"] is not None and int(eval(member["count"], {}, dict(self.values))) != len(
                points
            ):
                raise Wrong("the count of a set", self.name, member, len(points))
            tiles = self._consumers(member["set"], tile)
            if self.values:  # tiles that there are for other values are named, too
                tiles &= self.running
                points |= found.get(tiles, frozenset())
            elif not points or tiles in found:
                raise Wrong("a set that is empty, or has the consumers of another", self.name, tile, number)
            found[tiles] = points
        return {tiles: points for tiles, points in found.items() if tiles or not self.values}

    def _points(self, number: int, by: Point = ()) -> frozenset[Point]:
        """The points of a set of the example; what is produced moved to the tile that is BY further."""
        loops = () if self.written is None else self.written.loops
        points = points_of(self.fact["sets"][number]["set"], self.values, loops)
        if not any(by) or self.written is None:
            return frozenset(points)
        space = self.tiled.space(self.written)
        assert space is not None
        step = self.tiled.tilings[space[1]].translation(by)
        move = [step.get(name, Fraction(0)) for name in loops]
        moved = [tuple(x + v for x, v in zip(point, move, strict=True)) for point in points]
        if any(x.denominator != 1 for point in moved for x in point):
            raise Wrong("tiles of one class that are no translates", self.name, by)
        return frozenset(tuple(int(x) for x in point) for point in moved)

    def _consumers(self, number: int, tile: Point) -> frozenset[Point]:
        """The tiles that consume a set of TILE; of those without end, the ones that consume anything of the flow."""
        said = Consumers(tuple(self.fact["sets"][number]["consumers"]))
        found = said.of(tile, self.running, self.values)
        return found & self.whole if self.fact["only_whole"] else found

    def _check_forms(self, tile: Point, said: Sets) -> None:
        """TILE reads sets with the consumers of those SAID, which are translates of them."""
        actual = partition(self.truth[tile])
        if {t: from_least(p) for t, p in said.items()} != {t: from_least(p) for t, p in actual.items()}:
            raise Wrong("sets of a tile", self.name, tile, _difference(said, actual))

    def _check_tile(self, one: Json, tile: Point, said: Sets, actual: Sets) -> None:
        """TILE has sets of the forms, or sizes, of those SAID of the example, with the consumers that are said."""
        form = len if self.fact["by_sizes"] else from_least
        expected, found = (Counter(map(form, sets.values())) for sets in (said, actual))
        if expected != found:
            raise Wrong(f"{form.__name__} of the sets of a tile".strip("_"), self.name, tile, expected, found)
        numbers = [member["set"] for member in one["sets"]]
        consumers = [Consumers(tuple(self.fact["sets"][k]["consumers"])) for k in numbers]
        if not self.values and all(each.are_of_each_tile for each in consumers):
            claimed = {self._consumers(k, tile): form(self._points(k)) for k in numbers}
            if claimed != {tiles: form(points) for tiles, points in actual.items()}:
                raise Wrong("consumers of the sets of a tile", self.name, tile, sorted(map(sorted, claimed)))

    def _check_accesses(self, one: Json, tiles: Sequence[Point]) -> None:
        """The sets that each load reads, and the store writes, in some and in all of TILES of a class."""
        at = self.fact["classes"].index(one)
        if self.values or not tiles:
            return
        numbers = {member["set"] for member in one["sets"]}
        for access in self.accesses:
            reached = [numbers]
            if access["access"] == "read":
                reached = [self._read_by(access["line"], tile, numbers) for tile in tiles]
            every, some = set.intersection(*reached), set.union(*reached)
            said = access["classes"][at]
            if set(said["sets"]) != some or set(said["in_some"]) != some - every:
                raise Wrong("sets of an access", self.name, access["line"], tiles, said, every, some)

    def _read_by(self, line: int, tile: Point, numbers: set[int]) -> set[int]:
        """Those of the sets of TILE, by NUMBERS, of which the load in LINE reads something."""
        loads = [each.access for each in self._at(line) if not each.is_write]
        elements = (self._elements_read_by(load.number, tile) for load in loads if load.array == self.array)
        read = {self.truth[tile].get(element) for each in elements for element in each}
        return {number for number in numbers if self._consumers(number, tile) in read}

    def _elements_read_by(self, load: int, tile: Point) -> set[Point]:
        """The elements of TILE that LOAD reads: in it, or of what it produces in others."""
        place = self.trace.places[load]
        found: set[Point] = set()
        for point, element, origin in self.trace.reads[load]:
            if self.tiled.writer(self.trace, origin, place) != self.writer:
                continue
            reader = self.tiled.tile(place, point)
            if self.fact["only_whole"] and reader not in self.whole:
                continue
            if self.written is None or origin is None:
                found |= {element} if reader == tile else set()
            elif self.tiled.tile(self.written, origin[1]) == tile and not (self.is_same and reader == tile):
                found.add(origin[1])
        return found


def _residue(point: Point, periods: Sequence[int]) -> Point:
    return tuple(x % period for x, period in zip(point, periods, strict=True))


def minus(one: Point, other: Point) -> Point:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def from_least(points: frozenset[Point]) -> frozenset[Point]:
    """POINTS with the least one at the origin."""
    least = min(points)
    return frozenset(minus(point, least) for point in points)


def _difference(said: Sets, actual: Sets) -> str:
    first = min((t for t in {*said, *actual} if said.get(t) != actual.get(t)), key=sorted)
    return f"to {sorted(first)}: said {sorted(said.get(first, ()))}, true {sorted(actual.get(first, ()))}"
