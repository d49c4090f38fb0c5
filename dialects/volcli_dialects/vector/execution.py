"""How operations of vector execute that make or move whole vectors, and loads and stores of them."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import vector
from xdsl.dialects.builtin import ShapedType, VectorType

from volcli.execution.elements.elementwise import flat_values, packed
from volcli.execution.elements.operands import numbers
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView
from volcli.execution.memory.transfers import load_vector, store_vector
from volcli.execution.memory.views import cast_view
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor, overwritten
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, executions, on_vectors_in_memory, performs
from volcli.execution.tensors.blocks import moves
from volcli_dialects.vector import execution_of_lanes, execution_of_parts, execution_of_reductions
from volcli_dialects.vector.reductions import ConstantMaskOp
from volcli_dialects.vector.shapes import (
    FromElementsOp,
    ShapeCastOp,
    StepOp,
    ToElementsOp,
    TransposeOp,
    TypeCastOp,
)


@executions.case(vector.BroadcastOp)
def broadcast(op: vector.BroadcastOp) -> Perform:
    """A number everywhere, or a vector in leading dimensions and along those of size 1."""
    shape, dtype = op.vector.type.get_shape(), format_of(op.vector.type).dtype

    def perform(machine: Machine, source: Any) -> Tensor:
        one = source if isinstance(source, Tensor) else packed([source], (), dtype)
        return one.rearranged(lambda data: np.broadcast_to(data, shape))

    return perform


# The elements, row by row, in another shape.
executions.case(ShapeCastOp)(lambda op: moves(op, lambda data: data.reshape(op.result.type.get_shape())))
# Dimension d of the result is dimension `permutation[d]` of the operand.
executions.case(TransposeOp)(lambda op: moves(op, lambda data: data.transpose(op.permutation.get_values())))
# The memory, all of which is one vector.
executions.case(TypeCastOp)(lambda op: lambda machine, view: cast_view(op, view, op.result.type))


on_vectors_in_memory.case(TypeCastOp)(lambda op: True)


@performs(vector.LoadOp)
def load(op: vector.LoadOp, machine: Machine, view: MemoryView, *indices: Any) -> Tensor:
    """The elements from the indices on."""
    return load_vector(op, machine, view, numbers(op, indices, "an index"), op.result.type.get_shape())


@performs(vector.StoreOp)
def store(op: vector.StoreOp, machine: Machine, value: Tensor, view: MemoryView, *indices: Any) -> None:
    """Write the elements from the indices on."""
    store_vector(op, machine, value, view, numbers(op, indices, "an index"))


@executions.case(FromElementsOp)
def from_elements(op: FromElementsOp) -> Perform:
    """The operands, row by row."""
    shape, dtype = op.dest.type.get_shape(), format_of(op.dest.type).dtype
    return lambda machine, *elements: packed(elements, shape, dtype)


@performs(ToElementsOp)
def to_elements(op: ToElementsOp, machine: Machine, source: Tensor) -> Any:
    """All elements, row by row."""
    found = flat_values(source)
    return found[0] if len(found) == 1 else tuple(found)


@executions.case(StepOp)
def step(op: StepOp) -> Perform:
    """Element i is i."""
    (size,) = op.result.type.get_shape()
    dtype = format_of(op.result.type).dtype
    return lambda machine: Tensor(np.arange(size).astype(dtype))


def _mask(shape: Sequence[int], sizes: Sequence[int]) -> Tensor:
    """Element (i, j, ...) is set where i < sizes[0], j < sizes[1], ...; a size below 0 sets none."""
    data = np.zeros(tuple(shape), np.bool_)
    data[tuple(slice(max(size, 0)) for size in sizes)] = True
    return Tensor(data)


@executions.case(vector.CreateMaskOp)
def create_mask(op: vector.CreateMaskOp) -> Perform:
    """The first elements of each dimension are set: as many as the operand of that dimension."""
    shape = cast(Any, op.mask_vector.type).get_shape()
    return lambda machine, *sizes: _mask(shape, numbers(op, sizes, "a size"))


@executions.case(ConstantMaskOp)
def constant_mask(op: ConstantMaskOp) -> Perform:
    """The first elements of each dimension are set."""
    shape, sizes = op.result.type.get_shape(), op.mask_dim_sizes.get_values()
    return lambda machine: _mask(shape, [int(size) for size in sizes])


def _position(op: vector.ExtractOp | vector.InsertOp, dynamic: Sequence[Any], sizes: Sequence[int]) -> Any:
    """The index of what is extracted or inserted: a prefix of the indices of an element.

    Outside the vector the result is undefined, but not the program: that is not executed.
    """
    found = iter(numbers(op, dynamic, "a position"))
    position = tuple(each if isinstance(each, int) else next(found) for each in op.get_mixed_position())
    if any(not 0 <= at < size for at, size in zip(position, sizes, strict=False)):
        raise Unsupported(op, f"the position {list(position)} in a vector of the sizes {list(sizes)}")
    return position


@executions.case(vector.ExtractOp)
def extract(op: vector.ExtractOp) -> Perform:
    """The element, or the vector of trailing dimensions, at a position."""
    is_vector = isinstance(op.result.type, VectorType)

    def perform(machine: Machine, source: Tensor, *dynamic: Any) -> Any:
        at = _position(op, dynamic, source.shape)
        states = None if source.states is None else np.asarray(source.states[at])
        found = source.moved(np.asarray(source.data[at], source.data.dtype), states)
        return found if is_vector else flat_values(found)[0]

    return perform


@executions.case(vector.InsertOp)
def insert(op: vector.InsertOp) -> Perform:
    """The second operand, with the first one at a position."""
    dtype = format_of(op.result.type).dtype

    def perform(machine: Machine, value: Any, dest: Tensor, *dynamic: Any) -> Tensor:
        at = _position(op, dynamic, dest.shape)
        part = value if isinstance(value, Tensor) else packed([value], (), dtype)
        return overwritten(dest, at, part.data, part.known_states())

    return perform
