"""A value computed tile by tile, with what it is computed from (IMPACT 2023, algorithm 2).

For each box of tiles (see `tile_boxes`) the code of one tile is made: the part of the value, of parts of what
its operation uses, and so on, as far as operations are fused. The loops around it carry a tensor that holds
the tiles so far, at first what the operation begins with:

    %r = scf.for %q = 0 to 8 iter_args(%sofar = %zeros) {
      %begun = extract_slice %sofar[32q] [32]
      %tile = matmul(parts of its operands) outs(%begun)
      yield insert_slice %tile into %sofar[32q] [32]

which needs no other memory than that of %zeros. Where that is filled with a number, each tile is, instead.
Tiles to which nothing contributes (see `live_boxes`) are what the operation begins with: loops leave them out
where bounds over outer indices say which they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ShapedType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from volcli.language.expressions import Expression, NotAffine, constant, minimum
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.slices import extract_slice
from volcli.rewriting.tensors.boxes import box_of_result, compute_on_box, nest_of
from volcli.rewriting.tensors.joined_boxes import joined
from volcli.rewriting.tensors.live_boxes import LiveBoxes
from volcli.rewriting.tensors.scope import Scope
from volcli.rewriting.tensors.slice_of import SliceOf
from volcli.rewriting.tensors.tile_boxes import BoxScope, Cut, TileBox, in_boxes
from volcli.rewriting.tensors.tile_loops import FOR, TileCode, TileLoops


@dataclass(frozen=True)
class Tiling:
    """How values are tiled: by tiles of these `sizes` (0: not along that dimension), in loops of a `kind`.

    Operations that are `fused` are computed again for each tile. There are at most `boxes` boxes.
    """

    sizes: tuple[int, ...]
    kind: str
    fused: Callable[[Operation], bool]
    boxes: int


def tiled_together(values: Sequence[OpResult]) -> list[list[OpResult]]:
    """VALUES by the loops that compute their tiles: results of one operation with one index function."""
    groups: dict[object, list[OpResult]] = {}
    for value in values:
        nest = nest_of(value.op)
        by_loops = value.op, nest.outputs[value.index].index if nest is not None else value.index
        groups.setdefault(by_loops, []).append(value)
    return list(groups.values())


class Tiles:
    """The tiles of VALUES, which an operation of MODEL's function makes, without what LIVE leaves out.

    They are computed in the same loops (see `tiled_together`).
    """

    def __init__(
        self,
        changes: Changes,
        model: FunctionModel,
        values: Sequence[OpResult],
        tiling: Tiling,
        live: LiveBoxes,
    ) -> None:
        self._model = model
        self._values = values
        self._op = values[0].op
        self._tiling = tiling
        self._live = live
        self._view = model.view(values[0])
        self._scope = Scope(changes.before(self._op), model, self._view)
        self._sizes = self._scope.sizes(values[0])
        self._nest = nest_of(self._op)
        self._skips = False

    def made(self) -> Sequence[SSAValue]:
        """The values made of their tiles. Raises NotAffine if they cannot be, with the reason."""
        whole = TileBox.all(self._sizes, self._tiling.sizes)
        if not whole.looped:
            raise NotAffine("all of it is one tile")
        context = self._scope.context
        codes = joined(in_boxes(whole, context, self._code, self._tiling.boxes), context, self._code)
        results: Sequence[SSAValue] = list(map(self._destination, self._values))
        loops = TileLoops(self._scope, self._tiling.kind, self._names())
        for box, code in codes:
            results = loops.over(box, code, results)
        return results

    def _names(self) -> list[str]:
        """Names of indices: `qh` along h, `q0` along the first dimension if it has no name."""
        known = self._view.names_of_dimensions(self._values[0])
        return [f"q{d}" if name == f"d{d}" else f"q{name}" for d, name in enumerate(known)]

    # -- what the loops carry --------------------------------------------------------------------------

    def _destination(self, value: OpResult) -> SSAValue:
        """What the loops carry at first, to become VALUE."""
        initial = self._initial(value)
        if initial is not None:
            return initial if self._skips else self._below(initial)
        kind, builder = value.type, self._scope.builder
        assert isinstance(kind, ShapedType)
        known = zip(kind.get_shape(), self._scope.numbers(self._sizes), strict=True)
        dynamic = [size for declared, size in known if declared == DYNAMIC_INDEX]
        operands = [builder.constant(n) if isinstance(n, int) else n for n in dynamic]
        return builder.make("tensor.empty", operands, result=kind)

    def _initial(self, value: OpResult) -> SSAValue | None:
        """What the operation that makes VALUE begins with, if it begins with something."""
        return None if self._nest is None else self._nest.initial(value.index)

    def _below(self, value: SSAValue) -> SSAValue:
        """What VALUE is made of by fills."""
        while (fill := self._fill(value)) is not None:
            value = fill.operands[-1]
        return value

    def _fill(self, value: SSAValue) -> Operation | None:
        """The operation that makes VALUE and gives each of its elements the same number, if it is fused."""
        if not isinstance(value, OpResult) or not self._tiling.fused(value.op):
            return None
        nest = nest_of(value.op)
        fills = nest is not None and nest.moves and len(nest.accesses) == 2 and not nest.accesses[0].index
        return value.op if fills else None

    # -- one tile --------------------------------------------------------------------------------------

    def _code(self, box: TileBox, may_cut: bool) -> TileCode:
        """The code for each tile of BOX. Raises Cut if there is better code for parts of it."""
        rank = len(self._sizes)
        block = Block(arg_types=[*[IndexType()] * rank, *(value.type for value in self._values)])
        indices, destinations = block.args[:rank], block.args[rank:]
        loops = dict(zip(box.names, indices, strict=True))
        builder = self._scope.builder.inside(block)
        scope = BoxScope(builder, self._model, self._view, loops, box.points, box=box, may_cut=may_cut)
        try:
            part = self._part(scope, box)
            tiles = tuple(self._tiles(scope, part, destinations))
            own = set(self._op.results)
            if any(not own.isdisjoint(op.operands) for op in block.walk()) or not own.isdisjoint(tiles):
                raise NotAffine(f"no part of what {operation_name(self._op)} makes is computed alone")
            return TileCode(block, tuple(indices), tuple(destinations), tiles, scope.mixed(part))
        except (Cut, NotAffine):
            for op in reversed(list(block.ops)):
                Rewriter.erase_op(op)
            raise

    def _part(self, scope: BoxScope, box: TileBox) -> SliceParameters:
        """The slice of the value that a tile is."""
        lines = zip(box.index, self._sizes, self._tiling.sizes, strict=True)
        offsets, sizes = zip(*(_line(scope, *each) for each in lines), strict=True)
        return SliceParameters(offsets, sizes, (constant(1),) * len(sizes))

    def _tiles(
        self, scope: BoxScope, part: SliceParameters, destinations: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """PART of the values, which begin as what DESTINATIONS hold there."""
        parts = SliceOf(scope, self._tiling.fused, self._live.shrunk)
        if self._nest is None:
            return [parts.value(value, part) for value in self._values]
        box = box_of_result(scope, self._nest, part, self._values[0].index)
        if box is None:
            raise NotAffine("its elements are not indexed by loops of their own")
        inits: list[SSAValue | None] = [None] * (0 if self._nest.results else len(self._nest.outputs))
        self._skip(scope, self._op, box)
        for value, destination in zip(self._values, destinations, strict=True):
            initial = self._initial(value)
            if initial is not None:
                inits[value.index] = self._begun(scope, initial, part, destination)
        shrunk = self._live.shrunk(scope, self._op, box)
        begun = [init for init in inits if init is not None]
        if shrunk is None and len(begun) == len(self._values):
            return begun
        made = compute_on_box(scope, self._op, shrunk or box, parts.value, inits)
        return [made.results[value.index] for value in self._values]

    def _skip(self, scope: BoxScope, op: Operation, box: SliceParameters) -> None:
        """Raises Cut if there are tiles to which nothing contributes, and loops can leave them out."""
        live = self._live.points(scope, op, box)
        if live is None:
            return
        try:
            if live.is_empty():
                raise Cut(())
            if self._tiling.kind == FOR:
                scope.narrow(live.params())
                scope.skip(live.params())
        except Cut:
            self._skips = True
            raise

    def _begun(
        self, scope: Scope, initial: SSAValue, part: SliceParameters, destination: SSAValue
    ) -> SSAValue:
        """PART of the INITIAL value: what DESTINATION holds there, and what fills it."""
        fill = None if self._skips else self._fill(initial)
        if fill is None:
            return extract_slice(scope.builder, destination, scope.mixed(part))
        below = self._begun(scope, fill.operands[-1], part, destination)
        nest = nest_of(fill)
        box = None if nest is None else box_of_result(scope, nest, part)
        assert box is not None
        return compute_on_box(scope, fill, box, lambda value, _: value, [below]).results[0]


def _line(scope: BoxScope, index: Expression, size: Expression, tile: int) -> tuple[Expression, Expression]:
    """Offset and size of the tile INDEX along a dimension of this SIZE."""
    if not tile:
        return constant(0), size
    offset = index * tile
    is_whole = scope.sign(size - offset - tile)
    if is_whole is None:
        return offset, minimum(constant(tile), size - offset)
    return offset, constant(tile) if is_whole else scope.simplest(size - offset)
