"""How gather and scatter of stablehlo execute: an element at a time, by the formulas of the specification."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from volcli.execution.code.code import Body
from volcli.execution.elements.elementwise import number, packed
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, executions
from volcli.execution.tensors.blocks import taken
from volcli_dialects.cases.elements.selected_slices import SliceDimensions
from volcli_dialects.cases.parts import attribute, integers_of
from volcli_dialects.stablehlo.execution_of_layout import numbers_in
from volcli_dialects.stablehlo.gathering import DYNAMIC, GATHER, SCATTER, slice_dimensions


def _start(
    op: Operation, dims: SliceDimensions, indices: Tensor, batch: Sequence[int], rank: int
) -> list[int]:
    """Where the slice BATCH begins, before it is moved."""
    found = [0] * rank
    for k, d in enumerate(dims.starts):
        place = [*batch[: dims.vector], k, *batch[dims.vector :]][: len(indices.shape)]
        found[d] = number(op, indices.element(tuple(place)), "an index")
    for d, along in dims.batching:
        found[d] = batch[along - (dims.vector < along)]
    return found


def _inside(dims: SliceDimensions, own: Sequence[int], rank: int) -> list[int]:
    """The coordinates OWN within a slice, as those of an element of the operand."""
    left = iter(own)
    return [next(left) if d in dims.inner(rank) else 0 for d in range(rank)]


@executions.case(GATHER, DYNAMIC)
def gather(op: Operation) -> Perform:
    """`x[clamp(start[b], 0, n - size) + o]`; the sizes of a slice are an attribute, or the last operand."""
    dims, stated = slice_dimensions(op), integers_of(attribute(op, "slice_sizes"))
    if stated is None and isinstance(op, GATHER):
        raise Unsupported(op, "slice_sizes is not a list of numbers")

    def perform(machine: Machine, operand: Tensor, indices: Tensor, *last: Tensor) -> Any:
        sizes = stated if stated is not None else numbers_in(op, last[0])
        rank, count = len(operand.shape), len(dims.windows)
        slices = [n for d, n in enumerate(indices.shape) if d != dims.vector]
        own = [sizes[d] for d in dims.inner(rank)]
        order = [*dims.batches(len(slices) + count), *dims.windows]
        given = dict(zip(order, (*slices, *own), strict=True))
        shape = [given[d] for d in range(len(order))]
        machine.takes_steps(op, math.prod(shape))
        places: list[int] = []
        for at in np.ndindex(*shape):
            batch = [at[d] for d in dims.batches(len(shape))]
            start = _start(op, dims, indices, batch, rank)
            limits = zip(start, operand.shape, sizes, strict=True)
            moved = [min(max(first, 0), n - size) for first, n, size in limits]
            element = map(sum, zip(moved, _inside(dims, [at[d] for d in dims.windows], rank), strict=True))
            places.append(int(np.ravel_multi_index(tuple(element), operand.shape)) if rank else 0)
        chosen = np.array(places, np.int64)
        return operand.rearranged(lambda data: data.reshape(-1)[chosen].reshape(shape))

    return perform


@executions.case(SCATTER)
def scatter(op: Operation) -> Perform:
    """The body of `x[start[b] + o]` and `update[b, o]`, in row-major order; not outside of x."""
    dims, count = slice_dimensions(op), len(op.results)
    dtypes = [format_of(result.type).dtype for result in op.results]

    def perform(machine: Machine, body: Body, *operands: Tensor) -> Any:
        inputs, indices, updates = operands[:count], operands[count], operands[count + 1 :]
        shape, rank = inputs[0].shape, len(inputs[0].shape)
        machine.takes_steps(op, math.prod(shape) + math.prod(updates[0].shape))
        states = [{at: taken(x, at) for at in np.ndindex(*shape)} for x in inputs]
        for at in np.ndindex(*updates[0].shape):
            start = _start(op, dims, indices, [at[d] for d in dims.batches(len(at))], rank)
            inside = _inside(dims, [at[d] for d in dims.windows], rank)
            element = tuple(a + b for a, b in zip(start, inside, strict=True))
            if element in states[0]:
                found = body(*(state[element] for state in states), *(taken(u, at) for u in updates))
                for state, value in zip(states, found, strict=True):
                    state[element] = value
        rows = [[state[at].element(()) for at in np.ndindex(*shape)] for state in states]
        made = [packed(row, shape, dtype) for row, dtype in zip(rows, dtypes, strict=True)]
        return made[0] if count == 1 else made

    return perform
