"""Answers about MARS compared with an execution of the program: tile by tile, and element by element."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import islpy as isl

import volcli
from tests.model.mars.oracle import dot
from tests.model.mars.oracle import form as form_of
from tests.model.mars.programs import NAMES, SHIFT, Nest, Trace, Vector, execute, mlir
from volcli.model.mars.allocation.access_sets import accessed_sets
from volcli.model.mars.footprints.consumers import Consumer
from volcli.model.mars.footprints.dataflow import Flow, flows
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet, TileClass
from volcli.model.mars.partition.partitioning import answer
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.memory.accesses.site import Site
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.points import few_points

OPERATIONS = 1_000_000
MANY = 1_000_000
Consumed = dict[Vector, set[Vector]]
"""Of each element, or iteration of a writer, the tiles that read it."""


@dataclass
class Checked:
    """How many flows were answered by translation, by position, and not at all; of how many tiles."""

    uniform: int = 0
    by_position: int = 0
    unknown: int = 0
    tiles: int = 0
    others: int = 0
    pairs: int = 0


class ProgramCheck:
    """One program in one tiling."""

    shift = SHIFT
    """Elements of arrays that are only read have so much more for each index."""
    size: int | None = None

    def __init__(self, nests: list[Nest], arrays: dict[str, int], tile: str, size: int | None = None) -> None:
        """Loops that end at SIZE end at a symbol in the program, and at SIZE where it is executed."""
        self.text, places = mlir(nests, arrays)
        self.size = size
        if size is not None:
            self.text = self.text.replace(f" to {size} step", " to %n step")
            self.text = self.text.replace("@f(", "@f(%n: index, ")
        self.scheme = TileScheme.parse(tile)
        self.trace: Trace = execute(nests)
        self.names: Sequence[str] = NAMES
        self.statement_of = {line: number for number, (line, _) in places.items()}
        self.read_of = {line: (n, k) for n, (_, loads) in places.items() for k, line in enumerate(loads)}
        self.nest_of = {each.number: k for k, nest in enumerate(nests) for each in nest.body}
        self._load()

    def _load(self) -> None:
        self.checked = Checked()
        function = volcli.loads(self.text).functions[0]
        self.unit = function.unit
        (model,) = self.unit.models()
        self.model = self.unit.as_loops(model) if self.scheme.cuts_operations else model

    def run(self) -> Checked:
        found = flows(self.model, self.scheme, OPERATIONS)
        self._all_are_there(found)
        for flow in found:
            try:
                with budget(OPERATIONS):
                    answered = self._at_size(answer(flow))
            except BudgetExceeded:
                self.checked.unknown += 1
            else:
                self._check(answered)
        return self.checked

    def _at_size(self, answered: MarsAnswer) -> MarsAnswer:
        """ANSWERED for the size of the loops, which is the only parameter."""
        if self.size is None or answered.covers is None:
            return answered

        def at(points: isl.Set | None) -> isl.Set | None:
            if points is None:
                return None
            for position in reversed(range(points.dim(isl.dim_type.param))):
                if (points.get_dim_name(isl.dim_type.param, position) or "").startswith("v"):
                    points = points.fix_val(isl.dim_type.param, position, self.size or 0)
                    points = points.project_out(isl.dim_type.param, position, 1)
            return points

        classes: list[TileClass] = []
        for one in answered.classes:
            sets = (
                replace(each, points=at(each.points), tiles=at(each.tiles), of_tile=at(each.of_tile))
                for each in one.sets
            )
            classes.append(replace(one, tiles=at(one.tiles), sets=tuple(sets)))
        return replace(answered, classes=tuple(classes), covers=at(answered.covers))

    def _check(self, answered: MarsAnswer) -> None:
        if answered.because is not None:
            self.checked.unknown += 1
            return
        flow = answered.flow
        tiles = self._tiles(flow, answered)
        covered = {tile for tile in tiles if _holds(answered.covers, tile)}
        where = (self.text, str(self.scheme), self.model.memory.names.memref(flow.root.value))
        assert answered.others in (None, len(tiles) - len(covered)), where
        assert covered or not tiles or self.size is not None, where
        self.checked.tiles += len(covered)
        self.checked.others += len(tiles) - len(covered)
        is_uniform = not any(each.tiles is not None for one in answered.classes for each in one.sets)
        if is_uniform:
            self.checked.uniform += 1
        else:
            self.checked.by_position += 1
            for one in answered.classes:
                assert one.example in covered or self.size is not None, (*where, one.example)
                if one.example in covered:
                    self._of_each_access(flow, answered, one)
        consuming = {tile for held in tiles.values() for each in held.values() for tile in each}
        for tile in sorted(covered):
            (one,) = (one for one in answered.classes if _holds(one.tiles, tile))
            if is_uniform:
                self._as_moved(flow, one, tile, tiles[tile], consuming)
            else:
                self._alike(flow, answered, one, tile, tiles[tile], consuming)

    def _tiles(self, flow: Flow, answered: MarsAnswer) -> dict[Vector, Consumed]:
        """What each tile holds, with the tiles that consume it, of those that count."""
        whole = self._whole(flow) if answered.only_whole else None
        consumed = self._consumed(flow, (lambda _: True) if whole is None else whole.__contains__)
        found: dict[Vector, Consumed] = defaultdict(dict)
        for element, tiles in consumed.items():
            if flow.writer is None:
                for tile in tiles:
                    found[tile][element] = tiles
                continue
            own = self._producer(flow, element)
            others = tiles - {own} if flow.is_same_nest else tiles
            if others:
                found[own][element] = others
        if whole is not None:  # tiles that hold something for others alone
            for tile in self._tiles(flow, replace(answered, only_whole=False)):
                found[tile]
        return dict(found)

    # -- what is true ----------------------------------------------------------------------------------

    def _line(self, site: Site) -> int:
        line = self.unit.where(self.model, site.op).place.line
        assert line is not None
        return line

    def _all_are_there(self, found: Iterable[Flow]) -> None:
        """Each read that runs is a part of some flow."""
        said = {self.read_of[self._line(site)] for flow in found for site in flow.readers}
        assert said >= set(self.trace.reads), (self.text, str(self.scheme))

    def _consumed(self, flow: Flow, counts: Callable[[Vector], bool], only: Site | None = None) -> Consumed:
        """The tiles of the readers' nest that consume what FLOW is about, of those that COUNT; by ONLY."""
        of_site = None if only is None else self.read_of[self._line(only)]
        nest = self.nest_of[self.read_of[self._line(flow.readers[0])][0]]
        array = self.model.memory.names.memref(flow.root.value).removeprefix("%")
        writer = None if flow.writer is None else self.statement_of[self._line(flow.writer)]
        found: Consumed = defaultdict(set)
        for (statement, number), reads in self.trace.reads.items():
            if self.nest_of[statement] != nest or of_site not in (None, (statement, number)):
                continue
            for point, ((name, element), origin) in reads.items():
                if name != array or (None if origin is None else origin[0]) != writer:
                    continue
                tile = self._tile(_of_reader(flow), self._sorted(_of_reader(flow), point))
                if not counts(tile):
                    continue
                key = tuple(x + self.shift for x in element)
                if origin is not None:
                    key = self._sorted(_of_writer(flow), origin[1])
                found[key].add(tile)
        return found

    def _sorted(self, tiling: HyperplaneTiling, point: Vector) -> Vector:
        """POINT with the loops of TILING first."""
        order = [self.names.index(name.removeprefix("%")) for name in tiling.iterators]
        return tuple(point[k] for k in order) + tuple(x for k, x in enumerate(point) if k not in order)

    def _tile(self, tiling: HyperplaneTiling, point: Vector) -> Vector:
        sizes = [size for size in tiling.sizes if isinstance(size, int)]
        return tuple(dot(h, point) // s for h, s in zip(tiling.normals, sizes, strict=True))

    def _running(self, flow: Flow) -> set[Vector]:
        """The iterations of the tiled loops in which a reader runs."""
        tiling = _of_reader(flow)
        return {
            self._sorted(tiling, point)[: len(tiling.iterators)]
            for site in flow.readers
            for point in self.trace.reads[self.read_of[self._line(site)]]
        }

    def _whole(self, flow: Flow) -> set[Vector]:
        """The tiles all of whose iterations, of those that repeat, are those of a reader."""
        tiling, executed = _of_reader(flow), self._running(flow)
        tiles: dict[Vector, list[Vector]] = defaultdict(list)
        for point in itertools.product(range(-12, 28), repeat=len(tiling.iterators)):
            tiles[self._tile(tiling, point)].append(point)
        near = {self._tile(tiling, point) for point in executed}
        runs = self._runs(flow, {point for tile in near for point in tiles[tile]})
        return {tile for tile in near if executed.issuperset(runs.intersection(tiles[tile]))}

    def _runs(self, flow: Flow, near: set[Vector]) -> set[Vector]:
        if flow.runs is None:
            return near
        low, high = min(map(min, near)), max(map(max, near))
        rank = len(_of_reader(flow).iterators)
        box = " and ".join(f"{low} <= x{k} <= {high}" for k in range(rank))
        names = ", ".join(f"x{k}" for k in range(rank))
        return set(few_points(flow.runs.intersect(isl.Set(f"{{ [{names}] : {box} }}")), MANY) or ())

    # -- what is answered ------------------------------------------------------------------------------

    def _as_moved(
        self, flow: Flow, one: TileClass, tile: Vector, held: Consumed, consuming: set[Vector]
    ) -> None:
        """TILE has the sets of ONE, moved, with consumers relative to it, of those that are CONSUMING."""
        moved = self._moved(flow, one, tile, _of_reader(flow))
        assert set(moved) == {element for element, tiles in held.items() if tiles}
        told_apart = {frozenset(tiles) for tiles in held.values() if tiles}
        assert len(told_apart) == len(one.sets), (self.text, str(self.scheme), tile)
        for element, tiles in held.items():
            said = moved[element].consumers
            if any(each.along for each in said):
                expected = {other for other in consuming if _is_among(said, other, tile)}
            else:
                expected = {tuple(map(sum, zip(tile, each.offset, strict=True))) for each in said}
            self.checked.pairs += len(tiles)
            assert tiles == expected, (self.text, str(self.scheme), tile, element, expected)

    def _alike(
        self,
        flow: Flow,
        answered: MarsAnswer,
        one: TileClass,
        tile: Vector,
        held: Consumed,
        consuming: set[Vector],
    ) -> None:
        """TILE has the sets of the example of ONE, each somewhere else, or as large as they are."""
        sets: dict[frozenset[Vector], set[Vector]] = defaultdict(set)
        for element, tiles in held.items():
            sets[frozenset(tiles)].add(element)
        said = [set(few_points(each.points, MANY) or ()) for each in one.sets]
        where = (self.text, str(self.scheme), tile, one.example)
        assert [each.count for each in one.sets] == list(map(len, said)), where
        if tile == one.example:
            for each, points in zip(one.sets, said, strict=True):
                assert each.tiles is not None
                self.checked.pairs += len(points)
                tiles = frozenset(point for point in consuming if _holds(each.tiles, point))
                if self.size is None:  # for any size, those that the program has are consumers
                    assert tiles == frozenset(few_points(each.tiles, MANY) or ()), where
                assert sets[tiles] == points, (*where, tiles)
        form = len if answered.by_sizes else form_of
        assert sorted(map(form, sets.values())) == sorted(map(form, said)), where
        if all(each.of_tile is not None for each in one.sets):
            self._of_each_tile(flow, one, {tile: held})

    def _of_each_tile(self, flow: Flow, one: TileClass, by_tile: Mapping[Vector, Consumed]) -> None:
        """Where the consumers are said of each tile of a class, they are these."""
        for tile, elements in by_tile.items():
            if not _holds(one.tiles, tile) or any(each.of_tile is None for each in one.sets):
                continue
            said = self._moved(flow, one, tile, _of_writer(flow))
            assert set(said) == set(elements), (self.text, str(self.scheme), tile)
            for each in one.sets:
                consumers = each.of_tile
                assert consumers is not None
                for k, coordinate in enumerate(tile):
                    place = consumers.find_dim_by_name(isl.dim_type.param, f"t{k}")
                    if place >= 0:
                        consumers = consumers.fix_val(isl.dim_type.param, place, coordinate)
                expected = set(few_points(consumers.project_out_all_params(), MANY) or ())
                for element in (e for e, s in said.items() if s is each):
                    self.checked.pairs += len(expected)
                    assert elements[element] == expected, (self.text, str(self.scheme), tile, element)

    def _of_each_access(self, flow: Flow, answered: MarsAnswer, one: TileClass) -> None:
        """The sets that a load reads hold what it reads: of the example, or what others read of it."""
        counts = self._whole(flow).__contains__ if answered.only_whole else lambda _: True
        for accessed in accessed_sets(answered, one):
            site, numbers = accessed.site, accessed.numbers
            if site.is_write:
                assert numbers == tuple(range(len(one.sets)))
                continue
            read: set[Vector] = set()
            for element, tiles in self._consumed(flow, counts, site).items():
                if flow.writer is None:
                    is_read = one.example in tiles
                else:
                    own = self._producer(flow, element)
                    is_read = own == one.example and bool(tiles - {own} if flow.is_same_nest else tiles)
                read |= {element} if is_read else set()
            expected = [k for k, s in enumerate(one.sets) if read & set(few_points(s.points, MANY) or ())]
            where = (self.text, str(self.scheme), one.example, numbers, expected)
            always = {*numbers} - {*accessed.in_some}
            is_near = self.size is not None and {*expected} <= {*numbers}
            assert always <= {*expected} <= {*numbers} or is_near, where

    def _producer(self, flow: Flow, element: Vector) -> Vector:
        tiling = _of_writer(flow)
        return self._tile(tiling, element[: len(tiling.iterators)])

    def _moved(
        self, flow: Flow, one: TileClass, tile: Vector, tiling: HyperplaneTiling
    ) -> dict[Vector, MarsSet]:
        """The elements of the sets of ONE, moved from the example to TILE in TILING, with their sets."""
        delta = tuple(a - b for a, b in zip(tile, one.example, strict=True))
        move = [Fraction(int(x.p), int(x.q)) for x in tiling.translation(delta, {})]
        found: dict[Vector, MarsSet] = {}
        for each in one.sets:
            points = few_points(each.points, MANY)
            assert points is not None
            assert each.count == len(points)
            for point in points:
                moved = _element(flow, point, move, len(tiling.iterators))
                assert moved not in found, "in two sets"
                found[moved] = each
        if any(each.consumers for each in one.sets):
            self._distinct(one.sets)
        return found

    def _distinct(self, sets: Iterable[MarsSet]) -> None:
        """Maximal: no two sets have the same consumers."""
        consumers = [frozenset(each.consumers) for each in sets]
        assert len(set(consumers)) == len(consumers), (self.text, str(self.scheme))


def _of_reader(flow: Flow) -> HyperplaneTiling:
    assert flow.nest is not None
    return flow.nest.tiling


def _of_writer(flow: Flow) -> HyperplaneTiling:
    return _of_reader(flow) if flow.destination is None else flow.destination.tiling


def _element(flow: Flow, point: Vector, move: list[Fraction], rank: int) -> Vector:
    if flow.writer is not None:
        moved = [Fraction(x) + v for x, v in zip(point, move, strict=False)]
        result = [*moved, *map(Fraction, point[rank:])]
    else:
        linear = flow.dependences[0].of_tiled(rank)
        result = [
            x + sum((a * v for a, v in zip(row, move, strict=True)), Fraction(0))
            for x, row in zip(point, linear, strict=True)
        ]
    assert all(x.denominator == 1 for x in result)
    return tuple(int(x) for x in result)


def _is_among(consumers: tuple[Consumer, ...], tile: Vector, own: Vector) -> bool:
    delta = tuple(a - b for a, b in zip(tile, own, strict=True))
    return any(_is_in(each, delta) for each in consumers)


def _is_in(consumer: Consumer, delta: Vector) -> bool:
    """Whether DELTA is the offset plus an integer combination."""
    names = [f"p{k}" for k in range(len(consumer.along))]
    terms = (
        " + ".join([str(x), *(f"{each[k]} {name}" for each, name in zip(consumer.along, names, strict=True))])
        for k, x in enumerate(consumer.offset)
    )
    quantified = f"exists {', '.join(names)} : " if names else ""
    equal = " and ".join(f"{x} = {term}" for x, term in zip(delta, terms, strict=True))
    return not isl.Set(f"{{ : {quantified}{equal} }}").is_empty()


def _holds(points: isl.Set | None, point: Vector) -> bool:
    if points is None:
        return True
    text = "{ [" + ", ".join(map(str, point)) + "] }"
    return not points.is_disjoint(isl.Set(text))
