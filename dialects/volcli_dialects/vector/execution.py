"""How operations of vector execute that compute or move whole vectors, and loads and stores of them."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from typing import Any, cast

import numpy as np
from xdsl.dialects import vector
from xdsl.dialects.builtin import ShapedType, VectorType
from xdsl.ir import Attribute, Operation

from volcli.execution.blocks import rearranged
from volcli.execution.elementwise import packed
from volcli.execution.formats import format_of
from volcli.execution.machine import Machine
from volcli.execution.memory import MemoryView
from volcli.execution.operands import numbers
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, executions
from volcli.execution.transfers import load_vector, store_vector
from volcli.execution.values import Tensor
from volcli_dialects.vector.shapes import ShapeCastOp, TransposeOp


def _shape(op: Operation, kind: Attribute) -> tuple[int, ...]:
    if isinstance(kind, VectorType) and any(bool(each) for each in kind.get_scalable_dims()):
        raise Unsupported(op, "vectors of a size that the machine chooses are not executed")
    return tuple(cast(ShapedType, kind).get_shape())


@executions.case(vector.BroadcastOp)
def broadcast(op: vector.BroadcastOp) -> Perform:
    """A number everywhere, or a vector in leading dimensions and along those of size 1."""
    shape, dtype = _shape(op, op.vector.type), format_of(op.vector.type).dtype

    def perform(machine: Machine, source: Any) -> Tensor:
        one = source if isinstance(source, Tensor) else packed([source], (), dtype)
        return rearranged(op, one, lambda data: np.broadcast_to(data, shape))

    return perform


@executions.case(ShapeCastOp)
def shape_cast(op: ShapeCastOp) -> Perform:
    """The elements, row by row, in another shape."""
    shape = _shape(op, op.result.type)
    return lambda machine, source: rearranged(op, source, lambda data: data.reshape(shape))


@executions.case(TransposeOp)
def transpose(op: TransposeOp) -> Perform:
    """Dimension d of the result is dimension `permutation[d]` of the operand."""
    order = list(op.permutation.get_values())
    return lambda machine, source: rearranged(op, source, lambda data: data.transpose(order))


@executions.case(vector.LoadOp)
def load(op: vector.LoadOp) -> Perform:
    """The elements from the indices on."""
    shape = _shape(op, op.result.type)

    def perform(machine: Machine, view: MemoryView, *indices: Any) -> Tensor:
        if isinstance(cast(Any, op.base.type).element_type, ShapedType):
            raise Unsupported(op, "memory of vectors is not executed")
        return load_vector(op, machine, view, numbers(op, indices, "an index"), shape)

    return perform


@executions.case(vector.StoreOp)
def store(op: vector.StoreOp) -> Perform:
    """Write the elements from the indices on."""

    def perform(machine: Machine, value: Tensor, view: MemoryView, *indices: Any) -> None:
        if isinstance(cast(Any, op.base.type).element_type, ShapedType):
            raise Unsupported(op, "memory of vectors is not executed")
        store_vector(op, machine, value, view, numbers(op, indices, "an index"))

    return perform
