"""How slices of tensors are taken and inserted, also at coordinates that another tensor holds.

Of gather and scatter, the last dimension of the indices is a coordinate: a number for each of the dimensions
that are gathered. The slice there has size 1 along these, and is whole along all others; the result may leave
the ones out.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects import tensor
from xdsl.ir import Operation

from volcli.execution.demand.demand import DeferredTensor
from volcli.execution.elements.elementwise import number
from volcli.execution.elements.operands import Split
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.values import Tensor, alike
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Perform, executions
from volcli.execution.tensors.insertions import InsertedBox
from volcli.execution.tensors.slices import NamedSlice, fitting, inserted
from volcli_dialects.tensor.ops import GatherOp, ParallelInsertSliceOp, ScatterOp


@executions.case(tensor.ExtractSliceOp)
def extract_slice(op: tensor.ExtractSliceOp) -> Perform:
    """Every `stride`-th element from an offset on, in each dimension."""
    part = NamedSlice(op, (op.static_offsets, op.static_sizes, op.static_strides), op.result.type)
    split = Split((op.source,), op.offsets, op.sizes, op.strides)

    def perform(machine: Machine, *operands: Any) -> Tensor:
        (source,), *dynamic = split(operands)
        at, _ = part.of(source.shape, dynamic)
        return source.rearranged(lambda data: part.reduced(data[at]))

    return perform


@executions.case(tensor.InsertSliceOp)
def insert_slice(op: tensor.InsertSliceOp) -> Perform:
    """A tensor with a slice of it replaced."""
    part = NamedSlice(op, (op.static_offsets, op.static_sizes, op.static_strides), op.source.type)
    split = Split((op.source,), (op.dest,), op.offsets, op.sizes, op.strides)

    def perform(machine: Machine, *operands: Any) -> Tensor:
        (source,), (target,), *dynamic = split(operands)
        return inserted(op, part, source, target, dynamic)

    return perform


@executions.case(ParallelInsertSliceOp)
def parallel_insert_slice(op: ParallelInsertSliceOp) -> Perform:
    """What an iteration inserts into a tensor that all share; the loop does so when all have run."""
    part = NamedSlice(op, (op.static_offsets, op.static_sizes, op.static_strides), op.source.type)
    split = Split((op.source,), (op.dest,), op.offsets, op.sizes, op.strides)

    def perform(machine: Machine, *operands: Any) -> None:
        (source,), (target,), *dynamic = split(operands)
        at, _ = fitting(op, part, source, target, dynamic)
        box = [range(n)[each] for each, n in zip(at, target.shape, strict=True)]
        watch, iteration = machine.watch, None
        if watch is not None and isinstance(target, DeferredTensor):
            iteration = watch.iteration  # an element at a time would be all of them
        elif watch is not None:
            for place in np.arange(target.count).reshape(target.shape)[at].flat:
                watch.writes(op, target, int(place))
        insertion = InsertedBox(
            op, target, box, iteration, lambda found: inserted(op, part, source, found, dynamic)
        )
        machine.insertions[-1].append(insertion)

    return perform


def _coordinates(
    op: Operation, indices: Tensor, shape: Sequence[int], dims: Sequence[int], *, unique: bool
) -> list[tuple[Any, ...]]:
    """Where each slice lies in a tensor of SHAPE, for numpy.

    Raises Undefined if one is out of bounds, or there twice although they are promised to be UNIQUE.
    """
    found: list[tuple[Any, ...]] = []
    for at in np.ndindex(*indices.shape[:-1]):
        coordinate = [number(op, indices.element((*at, k)), "an index") for k in range(len(dims))]
        place: list[Any] = [slice(None)] * len(shape)
        for d, index in zip(dims, coordinate, strict=True):
            if not 0 <= index < shape[d]:
                text = f"index {index} is not in dimension {d} of size {shape[d]}"
                raise Undefined(op, Defect.BOUNDS, text)
            place[d] = index
        found.append(tuple(place))
    if unique and len({tuple(place[d] for d in dims) for place in found}) < len(found):
        raise Undefined(op, Defect.CONTRACT, "a coordinate that is promised to be unique is there twice")
    return found


@executions.case(GatherOp)
def gather(op: GatherOp) -> Perform:
    """`r[i, ..] = s[.., indices[i, k], ..]`."""
    dims, unique = [int(d) for d in op.gather_dims.get_values()], op.unique is not None

    def perform(machine: Machine, source: Tensor, indices: Tensor) -> Tensor:
        places = _coordinates(op, indices, source.shape, dims, unique=unique)
        kept = [n for d, n in enumerate(source.shape) if d not in dims]
        ones = [1 if d in dims else n for d, n in enumerate(source.shape)]
        rank = len(op.result.type.get_shape()) - len(indices.shape) + 1
        shape = (*indices.shape[:-1], *(ones if rank == len(ones) else kept))
        machine.fits(op, int(np.prod(shape, dtype=np.int64)), source.data.dtype)
        data, states = (
            np.empty((len(places), *kept), source.data.dtype),
            np.zeros((len(places), *kept), np.uint8),
        )
        for k, place in enumerate(places):
            data[k], states[k] = source.data[place], source.known_states()[place]
        return source.moved(data.reshape(shape), states.reshape(shape))

    return perform


@executions.case(ScatterOp)
def scatter(op: ScatterOp) -> Perform:
    """The destination, with slices at the coordinates, which are unique, overwritten."""
    dims = [int(d) for d in op.scatter_dims.get_values()]

    def perform(machine: Machine, source: Tensor, dest: Tensor, indices: Tensor) -> Tensor:
        places = _coordinates(op, indices, dest.shape, dims, unique=True)
        kept = [n for d, n in enumerate(dest.shape) if d not in dims]
        rows, states_of = (
            each.reshape((len(places), *kept)) for each in (source.data, source.known_states())
        )
        data, rows = alike(dest.data, rows)
        data, states = np.array(data), np.array(dest.known_states())
        for k, place in enumerate(places):
            data[place], states[place] = rows[k], states_of[k]
        return dest.moved(data, states)

    return perform
