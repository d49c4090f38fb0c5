"""Elements of memory on demand: walked back to the iteration that wrote them last.

An element of a buffer is what its last writer stored, and that is computed from elements that were written
before. So one element of a product of matrices in three loops needs 4,096 products of 68,719,476,736. The
walk goes back over the operations of a block, and over the iterations of a loop that may have written the
element (`WalkNarrowing`), last first; each is looked into, and the subscripts are compared by their numbers.

    for %i { for %j { store %zero, %r[%i, %j]; for %k { ... store %q, %r[%i, %j] } } }

For %r[5, 7] it visits i = 5, j = 7, k = n - 1, and finds %q there. %q is the sum of a product and of %r[5, 7]
as it was before: that was written at k = n - 2.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr

from volcli.execution.demand.demand import DeferredTensor
from volcli.execution.demand.rules import Generated
from volcli.execution.elements.elementwise import packed
from volcli.execution.elements.operands import function_of
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import out_of_bounds
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import NEVER_SET, Tensor
from volcli.execution.outcomes import Unsupported
from volcli.execution.tensors.structured import StructuredLoops
from volcli.execution.walking.narrowing import WalkNarrowing
from volcli.execution.walking.walk import Point, Step, ValueWalk
from volcli.execution.walking.walked import (
    Allocated,
    ChosenRegion,
    Copied,
    ElementWrite,
    PartOf,
    Repeated,
    StructuredWrite,
)
from volcli.language.memory import is_memref


class MemoryWalk(ValueWalk):
    """The elements of memory after FUNCTION, with ARGUMENTS, of which memory is a tensor of what it holds.

    Raises Unsupported if FUNCTION cannot be walked back.
    """

    def __init__(self, machine: Machine, function: Operation, arguments: Sequence[Any]) -> None:
        super().__init__(machine, function, arguments)
        self._narrowing = WalkNarrowing(self._sites, self._constant, self._constant_sizes)

    @property
    def doubtful(self) -> Operation | None:
        """An operation that may be undefined in an iteration that no walk visits."""
        return self._narrowing.doubtful()

    def result(self, value: SSAValue) -> Any:
        """VALUE at the end of the function: a number, or its elements on demand."""
        if not is_memref(value):
            if isinstance(value.type, ShapedType):
                raise Unsupported(self._sites.function, "tensors are not walked back")
            return self._run(self._value(value, ()))
        end = self._sites.entry.last_op
        assert end is not None
        shape = self._run(self._sizes_of(value, ()))
        dtype = format_of(value.type).dtype

        def elements(places: Sequence[Sequence[int]]) -> Tensor:
            found = [self._run(self._read(end, value, list(place), ())) for place in places]
            return packed(found, (len(places),), dtype)

        return DeferredTensor(self._machine, end, shape, dtype, Generated(shape, elements))

    def writes(self, memory: SSAValue) -> bool:
        """Whether the function writes MEMORY, one of its arguments."""
        return any(True for _ in self._sites.writers(self._sites.entry, memory, None))

    def _constant(self, value: SSAValue) -> int | None:
        """VALUE as a number, if it is one outside of all loops."""
        depth = self._sites.depth(value)
        if depth and not (isinstance(value, OpResult) and not value.op.operands):
            return None
        found = self._run(self._value(value, (0,) * depth))
        return found if isinstance(found, int) else None

    def _constant_sizes(self, memory: SSAValue) -> Sequence[int] | None:
        """The sizes of MEMORY, if they are the same in all iterations."""
        kind = self._sites.kind(memory.op) if isinstance(memory, OpResult) else None
        amounts = kind.sizes if isinstance(kind, PartOf | Allocated) else ()
        if any(not isinstance(each, int) and self._constant(each) is None for each in amounts):
            return None
        return self._run(self._sizes_of(memory, (0,) * self._sites.depth(memory)))

    # -- elements --------------------------------------------------------------------------------------

    def _read(self, op: Operation, memory: SSAValue, index: Sequence[int], point: Point) -> Step:
        """The element INDEX of MEMORY before OP."""
        root, at = yield self._at_root(op, memory, index, point)
        self._sites.check_alive(op, root)
        block = op.parent
        before: Operation = op
        while True:
            assert block is not None
            if (found := (yield self._in_block(block, before, root, at, point))) is not None:
                return found[0]
            parent = block.parent_op()
            if parent is self._sites.function or parent is None:
                return self._given[root].element(at)
            if isinstance(self._sites.kind(parent), Repeated):
                point, below = point[:-1], point[-1]
                if (found := (yield self._in_loop(parent, root, at, point, below))) is not None:
                    return found[0]
            before, block = parent, parent.parent

    def _at_root(self, op: Operation, memory: SSAValue, index: Sequence[int], point: Point) -> Step:
        """The argument or allocation that an element of MEMORY is one of, and which. Raises Undefined."""
        for part in reversed(self._sites.path(memory)[1]):
            sizes = yield self._sizes_of(part.results[0], point)
            _check(op, index, sizes)
            kind = self._sites.kind(part)
            assert isinstance(kind, PartOf)
            at: list[int] = []
            for d, (offset, stride) in enumerate(zip(kind.offsets, kind.strides, strict=True)):
                start, steps = yield from self._amounts(part, (offset, stride), point)
                at.append(start + (steps * index[kind.kept.index(d)] if d in kind.kept else 0))
            index = at
        root = self._sites.path(memory)[0]
        _check(op, index, (yield self._sizes_of(root, point)))
        return root, tuple(index)

    def _sizes_of(self, memory: SSAValue, point: Point) -> Step:
        """The sizes of MEMORY."""
        if isinstance(memory, BlockArgument):
            return self._given[memory].shape
        assert isinstance(memory, OpResult)
        kind = self._sites.kind(memory.op)
        assert isinstance(kind, PartOf | Allocated)
        found = yield from self._amounts(memory.op, kind.sizes, point)
        return tuple(found[d] for d in kind.kept) if isinstance(kind, PartOf) else tuple(found)

    def _in_view(self, memory: SSAValue, at: Sequence[int], point: Point) -> Step:
        """The index in MEMORY of the element AT of its root; None if it has none."""
        index = list(at)
        for part in self._sites.path(memory)[1]:
            kind = self._sites.kind(part)
            assert isinstance(kind, PartOf)
            inner: list[int] = []
            for number, *amounts in zip(index, kind.offsets, kind.sizes, kind.strides, strict=True):
                start, size, stride = yield from self._amounts(part, amounts, point)
                far, rest = divmod(number - start, stride) if stride else (0, number - start)
                if rest or not 0 <= far < size:
                    return None
                inner.append(far)
            index = [inner[d] for d in kind.kept]
        return index

    # -- writers ---------------------------------------------------------------------------------------

    def _in_block(
        self, block: Block, before: Operation | None, root: SSAValue, at: Point, point: Point
    ) -> Step:
        """What was written last to the element AT of ROOT in BLOCK, as a list of one; None: nothing was."""
        for op in self._sites.writers(block, root, before):
            self._machine.takes_steps(op, 1)
            if (found := (yield self._written(op, root, at, point))) is not None:
                return found
        return None

    def _in_loop(
        self, loop: Operation, root: SSAValue, at: Point, point: Point, below: int | None = None
    ) -> Step:
        """The same in the iterations of LOOP, of numbers BELOW one."""
        if not self._sites.writes(loop, root):
            return None
        low, high, step = yield self._range(loop, point)
        first, last = self._narrowing.between(loop, root, point, at)
        most = min(
            each for each in (high - 1, last, None if below is None else below - 1) if each is not None
        )
        least = low if first is None else max(low, first)
        for number in range(low + (most - low) // step * step, least - 1, -step):
            found = yield self._in_block(loop.regions[0].block, None, root, at, (*point, number))
            if found is not None:
                return found
        return None

    def _written(self, op: Operation, root: SSAValue, at: Point, point: Point) -> Step:
        """The same by OP."""
        match kind := self._sites.kind(op):
            case Repeated():
                return (yield self._in_loop(op, root, at, point))
            case ChosenRegion():
                block = yield self._chosen(op, kind, point)
                return None if block is None else (yield self._in_block(block, None, root, at, point))
            case Allocated():
                return [NEVER_SET]
            case ElementWrite():
                index = yield self._mapped(op, kind.at, point)
                if (yield self._at_root(op, kind.memory, index, point))[1] != at:
                    return None
                return [(yield self._value(kind.value, point))]
            case Copied():
                index = yield self._in_view(kind.target, at, point)
                return None if index is None else [(yield self._read(op, kind.source, index, point))]
            case StructuredWrite():
                index = yield self._in_view(op.operands[-1], at, point)
                return None if index is None else [(yield self._at_points(op, kind, index, point))]
            case _:
                raise AssertionError(f"'{op.name}' writes no memory")

    def _at_points(self, op: Operation, kind: StructuredWrite, index: Sequence[int], point: Point) -> Step:
        """The element INDEX of the output of OP, after all points that write it."""
        shapes: list[Any] = []
        for operand in op.operands:
            shapes.append((yield self._sizes_of(operand, point)) if is_memref(operand) else ())
        blanks = [Tensor(np.broadcast_to(np.int8(0), shape)) for shape in shapes]
        sizes = StructuredLoops(op, kind.maps, 1, [True] * len(shapes), kind.parallel).sizes(blanks)
        here: list[int | None] = [None] * len(sizes)
        for result, number in zip(kind.maps[-1].results, index, strict=True):
            assert isinstance(result, AffineDimExpr)
            here[result.position] = number
        spans = [range(n) if at is None else (at,) for n, at in zip(sizes, here, strict=True)]
        block = op.regions[0].block
        functions = [function_of(op, each) for each in kind.maps]
        value: Any = None
        if block.args[-1].uses or not all(sizes):
            value = yield self._read(op, op.operands[-1], index, point)
        for each in itertools.product(*spans):
            self._machine.takes_steps(op, 1)
            local: dict[SSAValue, Any] = {block.args[-1]: value}
            for operand, argument, function in zip(op.operands, block.args[:-1], functions, strict=False):
                if argument.uses and is_memref(operand):
                    local[argument] = yield self._read(op, operand, function(each), point)
                elif argument.uses:
                    local[argument] = yield self._value(operand, point)
            value = yield self._body(block, local, each, point)
        return value

    def _body(self, block: Block, local: dict[SSAValue, Any], each: Point, point: Point) -> Step:
        """What BLOCK, whose arguments are in LOCAL, yields at EACH point."""
        end = block.last_op
        assert end is not None
        self._machine.points.append(list(each))
        try:
            for op in block.ops:
                if op is not end:
                    operands: list[Any] = []
                    for value in op.operands:
                        operands.append(local[value] if value in local else (yield self._value(value, point)))
                    found = self._computed(op, operands)
                    local |= zip(op.results, found if len(op.results) > 1 else (found,), strict=True)
        finally:
            self._machine.points.pop()
        value = end.operands[-1]
        return local[value] if value in local else (yield self._value(value, point))


def _check(op: Operation, index: Sequence[int], sizes: Sequence[int]) -> None:
    """Raises Undefined if no element of SIZES has INDEX."""
    if not all(0 <= i < n for i, n in zip(index, sizes, strict=True)):
        raise out_of_bounds(op, index, sizes)
