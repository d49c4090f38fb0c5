"""tile: loops over the tiles of a value, with its producers fused into them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.diagnostics import Diagnostic, UsageError
from volcli.diagnostics.counted import counted
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.reads import rank_of
from volcli.model.function import FunctionModel
from volcli.passes.base import Pass, Unit, option
from volcli.passes.selection import defining_operation, selected
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.ground.enclosing import is_in_loops_and_branches
from volcli.rewriting.tensors.boxes import nest_of
from volcli.rewriting.tensors.live_boxes import LiveBoxes
from volcli.rewriting.tensors.slice_of import moves_data
from volcli.rewriting.tensors.tile_loops import FOR, FORALL
from volcli.rewriting.tensors.tiling import Tiles, Tiling, tiled_together


def _is_elementwise(op: Operation) -> bool:
    """Whether OP is a structured operation that adds nothing up."""
    nest = nest_of(op)
    return nest is not None and all(nest.parallel)


_FUSED: dict[str, Callable[[Operation], bool]] = {
    "all": lambda op: nest_of(op) is not None,
    "elementwise": _is_elementwise,
    "data-movement": moves_data,
    "none": lambda _: False,
}


@dataclass(frozen=True)
class Tile(Pass):
    """Compute a value tile by tile, with what it is computed from (IMPACT 2023, algorithm 2, section 5.2).

    The element maps of a tile say which parts of other values it needs. These are followed backwards: a part
    of padding is a part of its source, a smaller padding, or the padding value; a part of what is computed is
    computed from parts. With `fuse=all` each tile recomputes what it needs; where tiles need the same
    elements of a convolution or a product, that costs more, and `fuse=elementwise` stops there (operations
    that add nothing up are fused), `fuse=data-movement` at all that computes. What is padded, sliced, filled
    or reshaped is always followed. What is fused stays for its other uses.

    Tiles are divided into boxes that have one piece of code each: those inside, which need no padding, and
    those at each edge and corner, with their own amounts; those that are smaller since the size does not
    divide. Beyond `max-boxes`, code finds out by minima and maxima.

    Reductions run over what contributes: of triangular, banded and padded operands, the bounds depend on the
    tile's index, and loops omit tiles without contributions. To omit a product with zero is
    exact for integers, and for numbers under fastmath<nnan,ninf,nsz> or `assume-finite`; without these, a
    remark (V311) says where it would help. What rests on a domain that is declared of an argument
    (volcli.domain) is named (V312). The order of sums stays.
    """

    name = "tile"
    summary = "loops over the tiles of a value, with its producers fused into them"
    rewrites = True
    wants = "results of functions, or the value in `of`, that are tensors and made by an operation"

    sizes: tuple[str, ...] = option((), help="the size of a tile along each dimension; 0: it is not tiled")
    of: str = option("", help="the value, with its %; default: the function's results")
    fuse: str = option("all", help="what each tile computes: all, elementwise, data-movement, or none")
    loops: str = option(FOR, help="scf.for or scf.forall")
    assume_finite: bool = option(False, help="no number is an infinity or NaN, and -0 is 0")
    max_boxes: int = option(64, help="the most boxes of tiles with code of their own")

    def apply(self, unit: Unit) -> None:
        """Tile one value after the other: what was made before is part of the program."""
        tiling = self._tiling()
        changes = Changes(unit, self.name)
        live = LiveBoxes(self.assume_finite)
        for model, values in self._selected(unit):
            reason = self._tiled(changes, model, values, tiling, live)
            if reason is not None:
                self._left(unit, model, values, reason)
        for op in live.would_help:
            message = f"less of '{operation_name(op)}' would be computed in some tiles"
            unit.diagnostics.append(Diagnostic("V311", message, unit.parsed.written_at(op)))
        for op, domains in live.declared.items():
            message = f"less of '{operation_name(op)}' is computed in some tiles, as {' and '.join(domains)}"
            unit.diagnostics.append(Diagnostic("V312", message, unit.parsed.written_at(op)))
        changes.share()
        changes.finish(erase_dead=True, assume_finite=self.assume_finite)

    def _selected(self, unit: Unit) -> list[tuple[FunctionModel, list[OpResult]]]:
        """The values to be tiled: those that are computed together, in one list."""
        by_model: dict[FunctionModel, list[OpResult]] = {}
        for model, value in selected(unit, (self.of,) if self.of else ()):
            reason = self._why_not(model, value)
            if reason is not None:
                self._left(unit, model, [value], reason)
            elif isinstance(value, OpResult):
                by_model.setdefault(model, []).append(value)
        return [(model, group) for model, values in by_model.items() for group in tiled_together(values)]

    @staticmethod
    def _left(unit: Unit, model: FunctionModel, values: Sequence[SSAValue], reason: str) -> None:
        names = " and ".join(map(model.name_of, values))
        message = f"{names} {'are' if len(values) > 1 else 'is'} not tiled: {reason}"
        at = unit.parsed.written_at(defining_operation(model, values[0]))
        unit.diagnostics.append(Diagnostic("V310", message, at))

    def _tiling(self) -> Tiling:
        """The options, checked."""
        if not self.sizes or not all(size.isdecimal() for size in self.sizes):
            raise self._wrong("sizes", "a number for each dimension, as 0,0,16,16", ",".join(self.sizes))
        if self.fuse not in _FUSED:
            raise self._wrong("fuse", f"one of {', '.join(_FUSED)}", self.fuse)
        if self.loops not in (FOR, FORALL):
            raise self._wrong("loops", f"{FOR} or {FORALL}", self.loops)
        return Tiling(tuple(map(int, self.sizes)), self.loops, _FUSED[self.fuse], max(1, self.max_boxes))

    def _wrong(self, name: str, wanted: str, found: str) -> UsageError:
        return UsageError(Diagnostic("V002", f"{self.name}: option '{name}' is {wanted}, not '{found}'"))

    def _why_not(self, model: FunctionModel, value: SSAValue) -> str | None:
        """Why VALUE cannot be tiled as asked, by what it is; None if it may be."""
        if not is_in_loops_and_branches(defining_operation(model, value), model.function):
            return "it is inside a region that belongs to neither a loop nor a branch"
        if model.has_control_flow:
            return "there is control flow between blocks"
        if not isinstance(value, OpResult) or not isa(value.type, TensorType[Attribute]):
            return "it is not a tensor that is the result of an operation"
        if rank_of(value) != len(self.sizes):
            return f"it has {counted(rank_of(value), 'dimension')}, and sizes are given for {len(self.sizes)}"
        return None if any(map(int, self.sizes)) else "no dimension is to be tiled"

    @staticmethod
    def _tiled(
        changes: Changes,
        model: FunctionModel,
        values: Sequence[OpResult],
        tiling: Tiling,
        live: LiveBoxes,
    ) -> str | None:
        """Tile VALUES; why that is not possible, if so. What is known of them rests on no assumption."""
        plain = FunctionModel(model.function, model.name_of, operations=model.operations, conditional=False)
        try:
            made = Tiles(changes, plain, values, tiling, live).made()
        except NotAffine as error:
            return str(error)
        changes.replace_results(values, made)
        return None
