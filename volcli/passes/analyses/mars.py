"""mars: what data flows between tiles, partitioned by the tiles that consume it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from volcli.diagnostics import Diagnostic, UsageError
from volcli.facts.mars import MarsFact
from volcli.facts.mars_accesses import MarsAccessFact
from volcli.frontend.parse.names import values_of
from volcli.language.reads import is_number
from volcli.limits.presburger import FUNCTION
from volcli.model.function import FunctionModel
from volcli.model.mars.allocation.access_sets import accessed_sets
from volcli.model.mars.allocation.accesses import memory_of
from volcli.model.mars.footprints.dataflow import Flow, flows, unknown_flows
from volcli.model.mars.partition.answers import MarsAnswer
from volcli.model.mars.partition.bursts import BurstRules
from volcli.model.mars.partition.legality import legal
from volcli.model.mars.partition.partitioning import answer
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.model.mars.tilings.tiling import HyperplaneTiling, NotATiling
from volcli.model.memory.loops.loops import named_assumptions
from volcli.passes.analyses.mars_facts import MarsNames, accesses_of, classes_of, layout_of
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import limited
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS
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
            place = unit.where(model, model.function).place
            found, reason = None, _ambiguous(model, scheme)
            if reason is None:
                found, reason = limited(unit, place, lambda model=model: flows(model, scheme, operations))
            if found is None:
                found = unknown_flows(model, scheme, str(reason))
            for flow in self._legal(unit, model, found):
                unit.facts += self._facts(unit, model, flow, scheme)

    def _legal(self, unit: Unit, model: FunctionModel, found: list[Flow]) -> list[Flow]:
        """The flows that were FOUND, of which nothing is known where tiles may have no order."""
        place = unit.where(model, model.function).place
        known, reason = limited(unit, place, lambda: legal(model, found, any_order=self.any_order))
        return [replace(flow, because=flow.because or reason) for flow in found] if known is None else known

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
        sets, classes = classes_of(names, found)
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
            None if flow.writer is None else unit.where(model, flow.writer.op),
            layout_of(found),
            found.because is None,
            found.because or found.reason,
            assumptions,
        )
        if produced or len(flow.readers) > 1:
            reached, _ = limited(
                unit, where.place, lambda: [list(accessed_sets(found, one)) for one in found.classes]
            )
            yield from accesses_of(
                unit, model, names.array, "produced" if produced else "read", classes, reached or ()
            )


def _ambiguous(model: FunctionModel, scheme: TileScheme) -> str | None:
    """Which size of SCHEME has the name of a number of the program, which answers have names of, too."""
    if not scheme.symbols:
        return None
    numbers = {model.name_of(value) for value in values_of(model.function) if is_number(value)}
    name = next((each for each in scheme.symbols if f"%{each}" in numbers), None)
    return name and f"'{name}' is a size of tiles, and %{name} a number: give the size another name"
