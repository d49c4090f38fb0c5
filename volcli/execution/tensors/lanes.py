"""Elements of memory or of a tensor, one for each lane of a vector, or none where the lane is not active."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Operation

from volcli.execution.elements.elementwise import depends_on
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView, out_of_bounds
from volcli.execution.numbers.values import OF_STATE, Array, States, Tensor, alike, overwritten
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.tensors.structured import shape_of


@dataclass(frozen=True)
class Lanes:
    """Lane l accesses the element `places[0][l], places[1][l], ...` where `active[l]`, and nothing elsewhere.

    All arrays have the shape of the vector.
    """

    places: tuple[Array, ...]
    active: Array

    @property
    def count(self) -> int:
        """How many lanes are active."""
        return int(np.count_nonzero(self.active))

    def index(self) -> tuple[Array, ...]:
        """Of each active lane, in row-major order, the index in each dimension."""
        return tuple(each[self.active] for each in self.places)


def set_lanes(op: Operation, mask: Tensor) -> Array:
    """The lanes that MASK sets. Raises Undefined if one of them is poison, or was never written."""
    if mask.states is not None and mask.states.any():
        raise depends_on(op, OF_STATE[int(mask.states[mask.states != 0].flat[0])], "a mask")
    return mask.data.astype(np.bool_)


def chosen(active: Array, found: Tensor, otherwise: Tensor) -> Tensor:
    """FOUND where ACTIVE, OTHERWISE elsewhere."""
    data = np.where(active, *alike(found.data, otherwise.data))
    return found.moved(data, np.where(active, found.known_states(), otherwise.known_states()))


def read_lanes(op: Operation, machine: Machine, source: Any, lanes: Lanes, otherwise: Tensor) -> Tensor:
    """The elements of SOURCE that LANES access; OTHERWISE (of one shape with it, or one element) elsewhere.

    Raises Undefined if an active lane is out of bounds.
    """
    index = _in_bounds(op, shape_of(source), lanes)
    shape = lanes.active.shape
    if isinstance(source, MemoryView):
        at = _positions(op, source, index, lanes.count)
        if machine.watch is not None:
            for position in at:
                machine.watch.reads(op, source.allocation, int(position))
        found, states_found = source.allocation.data[at], source.allocation.states_array[at]
    else:
        found, states_found = source.data[index], source.known_states()[index]
    around, within = alike(otherwise.data, found)
    data = np.array(np.broadcast_to(around, shape))
    states: States = np.array(np.broadcast_to(otherwise.known_states(), shape))
    data[lanes.active], states[lanes.active] = within, states_found
    return otherwise.moved(data, states)


def write_lanes(op: Operation, machine: Machine, value: Tensor, target: Any, lanes: Lanes) -> Tensor | None:
    """Write the active lanes of VALUE, in row-major order; of a tensor the result is what it becomes.

    Raises Undefined if an active lane is out of bounds.
    """
    index = _in_bounds(op, shape_of(target), lanes)
    written, states_written = value.data[lanes.active], value.known_states()[lanes.active]
    if not isinstance(target, MemoryView):
        return overwritten(target, index, written, states_written)
    at, allocation = _positions(op, target, index, lanes.count), target.allocation
    if allocation.is_constant and at.size:
        raise Undefined(op, Defect.BOUNDS, "write to a constant global")
    if machine.watch is not None:
        for position in at:
            machine.watch.writes(op, allocation, int(position))
    if written.dtype == object:
        allocation.hold_objects()
    allocation.data[at], allocation.states_array[at] = alike(allocation.data, written)[1], states_written
    return None


def _in_bounds(op: Operation, sizes: tuple[int, ...], lanes: Lanes) -> tuple[Array, ...]:
    index = lanes.index()
    outside = np.zeros(lanes.count, np.bool_)
    for each, size in zip(index, sizes, strict=True):
        outside |= (each < 0) | (each >= size)
    if outside.any():
        first = int(np.argmax(outside))
        raise out_of_bounds(op, [int(each[first]) for each in index], sizes)
    return index


def _positions(op: Operation, view: MemoryView, index: tuple[Array, ...], count: int) -> Array:
    """Where in its memory each of COUNT elements of VIEW is. Raises Undefined if the memory has ended."""
    at = np.full(count, view.offset, np.int64)
    for each, stride in zip(index, view.strides, strict=True):
        at += each * stride
    if count:
        view.check_alive(op)
    return at
