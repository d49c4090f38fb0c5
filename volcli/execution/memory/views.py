"""Views: other offsets, sizes and strides in the same memory, and how types restrict them."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    NoneAttr,
    ShapedType,
    StridedLayoutAttr,
    f32,
)
from xdsl.ir import Attribute, Operation

from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import AllocatedMemory, MemoryView, row_major, unset
from volcli.execution.numbers.formats import format_of, lanes_of, sizes_in_memory
from volcli.execution.outcomes import Defect, Undefined, Unsupported


def check_sizes(op: Operation | None, kind: Attribute, sizes: Sequence[int], what: str) -> None:
    """Raises Undefined if a value of the type KIND cannot have these SIZES."""
    if not isinstance(kind, ShapedType):
        return
    stated = sizes_in_memory(kind)
    if len(stated) != len(sizes) or any(
        n not in (DYNAMIC_INDEX, m) for n, m in zip(stated, sizes, strict=True)
    ):
        raise Undefined(op, Defect.CONTRACT, f"{what} of the sizes {list(sizes)} is not a {kind}")


def strides_of(kind: MemRefType[Any]) -> tuple[tuple[int | None, ...], int | None]:
    """The strides and the offset that the layout of KIND states; None: any.

    Those of memory of vectors are, as all others, counted in numbers.
    """
    if lanes := lanes_of(kind):
        strides, offset = strides_of(MemRefType(f32, kind.shape, kind.layout))
        width = math.prod(lanes)
        wide = [None if each is None else each * width for each in (*strides, offset)]
        return (*wide[:-1], *row_major(lanes)), wide[-1]
    layout = kind.layout
    if isinstance(layout, NoneAttr) or (
        isinstance(layout, AffineMapAttr) and layout.data == layout.data.identity(len(kind.get_shape()))
    ):
        shape = kind.get_shape()
        known: list[int | None] = [1] * len(shape)
        stride: int | None = 1
        for dimension in reversed(range(len(shape))):
            known[dimension] = stride
            size = shape[dimension]
            stride = None if stride is None or size == DYNAMIC_INDEX else stride * size
        return tuple(known), 0
    if isinstance(layout, StridedLayoutAttr):
        parts = [*layout.strides.data, layout.offset]
        plain = [
            each.data if hasattr(each, "data") and not isinstance(each, NoneAttr) else None
            for each in cast(Any, parts)
        ]
        return tuple(plain[:-1]), plain[-1]
    raise Unsupported(None, f"memory of the layout {layout} is not executed")


def cast_view(op: Operation, view: MemoryView, kind: Attribute) -> MemoryView:
    """VIEW as a value of the type KIND. Raises Undefined if it is none."""
    check_sizes(op, kind, view.sizes, "a memref")
    if isinstance(kind, MemRefType):
        strides, offset = strides_of(kind)
        wrong = any(
            stride is not None and size > 1 and stride != found
            for stride, found, size in zip(strides, view.strides, view.sizes, strict=True)
        )
        if wrong or (offset is not None and offset != view.offset):
            raise Undefined(op, Defect.CONTRACT, f"the layout of a memref is not that of {kind}")
    return view


def inside(op: Operation, view: MemoryView, what: str) -> MemoryView:
    """VIEW. Raises Undefined if one of its elements is not in its memory."""
    if any(size < 0 for size in view.sizes):
        raise Undefined(op, Defect.CONTRACT, f"{what} of the sizes {list(view.sizes)}")
    if view.count:
        first, last = view.span
        if first < 0 or last >= view.allocation.data.size:
            raise Undefined(
                op,
                Defect.BOUNDS,
                f"{what} has elements {first} to {last} of memory of {view.allocation.data.size}",
            )
    return view


def slice_in_bounds(
    op: Operation, shape: Sequence[int], offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> None:
    """Raises Undefined if a slice has elements outside of SHAPE, or a negative size.

    One without elements has none outside. What mlir-opt's runtime verification asks of it is a contract: in
    each dimension, the first and the last index are inside, or there is none, and the offset at most the end.
    """
    for dimension, (whole, offset, size, stride) in enumerate(
        zip(shape, offsets, sizes, strides, strict=True)
    ):
        if size < 0:
            raise Undefined(
                op, Defect.CONTRACT, f"the size {size} of dimension {dimension} of a slice is negative"
            )
        last = offset + max(size - 1, 0) * stride
        if not (0 <= offset < whole and 0 <= last < whole) if size else not 0 <= offset <= whole:
            part = f"slice [{offset}, {last}]" if size else f"offset {offset} of an empty slice"
            text = f"the {part} of dimension {dimension} is not in its size {whole}"
            raise Undefined(op, Defect.BOUNDS if all(sizes) else Defect.CONTRACT, text)


def allocate(
    op: Operation, machine: Machine, kind: MemRefType[Any], sizes: Sequence[int], *, is_heap: bool
) -> MemoryView:
    """New memory of the type KIND with these dynamic SIZES, which nothing has written."""
    if isinstance(kind.element_type, MemRefType):
        raise Unsupported(op, f"memory of {kind.element_type} is not executed")
    rest = iter(sizes)
    shape = tuple(next(rest) if size == DYNAMIC_INDEX else size for size in sizes_in_memory(kind))
    if any(size < 0 for size in shape):
        raise Undefined(op, Defect.CONTRACT, f"memory of the sizes {list(shape)}")
    strides, offset = strides_of(kind)
    found = tuple(
        row if stride is None else stride for stride, row in zip(strides, row_major(shape), strict=True)
    )
    start = offset or 0
    spans = (
        sum((size - 1) * stride for size, stride in zip(shape, found, strict=True))
        if math.prod(shape)
        else -1
    )
    count = start + spans + 1
    format = format_of(kind)
    machine.takes(op, count, format.dtype)
    allocation: AllocatedMemory = unset(op, count, format, is_heap=is_heap)
    return MemoryView(allocation, start, shape, found)
