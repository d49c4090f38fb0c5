"""Loops over the tiles of a box, around code that was made for any of them.

    %r = scf.for %qh = %c1 to %c15 step %c1 iter_args(%acc = %dest) -> (tensor<...>) {
      ...
      %s = tensor.insert_slice %tile into %acc[...] [...] [...] : tensor<...> into tensor<...>
      scf.yield %s : tensor<...>
    }

or one scf.forall, whose points insert in parallel: tiles have no element in common. Where there is one tile
only along a dimension, there is no loop along it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, i32, i64
from xdsl.ir import Block, Region, SSAValue

from volcli.language.expressions import Expression, constant
from volcli.rewriting.builder import Builder
from volcli.rewriting.scope import Scope
from volcli.rewriting.slices import MixedSlice, Number, insert_slice
from volcli.rewriting.tile_boxes import TileBox

FOR, FORALL = "scf.for", "scf.forall"


@dataclass(frozen=True, eq=False)
class TileCode:
    """What is computed for one tile: the operations of `block`, which use `indices` and `destination`.

    These are arguments of the block: the tile's index, and the tensor that holds the tiles so far. `tile` is
    its `part` of the result.
    """

    block: Block
    indices: tuple[SSAValue, ...]
    destination: SSAValue
    tile: SSAValue
    part: MixedSlice

    def moved(self, builder: Builder, indices: Mapping[int, SSAValue], destination: SSAValue) -> TileCode:
        """The same at the place of BUILDER, with INDICES along the dimensions that have loops."""
        values = {self.indices[d]: index for d, index in indices.items()} | {self.destination: destination}

        def new(number: Number) -> Number:
            return number if isinstance(number, int) else values.get(number, number)

        for op in list(self.block.ops):
            op.detach()
            builder.insert(op)
            for inner in op.walk():
                for position, operand in enumerate(inner.operands):
                    if operand in values:
                        inner.operands[position] = values[operand]
        lists = (tuple(map(new, each)) for each in (self.part.offsets, self.part.sizes, self.part.strides))
        return replace(
            self, destination=destination, tile=values.get(self.tile, self.tile), part=MixedSlice(*lists)
        )


class TileLoops:
    """Makes loops of one KIND at the place of SCOPE; NAMES are those of the indices."""

    def __init__(self, scope: Scope, kind: str, names: Sequence[str]) -> None:
        self._scope = scope
        self._builder = scope.builder
        self._kind = kind
        self._names = names
        self._constants: dict[int, SSAValue] = {}

    def over(self, box: TileBox, code: TileCode, destination: SSAValue) -> SSAValue:
        """DESTINATION with the tiles of BOX, each as CODE computes it."""
        if self._kind == FORALL and box.looped:
            return self._in_parallel(box, code, destination)
        return self._in_order(box, code, destination)

    # -- loops -----------------------------------------------------------------------------------------

    def _in_order(self, box: TileBox, code: TileCode, destination: SSAValue) -> SSAValue:
        """A nest of scf.for, or no loop at all; bounds may depend on the indices of outer loops."""

        def nest(
            scope: Scope, rest: Sequence[int], carried: SSAValue, indices: dict[int, SSAValue]
        ) -> SSAValue:
            builder = scope.builder
            if not rest:
                moved = code.moved(builder, indices, carried)
                return insert_slice(builder, moved.tile, moved.destination, moved.part)
            d = rest[0]
            bounds = [self._value(scope, e) for e in (box.lower[d], box.upper[d], constant(1))]
            block = Block(arg_types=[IndexType(), destination.type])
            index, inner = block.args
            index.name_hint = self._names[d]
            below = Scope(
                builder.inside(block), scope.model, scope.view, {**scope.loops, box.names[d]: index}
            )
            yielded = nest(below, rest[1:], inner, {**indices, d: index})
            below.builder.operation("scf.yield", [yielded])
            made = builder.operation(
                FOR, [*bounds, carried], results=[destination.type], regions=[Region([block])]
            )
            return made.results[0]

        return nest(self._scope, box.looped, destination, {})

    def _in_parallel(self, box: TileBox, code: TileCode, destination: SSAValue) -> SSAValue:
        """One scf.forall."""
        lower, upper = ([self._scope.number(side[d]) for d in box.looped] for side in (box.lower, box.upper))
        block = Block(arg_types=[*[IndexType()] * len(lower), destination.type])
        *indices, shared = block.args
        for d, index in zip(box.looped, indices, strict=True):
            index.name_hint = self._names[d]
        moved = code.moved(self._builder.inside(block), dict(zip(box.looped, indices, strict=True)), shared)
        end = Block()
        self._builder.inside(end).operation(
            "tensor.parallel_insert_slice",
            [moved.tile, moved.destination, *moved.part.operands],
            properties=moved.part.properties([1, 1]),
        )
        self._builder.inside(block).operation("scf.forall.in_parallel", [], regions=[Region([end])])
        dynamic = [[n for n in side if isinstance(n, SSAValue)] for side in (lower, upper)]
        static = [[n if isinstance(n, int) else DYNAMIC_INDEX for n in side] for side in (lower, upper)]
        names = ("staticLowerBound", "staticUpperBound", "staticStep")
        lists = zip(names, (*static, [1] * len(lower)), strict=True)
        made = self._builder.operation(
            FORALL,
            [*dynamic[0], *dynamic[1], destination],
            results=[destination.type],
            properties={
                **{name: DenseArrayBase.from_list(i64, numbers) for name, numbers in lists},
                "operandSegmentSizes": DenseArrayBase.from_list(i32, [*map(len, dynamic), 0, 1]),
            },
            regions=[Region([block])],
        )
        return made.results[0]

    def _value(self, scope: Scope, expression: Expression) -> SSAValue:
        """EXPRESSION as an index value; each constant is made once, in front of all loops."""
        number = scope.number(expression)
        if not isinstance(number, int):
            return number
        if number not in self._constants:
            self._constants[number] = self._builder.constant(number)
        return self._constants[number]
