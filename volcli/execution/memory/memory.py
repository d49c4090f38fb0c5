"""Memory while a program runs: allocations, and views of them.

A memref is a `MemoryView`: its element (i, j) is element `offset + i * strides[0] + j * strides[1]` of an
`AllocatedMemory`, which knows which of its elements were written, whether it is alive, and where it was made
and freed. What two iterations of a parallel loop share is seen by the loop's `AccessWatch`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from xdsl.ir import Operation

from volcli.execution.memory.races import AccessWatch
from volcli.execution.numbers.formats import Format
from volcli.execution.numbers.values import (
    OF_STATE,
    STATE_OF,
    UNSET,
    Array,
    NotANumber,
    States,
    Tensor,
    alike,
    as_objects,
    put,
)
from volcli.execution.outcomes import Defect, Undefined


class AllocatedMemory:
    """`count` elements; `made` is the operation that allocated them (None: the caller did).

    `freed` is the operation after which none may be used, `is_constant` holds of a global that is constant,
    `is_heap` where memref.dealloc may free it.
    """

    __slots__ = ("data", "fetch", "freed", "is_constant", "is_heap", "made", "states", "states_array")

    def __init__(
        self,
        made: Operation | None,
        data: Array,
        states: States,
        *,
        is_heap: bool = False,
        is_constant: bool = False,
    ) -> None:
        self.made = made
        self.data = data
        self.fetch = _fetching(data)
        self.states = bytearray(states.tobytes())
        self.states_array: States = np.frombuffer(self.states, np.uint8)
        self.freed: Operation | None = None
        self.is_heap = is_heap
        self.is_constant = is_constant

    def hold_objects(self) -> None:
        """From now on, elements may be terms."""
        if self.data.dtype != object:
            self.data = as_objects(self.data)
            self.fetch = _fetching(self.data)


def _fetching(data: Array) -> Callable[[int], Any]:
    """The element at a position of DATA as a value: an integer as `int`."""
    if data.dtype.kind == "b":
        return lambda at: int(data[at])
    return data.item if data.dtype.kind in "iu" else data.__getitem__


def unset(made: Operation | None, count: int, format: Format, *, is_heap: bool) -> AllocatedMemory:
    """COUNT elements that nothing has written."""
    return AllocatedMemory(
        made, np.zeros(count, format.dtype), np.full(count, UNSET, np.uint8), is_heap=is_heap
    )


@dataclass(frozen=True, eq=False, slots=True)
class MemoryView:
    """Elements of an allocation: `offset`, and of each dimension a size and a stride, in elements."""

    allocation: AllocatedMemory
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    def position(self, op: Operation, indices: Sequence[int]) -> int:
        """Where in the allocation the element INDICES is. Raises Undefined outside of the sizes."""
        at = self.offset
        for index, size, stride in zip(indices, self.sizes, self.strides, strict=True):
            if not 0 <= index < size:
                raise out_of_bounds(op, indices, self.sizes)
            at += index * stride
        if self.allocation.freed is not None:
            raise use_after_free(op, self.allocation)
        return at

    def load(self, op: Operation, indices: Sequence[int], watch: AccessWatch | None) -> Any:
        """The element INDICES, for OP."""
        at = self.position(op, indices)
        allocation = self.allocation
        if watch is not None:
            watch.reads(op, allocation, at)
        if state := allocation.states[at]:
            return OF_STATE[state]
        return allocation.fetch(at)

    def store(self, op: Operation, value: Any, indices: Sequence[int], watch: AccessWatch | None) -> None:
        """Write VALUE to the element INDICES, for OP."""
        at = self.position(op, indices)
        if self.allocation.is_constant:
            raise Undefined(op, Defect.BOUNDS, "write to a constant global")
        if watch is not None:
            watch.writes(op, self.allocation, at)
        if isinstance(value, NotANumber) and type(value) not in STATE_OF:
            self.allocation.hold_objects()
        put(self.allocation.data, self.allocation.states_array, at, value)

    @property
    def count(self) -> int:
        """How many elements it has."""
        return math.prod(self.sizes)

    @property
    def span(self) -> tuple[int, int]:
        """Where in the allocation its first and its last element are; of no elements, (0, -1)."""
        if not self.count:
            return 0, -1
        reaches = [(size - 1) * stride for size, stride in zip(self.sizes, self.strides, strict=True)]
        return self.offset + sum(r for r in reaches if r < 0), self.offset + sum(r for r in reaches if r > 0)

    def may_share(self, other: MemoryView) -> bool:
        """Whether an element may be one of OTHER: in one allocation, neither begins after the other ends."""
        (low, high), (first, last) = self.span, other.span
        return self.allocation is other.allocation and low <= last and first <= high

    @property
    def is_injective(self) -> bool:
        """Whether its elements are surely different: each stride is larger than what smaller ones reach."""
        reach = 0
        for stride, size in sorted((abs(t), n) for t, n in zip(self.strides, self.sizes, strict=True)):
            if size > 1:
                if stride <= reach:
                    return False
                reach += stride * (size - 1)
        return True

    def check_alive(self, op: Operation) -> None:
        """Raises Undefined if the allocation was freed, and the view has elements."""
        if self.allocation.freed is not None and self.count:
            raise use_after_free(op, self.allocation)

    def array(self, of: Array) -> Array:
        """The elements as an array that shares the memory of OF: `data` or `states` of the allocation."""
        if not self.count:
            return np.zeros(self.sizes, of.dtype)
        size = of.itemsize
        return as_strided(of[self.offset :], self.sizes, [stride * size for stride in self.strides])

    def positions(self) -> Array:
        """Where in the allocation each element is."""
        at = np.full(self.sizes, self.offset, np.int64)
        for dimension, stride in enumerate(self.strides):
            shape = [1] * len(self.sizes)
            shape[dimension] = -1
            at += (np.arange(self.sizes[dimension]) * stride).reshape(shape)
        return at

    def read(self, op: Operation, watch: AccessWatch | None) -> Tensor:
        """All elements, as a tensor of its own."""
        self.check_alive(op)
        if watch is not None:
            for at in self.positions().flat:
                watch.reads(op, self.allocation, int(at))
        allocation = self.allocation
        states = self.array(allocation.states_array)
        return Tensor(self.array(allocation.data).copy(), states.copy() if states.any() else None)

    def write(self, op: Operation, tensor: Tensor, watch: AccessWatch | None) -> None:
        """Write all elements."""
        self.check_alive(op)
        if self.allocation.is_constant and self.count:
            raise Undefined(op, Defect.BOUNDS, "write to a constant global")
        if watch is not None:
            for at in self.positions().flat:
                watch.writes(op, self.allocation, int(at))
        if self.count:
            if tensor.data.dtype == object:
                self.allocation.hold_objects()
            _, data = alike(self.allocation.data, tensor.data)
            self.array(self.allocation.data)[...] = data
            self.array(self.allocation.states_array)[...] = tensor.known_states()


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides of elements that lie row by row.

    >>> row_major((2, 3, 4))
    (12, 4, 1)
    """
    strides, stride = [1] * len(sizes), 1
    for dimension in reversed(range(len(sizes))):
        strides[dimension] = stride
        stride *= sizes[dimension]
    return tuple(strides)


def whole(allocation: AllocatedMemory, sizes: Sequence[int]) -> MemoryView:
    """All of ALLOCATION, row by row."""
    return MemoryView(allocation, 0, tuple(sizes), row_major(sizes))


def out_of_bounds(op: Operation, indices: Sequence[int], sizes: Sequence[int]) -> Undefined:
    """The first of INDICES that is not in its dimension."""
    dimension = next(d for d, (i, n) in enumerate(zip(indices, sizes, strict=True)) if not 0 <= i < n)
    text = f"index {indices[dimension]} is not in dimension {dimension} of size {sizes[dimension]}"
    return Undefined(op, Defect.BOUNDS, text)


def use_after_free(op: Operation, allocation: AllocatedMemory) -> Undefined:
    """OP uses memory that is freed."""
    return Undefined(op, Defect.LIFETIME, "use of memory after its end")
