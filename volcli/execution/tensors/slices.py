"""Slices of tensors: extracted, and inserted."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, ShapedType
from xdsl.ir import Attribute, Operation

from volcli.execution.demand.rules import replaced
from volcli.execution.elements.operands import mixed
from volcli.execution.memory.views import slice_in_bounds
from volcli.execution.numbers.values import Array, Tensor
from volcli.execution.outcomes import Defect, Undefined


class NamedSlice:
    """The slice that OP names by offsets, sizes and strides; its type `kind` may have fewer dimensions."""

    def __init__(self, op: Operation, static: Sequence[Attribute], kind: Attribute) -> None:
        self._op = op
        whats = ("an offset", "a size", "a stride")
        self._lists = [mixed(op, each, what) for each, what in zip(static, whats, strict=True)]
        sizes = [int(size) for size in cast("DenseArrayBase[Any]", static[1]).get_values()]
        shape = kind.get_shape() if isinstance(kind, ShapedType) else ()
        self._kept = kept_dimensions(sizes, shape)

    def of(
        self, shape: Sequence[int], dynamic: Sequence[Sequence[Any]]
    ) -> tuple[tuple[slice, ...], list[int]]:
        """Where it is in a tensor of SHAPE, for numpy, and its sizes. Raises Undefined outside of it."""
        offsets, sizes, strides = (each(d) for each, d in zip(self._lists, dynamic, strict=True))
        slice_in_bounds(self._op, shape, offsets, sizes, strides)
        found = [
            _python_slice(offset, size, stride)
            for offset, size, stride in zip(offsets, sizes, strides, strict=True)
        ]
        return tuple(found), sizes

    def reduced(self, data: Array) -> Array:
        """DATA without the dimensions of size 1 that the slice's type leaves out."""
        return data.reshape([data.shape[d] for d in self._kept])

    def sizes_of(self, sizes: Sequence[int]) -> list[int]:
        """Of the SIZES of the slice those that its type has."""
        return [sizes[d] for d in self._kept]


def _python_slice(offset: int, size: int, stride: int) -> slice:
    if stride == 0 and size > 1:
        raise Undefined(None, Defect.CONTRACT, "a slice of stride 0")
    if size == 0:
        return slice(0, 0)
    end = offset + (size - 1) * stride + (1 if stride >= 0 else -1)
    return slice(offset, None if end < 0 else end, stride or 1)


def kept_dimensions(sizes: Sequence[int], result: Sequence[int]) -> list[int]:
    """The dimensions of a slice of SIZES that its RESULT has: others, of size 1, are left out.

    >>> kept_dimensions([1, 4, 1, 8], [4, 8]), kept_dimensions([1, 1, 4], [1, 4])
    ([1, 3], [0, 2])
    """
    kept: list[int] = []
    for dimension, size in enumerate(sizes):
        if len(kept) < len(result) and size == result[len(kept)]:
            kept.append(dimension)
    return kept


def inserted(
    op: Operation, part: NamedSlice, source: Tensor, target: Tensor, dynamic: Sequence[Sequence[Any]]
) -> Tensor:
    """TARGET with SOURCE in the place of a slice. Raises Undefined if that does not fit."""
    at, sizes = fitting(op, part, source, target, dynamic)
    return replaced(target, at, source.rearranged(lambda data: data.reshape(sizes)))


def fitting(
    op: Operation, part: NamedSlice, source: Tensor, target: Tensor, dynamic: Sequence[Sequence[Any]]
) -> tuple[tuple[slice, ...], list[int]]:
    """Where SOURCE is inserted into TARGET, and the sizes. Raises Undefined if it does not fit."""
    at, sizes = part.of(target.shape, dynamic)
    if list(source.shape) != part.sizes_of(sizes):
        text = f"a tensor of {list(source.shape)} is inserted as a slice of {sizes}"
        raise Undefined(op, Defect.CONTRACT, text)
    return at, sizes
