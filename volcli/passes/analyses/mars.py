"""mars: what data flows between tiles, partitioned by the tiles that consume it."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from volcli.diagnostics import Diagnostic, UsageError
from volcli.facts.mars import MarsClass, MarsFact, MarsLayout, MarsRow
from volcli.model.function import FunctionModel
from volcli.model.mars.answers import MarsAnswer, MarsSet
from volcli.model.mars.dataflow import Flow, flows, memory_of
from volcli.model.mars.partitioning import answer
from volcli.model.mars.tiling import HyperplaneTiling, NotATiling, tiles_named
from volcli.model.memory.loops import named_assumptions
from volcli.model.memory.naming import set_named, with_parameters
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import limited
from volcli.presburger.budget import DEFAULT_OPERATIONS
from volcli.presburger.build import DIM
from volcli.presburger.named import NamedSet
from volcli.presburger.names import identifier, named_set
from volcli.rewriting.changes import Changes
from volcli.rewriting.mars_nests import MarsNest

_FEW = 16
"""More consumers than these are written as a set."""


@dataclass(frozen=True)
class Mars(Pass):
    """Partition what tiles read, and what they produce for each other, by the tiles that consume it.

    `tile` cuts loops that are called by their induction variables by hyperplanes with sizes: `i+j:8, j-i:s`;
    a size is a number or a symbol. Two elements are in one set (a MARS) if the same tiles consume them: a
    tile that needs one of them needs all, and no set can be larger. Consumers are tiles relative to the tile
    at hand, (1, 0) the next one along the first hyperplane; `+ p (1, 1)` are as many more as there are.

    For each array that the nest reads: the sets of what one tile reads. For each statement whose values other
    tiles read: the sets of what one tile produces. Values are followed through memory to the last writer, so
    that programs need no single assignment. What is said holds for tiles that are, with their consumers,
    inside the stated iterations: near the ends of loops tiles have fewer points. Elements are those of the
    tile (0, ..., 0), or in terms of the origin (o0, o1, ...) of a tile, where a size is a symbol.

    If dependences move what tiles read differently, the sets depend on the position of the tile; then the
    tiles are given by the number of their sets. Loops that are not tiled run inside a tile."""

    name = "mars"
    summary = "the data that flows between tiles, by consumers, and a layout for it"
    by_function = True

    tile: str = option("", help="hyperplanes and sizes, as 'i+j:8, j-i:s'")
    allocate: bool = option(False, help="rewrite the nest: what tiles exchange lies in memory by its sets")
    assume_noalias_args: bool = option(
        False, help="arguments are different memory; do not say that it is assumed"
    )

    def apply(self, unit: Unit) -> None:
        tiling, operations = self.tiling, unit.budget or DEFAULT_OPERATIONS
        if self.allocate:
            self._allocate(unit, tiling, operations)
            return
        for model in unit.models():
            found, _ = limited(
                unit,
                unit.where(model, model.function).place,
                lambda model=model: flows(model, tiling, operations),
            )
            for flow in found or ():
                unit.facts.append(self._fact(unit, model, flow, tiling))

    @property
    def changes(self) -> bool:
        """Only with `allocate` is the program rewritten."""
        return self.allocate

    def _allocate(self, unit: Unit, tiling: HyperplaneTiling, operations: int) -> None:
        """Lay out the arrays of each function that has loops of TILING, and say what is left as it is."""
        changes = Changes(unit, self.name)
        for model in unit.models():
            nest = MarsNest(changes, model, tiling, self.assume_noalias_args, operations)
            found, reason = limited(
                unit,
                unit.where(model, model.function).place,
                lambda nest=nest: list(nest.rewrite()),
            )
            left = [(model.function, f"no array is laid out by MARS: {reason}")] if found is None else found
            for op, why in left:
                unit.diagnostics.append(Diagnostic("V310", why, unit.parsed.written_at(op)))
        changes.finish(erase_dead=True)

    @property
    def tiling(self) -> HyperplaneTiling:
        """The tiling that is asked for. Raises UsageError (V002)."""
        if not self.tile.strip():
            note = "write tile='i:16, j:16', with the names of induction variables"
            raise UsageError(Diagnostic("V002", f"{self.name}: option 'tile' is missing", note=note))
        try:
            return HyperplaneTiling.parse(self.tile)
        except NotATiling as error:
            raise UsageError(Diagnostic("V002", f"{self.name}: option 'tile': {error}")) from error

    def _fact(self, unit: Unit, model: FunctionModel, flow: Flow, tiling: HyperplaneTiling) -> MarsFact:
        where = unit.where(model, flow.readers[0].op)
        found, reason = limited(
            unit, where.place, lambda: answer(flow, tiling, memory_of(model, tiling, flow))
        )
        if found is None:
            found = MarsAnswer(flow, because=reason)
        names = _Names(model, flow, tiling)
        assumptions = named_assumptions(flow.assumptions, noalias=self.assume_noalias_args)
        sets, classes = _classes(names, found)
        produced = flow.writer is not None
        return MarsFact(
            where,
            names.array,
            "produced" if produced else "read",
            str(tiling),
            sets,
            classes,
            found.invariant,
            found.flow_in if produced else None,
            names.iterations(model, flow.inside) if found.because is None else None,
            names.iterations(model, flow.runs) if found.because is None else None,
            None if flow.is_same_nest else unit.where(model, flow.outermost).place.line,
            _layout(found),
            found.because is None,
            found.because or found.reason,
            assumptions,
        )


class _Names:
    """The array's name, and those of its dimensions: d0, d1, ..., or the iterators of what writes it."""

    def __init__(self, model: FunctionModel, flow: Flow, tiling: HyperplaneTiling) -> None:
        self.array = model.memory.memref_text(flow.root.value)
        self._volume = identifier(self.array)
        self._memory = model.memory
        self._tiled = [identifier(name) for name in tiling.iterators]
        self._own = None
        if flow.writer is not None:
            others = [
                identifier(model.name_of(level.variable))
                for level in flow.writer.levels
                if level.variable is not None and model.name_of(level.variable) not in tiling.iterators
            ]
            self._own = [*self._tiled, *others]

    def elements(self, points: isl.Set) -> NamedSet:
        rank = points.dim(DIM.set)
        names = (
            self._own if self._own is not None and len(self._own) == rank else [f"d{d}" for d in range(rank)]
        )
        return NamedSet.of(named_set(with_parameters(self._memory, points), self._volume, names))

    def iterations(self, model: FunctionModel, points: isl.Set | None) -> NamedSet | None:
        return None if points is None else set_named(model.memory, points, self._tiled)


