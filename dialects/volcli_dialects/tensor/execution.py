"""How the operations of tensor execute: arrays that nothing writes to."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation

from volcli.execution.code.code import Body
from volcli.execution.demand.demand import DeferredTensor
from volcli.execution.demand.rules import is_pure, replaced
from volcli.execution.elements.elementwise import number, packed
from volcli.execution.elements.operands import Split, mixed, numbers
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import out_of_bounds
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.terms import FloatTerm
from volcli.execution.numbers.values import Tensor, alike, as_objects, assign, put, unset_tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, executions, performs
from volcli.execution.tensors.blocks import (
    dtype_of,
    everywhere,
    generated,
    joined,
    moves,
)
from volcli.execution.tensors.reshaping import collapsed_groups, expanded_sizes
from volcli_dialects.tensor import execution_of_slices, ops


def _shape(op: Operation, kind: Attribute, dynamic: Sequence[Any]) -> tuple[int, ...]:
    """The sizes of a tensor of the type KIND with these DYNAMIC ones."""
    rest = iter(numbers(op, dynamic, "a size"))
    stated = cast("TensorType[Any]", kind).get_shape()
    shape = tuple(next(rest) if size == DYNAMIC_INDEX else size for size in stated)
    if any(size < 0 for size in shape):
        raise Undefined(op, Defect.CONTRACT, f"a tensor of the sizes {list(shape)}")
    return shape


@performs(tensor.EmptyOp)
def empty(op: tensor.EmptyOp, machine: Machine, *sizes: Any) -> Tensor:
    """Elements that nothing has written."""
    dtype = format_of(op.tensor.type).dtype
    shape = _shape(op, op.tensor.type, sizes)
    machine.fits(op, math.prod(shape), dtype)
    if machine.options.demands:
        return everywhere(unset_tensor((), dtype), shape)
    return unset_tensor(shape, dtype)


@performs(tensor.DimOp)
def dim(op: tensor.DimOp, machine: Machine, source: Tensor, dimension: Any) -> int:
    """A size."""
    at = number(op, dimension, "the dimension")
    if not 0 <= at < len(source.shape):
        raise Undefined(op, Defect.BOUNDS, f"dimension {at} of a tensor of rank {len(source.shape)}")
    return source.shape[at]


@executions.case(ops.BitcastOp)
def bitcast(op: ops.BitcastOp) -> Perform:
    """The same bits as elements of another type of this width."""
    dtype = np.dtype(format_of(op.dest.type).dtype)

    def perform(machine: Machine, source: Tensor) -> Tensor:
        if object in (dtype, source.data.dtype) or source.data.dtype.itemsize != dtype.itemsize:
            raise Unsupported(op, "bitcasts of terms, or of other widths, are not executed")
        return Tensor(np.ascontiguousarray(source.data).view(dtype), source.states)

    return perform


@performs(tensor.ExtractOp)
def extract(op: tensor.ExtractOp, machine: Machine, source: Tensor, *indices: Any) -> Any:
    """The element."""
    at = tuple(numbers(op, indices, "an index"))
    if any(not 0 <= i < n for i, n in zip(at, source.shape, strict=True)):
        raise out_of_bounds(op, at, source.shape)
    return source.element(at)


@performs(tensor.InsertOp)
def insert(op: tensor.InsertOp, machine: Machine, value: Any, target: Tensor, *indices: Any) -> Tensor:
    """The tensor with another element."""
    at = tuple(numbers(op, indices, "an index"))
    if any(not 0 <= i < n for i, n in zip(at, target.shape, strict=True)):
        raise out_of_bounds(op, at, target.shape)
    if isinstance(target, DeferredTensor):
        return replaced(target, [slice(i, i + 1) for i in at], packed([value], (1,) * len(at), target.dtype))
    data = np.array(as_objects(target.data) if isinstance(value, FloatTerm) else target.data)
    states = np.array(target.known_states())
    put(data, states, at, value)
    return target.moved(data, states)


@executions.case(tensor.PadOp)
def pad(op: tensor.PadOp) -> Perform:
    """The source, with elements around it that the region yields at their indices."""
    low_of, high_of = mixed(op, op.static_low, "padding"), mixed(op, op.static_high, "padding")
    split = Split((op.source,), op.low, op.high)

    def perform(machine: Machine, body: Body, *operands: Any) -> Tensor:
        (source,), low, high = split(operands)
        before, after = low_of(low), high_of(high)
        shape = tuple(a + n + b for a, n, b in zip(before, source.shape, after, strict=True))
        if any(each < 0 for each in (*before, *after)):
            raise Undefined(op, Defect.CONTRACT, f"padding by {before} and {after}")
        inside = tuple(slice(a, a + n) for a, n in zip(before, source.shape, strict=True))
        if machine.options.demands and is_pure(op.region):
            around = generated(machine, op, body, shape, dtype_of(source))
            return replaced(around, inside, source)
        machine.fits(op, math.prod(shape), source.data.dtype)
        outside = np.ones(shape, np.bool_)
        outside[inside] = False
        places = np.argwhere(outside)
        machine.takes_steps(op, len(places))
        same = body(*places[0].tolist()) if len(places) and _is_constant(op) else None
        values = [(same or body(*map(int, place)))[0] for place in places]
        padding = packed(values, (len(values),), source.data.dtype)
        around, within = alike(padding.data, source.data)
        data = np.empty(shape, within.dtype)
        states = np.zeros(shape, np.uint8)
        data[outside], states[outside] = around, padding.known_states()
        assign(data, inside, within)
        states[inside] = source.known_states()
        return source.moved(data, states)

    return perform


def _is_constant(op: tensor.PadOp) -> bool:
    """Whether the region yields a value from outside of it: the same one everywhere."""
    block = op.region.block
    return len(block.ops) == 1


@performs(ops.GenerateOp)
def generate(op: ops.GenerateOp, machine: Machine, body: Body, *sizes: Any) -> Tensor:
    """The element that the region yields at each index."""
    dtype = format_of(op.result.type).dtype
    shape = _shape(op, op.result.type, sizes)
    return generated(machine, op, body, shape, dtype)


@performs(tensor.CollapseShapeOp)
def collapse_shape(op: tensor.CollapseShapeOp, machine: Machine, source: Tensor) -> Tensor:
    """Groups of dimensions as one each."""
    groups = collapsed_groups(op.reassociation)
    sizes = [math.prod(source.shape[d] for d in group) for group in groups]
    return source.rearranged(lambda data: data.reshape(sizes))


@executions.case(tensor.ExpandShapeOp)
def expand_shape(op: tensor.ExpandShapeOp) -> Perform:
    """Dimensions as a group of several each."""
    groups, sizes_of = collapsed_groups(op.reassociation), mixed(op, op.static_output_shape, "a size")

    def perform(machine: Machine, source: Tensor, *dynamic: Any) -> Tensor:
        sizes = expanded_sizes(op, source.shape, groups, sizes_of(dynamic))
        return source.rearranged(lambda data: data.reshape(sizes))

    return perform


@performs(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, machine: Machine, source: Tensor, shape: Tensor) -> Tensor:
    """The elements, row by row, with the sizes that the other operand holds."""
    sizes = [number(op, shape.element((k,)), "a size") for k in range(shape.shape[0])]
    if math.prod(sizes) != source.count or any(size < 0 for size in sizes):
        raise Undefined(op, Defect.CONTRACT, f"a tensor of {list(source.shape)} is reshaped to {sizes}")
    return source.rearranged(lambda data: data.reshape(sizes))


@executions.case(tensor.FromElementsOp)
def from_elements(op: tensor.FromElementsOp) -> Perform:
    """The operands, row by row."""
    kind = cast("TensorType[Any]", op.result.type)
    shape, dtype = tuple(kind.get_shape()), format_of(kind).dtype
    return lambda machine, *values: packed(values, shape, dtype)


@performs(tensor.SplatOp)
def splat(op: tensor.SplatOp, machine: Machine, value: Any, *sizes: Any) -> Tensor:
    """One number everywhere."""
    dtype = format_of(op.result.type).dtype
    shape = _shape(op, op.result.type, sizes)
    machine.fits(op, math.prod(shape), dtype)
    return everywhere(packed([value], (), dtype), shape)


# How many dimensions there are.
executions.case(ops.RankOp)(lambda op: lambda machine, source: len(source.shape))
# The operands one after the other in a dimension.
executions.case(tensor.ConcatOp)(lambda op: lambda machine, *parts: joined(op, parts, op.dim.value.data))
executions.case(tensor.CastOp)(lambda op: moves(op, lambda data: data))  # The same tensor as another type.
