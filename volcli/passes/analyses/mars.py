"""mars: what data flows between tiles, partitioned by the tiles that consume it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import islpy as isl

from volcli.diagnostics import Diagnostic, UsageError
from volcli.facts.fact import Where
from volcli.facts.mars import MarsClass, MarsFact, MarsRow
from volcli.facts.mars_accesses import MarsAccessed, MarsAccessFact
from volcli.facts.mars_layout import MarsLayout, MarsRows, text
from volcli.language.expressions import Dim, parameter
from volcli.limits import passes as limits
from volcli.limits.presburger import FUNCTION
from volcli.model.function import FunctionModel
from volcli.model.mars.allocation.access_sets import accessed_sets
from volcli.model.mars.allocation.accesses import memory_of
from volcli.model.mars.footprints.dataflow import Flow, flows
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet
from volcli.model.mars.partition.bursts import BurstRules
from volcli.model.mars.partition.legality import legal
from volcli.model.mars.partition.partitioning import answer
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.model.mars.tilings.tiling import HyperplaneTiling, NotATiling, tiles_named
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.dependences.naming import set_named, with_parameters
from volcli.model.memory.loops.loops import named_assumptions
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import limited
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.named import NamedSet
from volcli.presburger.sets.names import identifier, named_set, parameters_of_space
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.mars.mars_nests import MarsNest


@dataclass(frozen=True)
class Mars(Pass):
    """Partition what tiles read, and what they produce for each other, by the tiles that consume it.

    `tile` cuts loops that are called by their induction variables by hyperplanes with sizes: `i+j:8, j-i:s`;
    a size is a number or a symbol. Structured operations, on tensors or memrefs, are nests of loops d0, d1,
    ..., as linalg numbers them. Nests with other loops are cut by a tiling of their own, after `;`:
    `d0:8, d1:8, d2:8; d0:16, d1:16`. Two elements are in one set (a MARS) if the same tiles consume them: a
    tile that needs one of them needs all, and no set can be larger. Consumers are tiles relative to the tile
    at hand, (1, 0) the next one along the first hyperplane; `+ p (1, 1)` are as many more as there are.

    For each array that the nest reads: the sets of what one tile reads. For each statement whose values other
    tiles read: the sets of what one tile produces. Values are followed through memory to the last writer, so
    that programs need no single assignment. The answer says which tiles it covers, and how many others there
    are: near the ends of loops tiles have fewer points. Elements are those of the tile (0, ..., 0), or in
    terms of the origin (o0, o1, ...) of a tile, where a size is a symbol.

    If dependences move what tiles read differently, the sets depend on the position of the tile; then the
    tiles are classes, with the sets of one example each. Loops that are not tiled run inside a tile. Tiles
    run in the lexicographic order of their coordinates: where one reads what a later one writes, the tiling
    is illegal, and has no answer. With `any-order` they run in some order in which each finds what it reads.

    With `allocate` the nest is rewritten instead: loops over tiles, each with local arrays, and one block of
    contiguous memory for what a tile produces, or for what tiles with one footprint read, set by set in the
    order of fewest bursts. A tile copies in what it reads of other tiles' blocks, runs, and copies out its
    own sets, and to the array what is not written again. Sizes are numbers; the tiles must be legal, and
    translates of each other by integers. An array whose sets depend on the position of the tile stays as it
    is."""

    name = "mars"
    summary = "the data that flows between tiles, by consumers, and a layout for it"
    wants = "nests of loops whose tiles exchange elements of an array"
    by_function = True

    tile: str = option(
        "", help="hyperplanes and sizes, as 'i+j:8, j-i:s'; those of other nests after a semicolon"
    )
    allocate: bool = option(
        False, help="rewrite the nest: the data that tiles exchange is laid out by its sets"
    )
    any_order: bool = option(
        False, help="tiles run in some order in which each has what it reads, and not the lexicographic one"
    )
    assume_noalias_args: bool = option(
        False, help="assume that arguments are different memory, without stating it"
    )
    burst_alignment: int = option(1, help="bytes: bursts begin and end at multiples of it, as do arrays")
    least_burst: int = option(0, help="the least number of bytes that a burst moves")

    def apply(self, unit: Unit) -> None:
        scheme, operations = self.scheme, unit.budget or DEFAULT_OPERATIONS
        if self.allocate:
            self._allocate(unit, self._only_tiling(scheme), operations)
            return
        for model in unit.models():
            if scheme.cuts_operations:
                model = unit.as_loops(model)
            found, _ = limited(
                unit,
                unit.where(model, model.function).place,
                lambda model=model: legal(model, flows(model, scheme, operations), any_order=self.any_order),
            )
            for flow in found or ():
                unit.facts += self._facts(unit, model, flow, scheme)

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
                FUNCTION,
            )
            left = [(model.function, f"no array is laid out by MARS: {reason}")] if found is None else found
            for op, why in left:
                unit.diagnostics.append(Diagnostic("V310", why, unit.parsed.written_at(op)))
        changes.finish(erase_dead=True)

    @property
    def scheme(self) -> TileScheme:
        """The tilings that are asked for. Raises UsageError (V002)."""
        if not self.tile.strip():
            note = "write tile='i:16, j:16', with the names of induction variables"
            raise UsageError(Diagnostic("V002", f"{self.name}: option 'tile' is missing", note=note))
        try:
            return TileScheme.parse(self.tile)
        except NotATiling as error:
            raise UsageError(Diagnostic("V002", f"{self.name}: option 'tile': {error}")) from error

    @property
    def _rules(self) -> BurstRules:
        """What bursts are. Raises UsageError (V002)."""
        if self.burst_alignment > 0 <= self.least_burst:
            return BurstRules(self.burst_alignment, self.least_burst)
        raise UsageError(Diagnostic("V002", f"{self.name}: bytes are not negative, and the alignment not 0"))

    def _only_tiling(self, scheme: TileScheme) -> HyperplaneTiling:
        """The one tiling of SCHEME. Raises UsageError (V002)."""
        (first, *others) = scheme.tilings
        if others:
            several = f"option 'tile': with 'allocate' there is one tiling, and not {scheme}"
            raise UsageError(Diagnostic("V002", f"{self.name}: {several}"))
        return first

    def _facts(
        self, unit: Unit, model: FunctionModel, flow: Flow, scheme: TileScheme
    ) -> Iterator[MarsFact | MarsAccessFact]:
        """The sets, and which of them each access reads or writes, if it is not one read of all."""
        where = unit.where(model, flow.readers[0].op)
        found, reason = limited(unit, where.place, lambda: answer(flow, memory_of(model, flow, self._rules)))
        if found is None:
            found = MarsAnswer(flow, because=reason)
        names = MarsNames(model, flow)
        assumptions = named_assumptions(flow.assumptions, noalias=self.assume_noalias_args)
        sets, classes = _classes(names, found)
        produced = flow.writer is not None
        is_numeric = found.because is not None or found.covers is not None
        yield MarsFact(
            where,
            names.array,
            "produced" if produced else "read",
            str(scheme) if flow.nest is None else str(flow.nest.tiling),
            sets,
            classes,
            found.invariant,
            found.flow_in if produced else None,
            None if found.covers is None else names.tiles(found.covers),
            found.others,
            found.only_whole,
            found.by_sizes,
            flow.is_partial,
            names.iterations(model, None if is_numeric else found.flow.inside),
            names.iterations(model, None if is_numeric else found.flow.runs),
            None if flow.is_same_nest else unit.where(model, flow.outermost).place.line,
            _layout(found),
            found.because is None,
            found.because or found.reason,
            assumptions,
        )
        if produced or len(flow.readers) > 1:
            reached, _ = limited(
                unit, where.place, lambda: [list(accessed_sets(found, one)) for one in found.classes]
            )
            yield from _accesses(
                unit, model, names.array, "produced" if produced else "read", classes, reached or ()
            )


def _accesses(
    unit: Unit,
    model: FunctionModel,
    array: str,
    kind: Literal["read", "produced"],
    classes: Sequence[MarsClass],
    reached: Sequence[Sequence[tuple[Site, Sequence[int]]]],
) -> Iterator[MarsAccessFact]:
    """What was REACHED by each access in tiles of CLASSES; operations that are loops do all at one place."""
    found: dict[tuple[Where, bool], list[set[int]]] = {}
    for number, (one, accesses) in enumerate(zip(classes, reached, strict=False)):
        for site, positions in accesses:
            key = unit.where(model, site.op), site.is_write
            sets = found.setdefault(key, [set() for _ in classes])
            sets[number].update(one.members[position][0] for position in positions)
    for (where, writes), sets in found.items():
        parts = tuple(
            MarsAccessed(None if len(classes) == 1 else one.title, tuple(sorted(each)))
            for one, each in zip(classes, sets, strict=True)
        )
        yield MarsAccessFact(where, array, kind, writes, parts)


class MarsNames:
    """The array's name, and those of its dimensions: d0, d1, ..., or the iterators of what writes it."""

    def __init__(self, model: FunctionModel, flow: Flow) -> None:
        self.array = model.memory.names.memref(flow.root.value)
        self._volume = identifier(self.array)
        self._memory = model.memory
        self._tiled = [] if flow.nest is None else list(map(identifier, flow.nest.tiling.iterators))
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


def _classes(names: MarsNames, found: MarsAnswer) -> tuple[tuple[MarsRow, ...], tuple[MarsClass, ...]]:
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
        classes.append(MarsClass(each.sizes, tiles, each.example, tuple(members), each.exceptions))
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
    return (names.tiles(tiles_named(tiles)).text,)


def _layout(found: MarsAnswer) -> MarsLayout | None:
    if found.layout is None:
        return None
    layout, rows = found.layout, found.layout.rows
    moved = None if rows is None else MarsRows.of(rows.numbers, rows.are_most, rows.layout)
    sets = text(layout.elements), text(layout.size), layout.bursts, layout.is_best
    return MarsLayout(layout.order, *sets, moved, layout.tile)
