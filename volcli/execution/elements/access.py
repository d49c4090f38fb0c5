"""Loads and stores of one element, by rank: what a program does most, without a loop over dimensions.

`reader(op, 1)` is a function of the machine, a view and an index. For a memref of rank 1 and 2 whose
subscripts are the operands themselves, the checks are written out; they are those of `MemoryView.position`,
which is what all others use and what decides what is wrong.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from volcli.execution.elements.operands import function_of, numbers
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView
from volcli.execution.memory.transfers import load_vector, store_vector
from volcli.execution.numbers.formats import lanes_of
from volcli.execution.numbers.values import OF_STATE, Tensor, put
from volcli.execution.table import Perform


def _lanes(op: Operation) -> tuple[int, ...]:
    """The sizes of each element of the memory that OP accesses, if these are vectors."""
    return next((lanes for each in op.operands if (lanes := lanes_of(each.type))), ())


def _index(op: Operation, count: int, affine_map: AffineMap | None) -> Callable[[Sequence[Any]], list[int]]:
    """The results of AFFINE_MAP, or COUNT operands as they are, as a function of the operands."""
    function = function_of(op, AffineMap.identity(count) if affine_map is None else affine_map)
    return lambda operands: function(numbers(op, operands, "an index"))


def reader(op: Operation, count: int, affine_map: AffineMap | None = None) -> Perform:
    """Of the machine, a view and COUNT operands: the element at these, or at the results of AFFINE_MAP."""
    if lanes := _lanes(op):
        index_of = _index(op, count, affine_map)

        def of_vectors(machine: Machine, view: MemoryView, *operands: Any) -> Tensor:
            return load_vector(op, machine, view, [*index_of(operands), *(0,) * len(lanes)], lanes)

        return of_vectors
    if affine_map is not None and affine_map != AffineMap.identity(count):
        function = function_of(op, affine_map)

        def mapped(machine: Machine, view: MemoryView, *operands: Any) -> Any:
            try:
                return view.load(op, function(operands), machine.watch)
            except TypeError:
                numbers(op, operands, "an index")
                raise

        return mapped

    def checked(machine: Machine, view: MemoryView, *indices: Any) -> Any:
        return view.load(op, numbers(op, indices, "an index"), machine.watch)

    def vector(machine: Machine, view: MemoryView, i: Any) -> Any:
        try:
            allocation = view.allocation
            if 0 <= i < view.sizes[0] and machine.watch is None and allocation.freed is None:
                at = view.offset + i * view.strides[0]
                return OF_STATE[state] if (state := allocation.states[at]) else allocation.fetch(at)
        except TypeError:
            pass
        return checked(machine, view, i)

    def matrix(machine: Machine, view: MemoryView, i: Any, j: Any) -> Any:
        rows, columns = view.sizes
        try:
            allocation = view.allocation
            is_plain = 0 <= i < rows and 0 <= j < columns and machine.watch is None
            if is_plain and allocation.freed is None:
                row, column = view.strides
                at = view.offset + i * row + j * column
                return OF_STATE[state] if (state := allocation.states[at]) else allocation.fetch(at)
        except TypeError:
            pass
        return checked(machine, view, i, j)

    return {1: vector, 2: matrix}.get(count, checked)


def writer(op: Operation, count: int, affine_map: AffineMap | None = None) -> Perform:
    """The same that writes a value, which comes before the view."""
    if lanes := _lanes(op):
        index_of = _index(op, count, affine_map)

        def of_vectors(machine: Machine, value: Tensor, view: MemoryView, *operands: Any) -> None:
            store_vector(op, machine, value, view, [*index_of(operands), *(0,) * len(lanes)])

        return of_vectors
    if affine_map is not None and affine_map != AffineMap.identity(count):
        function = function_of(op, affine_map)

        def mapped(machine: Machine, value: Any, view: MemoryView, *operands: Any) -> None:
            try:
                view.store(op, value, function(operands), machine.watch)
            except TypeError:
                numbers(op, operands, "an index")
                raise

        return mapped

    def checked(machine: Machine, value: Any, view: MemoryView, *indices: Any) -> None:
        view.store(op, value, numbers(op, indices, "an index"), machine.watch)

    def vector(machine: Machine, value: Any, view: MemoryView, i: Any) -> None:
        try:
            allocation = view.allocation
            is_plain = 0 <= i < view.sizes[0] and machine.watch is None
            if is_plain and allocation.freed is None and not allocation.is_constant:
                put(allocation.data, allocation.states, view.offset + i * view.strides[0], value)
                return
        except TypeError:
            pass
        checked(machine, value, view, i)

    def matrix(machine: Machine, value: Any, view: MemoryView, i: Any, j: Any) -> None:
        rows, columns = view.sizes
        try:
            allocation = view.allocation
            is_plain = 0 <= i < rows and 0 <= j < columns and machine.watch is None
            if is_plain and allocation.freed is None and not allocation.is_constant:
                row, column = view.strides
                put(allocation.data, allocation.states, view.offset + i * row + j * column, value)
                return
        except TypeError:
            pass
        checked(machine, value, view, i, j)

    return {1: vector, 2: matrix}.get(count, checked)
