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

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ShapedType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from volcli.language.expressions import Expression, NotAffine, constant, minimum
from volcli.language.interface import operation_name
from volcli.language.structured_ops import StructuredNest
from volcli.model.function import FunctionModel
from volcli.presburger.match_slice import SliceParameters
from volcli.rewriting.boxes import box_of_result, compute_on_box, nest_of
from volcli.rewriting.changes import Changes
from volcli.rewriting.live_boxes import LiveBoxes
from volcli.rewriting.scope import Scope
from volcli.rewriting.slice_of import SliceOf
from volcli.rewriting.slices import extract_slice
from volcli.rewriting.tile_boxes import BoxScope, Cut, TileBox, in_boxes
from volcli.rewriting.tile_loops import FOR, TileCode, TileLoops


@dataclass(frozen=True)
class Tiling:
    """How values are tiled: by tiles of these `sizes` (0: not along that dimension), in loops of a `kind`.

    Operations that are `fused` are computed for each tile anew. There are at most so many `boxes`.
    """

    sizes: tuple[int, ...]
    kind: str
    fused: Callable[[Operation], bool]
    boxes: int


class Tiles:
    """The tiles of VALUE, which an operation of MODEL's function makes, without what LIVE leaves out."""

    def __init__(
        self, changes: Changes, model: FunctionModel, value: OpResult, tiling: Tiling, live: LiveBoxes
    ) -> None:
        self._model = model
        self._value = value
        self._tiling = tiling
        self._live = live
        self._view = model.view(value)
        self._scope = Scope(changes.before(value.op), model, self._view)
        self._sizes = self._scope.sizes(value)
        self._nest = nest_of(value.op)
        self._skips = False

    def made(self) -> SSAValue:
        """The value made of its tiles. Raises NotAffine if it cannot be, with the reason."""
        whole = TileBox.all(self._sizes, self._tiling.sizes)
        if not whole.looped:
            raise NotAffine("all of it is one tile")
        codes = in_boxes(whole, self._scope.context, self._code, self._tiling.boxes)
        result = self._destination()
        loops = TileLoops(self._scope, self._tiling.kind, self._names())
        for box, code in codes:
            result = loops.over(box, code, result)
        return result

    def _names(self) -> list[str]:
        """Names of indices: `qh` along h, `q0` along the first dimension if it has no name."""
        known = self._view.names_of_dimensions(self._value)
        return [f"q{d}" if name == f"d{d}" else f"q{name}" for d, name in enumerate(known)]

    # -- what the loops carry --------------------------------------------------------------------------

    def _destination(self) -> SSAValue:
        """What the loops carry at first."""
        if self._nest is not None:
            initial = self._initial(self._nest)
            return initial if self._skips else self._below(initial)
        kind, builder = self._value.type, self._scope.builder
        assert isinstance(kind, ShapedType)
        known = zip(kind.get_shape(), self._scope.numbers(self._sizes), strict=True)
        dynamic = [size for declared, size in known if declared == DYNAMIC_INDEX]
        operands = [builder.constant(n) if isinstance(n, int) else n for n in dynamic]
        return builder.make("tensor.empty", operands, result=kind)

    def _initial(self, nest: StructuredNest) -> SSAValue:
        return nest.outputs[self._value.index].operand

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
        block = Block(arg_types=[*[IndexType()] * rank, self._value.type])
        *indices, destination = block.args
        loops = dict(zip(box.names, indices, strict=True))
        builder = self._scope.builder.inside(block)
        scope = BoxScope(builder, self._model, self._view, loops, box.points, box=box, may_cut=may_cut)
        try:
            part = self._part(scope, box)
            tile = self._tile(scope, part, destination)
            if any(self._value in op.operands for op in block.walk()) or tile is self._value:
                raise NotAffine(f"no part of what {operation_name(self._value.op)} makes is computed alone")
            return TileCode(block, tuple(indices), destination, tile, scope.mixed(part))
        except (Cut, NotAffine):
            for op in reversed(list(block.ops)):
                Rewriter.erase_op(op)
            raise

    def _part(self, scope: BoxScope, box: TileBox) -> SliceParameters:
        """The slice of the value that a tile is."""
        lines = zip(box.index, self._sizes, self._tiling.sizes, strict=True)
        offsets, sizes = zip(*(_line(scope, *each) for each in lines), strict=True)
        return SliceParameters(offsets, sizes, (constant(1),) * len(sizes))

    def _tile(self, scope: BoxScope, part: SliceParameters, destination: SSAValue) -> SSAValue:
        """PART of the value, which begins as what DESTINATION holds there."""
        op, position = self._value.op, self._value.index
        parts = SliceOf(scope, self._tiling.fused, self._live.shrunk)
        if self._nest is None:
            return parts.value(self._value, part)
        box = box_of_result(scope, self._nest, part, position)
        if box is None:
            raise NotAffine("its elements are not indexed by loops of their own")
        self._skip(scope, op, box)
        begun = self._begun(scope, self._initial(self._nest), part, destination)
        box = self._live.shrunk(scope, op, box)
        if box is None:
            return begun
        inits: list[SSAValue | None] = [None] * len(self._nest.outputs)
        inits[position] = begun
        return compute_on_box(scope, op, box, parts.value, inits).results[position]

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
    return offset, constant(tile) if is_whole else size - offset
