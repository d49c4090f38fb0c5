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
from xdsl.ir import Block, IRNode, OpResult, Region, SSAValue
from xdsl.rewriter import Rewriter

from volcli.language.expressions import Expression, constant
from volcli.rewriting.code.slices import MixedSlice, Number, insert_slice
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.tensors.scope import Scope
from volcli.rewriting.tensors.tile_boxes import TileBox

FOR, FORALL = "scf.for", "scf.forall"


@dataclass(frozen=True, eq=False)
class TileCode:
    """What is computed for one tile: the operations of `block`, which use `indices` and `destinations`.

    These are arguments of the block: the tile's index, and the tensors that hold the tiles so far. `tiles`
    are their `part`, of one result each.
    """

    block: Block
    indices: tuple[SSAValue, ...]
    destinations: tuple[SSAValue, ...]
    tiles: tuple[SSAValue, ...]
    part: MixedSlice

    @property
    def _values(self) -> list[SSAValue]:
        """The tiles, and the values that their part's numbers are."""
        return [*self.tiles, *self.part.operands]

    def is_like(self, other: TileCode) -> bool:
        """Whether both blocks compute the same of the same, for the same part."""
        same: dict[IRNode | SSAValue, IRNode | SSAValue] = {}
        if self.part.static != other.part.static:
            return False
        if not self.block.is_structurally_equivalent(other.block, same):
            return False
        return all(same.get(a, a) is b for a, b in zip(self._values, other._values, strict=True))

    def used(self) -> set[SSAValue]:
        """What operations outside of the block compute, and it uses."""
        inside = set(self.block.walk())
        values = (operand for op in inside for operand in op.operands)
        return {v for v in (*values, *self._values) if isinstance(v, OpResult) and v.op not in inside}

    def erase(self) -> None:
        """Take the block's operations away."""
        for op in reversed(list(self.block.ops)):
            Rewriter.erase_op(op)

    def moved(
        self, builder: Builder, indices: Mapping[int, SSAValue], destinations: Sequence[SSAValue]
    ) -> TileCode:
        """The same at the place of BUILDER, with INDICES along the dimensions that have loops."""
        values = {self.indices[d]: index for d, index in indices.items()}
        values |= dict(zip(self.destinations, destinations, strict=True))

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
        tiles = tuple(values.get(tile, tile) for tile in self.tiles)
        return replace(self, destinations=tuple(destinations), tiles=tiles, part=MixedSlice(*lists))


class TileLoops:
    """Makes loops of one KIND at the place of SCOPE; NAMES are those of the indices."""

    def __init__(self, scope: Scope, kind: str, names: Sequence[str]) -> None:
        self._scope = scope
        self._builder = scope.builder
        self._kind = kind
        self._names = names
        self._constants: dict[int, SSAValue] = {}

    def over(self, box: TileBox, code: TileCode, destinations: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """DESTINATIONS with the tiles of BOX, each as CODE computes it."""
        if self._kind == FORALL and box.looped:
            return self._in_parallel(box, code, destinations)
        return self._in_order(box, code, destinations)

    # -- loops -----------------------------------------------------------------------------------------

    def _in_order(self, box: TileBox, code: TileCode, destinations: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """A nest of scf.for, or no loop at all; bounds may depend on the indices of outer loops."""
        kinds = [destination.type for destination in destinations]

        def nest(
            scope: Scope, rest: Sequence[int], carried: Sequence[SSAValue], indices: dict[int, SSAValue]
        ) -> Sequence[SSAValue]:
            builder = scope.builder
            if not rest:
                moved = code.moved(builder, indices, carried)
                pairs = zip(moved.tiles, moved.destinations, strict=True)
                return [insert_slice(builder, tile, into, moved.part) for tile, into in pairs]
            d = rest[0]
            bounds = [self._value(scope, e) for e in (box.lower[d], box.upper[d], constant(1))]
            block = Block(arg_types=[IndexType(), *kinds])
            index, *inner = block.args
            index.name_hint = self._names[d]
            below = Scope(
                builder.inside(block), scope.model, scope.view, {**scope.loops, box.names[d]: index}
            )
            yielded = nest(below, rest[1:], inner, {**indices, d: index})
            below.builder.operation("scf.yield", yielded)
            made = builder.operation(FOR, [*bounds, *carried], results=kinds, regions=[Region([block])])
            return made.results

        return nest(self._scope, box.looped, destinations, {})

    def _in_parallel(
        self, box: TileBox, code: TileCode, destinations: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        """One scf.forall."""
        lower, upper = ([self._scope.number(side[d]) for d in box.looped] for side in (box.lower, box.upper))
        kinds = [destination.type for destination in destinations]
        block = Block(arg_types=[*[IndexType()] * len(lower), *kinds])
        indices, shared = block.args[: len(lower)], block.args[len(lower) :]
        for d, index in zip(box.looped, indices, strict=True):
            index.name_hint = self._names[d]
        moved = code.moved(self._builder.inside(block), dict(zip(box.looped, indices, strict=True)), shared)
        end = Block()
        for tile, into in zip(moved.tiles, moved.destinations, strict=True):
            self._builder.inside(end).operation(
                "tensor.parallel_insert_slice",
                [tile, into, *moved.part.operands],
                properties=moved.part.properties([1, 1]),
            )
        self._builder.inside(block).operation("scf.forall.in_parallel", [], regions=[Region([end])])
        dynamic = [[n for n in side if isinstance(n, SSAValue)] for side in (lower, upper)]
        static = [[n if isinstance(n, int) else DYNAMIC_INDEX for n in side] for side in (lower, upper)]
        names = ("staticLowerBound", "staticUpperBound", "staticStep")
        lists = zip(names, (*static, [1] * len(lower)), strict=True)
        made = self._builder.operation(
            FORALL,
            [*dynamic[0], *dynamic[1], *destinations],
            results=kinds,
            properties={
                **{name: DenseArrayBase.from_list(i64, numbers) for name, numbers in lists},
                "operandSegmentSizes": DenseArrayBase.from_list(i32, [*map(len, dynamic), 0, len(kinds)]),
            },
            regions=[Region([block])],
        )
        return made.results

    def _value(self, scope: Scope, expression: Expression) -> SSAValue:
        """EXPRESSION as an index value; each constant is made once, in front of all loops."""
        number = scope.number(expression)
        if not isinstance(number, int):
            return number
        if number not in self._constants:
            self._constants[number] = self._builder.constant(number)
        return self._constants[number]
