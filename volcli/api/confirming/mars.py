"""MARS: a tile that reads what another one wrote is among the consumers of a set that has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import flint

from volcli.api.confirming.dependences import is_plain
from volcli.api.confirming.flow import happened_in
from volcli.api.confirming.runs import Judge, Observed, Point, SampledRun, dimensions, named
from volcli.execution.memory.memory import MemoryView
from volcli.execution.runs.recording import LOOPS, RecordedAccess, iterators_around
from volcli.facts.fact import Fact
from volcli.facts.mars import MarsFact
from volcli.model.function import FunctionModel
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.passes.base import Unit
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.named import NamedSet
from volcli.presburger.sets.names import identifier
from volcli.presburger.sets.points import has_point

_VECTOR = re.compile(r"\((-?\d+(, -?\d+)*)\)")


@dataclass(frozen=True)
class _Tiles:
    """The tiles of a fact, of sizes that are numbers; `example` is the one whose sets are stated."""

    tiling: HyperplaneTiling
    sizes: tuple[int, ...]
    example: Point

    @property
    def names(self) -> list[str]:
        """The induction variables that the planes are over, without %."""
        return list(map(_plain, self.tiling.iterators))

    def of(self, iteration: Mapping[str, int]) -> Point:
        """The tile of ITERATION, which says of each induction variable what it is."""
        at = [iteration[name] for name in self.names]
        planes = zip(self.tiling.normals, self.sizes, strict=True)
        return tuple(sum(a * b for a, b in zip(normal, at, strict=True)) // size for normal, size in planes)

    def moved(self, iteration: Mapping[str, int], tile: Point) -> dict[str, int] | None:
        """ITERATION, of TILE, where it is in the example; None if that is no translate."""
        steps = [[size * (a - b)] for size, a, b in zip(self.sizes, tile, self.example, strict=True)]
        vector = self.tiling.inverse * flint.fmpq_mat(flint.fmpz_mat(steps))
        found: dict[str, int] = {}
        for row, name in enumerate(self.names):
            entry = vector[row, 0]
            if entry.q != 1:
                return None
            found[name] = iteration[name] - int(entry.p)
        return found


class MarsJudge(Judge):
    """What flows from tile to tile is in a set that goes there.

    That is so of all executed flow of the tiles that the answer covers.
    """

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._unit = unit
        self._function = model.function
        self._values = named(unit, model.function)
        self._facts = [
            (fact, tiles)
            for fact in facts
            if isinstance(fact, MarsFact) and fact.kind == "produced" and fact.exact and fact.reader is None
            if (tiles := _tiles(fact)) is not None
        ]

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        reads = happened_in(run.recorder).reads if self._facts else []
        for fact, tiles in self._facts:
            value = self._values.get(fact.array)
            views = () if value is None else run.seen(value)
            if len(views) != 1 or not isinstance(views[0], MemoryView) or not run.fulfils(fact.assumptions):
                continue
            memory = id(views[0].allocation)
            for read, writer in reads:
                if writer is not None and id(read.memory) == memory:
                    yield from self._flows(fact, tiles, writer, read, run)

    def _flows(
        self, fact: MarsFact, tiles: _Tiles, writer: RecordedAccess, read: RecordedAccess, run: SampledRun
    ) -> Iterator[Observed]:
        """What FACT should have, where READ reads what WRITER wrote."""
        source, sink = self._iteration(writer), self._iteration(read)
        names = set(tiles.names)
        if set(source) != names or set(sink) != names:
            return
        before, after = tiles.of(source), tiles.of(sink)
        moved = None if before == after else tiles.moved(source, before)
        if moved is None or not _covers(fact, before, run):
            return
        consumer = str(tuple(b - a for a, b in zip(before, after, strict=True))).replace(",)", ")")
        rows = [row for row in fact.sets if _has(row.points, moved, run) is not False]
        if any(consumer in row.consumers for row in rows):
            yield Observed(fact)
        else:
            text = f"iteration {read.iteration} reads what {writer.iteration} wrote"
            yield Observed(fact, f"{text}, in the tile at {consumer} from that")

    def _iteration(self, access: RecordedAccess) -> dict[str, int]:
        """What each induction variable is; nothing for accesses in other regions than loops."""
        if not is_plain(self._function, access.op, LOOPS):
            return {}
        names = (self._unit.parsed.names.of(each) for each in iterators_around(access.op))
        return dict(zip(map(_plain, names), access.iteration, strict=True))


def _covers(fact: MarsFact, tile: Sequence[int], run: SampledRun) -> bool:
    """Whether FACT says what TILE produces."""
    return fact.covers is not None and has_point(run.fixed(fact.covers.set), tile)


def _plain(name: str) -> str:
    return name.removeprefix("%")


def _tiles(fact: MarsFact) -> _Tiles | None:
    """The tiles of FACT; None if they have other sets than one another, or sizes that are symbols."""
    consumers = [each for row in fact.sets for each in row.consumers]
    if ";" in fact.tile or len(fact.classes) != 1 or not all(map(_VECTOR.fullmatch, consumers)):
        return None
    tiling = HyperplaneTiling.parse(fact.tile)
    sizes = tuple(size for size in tiling.sizes if isinstance(size, int))
    return _Tiles(tiling, sizes, fact.classes[0].example) if len(sizes) == len(tiling.sizes) else None


def _has(points: NamedSet, iteration: Mapping[str, int], run: SampledRun) -> bool | None:
    """Whether ITERATION is one of POINTS, whose dimensions are induction variables; None if they are not."""
    fixed = run.fixed(points.set)
    known = {identifier(name): number for name, number in iteration.items()}
    names = [fixed.get_dim_name(DIM.set, k) for k in range(dimensions(fixed))]
    if not all(name in known for name in names):
        return None
    return has_point(fixed, [known[str(name)] for name in names])
