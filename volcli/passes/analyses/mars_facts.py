"""The facts of the question `mars`, from what the model answers: names, sets, classes, layouts, accesses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import islpy as isl

from volcli.facts.fact import Where
from volcli.facts.mars import MarsClass, MarsRow
from volcli.facts.mars_accesses import MarsAccessed, MarsAccessFact
from volcli.facts.mars_layout import MarsLayout, MarsRows, text
from volcli.language.expressions import Dim, parameter
from volcli.limits import passes as limits
from volcli.model.function import FunctionModel
from volcli.model.mars.allocation.access_sets import AccessedSets
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet
from volcli.model.mars.tilings.tiling import CONSUMER, tiles_named
from volcli.model.memory.dependences.naming import set_named, with_parameters
from volcli.passes.base import Unit
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.named import NamedSet
from volcli.presburger.sets.names import identifier, named_set, parameters_of_space

_NAME = re.compile(r"[A-Za-z_]\w*")


def accesses_of(
    unit: Unit,
    model: FunctionModel,
    array: str,
    kind: Literal["read", "produced"],
    classes: Sequence[MarsClass],
    reached: Sequence[Sequence[AccessedSets]],
) -> Iterator[MarsAccessFact]:
    """What was REACHED by each access in tiles of CLASSES; operations that are loops do all at one place."""
    found: dict[tuple[Where, bool], list[list[AccessedSets]]] = {}
    for number, accesses in enumerate(reached):
        for each in accesses:
            key = unit.where(model, each.site.op), each.site.is_write
            found.setdefault(key, [[] for _ in classes])[number].append(each)
    for (where, writes), of_classes in found.items():
        parts = tuple(
            _accessed(one, each, has_others=len(classes) > 1)
            for one, each in zip(classes, of_classes, strict=True)
        )
        yield MarsAccessFact(where, array, kind, writes, parts)


def _accessed(one: MarsClass, accesses: Sequence[AccessedSets], *, has_others: bool) -> MarsAccessed:
    """What ACCESSES of one place reach in tiles of the class ONE."""
    reached = {one.members[k][0] for each in accesses for k in each.numbers}
    always = {one.members[k][0] for each in accesses for k in each.numbers if k not in each.in_some}
    return MarsAccessed(
        one.title if has_others else None, tuple(sorted(reached)), tuple(sorted(reached - always))
    )


class MarsNames:
    """The array's name, and those of its dimensions: d0, d1, ..., or the iterators of what writes it."""

    def __init__(self, model: FunctionModel, flow: Flow) -> None:
        self.array = model.memory.names.memref(flow.root.value)
        self._volume = identifier(self.array)
        self._memory = model.memory
        self._tiled = [] if flow.nest is None else list(map(identifier, flow.nest.tiling.iterators))
        self._sizes = () if flow.nest is None else flow.nest.tiling.symbols
        self.letter = "t" if flow.is_same_nest else CONSUMER
        self._own = None
        if flow.writer is not None and flow.destination is not None:
            tiled = flow.destination.tiling.iterators
            others = [
                identifier(model.name_of(level.variable))
                for level in flow.writer.levels
                if level.variable is not None and model.name_of(level.variable) not in tiled
            ]
            self._own = [*map(identifier, tiled), *others]

    def elements(self, points: isl.Set) -> NamedSet:
        rank = points.dim(DIM.set)
        names = (
            self._own if self._own is not None and len(self._own) == rank else [f"d{d}" for d in range(rank)]
        )
        points = with_parameters(self._memory, self._shortened(points))
        return NamedSet.of(named_set(points, self._volume, names))

    def tiles(self, points: isl.Set) -> NamedSet:
        """Tiles, which have names for their coordinates."""
        return NamedSet.of(with_parameters(self._memory, self._shortened(points)))

    def condition(self, text: str) -> str:
        """A condition on sizes, TEXT, with the names of the program for its other parameters."""
        elimination, texts = self._memory.bounds.elimination, self._memory.bounds.texts

        def name(match: re.Match[str]) -> str:
            variable = None if match[0] in self._sizes else elimination.find(match[0])
            return match[0] if variable is None else identifier(texts.of_variable(variable))

        return _NAME.sub(name, text)

    def _shortened(self, points: isl.Set) -> isl.Set:
        """POINTS without what is true of all sizes: they are not negative."""
        known = isl.Set.universe(points.get_space().params())
        for name in parameters_of_space(points):
            if isinstance(self._memory.bounds.elimination.find(name), Dim):
                known = known.intersect(build.nonnegative(0, (parameter(name),)).params())
        return points.gist_params(known).drop_unused_params()

    def iterations(self, model: FunctionModel, points: isl.Set | None) -> NamedSet | None:
        if points is None:
            return None
        return set_named(model.memory, self._shortened(points), self._tiled)


def classes_of(names: MarsNames, found: MarsAnswer) -> tuple[tuple[MarsRow, ...], tuple[MarsClass, ...]]:
    """The sets, each once, and the classes of tiles that have them."""
    numbers: dict[tuple[NamedSet, tuple[str, ...]], int] = {}
    classes: list[MarsClass] = []
    for each in found.classes:
        members: list[tuple[int, str | None]] = []
        for one in each.sets:
            key = (names.elements(one.points), _consumers(names, one))
            count = None if one.count is None else str(one.count)
            members.append((numbers.setdefault(key, len(numbers)), count))
        tiles = None if each.tiles is None else names.tiles(each.tiles)
        sizes = None if each.sizes is None else names.condition(each.sizes)
        exceptions = tuple((names.condition(where), count) for where, count in each.exceptions)
        classes.append(MarsClass(sizes, tiles, each.example, tuple(members), exceptions))
    return tuple(MarsRow(*key) for key in numbers), tuple(classes)


def _consumers(names: MarsNames, one: MarsSet) -> tuple[str, ...]:
    """Few classes one by one; many, and tiles by position, as a set."""
    if one.of_tile is not None:
        return (names.tiles(one.of_tile).text,)
    tiles = one.tiles
    if tiles is None:
        if len(one.consumers) <= limits.CONSUMERS_TEXT or any(each.along for each in one.consumers):
            return tuple(map(str, one.consumers))
        points = ["[" + ", ".join(map(str, each.offset)) + "]" for each in one.consumers]
        tiles = isl.Set(f"{{ {'; '.join(points)} }}").coalesce()
    return (names.tiles(tiles_named(tiles, names.letter)).text,)


def layout_of(found: MarsAnswer) -> MarsLayout | None:
    """The order of the sets with what one tile reads, as a part of the fact."""
    if found.layout is None:
        return None
    layout, rows = found.layout, found.layout.rows
    moved = None if rows is None else MarsRows.of(rows.numbers, rows.are_most, rows.layout)
    sets = text(layout.elements), text(layout.size), layout.bursts, layout.is_best
    return MarsLayout(layout.order, *sets, moved, layout.tile)
