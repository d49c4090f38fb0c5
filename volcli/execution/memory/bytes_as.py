"""Memory of bytes whose elements are numbers of other types: what memref.view gives.

Each byte belongs to the numbers of the first view that has it. A view of the same type, which begins at the
same byte, shares these; another one, and an access to the bytes themselves, is refused, since it would have
to take numbers, which may be terms, to pieces. What the bytes were before is what the numbers are at first:
unset if one of their bytes is.

    bytes 0 to 7 as f32, bytes 8 to 23 as f64: the element 1 of the second one is bytes 16 to 23
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from xdsl.ir import Operation

from volcli.execution.memory.memory import AllocatedMemory, MemoryView, whole
from volcli.execution.numbers.formats import Format
from volcli.execution.numbers.values import States
from volcli.execution.outcomes import Defect, Undefined, Unsupported


class NumbersInBytes(AllocatedMemory):
    """The bytes of `root` from FIRST on as numbers; it ends when `root` does."""

    __slots__ = ("root",)

    def __init__(self, root: AllocatedMemory, states: States, first: int, format: Format) -> None:
        width = np.dtype(format.dtype).itemsize
        count = (root.data.size - first) // width
        span = slice(first, first + count * width)
        self.root = root
        of_bytes = states[span].reshape(count, width).max(axis=1, initial=0)
        super().__init__(root.made, root.data[span].copy().view(format.dtype), of_bytes)

    @property
    def freed(self) -> Operation | None:
        """The operation that ended the bytes."""
        return self.root.freed

    @freed.setter
    def freed(self, op: Operation | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self.root.freed = op or self.root.freed


class ViewedBytes:
    """In the place of the states of bytes that are viewed as numbers: what looks at them is refused.

    `states` are those before; `numbers` are by type and first byte, `spans` the bytes that each has.
    """

    def __init__(self, op: Operation, states: States) -> None:
        self.op = op
        self.states = states
        self.numbers: dict[tuple[str, int], NumbersInBytes] = {}
        self.spans: dict[tuple[int, int], NumbersInBytes] = {}

    def _refuse(self, *_: object) -> NoReturn:
        raise Unsupported(self.op, "bytes that are viewed as numbers are not executed as bytes")

    __getitem__ = __setitem__ = _refuse
    itemsize = dtype = property(_refuse)


def is_viewed(view: MemoryView) -> bool:
    """Whether VIEW is of bytes that were viewed as numbers."""
    return isinstance(view.allocation.states, ViewedBytes)


def viewed(op: Operation, source: MemoryView, shift: int, sizes: Sequence[int], format: Format) -> MemoryView:
    """The bytes of SOURCE from SHIFT on as numbers of FORMAT, row by row.

    Raises Undefined out of bounds, Unsupported if the bytes already are numbers of another type.
    """
    source.check_alive(op)
    width = np.dtype(format.dtype).itemsize
    if format.dtype is object or format.width != 8 * width:
        raise Unsupported(op, f"bytes as numbers of {format.width} bits are not executed")
    if source.allocation.made is None:
        raise Unsupported(op, "the bytes of an argument as numbers of another type are not executed")
    if any(size < 0 for size in sizes):
        raise Undefined(op, Defect.CONTRACT, f"a view of the sizes {list(sizes)}")
    length = math.prod(sizes) * width
    if shift < 0 or shift + length > source.count:
        text = f"a view of the bytes {shift} to {shift + length - 1} of {source.count}"
        raise Undefined(op, Defect.BOUNDS, text)
    first = source.offset + shift
    return whole(_numbers(op, source.allocation, first, first + length, format), sizes)


def _numbers(op: Operation, root: AllocatedMemory, first: int, end: int, format: Format) -> NumbersInBytes:
    """The numbers that the bytes from FIRST to before END are parts of."""
    known: Any = root.states
    if not isinstance(known, ViewedBytes):
        known = ViewedBytes(op, root.states_array)
        root.states = root.states_array = known  # type: ignore[assignment]
    key = (np.dtype(format.dtype).str, first)
    if key not in known.numbers:
        known.numbers[key] = NumbersInBytes(root, known.states, first, format)
    found = known.numbers[key]
    for (start, stop), other in known.spans.items():
        if other is not found and max(start, first) < min(stop, end):
            raise Unsupported(op, "bytes that are parts of two numbers are not executed")
    known.spans[first, end] = found
    return found