def _classes(names: _Names, found: MarsAnswer) -> tuple[tuple[MarsRow, ...], tuple[MarsClass, ...]]:
    """The sets, each once, and the classes of tiles that have them."""
    numbers: dict[tuple[NamedSet, tuple[str, ...]], int] = {}
    classes: list[MarsClass] = []
    for each in found.classes:
        members: list[tuple[int, str | None]] = []
        for one in each.sets:
            key = (names.elements(one.points), _consumers(one))
            count = None if one.count is None else str(one.count)
            members.append((numbers.setdefault(key, len(numbers)), count))
        tiles = None if each.tiles is None else NamedSet.of(each.tiles)
        classes.append(MarsClass(each.sizes, tiles, each.example, tuple(members), each.exceptions))
    return tuple(MarsRow(*key) for key in numbers), tuple(classes)


def _consumers(one: MarsSet) -> tuple[str, ...]:
    """Few classes one by one; many, and tiles by position, as a set."""
    tiles = one.tiles
    if tiles is None:
        if len(one.consumers) <= _FEW or any(each.along for each in one.consumers):
            return tuple(map(str, one.consumers))
        points = ["[" + ", ".join(map(str, each.offset)) + "]" for each in one.consumers]
        tiles = isl.Set(f"{{ {'; '.join(points)} }}").coalesce()
    return (str(tiles_named(tiles)),)


def _layout(found: MarsAnswer) -> MarsLayout | None:
    if found.layout is None:
        return None
    rows = found.layout.rows
    return MarsLayout(found.layout.order, None if rows is None else str(rows), found.layout.bursts)
