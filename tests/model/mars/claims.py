"""The answers of the question `mars`, read from their JSON and compared with an enumeration."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import islpy as isl

from tests.model.mars.enumeration import (
    Consumed,
    Flow,
    Point,
    Space,
    Tiled,
    Trace,
    broken,
    by_tile,
    consumed,
    execute,
    flows,
    partition,
)
from tests.model.mars.texts import Array, mlir

Json = Mapping[str, Any]


class Wrong(Exception):
    """An answer that execution contradicts: the class of the error, and what is true instead."""

    def __init__(self, kind: str, *details: object) -> None:
        super().__init__(kind, *details)
        self.kind = kind


def points_of(text: str, values: Mapping[str, int], order: Sequence[str] = ()) -> list[Point]:
    """The points of a set that is given as TEXT, at VALUES of its parameters; coordinates in ORDER of their names."""
    found = isl.Set(text)
    for name, value in values.items():
        place = found.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            found = found.fix_val(isl.dim_type.param, place, value)
    names = [found.get_dim_name(isl.dim_type.set, k) or "" for k in range(found.dim(isl.dim_type.set))]
    found = found.project_out_all_params()
    result: list[Point] = []

    def add(point: isl.Point) -> None:
        at = [point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(len(names))]
        result.append(tuple(at[names.index(name)] for name in order) if order else tuple(at))

    found.foreach_point(add)
    return result


def is_in(text: str, point: Point, values: Mapping[str, int]) -> bool:
    found = isl.Set(text)
    for name, value in values.items():
        place = found.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            found = found.fix_val(isl.dim_type.param, place, value)
    return not found.project_out_all_params().is_disjoint(isl.Set(f"{{ [{', '.join(map(str, point))}] }}"))


_OFFSET = re.compile(r"\(([-\d, ]*)\)")


@dataclass(frozen=True)
class Consumers:
    """The tiles that consume a set: of the example (`tiles`), of each tile t0, t1, ..., or relative to the tile."""

    texts: tuple[str, ...]

    @property
    def are_relative(self) -> bool:
        return all("{" not in text for text in self.texts)

    @property
    def are_of_each_tile(self) -> bool:
        return not self.are_relative and all(
            text.startswith("[") and re.match(r"\[[^]]*\bt0\b", text) for text in self.texts
        )

    def of(self, tile: Point, among: frozenset[Point], values: Mapping[str, int]) -> frozenset[Point]:
        """The consumers of TILE; AMONG these tiles, if they are relative and without end."""
        if not self.are_relative:
            at = {**values, **{f"t{k}": x for k, x in enumerate(tile)}}
            return frozenset(p for text in self.texts for p in points_of(text, at))
        found: set[Point] = set()
        for text in self.texts:
            offset, *along = [
                tuple(int(x) for x in group.split(",") if x.strip()) for group in _OFFSET.findall(text)
            ]
            origin = tuple(a + b for a, b in zip(tile, offset, strict=True))
            found |= {t for t in {*among, origin} if _is_reached(t, origin, along)}
        return frozenset(found)


def _is_reached(tile: Point, origin: Point, along: Sequence[Point]) -> bool:
    """Whether TILE is ORIGIN and an integer combination of the vectors ALONG, small for all but the last."""
    rest = tuple(a - b for a, b in zip(tile, origin, strict=True))
    if not along:
        return not any(rest)
    text = " + ".join
    names = [f"p{k}" for k in range(len(along))]
    conditions = [
        f"{text(f'{v[k]} {name}' for v, name in zip(along, names, strict=True))} = {rest[k]}"
        for k in range(len(rest))
    ]
    return not isl.Set(f"{{ [{', '.join(names)}] : {' and '.join(conditions)} }}").is_empty()


@dataclass
class Report:
    """How many flows have an answer for all tiles, for whole tiles, and none; tiles and elements compared."""

    exact: int = 0
    whole: int = 0
    unknown: int = 0
    illegal: int = 0
    vacuous: int = 0
    tiles: int = 0
    elements: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])


class Comparison:
    """All answers about one program in one tiling."""

    def __init__(self, tiled: Tiled, arrays: Mapping[str, Array], whole_tiles: bool = False) -> None:
        self.tiled, self.arrays, self.whole_tiles = tiled, arrays, whole_tiles
        self.text, self.line_of = mlir(tiled.program, arrays)
        self.number_of = {line: number for number, line in self.line_of.items()}
        self.trace: Trace = execute(tiled.program)
        self.report = Report()
        self.wrong: list[Wrong] = []

    @property
    def values(self) -> Mapping[str, int]:
        return self.tiled.program.symbols

    def of(self, facts: Sequence[Json]) -> Report:
        """Compare the FACTS; what is wrong is in `wrong`."""
        said = set[Flow]()
        answers = list(_grouped(facts))
        illegal = broken(self.tiled, self.trace)
        for fact, accesses in answers:
            if not fact["exact"]:
                self.report.unknown += 1
                self.report.reasons[re.sub(r"[-\d]+", "N", fact["reason"] or "")] += 1
                if "illegal" in (fact["reason"] or ""):
                    self._try(self._illegal, fact, illegal)
                said |= {flow for flow in flows(self.tiled, self.trace) if flow[0] == fact["array"][1:]}
                continue
            if fact["kind"] == "produced" and not fact["classes"]:
                self.report.vacuous += 1
                said |= {flow for flow in flows(self.tiled, self.trace) if flow[0] == fact["array"][1:]}
                continue
            try:
                one = OneFlow(self, fact, accesses)
            except Wrong as wrong:
                self.wrong.append(wrong)
                continue
            said.add((one.array, one.writer, one.space))
            if any((array, space) == (one.array, one.space) for array, space, _, _ in illegal):
                self.wrong.append(
                    Wrong("an illegal tiling has an answer", fact["array"], sorted(illegal)[:1])
                )
            else:
                self._try(one.check)
        for flow in flows(self.tiled, self.trace) - said:
            self._try(self._missing, flow)
        return self.report

    def _try(self, check: Any, *arguments: Any) -> None:
        try:
            check(*arguments)
        except Wrong as wrong:
            self.wrong.append(wrong)

    def _missing(self, flow: Flow) -> None:
        """A flow without an answer carries nothing to other tiles."""
        array, writer, space = flow
        found = consumed(self.tiled, self.trace, array, writer, space)
        tiles = by_tile(self.tiled, self.trace, found, writer, space)
        if tiles:
            raise Wrong("a flow is not answered", array, writer and self.line_of[writer], space, len(tiles))

    def _illegal(self, fact: Json, illegal: set[tuple[str, Space, Point, Point]]) -> None:
        self.report.illegal += 1
        if not self.values and not any(f"%{each[0]}" == fact["array"] for each in illegal):
            raise Wrong("a legal tiling is called illegal", fact["array"], fact["reason"])


def _grouped(facts: Sequence[Json]) -> Iterator[tuple[Json, list[Json]]]:
    """Each answer with those about its accesses."""
    for number, fact in enumerate(facts):
        if "access" not in fact:
            following = itertools.islice(facts, number + 1, None)
            yield fact, list(itertools.takewhile(lambda each: "access" in each, following))


class OneFlow:
    """One answer about initial values, or values of one store, that the tiles of one nest read."""

    def __init__(self, comparison: Comparison, fact: Json, accesses: Sequence[Json]) -> None:
        self.comparison, self.fact, self.accesses = comparison, fact, accesses
        self.tiled, self.trace, self.values = comparison.tiled, comparison.trace, comparison.values
        self.array: str = fact["array"].removeprefix("%")
        space = self.tiled.space(self.trace.places[comparison.number_of[fact["line"]]])
        if space is None:
            raise Wrong("accesses outside of all tiles are answered", self._name)
        self.space = space
        self.writer: int | None = None
        if fact["kind"] == "produced":
            (line,) = {each["line"] for each in accesses if each["access"] == "write"} or {None}
            if line is None:
                raise Wrong("sets of no store", self._name)
            self.writer = comparison.number_of[line]
        self.found = consumed(self.tiled, self.trace, self.array, self.writer, self.space)
        self.truth = by_tile(self.tiled, self.trace, self.found, self.writer, self.space)
        writer = None if self.writer is None else self.trace.places[self.writer]
        self.own_space = self.space if writer is None else self.tiled.space(writer)

    @property
    def _loops(self) -> Sequence[str]:
        """Names of the coordinates of a set, in the order of the enumeration."""
        return () if self.writer is None else self.trace.places[self.writer].loops

    def check(self) -> None:
        whole = self._whole()
        try:
            self._against(self.truth, None)
            self.comparison.report.exact += 1
        except Wrong as exactly:
            if whole is None or not self.comparison.whole_tiles:
                raise
            kept = {key: tiles & whole for key, tiles in self.found.items()}
            truth = by_tile(self.tiled, self.trace, kept, self.writer, self.space)
            try:
                self._against({tile: each for tile, each in truth.items() if tile in whole}, whole)
            except Wrong as wrong:
                raise (wrong if self._is_relative else exactly) from None
            self.comparison.report.whole += 1

    @property
    def _is_relative(self) -> bool:
        return all(Consumers(tuple(each["consumers"])).are_relative for each in self.fact["sets"])

    def _class_of(self, tile: Point) -> Json | None:
        found = [
            c for c in self.fact["classes"] if c["tiles"] is None or is_in(c["tiles"], tile, self.values)
        ]
        if len(found) > 1:
            raise Wrong("two classes have a tile", self._name, tile)
        return found[0] if found else None

    @property
    def _name(self) -> str:
        return f"{self.fact['array']} {self.fact['kind']} line {self.fact['line']}"

    def _against(self, truth: Mapping[Point, Consumed], whole: frozenset[Point] | None) -> None:
        """What is said of each tile, or of WHOLE ones, is the TRUTH."""
        for tile in whole if whole is not None else truth:
            one = self._class_of(tile)
            actual = partition(truth.get(tile, {}))
            sizes = sorted(len(points) for points in actual.values())
            members = [] if one is None else one["sets"]
            if any(each["count"] is None for each in members) and self.values:
                continue
            counts = [self._count(each["count"]) for each in members]
            if whole is not None and one is not None and not self._is_among_whole(one, tile, whole):
                continue
            self.comparison.report.tiles += 1
            if sorted(counts) != sizes:
                raise Wrong("sizes of the sets of a tile", self._name, tile, sorted(counts), sizes)
        for one in self.fact["classes"]:
            example = tuple(one["example"])
            if whole is not None and example not in whole:
                continue
            self._of_example(one, example, partition(truth.get(example, {})), whole)

    def _count(self, text: str | None) -> int:
        """A number of elements, of which the symbols have values."""
        if text is None:
            raise Wrong("a set has no count", self._name)
        return int(eval(text, {}, dict(self.values)))

    def _is_among_whole(self, one: Json, tile: Point, whole: frozenset[Point]) -> bool:
        """Whether all that is said to consume what TILE has is WHOLE, as far as it is relative to the tile."""
        offsets = [
            Consumers((text,))
            for member in one["sets"]
            for text in self.fact["sets"][member["set"]]["consumers"]
            if "p" not in text and "{" not in text
        ]
        return self._is_relative and all(each.of(tile, whole, self.values) <= whole for each in offsets)

    def _of_example(
        self,
        one: Json,
        example: Point,
        actual: Mapping[frozenset[Point], frozenset[Point]],
        whole: frozenset[Point] | None,
    ) -> None:
        said: dict[frozenset[Point], frozenset[Point]] = {}
        among = self._tiles_of_nest() if whole is None else whole
        for member in one["sets"]:
            row = self.fact["sets"][member["set"]]
            points = frozenset(points_of(row["set"], self.values, self._loops))
            tiles = Consumers(tuple(row["consumers"])).of(example, among, self.values)
            if whole is not None:
                tiles &= whole
            if self.writer is not None and self.space == self.own_space:
                tiles -= {example}
            if member["count"] is not None and self._count(member["count"]) != len(points):
                raise Wrong("the count of a set", self._name, row, len(points))
            if tiles:
                said[tiles] = said.get(tiles, frozenset()) | points
            self.comparison.report.elements += len(points)
        if said != dict(actual):
            differing = {t for t in {*said, *actual} if said.get(t) != actual.get(t)}
            first = min(differing, key=sorted)
            raise Wrong(
                "sets of the example",
                self._name,
                example,
                f"to {sorted(first)}: said {sorted(said.get(first, ()))}, true {sorted(actual.get(first, ()))}",
            )

    def _tiles_of_nest(self) -> frozenset[Point]:
        return frozenset(t for tiles in self.found.values() for t in tiles)

    def _whole(self) -> frozenset[Point] | None:
        """The tiles of the readers all of whose points are among those that the answer speaks of."""
        if self.fact["inside"] is None:
            return None
        names = self._inside_names()
        tiling = self.tiled.tilings[self.space[1]]
        inside = set(points_of(self.fact["inside"], self.values))
        runs = self.fact["runs"]
        low = min((x for p in inside for x in p), default=0) - 12
        high = max((x for p in inside for x in p), default=0) + 12
        near = {tiling.tile(names, point) for point in inside}
        broken_tiles: set[Point] = set()
        holes = isl.Set(runs) if runs is not None else None
        for point in itertools.product(range(low, high + 1), repeat=len(names)):
            tile = tiling.tile(names, point)
            if tile in near and point not in inside and tile not in broken_tiles:
                text = ", ".join(map(str, point))
                if holes is None or not holes.is_disjoint(isl.Set(f"{{ [{text}] }}")):
                    broken_tiles.add(tile)
        return frozenset(near - broken_tiles)

    def _inside_names(self) -> list[str]:
        found = isl.Set(self.fact["inside"])
        return [found.get_dim_name(isl.dim_type.set, k) or "" for k in range(found.dim(isl.dim_type.set))]
