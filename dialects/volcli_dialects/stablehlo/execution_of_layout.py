"""How operations of stablehlo that move elements execute, by attributes or by operands that mean the same."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Operation

from volcli.execution.elements.constants import constant
from volcli.execution.elements.elementwise import number
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, executions
from volcli.execution.tensors.blocks import (
    dtype_of,
    joined,
    moves,
    surrounded,
    taken,
    window,
)
from volcli_dialects.cases.parts import attribute, integers_of
from volcli_dialects.cases.parts import number as number_of
from volcli_dialects.stablehlo.ops import OPS, OptimizationBarrierOp

Shape = Sequence[int]


def listed(op: Operation, name: str) -> list[int]:
    """The numbers in the attribute NAME of OP."""
    found = integers_of(attribute(op, name))
    if found is None:
        raise Unsupported(op, f"{name} is not a list of numbers")
    return list(found)


def _shape(op: Operation) -> Callable[[Sequence[Tensor]], Shape]:
    """The sizes of the result of OP: the last of the operands beside what is moved, or those of its type."""
    if op.name.partition(".")[2].startswith("dynamic"):
        return lambda operands: numbers_in(op, operands[-1])
    shape = tuple(cast("ShapedType", op.results[0].type).get_shape())
    if DYNAMIC_INDEX in shape:
        raise Unsupported(op, "a result whose sizes only its type could say is not executed")
    return lambda operands: shape


def numbers_in(op: Operation, operand: Tensor) -> list[int]:
    """The elements of OPERAND, which has one dimension."""
    return [number(op, operand.element(at), "a size") for at in np.ndindex(operand.shape)]


executions.case(OPS["constant"])(lambda op: constant(op, op.properties["value"]))


@executions.case(OptimizationBarrierOp)
def barrier(op: Operation) -> Perform:
    """The operands."""
    return lambda machine, *operands: operands[0] if len(operands) == 1 else operands


@executions.case(OPS["iota"], OPS["dynamic_iota"])
def iota(op: Operation) -> Perform:
    """The index in a dimension."""
    sizes, along, format = _shape(op), number_of(op, "iota_dimension"), format_of(op.results[0].type)

    def perform(machine: Machine, *operands: Tensor) -> Tensor:
        shape = tuple(_checked_sizes(op, sizes(operands)))
        machine.fits(op, math.prod(shape), format.dtype)
        numbers = np.array([format.number(k) for k in range(shape[along])], format.dtype)
        found = numbers.reshape([-1 if d == along else 1 for d in range(len(shape))])
        return Tensor(np.broadcast_to(found, shape))

    return perform


def _checked_sizes(op: Operation, shape: Shape) -> Shape:
    if min(shape, default=0) < 0:
        raise Undefined(op, Defect.CONTRACT, f"a tensor of the sizes {list(shape)}")
    return shape


@executions.case(OPS["reshape"], OPS["dynamic_reshape"])
def reshape(op: Operation) -> Perform:
    """The elements, row by row, in another shape."""
    sizes = _shape(op)

    def perform(machine: Machine, source: Tensor, *rest: Tensor) -> Tensor:
        shape = _checked_sizes(op, sizes(rest))
        if source.count != math.prod(shape):
            text = f"a tensor of {list(source.shape)} is reshaped to {list(shape)}"
            raise Undefined(op, Defect.CONTRACT, text)
        return source.rearranged(lambda data: data.reshape(shape))

    return perform


@executions.case(OPS["transpose"])
def transpose(op: Operation) -> Perform:
    """Dimension d of the result is dimension `permutation[d]` of the operand."""
    order = listed(op, "permutation")
    return moves(op, lambda data: data.transpose(order))


@executions.case(OPS["broadcast_in_dim"], OPS["dynamic_broadcast_in_dim"])
def broadcast_in_dim(op: Operation) -> Perform:
    """Dimension d of the operand is dimension `dims[d]` of the result; all others are copies."""
    sizes_of, to = _shape(op), listed(op, "broadcast_dimensions")
    order = sorted(range(len(to)), key=lambda d: to[d])

    def perform(machine: Machine, source: Tensor, *rest: Tensor) -> Tensor:
        shape = _checked_sizes(op, sizes_of(rest))
        if any(n not in (1, shape[d]) for n, d in zip(source.shape, to, strict=True)):
            raise Undefined(op, Defect.CONTRACT, f"{list(source.shape)} is broadcast to {list(shape)}")
        sizes = [1] * len(shape)
        for n, d in zip(source.shape, to, strict=True):
            sizes[d] = n
        return source.rearranged(lambda data: np.broadcast_to(data.transpose(order).reshape(sizes), shape))

    return perform


@executions.case(OPS["reverse"])
def reverse(op: Operation) -> Perform:
    """The last element first, in some dimensions."""
    axes = tuple(listed(op, "dimensions"))
    return moves(op, lambda data: np.flip(data, axes))


@executions.case(OPS["concatenate"])
def concatenate(op: Operation) -> Perform:
    """The operands one after the other."""
    axis = number_of(op, "dimension")
    return lambda machine, *parts: joined(op, parts, axis)


@executions.case(OPS["slice"])
def slice_op(op: Operation) -> Perform:
    """`x[start + r * stride]` below the limit."""
    start, limit, stride = (listed(op, name) for name in ("start_indices", "limit_indices", "strides"))

    def perform(machine: Machine, source: Tensor) -> Tensor:
        for d, (low, high, n) in enumerate(zip(start, limit, source.shape, strict=True)):
            if not 0 <= low <= high <= n:
                text = f"elements {low} to {high - 1} of dimension {d} of size {n}"
                raise Undefined(op, Defect.BOUNDS, text)
        at = tuple(map(slice, start, limit, stride))
        return source.rearranged(lambda data: data[at])

    return perform


@executions.case(OPS["pad"])
def pad(op: Operation) -> Perform:
    """`R[low + s * (interior + 1)] = x[s]`, the value elsewhere; negative widths leave elements out."""
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    widths = [listed(op, name) for name in names]
    return lambda machine, source, value: _padded(machine, op, source, value, *widths)


@executions.case(OPS["dynamic_pad"])
def dynamic_pad(op: Operation) -> Perform:
    """The same, by widths that are operands."""
    return lambda machine, source, value, *widths: _padded(
        machine, op, source, value, *(numbers_in(op, each) for each in widths)
    )


def _padded(
    machine: Machine, op: Operation, source: Tensor, value: Tensor, low: Shape, high: Shape, interior: Shape
) -> Tensor:
    if min(interior, default=0) < 0:
        raise Undefined(op, Defect.CONTRACT, f"an interior padding of {list(interior)}")
    shape = [low[d] + n + max(n - 1, 0) * interior[d] + high[d] for d, n in enumerate(source.shape)]
    machine.fits(op, math.prod(_checked_sizes(op, shape)), dtype_of(source))
    pairs = [window(shape[d], n, interior[d] + 1, low[d]) for d, n in enumerate(source.shape)]
    kept = taken(source, tuple(pair[0] for pair in pairs))
    return surrounded(kept, value, shape, tuple(pair[1] for pair in pairs))
