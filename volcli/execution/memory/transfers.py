"""Vectors to and from memory."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported


def part_of(op: Operation, view: MemoryView, indices: Sequence[int], shape: Sequence[int]) -> MemoryView:
    """The elements of VIEW from INDICES on, as many as SHAPE in its last dimensions.

    Raises Undefined if one of them is out of bounds, Unsupported if there are too few dimensions.
    """
    leading = len(indices) - len(shape)
    if leading < 0:
        raise Unsupported(
            op, f"a vector of rank {len(shape)} in memory of rank {len(indices)} is not executed"
        )
    sizes = (*(1,) * leading, *shape)
    for dimension, (first, count, size) in enumerate(zip(indices, sizes, view.sizes, strict=True)):
        if count and not (first >= 0 and first + count <= size):
            text = f"elements {first} to {first + count - 1} of dimension {dimension} of size {size}"
            raise Undefined(op, Defect.BOUNDS, text)
    at = view.offset + sum(i * s for i, s in zip(indices, view.strides, strict=True))
    return MemoryView(view.allocation, at, tuple(shape), view.strides[leading:])


def load_vector(
    op: Operation, machine: Machine, view: MemoryView, indices: Sequence[int], shape: Sequence[int]
) -> Tensor:
    """The vector of SHAPE that begins at INDICES."""
    return part_of(op, view, indices, shape).read(op, machine.watch)


def store_vector(
    op: Operation, machine: Machine, value: Tensor, view: MemoryView, indices: Sequence[int]
) -> None:
    """Write a vector that begins at INDICES."""
    part_of(op, view, indices, value.shape).write(op, value, machine.watch)
