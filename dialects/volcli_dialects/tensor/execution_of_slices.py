"""How slices of tensors are taken and inserted."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects import tensor

from volcli.execution.demand.demand import DeferredTensor
from volcli.execution.elements.operands import Split
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.values import Tensor
from volcli.execution.table import Perform, executions
from volcli.execution.tensors.blocks import rearranged
from volcli.execution.tensors.insertions import InsertedBox
from volcli.execution.tensors.slices import NamedSlice, fitting, inserted
from volcli_dialects.tensor.parallel_slices import ParallelInsertSliceOp


@executions.case(tensor.ExtractSliceOp)
def extract_slice(op: tensor.ExtractSliceOp) -> Perform:
    """Every `stride`-th element from an offset on, in each dimension."""
    part = NamedSlice(op, (op.static_offsets, op.static_sizes, op.static_strides), op.result.type)
    split = Split((op.source,), op.offsets, op.sizes, op.strides)

    def perform(machine: Machine, *operands: Any) -> Tensor:
        (source,), *dynamic = split(operands)
        at, _ = part.of(source.shape, dynamic)
        return rearranged(op, source, lambda data: part.reduced(data[at]))

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
