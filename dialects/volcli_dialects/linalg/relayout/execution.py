"""How linalg.pack, unpack and softmax execute: on whole tensors, or on what memory holds."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from volcli.execution.elements.elementwise import applied, packed
from volcli.execution.elements.operands import mixed
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers import floats
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Array, Tensor
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Perform, Scalar, executions
from volcli.execution.tensors.blocks import arithmetic, folded, spread, surrounded
from volcli.execution.tensors.structured import shape_of
from volcli_dialects.linalg.held import given, held
from volcli_dialects.linalg.relayout.ops import PackOp, RelayoutOp, SoftmaxOp, UnPackOp


class _Layout:
    """Dimension d of the whole tensor is cut into tiles; outer dimensions come first, in another order."""

    def __init__(self, op: RelayoutOp) -> None:
        self.op = op
        self._tiles = mixed(op, op.static_inner_tiles, "the size of a tile")
        self._positions = [int(d) for d in op.inner_dims_pos.get_values()]
        perm = op.outer_dims_perm
        self._order = [] if perm is None else [int(d) for d in perm.get_values()]

    def tiles(self, whole: Sequence[int], packed_shape: Sequence[int], dynamic: Sequence[Any]) -> list[int]:
        """Of each dimension of the whole tensor, the size of its tiles (1 where it is not cut).

        Raises Undefined if there are not as many tiles as that tensor needs.
        """
        sizes = self._tiles(dynamic)
        tiles = [1] * len(whole)
        for d, size in zip(self._positions, sizes, strict=True):
            tiles[d] = size
        if min(sizes, default=1) < 1:
            raise Undefined(self.op, Defect.CONTRACT, f"tiles of the sizes {sizes}")
        counts = [-(-n // tile) for n, tile in zip(whole, tiles, strict=True)]
        needed = [*[counts[d] for d in self._of(len(whole))], *sizes]
        if needed != list(packed_shape):
            text = f"{list(whole)} in tiles of {sizes} has the sizes {needed}, not {list(packed_shape)}"
            raise Undefined(self.op, Defect.CONTRACT, text)
        return tiles

    def _of(self, rank: int) -> list[int]:
        return self._order or list(range(rank))

    def _axes(self, rank: int) -> list[int]:
        """Of each dimension of the packed tensor: where it is among (o_0, t_0, o_1, t_1, ...)."""
        return [*[2 * d for d in self._of(rank)], *[2 * d + 1 for d in self._positions]]

    def cut(self, data: Array, tiles: Sequence[int]) -> Array:
        """DATA, of which the tiles are whole, as the packed tensor."""
        rank = len(tiles)
        pairs = [n for size, tile in zip(data.shape, tiles, strict=True) for n in (size // tile, tile)]
        gone = tuple(2 * d + 1 for d in range(rank) if d not in self._positions)
        kept = [axis for axis in range(2 * rank) if axis not in gone]
        axes = [kept.index(axis) for axis in self._axes(rank)]
        return data.reshape(pairs).squeeze(gone).transpose(axes)

    def joined(self, data: Array, tiles: Sequence[int]) -> Array:
        """The inverse of `cut`."""
        rank = len(tiles)
        axes = self._axes(rank)
        order = sorted(range(len(axes)), key=lambda k: axes[k])
        counts = dict(zip(axes, data.shape, strict=True))
        return data.transpose(order).reshape([counts[2 * d] * tiles[d] for d in range(rank)])


@executions.case(PackOp)
def pack(op: PackOp) -> Perform:
    """`R[o, t] = S[n * o + t]` where that lies in S, else the padding value."""
    layout, has_padding = _Layout(op), op.padding_value is not None
    dtype = format_of(op.source.type).dtype

    def perform(machine: Machine, source: Any, dest: Any, *rest: Any) -> Tensor | None:
        padding, dynamic = (rest[:1], rest[1:]) if has_padding else ((), rest)
        whole = held(op, machine, source)
        tiles = layout.tiles(whole.shape, shape_of(dest), dynamic)
        shape = [-(-n // tile) * tile for n, tile in zip(whole.shape, tiles, strict=True)]
        if list(whole.shape) != shape:
            if not has_padding:
                text = f"a tensor of {list(whole.shape)} without padding in tiles of {tiles}"
                raise Undefined(op, Defect.CONTRACT, text)
            machine.fits(op, math.prod(shape), dtype)
            inside = tuple(slice(0, n) for n in whole.shape)
            whole = surrounded(whole, packed(padding, (), dtype), shape, inside)
        return given(op, machine, dest, whole.rearranged(lambda data: layout.cut(data, tiles)))

    return perform


@executions.case(UnPackOp)
def unpack(op: UnPackOp) -> Perform:
    """`R[i] = S[o, t]` with `o = i floordiv n` and `t = i mod n` along the tiled dimensions."""
    layout = _Layout(op)

    def perform(machine: Machine, source: Any, dest: Any, *dynamic: Any) -> Tensor | None:
        cut, shape = held(op, machine, source), shape_of(dest)
        tiles = layout.tiles(shape, cut.shape, dynamic)
        inside = tuple(slice(0, n) for n in shape)
        found = cut.rearranged(lambda data: layout.joined(data, tiles)[inside])
        return given(op, machine, dest, found)

    return perform


@executions.case(SoftmaxOp)
def softmax(op: SoftmaxOp) -> Perform:
    """`exp(x - m) / s` with m the largest element along the dimension, and s the sum of these."""
    axis, element = op.dimension.value.data, op.input.type.get_element_type()  # type: ignore[attr-defined]
    format = format_of(element)
    dtypes = [format.dtype]
    largest = replace(floats.extremum("maxnum"), term="maxnumf")
    subtract, add = arithmetic("sub", element), arithmetic("add", element)
    exponential = floats.through_double(math.exp, format, "exp")
    quotient = Scalar(lambda a, b: a / b, term="divf")

    def perform(machine: Machine, source: Any, dest: Any) -> Tensor | None:
        x = held(op, machine, source)
        if x.shape != shape_of(dest):
            raise Undefined(op, Defect.CONTRACT, f"a softmax of {list(x.shape)} to {list(shape_of(dest))}")
        if not x.count:
            return given(op, machine, dest, x)

        def step(scalar: Scalar, *operands: Tensor) -> Tensor:
            return applied(machine, op, scalar, spread(op, operands), dtypes)[0]

        powers = step(exponential, step(subtract, x, folded(machine, op, largest, None, x, [axis])))
        shape = tuple(1 if d == axis else n for d, n in enumerate(x.shape))
        zeros = packed([format.number(0)] * math.prod(shape), shape, format.dtype)
        total = folded(machine, op, add, zeros, powers, [axis])
        return given(op, machine, dest, step(quotient, powers, total))

    return perform
