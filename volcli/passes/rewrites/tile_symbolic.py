"""tile-symbolic: loop nests in tiles whose sizes are values of the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from volcli.diagnostics import Diagnostic, UsageError
from volcli.diagnostics.counted import counted
from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.programs.flags import promise_no_order
from volcli.model.as_loops.function import body_of
from volcli.model.function import FunctionModel
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.loops.legality import Legality
from volcli.model.memory.loops.loops import named_assumptions
from volcli.model.memory.loops.tilings import TileLengths, Tilings
from volcli.passes.base import Pass, Unit, option
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.ground.discovery import visible
from volcli.rewriting.ground.hyperplanes import Hyperplane, OfVariables, TileFamily, hyperplanes
from volcli.rewriting.nests.legal_tilings import illegal, reordered
from volcli.rewriting.nests.operation_loops import put_loops
from volcli.rewriting.nests.symbolic_tiles import SymbolicTiles

_TENSORS = "it is on tensors, which `tile` tiles"


@dataclass(frozen=True, eq=False)
class _Nest:
    """Loops in `op` that are tiled along `tilings`, as far as these are known to be legal."""

    op: Operation
    tilings: Sequence[TileFamily]
    assumptions: tuple[str, ...] = ()
    is_legal: bool = True
    because: str | None = None


@dataclass(frozen=True)
class TileSymbolic(Pass):
    """Tile loops by sizes that are values (Fourier-Motzkin with polynomial coefficients, chapter 4).

    Loops that are perfectly nested and may be interchanged (`nests` says which) become loops over tiles and
    loops over the points of one: scf.for with bounds that hold for all sizes, also such as do not divide.
    `sizes` are the values, one for each of the outermost loops of the band; twice or three times as many tile
    the tiles in turn, the sizes of the outermost tiles first, in numbers of inner tiles. With one size, the
    outermost loop of any nest is tiled: its iterations keep their order. A size below 1
    counts as 1, and one above 2^30 (2^20 of three levels, 2^15 of four) as that. Two arguments are taken
    to be different memory only if `assume-noalias-args` says so.

    With `hyperplanes`, linear functions of induction variables, the tiles lie between hyperplanes of these:
    `hyperplanes='t+i, t-i'` are diamonds, `hyperplanes='t, 2*t+i'` are skewed, and `hyperplanes=j` tiles the
    loop over %j alone. Each needs a size. That is done if no dependence goes back along one of them, be the
    nest perfect or not, and the loops over tiles are around the outermost loop of these variables, or the one
    over `outermost`. `2*t+i | 2*t+j+1` is one function for statements in the loop over %i, and another one
    for those in the loop over %j. With `wavefront=n`, tiles run along the sum of the numbers of the first
    n families of them, and those of one sum are in scf.parallel loops.

    What loops carry in iter_args goes through the loops over tiles. It is made in the order that it had, or
    combined in any order: integers, and floating-point numbers whose operations have the flag `reassoc`.
    Loops without an order (scf.parallel, scf.forall) run in one, and carry what scf.reduce combines.

    Operations of linalg on memrefs become loops first, and these are tiled, if there are no hyperplanes and
    an operation has as many loops as there are sizes for a level.
    """

    name = "tile-symbolic"
    summary = "loop nests in tiles whose sizes are values"
    rewrites = True
    wants = "nests of loops that may be interchanged, one for each size"

    sizes: tuple[str, ...] = option((), help="the values, with their %, level by level of tiles")
    levels: int = option(1, help="how many levels of tiles")
    hyperplanes: str = option("", help="linear functions of induction variables, between which the tiles lie")
    outermost: str = option("", help="the variable of the loop that the tiles are put around")
    wavefront: int = option(0, help="how many families of tiles run along the sum of their numbers")
    assume_noalias_args: bool = option(False, help="arguments are different memory")

    def apply(self, unit: Unit) -> None:
        """Tile all bands that have as many loops as there are sizes for a level."""
        count, rest = divmod(len(self.sizes), max(self.levels, 1))
        planes = hyperplanes(self.hyperplanes.split(","), self.name) if self.hyperplanes.strip() else ()
        if not count or rest or (planes and count != len(planes)):
            what = "hyperplane" if planes else "loop"
            raise _wrong(f"{self.name}: option 'sizes' is one value for each {what} and level")
        if self.wavefront > len(planes):
            raise _wrong(f"{self.name}: option 'wavefront' is at most the number of hyperplanes")
        changes = Changes(unit, self.name)
        if not planes:
            for model in list(unit.models()):
                put_loops(changes, model, partial(self._hindrance, unit, model, count), "tiled")
        is_found = False
        for model in unit.models():
            nests, refused = (list(self._with(unit, model, planes)), []) if planes else _bands(model, count)
            for nest in nests:
                is_found = True
                reason = self._tiled(unit, model, nest, changes)
                if reason is not None:
                    _say(unit, model, nest.op, reason)
            for op, reason in refused:
                _say(unit, model, op, reason)
        if planes and not is_found:
            names = dict.fromkeys(name for plane in planes for name in plane.names)
            for model in unit.models():
                message = f"@{model.name} is not tiled: it has no loops over {' and '.join(names)}"
                at = unit.parsed.written_at(model.function)
                unit.diagnostics.append(Diagnostic("V310", message, at))
        changes.finish(erase_dead=True)

    def _hindrance(
        self, unit: Unit, model: FunctionModel, count: int, op: Operation, body: TensorDefinition
    ) -> str | None:
        """Why OP is not tiled as loops, if so."""
        sizes = self._sizes_before(unit, model, op)
        return sizes if isinstance(sizes, str) else _too_few(body.loops, count)

    def _sizes_before(self, unit: Unit, model: FunctionModel, op: Operation) -> list[SSAValue] | str:
        """The values that are the sizes of tiles in the place of OP; or why they are not."""
        found = {name: unit.parsed.names.find(model.function, name) for name in self.sizes}
        missing = [name for name, size in found.items() if size is None]
        if missing:
            return f"there is no {' and no '.join(missing)} in @{model.name}"
        sizes = [size for name in self.sizes if (size := found[name]) is not None]
        if not all(isinstance(size.type, IndexType) for size in sizes):
            return "a size is not an index"
        if not all(model.owns(size) for size in sizes):
            return "a size is computed in a region"
        if not all(visible(size, op, model.bounds.definitions) for size in sizes):
            return "a size is computed after it"
        return sizes

    def _with(self, unit: Unit, model: FunctionModel, planes: Sequence[Hyperplane]) -> Iterator[_Nest]:
        """The nest that PLANES are of, in a function that has all variables."""
        names = [*(name for plane in planes for name in plane.names), *filter(None, [self.outermost])]
        values = {name: unit.parsed.names.find(model.function, name) for name in names}
        found = {name: value for name, value in values.items() if value is not None}
        if len(found) < len(values):
            return
        loops = model.memory_as_written.nests
        owners: dict[str, Operation] = {}
        for name, value in found.items():
            owner = value.owner.parent_op() if not isinstance(value.owner, Operation) else None
            if owner is None or all(level.variable is not value for level in loops.of_operation(owner)):
                return
            owners[name] = owner
        tilings = [
            TileFamily(p.text, tuple(OfVariables.of(form, found) for form in p.alternatives)) for p in planes
        ]
        every = list(owners.values())
        first = [owners[self.outermost]] if self.outermost else every
        around = [op for op in first if all(op.is_ancestor(each) for each in every)]
        if not around:
            yield _Nest(every[0], tilings, because="the loops of the hyperplanes are not in one of them")
            return
        assumed = Tilings(model.loops_as_written).assumptions(around[0])
        yield _Nest(around[0], tilings, assumed, is_legal=False)

    def _tiled(self, unit: Unit, model: FunctionModel, nest: _Nest, changes: Changes) -> str | None:
        """Tile NEST; why that is not possible, if so."""
        if nest.because is not None:
            return nest.because
        assumed = named_assumptions(nest.assumptions, noalias=self.assume_noalias_args)
        if assumed:
            return f"it is only legal if {' and '.join(assumed)}"
        sizes = self._sizes_before(unit, model, nest.op)
        if isinstance(sizes, str):
            return sizes
        count = len(nest.tilings)
        by_level = [sizes[start : start + count] for start in range(0, len(sizes), count)]
        try:
            tiles = SymbolicTiles(changes, model.memory_as_written.nests, model.bounds)
            tree, loops = tiles.tree(nest.op, nest.tilings), model.loops_as_written
            lengths = TileLengths(tiles.lengths(by_level), max(self.wavefront, 1))
            reason = None if nest.is_legal else illegal(loops, tree, nest.tilings, lengths)
            if reason is not None:
                return reason
            combining = reordered(loops, tree, nest.tilings, lengths)
            if isinstance(combining, str):
                return combining
            tiles.tile(tree, nest.tilings, by_level, wavefront=self.wavefront)
            for op in combining:
                promise_no_order(op)
        except NotAffine as error:
            return str(error)
        return None


def _bands(model: FunctionModel, count: int) -> tuple[list[_Nest], list[tuple[Operation, str]]]:
    """The bands of MODEL's function, tiled along their first COUNT variables; the loops that are in none, and
    why, but those of which it has been said.

    With one variable, the other outermost loops are tiled, too: their iterations keep their order.
    """
    legality = Legality(model.loops_as_written)
    nests: list[_Nest] = []
    for band in legality.bands():
        op, levels = band.levels[0].op, band.levels
        because = _too_few(len(levels), count)
        nests.append(_Nest(op, _along(levels[:count]), band.assumptions, because=because))
    refused: list[tuple[Operation, str]] = []
    for op, reason in legality.refused():
        is_tiled = count == 1 and _variable(model, op) is not None
        if is_tiled:
            nests.append(_Nest(op, _along(model.memory_as_written.nests.of_operation(op)[:1])))
        if body_of(op) is not None:
            refused += [(op, _TENSORS)] if op.results else []
        elif not is_tiled:
            refused.append((op, reason))
    return nests, refused


def _along(levels: Sequence[Level]) -> Sequence[TileFamily]:
    """The families of tiles along the variables of LEVELS."""
    variables = [level.variable for level in levels]
    return [TileFamily("", (OfVariables(((each, 1),)),)) for each in variables if each is not None]


def _too_few(loops: int, count: int) -> str | None:
    """Why so many LOOPS are not tiled by COUNT sizes, if so."""
    return (
        f"{counted(loops, 'loop')} may be interchanged, and sizes are given for {count}"
        if loops < count
        else None
    )


def _wrong(message: str) -> UsageError:
    return UsageError(Diagnostic("V002", message))


def _say(unit: Unit, model: FunctionModel, op: Operation, reason: str) -> None:
    """That the loop OP is not tiled, and the REASON."""
    variable = _variable(model, op)
    name = operation_name(op) if variable is None else model.name_of(variable)
    at = unit.parsed.written_at(op)
    unit.diagnostics.append(Diagnostic("V310", f"{name} is not tiled: {reason}", at))


def _variable(model: FunctionModel, op: Operation) -> SSAValue | None:
    """The induction variable of the loop OP, if it has one."""
    levels = model.memory_as_written.nests.of_operation(op)
    return levels[0].variable if levels else None
