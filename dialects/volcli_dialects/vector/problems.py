"""What is wrong with operations of vector that rearrange elements, in the words of mlir-opt 22."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntegerAttr, VectorType
from xdsl.ir import Attribute

from volcli_dialects.vector.reductions import ConstantMaskOp
from volcli_dialects.vector.shapes import (
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    InterleaveOp,
    ShapeCastOp,
    TransposeOp,
)
from volcli_dialects.verification.problems import element_of, messages, must, width_of

Vector = VectorType[Attribute]


def as_vector(kind: Attribute) -> Vector | None:
    """KIND if it is a vector."""
    return cast("Vector", kind) if isinstance(kind, VectorType) else None


def scalable(kind: Vector) -> list[bool]:
    """Per dimension, whether its size is multiplied by vscale."""
    return [bool(flag.value.data) for flag in kind.scalable_dims]


@messages(vector.BroadcastOp)
def broadcast_problems(op: vector.BroadcastOp) -> Iterator[str | None]:
    """Sizes are equal from the right, or 1 in the source."""
    source, dest = op.source.type, op.vector.type
    if element_of(source) != dest.element_type:
        yield "failed to verify that source operand and result have same element type"
    kind = as_vector(source)
    if kind is None:
        return
    before, after = list(_dimensions(kind)), list(_dimensions(dest))
    lead = len(after) - len(before)
    if lead < 0:
        yield "source rank higher than destination rank"
        return
    for old, new in zip(before, after[lead:], strict=True):
        is_one = old == (1, False)
        if old != new and not is_one:
            yield f"dimension mismatch ({_size(*old)} vs. {_size(*new)})"


def _dimensions(kind: Vector) -> Iterator[tuple[int, bool]]:
    """Each size, and whether it is scalable."""
    return zip(kind.get_shape(), scalable(kind), strict=True)


def _size(number: int, is_scalable: bool) -> str:
    return f"[{number}]" if is_scalable else str(number)


@messages(vector.ExtractOp)
def extract_problems(op: vector.ExtractOp) -> Iterator[str | None]:
    """A position inside, and the type of what is there."""
    whole, positions = cast("Vector", op.vector.type), op.static_position.get_values()
    rank, result = whole.get_num_dims(), op.result.type
    if len(positions) > rank:
        yield "expected position attribute of rank no greater than vector rank"
        return
    yield from _position_messages(whole, positions, "vector dimension or poison (-1)")
    if len(positions) == rank:
        one = VectorType(whole.element_type, [1])
        inferred = whole.element_type if result != one else one
    else:
        rest = whole.scalable_dims.data[len(positions) :]
        inferred = VectorType(whole.element_type, whole.get_shape()[len(positions) :], ArrayAttr(rest))
    if result != inferred:
        yield (f"inferred type(s) '{inferred}' are incompatible with return type(s) of operation '{result}'")


def _position_messages(whole: Vector, positions: Sequence[int], what: str) -> Iterator[str]:
    """Each of POSITIONS is static and inside, -1 (no element), or an operand."""
    for index, (position, size) in enumerate(zip(positions, whole.get_shape(), strict=False)):
        if position not in (-1, DYNAMIC_INDEX) and not 0 <= position < size:
            yield (
                f"expected position attribute #{index + 1} to be a non-negative integer smaller than the "
                f"corresponding {what}"
            )


@messages(vector.InsertOp)
def insert_problems(op: vector.InsertOp) -> Iterator[str | None]:
    """As many positions as dimensions that the inserted part lacks."""
    whole, positions = cast("Vector", op.dest.type), op.static_position.get_values()
    part, rank = as_vector(op.source.type), whole.get_num_dims()
    if len(positions) > rank:
        yield "expected position attribute of rank no greater than dest vector rank"
    elif part is not None and part.get_num_dims() + len(positions) != rank:
        yield "expected position attribute rank + source rank to match dest vector rank"
    elif part is None and len(positions) != rank:
        yield "expected position attribute rank to match the dest vector rank"
    yield from _position_messages(whole, positions, "dest vector dimension")


@messages(TransposeOp)
def transpose_problems(op: TransposeOp) -> Iterator[str | None]:
    """Each dimension is taken once, with its size."""
    before, after = cast("Vector", op.vector.type), op.result.type
    order = op.permutation.get_values()
    rank = before.get_num_dims()
    if before.element_type != after.element_type:
        yield "failed to verify that operand and result have same element type"
    if after.get_num_dims() != rank:
        yield f"vector result rank mismatch: {after.get_num_dims()}"
    elif len(order) != rank:
        yield f"transposition length mismatch: {len(order)}"
    else:
        for index, (dim, size) in enumerate(zip(order, after.get_shape(), strict=True)):
            if not 0 <= dim < rank:
                yield f"transposition index out of range: {dim}"
                return
            if dim in order[:index]:
                yield f"duplicate position index: {dim}"
            if before.get_shape()[dim] != size:
                yield f"dimension size mismatch at: {dim}"


@messages(ShapeCastOp)
def shape_cast_problems(op: ShapeCastOp) -> Iterator[str | None]:
    """The same elements, in number and type."""
    before, after = cast("Vector", op.source.type), op.result.type
    if before.element_type != after.element_type:
        yield "has different source and result element types"
    left, right = prod(before.get_shape()), prod(after.get_shape())
    if left != right:
        yield f"has different number of elements at source ({left}) and result ({right})"
    left, right = sum(scalable(before)), sum(scalable(after))
    if left != right:
        yield f"has different number of scalable dims at source ({left}) and result ({right})"


@messages(vector.BitcastOp)
def bitcast_problems(op: vector.BitcastOp) -> Iterator[str | None]:
    """The same sizes but the last, whose elements have as many bits."""
    before, after = cast("Vector", op.source.type), cast("Vector", op.result.type)
    left, right = before.get_shape(), after.get_shape()
    if len(left) != len(right):
        yield "failed to verify that all of {source, result} have same rank"
        return
    for dim, (old, new) in enumerate(zip(left[:-1], right[:-1], strict=True)):
        if old != new:
            yield f"dimension size mismatch at: {dim}"
    widths = width_of(before.element_type), width_of(after.element_type)
    if left and None not in widths and left[-1] * (widths[0] or 0) != right[-1] * (widths[1] or 0):
        yield "source/result bitwidth of the minor 1-D vectors must be equal"


@messages(vector.ShuffleOp)
def shuffle_problems(op: vector.ShuffleOp) -> Iterator[str | None]:
    """Each index names an element of one of the two, or none (-1)."""
    shapes = [cast("Vector", operand.type).get_shape() for operand in (op.v1, op.v2)]
    count = sum(shape[0] if shape else 1 for shape in shapes)
    yield from (
        f"mask index #{index + 1} out of range"
        for index, number in enumerate(op.mask.get_values())
        if not -1 <= number < count
    )


@messages(InterleaveOp)
def interleave_problems(op: InterleaveOp) -> Iterator[str | None]:
    """The last dimension twice as long."""
    before, after = cast("Vector", op.lhs.type), op.result.type
    if not before.get_shape():
        return
    *outer, last = before.get_shape()
    if after != VectorType(before.element_type, [*outer, 2 * last], before.scalable_dims):
        yield "failed to verify that type of 'result' is double the width of the inputs"


must(
    vector.CreateMaskOp,
    lambda op: cast("Vector", op.mask_vector.type).get_num_dims() in (0, len(op.mask_dim_sizes)),
    "must specify an operand for each result vector dimension",
)


@messages(ConstantMaskOp)
def constant_mask_problems(op: ConstantMaskOp) -> Iterator[str | None]:
    """A number for each dimension, no larger than its size."""
    shape, numbers = op.result.type.get_shape(), op.mask_dim_sizes.get_values()
    if not shape:
        return
    if len(numbers) != len(shape):
        yield "must specify array attr of size equal vector result rank"
    if not all(0 <= number <= size for number, size in zip(numbers, shape, strict=True)):
        yield "array attr of size out of bounds of vector result dimension size"


# Slices


def _numbers(array: ArrayAttr[Attribute]) -> list[int]:
    return [number.value.data for number in array if isinstance(number, IntegerAttr)]


def _confined(numbers: Sequence[int], low: int, ends: Sequence[int], what: str) -> Iterator[str]:
    """Each of NUMBERS lies from LOW to below the one of ENDS."""
    for dim, (number, end) in enumerate(zip(numbers, ends, strict=False)):
        if not low <= number < end:
            yield f"expected {what} dimension {dim} to be confined to [{low}, {end})"


@messages(ExtractStridedSliceOp)
def extract_strided_slice_problems(op: ExtractStridedSliceOp) -> Iterator[str | None]:
    """The first dimensions are cut, the others are whole."""
    whole = cast("Vector", op.vector.type)
    shape, flags = whole.get_shape(), scalable(whole)
    offsets, sizes, strides = map(_numbers, (op.offsets, op.sizes, op.strides))
    if not len(offsets) == len(sizes) == len(strides):
        yield "expected offsets, sizes and strides attributes of same size"
        return
    if len(offsets) > len(shape):
        yield "expected offsets attribute of rank no greater than vector rank"
        return
    ends = [size + 1 for size in shape]
    yield from _confined(offsets, 0, shape, "offsets")
    yield from _confined(sizes, 1, ends, "sizes")
    if any(stride != 1 for stride in strides):
        yield "expected strides to be confined to [1, 2)"
    sums = [offset + size for offset, size in zip(offsets, sizes, strict=True)]
    yield from _confined(sums, 1, ends, "sum(offsets, sizes)")
    expected = VectorType(whole.element_type, [*sizes, *shape[len(sizes) :]], whole.scalable_dims)
    if not any(flags) and op.result.type != expected:
        yield f"expected result type to be '{expected}'"


@messages(InsertStridedSliceOp)
def insert_strided_slice_problems(op: InsertStridedSliceOp) -> Iterator[str | None]:
    """The part lies in the last dimensions of the whole."""
    part, whole = cast("Vector", op.value_to_store.type).get_shape(), cast("Vector", op.dest.type).get_shape()
    offsets, strides = _numbers(op.offsets), _numbers(op.strides)
    if len(offsets) != len(whole):
        yield "expected offsets of same size as destination vector rank"
    elif len(strides) != len(part):
        yield "expected strides of same size as source vector rank"
    elif len(part) > len(whole):
        yield "expected source rank to be no greater than destination rank"
    else:
        yield from _confined(offsets, 0, whole, "offsets")
        if any(stride != 1 for stride in strides):
            yield "expected strides to be confined to [1, 2)"
        reach = [1] * (len(whole) - len(part)) + list(part)
        sums = [offset + size for offset, size in zip(offsets, reach, strict=True)]
        ends = [size + 1 for size in whole]
        yield from _confined(sums, 1, ends, "sum(offsets, source vector shape)")
