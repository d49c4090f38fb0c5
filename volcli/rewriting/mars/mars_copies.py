"""Copies between arrays, local arrays of tiles, and blocks of MARS.

Blocks of one array are one memref: coordinates of the tile, and the place in its block, which is contiguous.
A loop over one MARS counts the places as it goes through the points, so that neighbours in a block are moved
one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    MemRefType,
    i32,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from volcli.language.expressions import (
    Atom,
    Expression,
    Parameter,
    constant,
    expression_of_atom,
    substitute,
    value_of,
)
from volcli.model.mars.allocation.allocation import AllocatedArray
from volcli.model.mars.allocation.blocks import MarsBlocks
from volcli.rewriting.code.counted_points import CountedPoints, Numbers
from volcli.rewriting.code.index_code import IndexCode, Known
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.mars.mars_moves import ScannedMove, combined
from volcli.rewriting.nests.scanned_trees import JoinedBounds
from volcli.rewriting.nests.tree_code import FOR, loop_operation


@dataclass(frozen=True, eq=False)
class PlannedBlocks:
    """Blocks, the `ranges` of their coordinates over all tiles, and the loops that write and read them."""

    of: MarsBlocks
    ranges: tuple[JoinedBounds, ...]
    writes: tuple[ScannedMove, ...]
    reads: tuple[ScannedMove, ...]


@dataclass(frozen=True, eq=False)
class PlannedArray:
    """An array, and the loops that copy what it holds before the nest, and what is left in it."""

    of: AllocatedArray
    blocks: tuple[PlannedBlocks, ...]
    initial: tuple[ScannedMove, ...]
    final: tuple[ScannedMove, ...]

    @property
    def moves(self) -> tuple[ScannedMove, ...]:
        """All that is moved."""
        return (*(m for b in self.blocks for m in (*b.writes, *b.reads)), *self.initial, *self.final)


@dataclass(frozen=True, eq=False)
class InArray:
    """The element e is at e - `base` of MEMORY."""

    memory: SSAValue
    base: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class InBlock:
    """The point number k is at (`place`, k) of MEMORY."""

    memory: SSAValue
    place: tuple[SSAValue, ...]


@dataclass(frozen=True, eq=False)
class BlockMemory:
    """What is allocated for blocks, whose coordinates begin at `first`."""

    plan: PlannedBlocks
    memory: SSAValue
    first: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class ArrayMemory:
    """What is allocated for an array: the local one, and the blocks."""

    plan: PlannedArray
    local: SSAValue
    blocks: tuple[BlockMemory, ...]

    @property
    def array(self) -> InArray:
        """The array itself."""
        value = self.plan.of.root.value
        return InArray(value, (constant(0),) * len(self.plan.of.sizes))

    @property
    def allocated(self) -> list[SSAValue]:
        """What is freed in the end."""
        return [self.local, *(each.memory for each in self.blocks)]


@dataclass(eq=False)
class Copies:
    """Makes copies with the numbers of INDEX; TILE are the variables of the loops over tiles."""

    index: IndexCode
    tile: Sequence[Atom]

    # -- before the nest -------------------------------------------------------------------------------

    def allocate(self, builder: Builder, plan: PlannedArray) -> ArrayMemory:
        """The memory of an array, with what is only read in its blocks."""
        array = plan.of.root.value
        element = _element_type(array)
        local = MemRefType(element, plan.of.sizes)
        name = builder.name(array, "local")
        made = ArrayMemory(
            plan,
            _allocated(builder, local, [], name),
            tuple(self._blocks(builder, blocks, array, element) for blocks in plan.blocks),
        )
        for blocks in made.blocks:
            if blocks.plan.of.writer is None:
                self._pack(builder, blocks, made.array, 0, {})
        return made

    def _blocks(
        self, builder: Builder, plan: PlannedBlocks, array: SSAValue, element: Attribute
    ) -> BlockMemory:
        first: list[Expression] = []
        sizes: list[SSAValue] = []
        shape: list[int] = []
        for bounds, (low, high) in zip(plan.ranges, plan.of.reach, strict=True):
            begin = self.index.form(self.index.lower(builder, bounds.lower, {})) + low
            end = self.index.form(self.index.end(builder, bounds.upper, {})) + high
            length = self.index.number(builder, end - begin, {})
            known = self.index.form(length)
            if known.is_constant:
                shape.append(max(known.constant, 0))
            else:
                shape.append(DYNAMIC_INDEX)
                sizes.append(builder.make("arith.maxsi", [length, self.index.constant(0)]))
            first.append(begin)
        kind = MemRefType(element, [*shape, plan.of.length])
        name = builder.name(array, "mars")
        return BlockMemory(plan, _allocated(builder, kind, sizes, name), tuple(first))

    def _pack(
        self, builder: Builder, blocks: BlockMemory, array: InArray, position: int, known: Known
    ) -> None:
        """The blocks from the coordinate at POSITION on, from ARRAY."""
        if position == len(blocks.first):
            for move in blocks.plan.writes:
                self._copy(builder, move, array, self._block(builder, blocks, move, known), known)
            return
        size = builder.make("memref.dim", [blocks.memory, self.index.constant(position)])
        body = Block(arg_types=[IndexType()])
        inside = builder.inside(body)
        here = blocks.first[position] + value_of(body.args[0])
        with self.index.block():
            self._pack(inside, blocks, array, position + 1, {**known, coordinate(position): here})
        operands = [self.index.constant(0), size, self.index.constant(1)]
        loop_operation(builder, inside, FOR, operands, Region([body]))

    # -- in a tile -------------------------------------------------------------------------------------

    def local(self, builder: Builder, memory: ArrayMemory, known: Known) -> InArray:
        """The local array of the tile that is KNOWN."""
        tile = list(map(expression_of_atom, self.tile))
        base: list[Expression] = []
        for row, low in zip(memory.plan.of.origin, memory.plan.of.low, strict=True):
            form = substitute(combined(row, tile) + low, known.get)
            base.append(form if form.is_constant else value_of(self.index.number(builder, form, {})))
        return InArray(memory.local, tuple(base))

    def enter(self, builder: Builder, memory: ArrayMemory, local: InArray, known: Known) -> None:
        """What the tile needs, to its local array."""
        for blocks in memory.blocks:
            for move in blocks.plan.reads:
                self._copy(builder, move, self._block(builder, blocks, move, known), local, known)
        for move in memory.plan.initial:
            self._copy(builder, move, memory.array, local, known)

    def leave(self, builder: Builder, memory: ArrayMemory, local: InArray, known: Known) -> None:
        """What is needed of the tile, from its local array."""
        for blocks in memory.blocks:
            if blocks.plan.of.writer is not None:
                for move in blocks.plan.writes:
                    self._copy(builder, move, local, self._block(builder, blocks, move, known), known)
        for move in memory.plan.final:
            self._copy(builder, move, local, memory.array, known)

    # -- one copy --------------------------------------------------------------------------------------

    def _block(self, builder: Builder, blocks: BlockMemory, move: ScannedMove, known: Known) -> InBlock:
        place = (
            self.index.number(builder, substitute(form, known.get) - first, {})
            for form, first in zip(move.block, blocks.first, strict=True)
        )
        return InBlock(blocks.memory, tuple(place))

    def _copy(
        self,
        builder: Builder,
        move: ScannedMove,
        source: InArray | InBlock,
        target: InArray | InBlock,
        known: Known,
    ) -> None:
        """The points of MOVE, one by one."""

        def visit(at: Builder, known: Known, count: Numbers) -> None:
            there = self._indices(at, source, move, known, count)
            value = at.make("memref.load", [source.memory, *there], result=_element_type(source.memory))
            here = self._indices(at, target, move, known, count)
            at.operation("memref.store", [value, target.memory, *here])

        is_counted = isinstance(source, InBlock) or isinstance(target, InBlock)
        count: Numbers = [self.index.constant(move.start)] if is_counted else []
        points = CountedPoints(self.index, visit)
        for nest in move.nests:
            count = points.nest(builder, nest, known, count)

    def _indices(
        self, builder: Builder, side: InArray | InBlock, move: ScannedMove, known: Known, count: Numbers
    ) -> list[SSAValue]:
        if isinstance(side, InBlock):
            return [*side.place, *count]
        element = (substitute(form, known.get) for form in move.element)
        return [
            self.index.number(builder, form - base, {}) for form, base in zip(element, side.base, strict=True)
        ]


def coordinate(position: int) -> Parameter:
    """The coordinate at POSITION of a block of what is only read."""
    return Parameter(f"c{position}")


def _element_type(memory: SSAValue) -> Attribute:
    assert isinstance(memory.type, MemRefType)
    return cast(MemRefType[Attribute], memory.type).element_type


def _allocated(builder: Builder, kind: Attribute, sizes: Sequence[SSAValue], name: str | None) -> SSAValue:
    segments: dict[str, Attribute] = {"operandSegmentSizes": DenseArrayBase.from_list(i32, [len(sizes), 0])}
    return builder.make("memref.alloc", sizes, result=kind, properties=segments, called=name)


__all__ = ["ArrayMemory", "Copies", "InArray", "Mapping", "PlannedArray", "PlannedBlocks", "coordinate"]
