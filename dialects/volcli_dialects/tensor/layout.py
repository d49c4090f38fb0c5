"""What the attributes of tensor operations say, as index expressions: slices, shapes, reassociations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, TensorType
from xdsl.dialects.tensor import CollapseShapeOp, ExpandShapeOp, ExtractSliceOp, InsertSliceOp
from xdsl.ir import Attribute, SSAValue

from volcli.expressions import Expression, NotAffine, constant, dim_of, value_of
from volcli.model.volume import Slice
from volcli.reads import rank_of


def mixed(static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]) -> list[Expression]:
    """A list of integers and SSA values as index expressions: `[0, %n, 4]`."""
    values: Iterator[SSAValue] = iter(dynamic)
    return [
        value_of(next(values)) if number == DYNAMIC_INDEX else constant(number)
        for number in static.get_values()
    ]


def dims(value: SSAValue) -> list[Expression]:
    """The sizes of VALUE's dimensions."""
    return [dim_of(value, i) for i in range(rank_of(value))]


def shape(kind: Attribute, dynamic: Sequence[SSAValue]) -> list[Expression]:
    """The sizes that a type declares, its `?` taken from DYNAMIC in order."""
    assert isinstance(kind, TensorType)
    values: Iterator[SSAValue] = iter(dynamic)
    return [value_of(next(values)) if s == DYNAMIC_INDEX else constant(s) for s in kind.get_shape()]


def slice_of(op: ExtractSliceOp | InsertSliceOp, reduced: Attribute) -> Slice:
    """The slice of the larger tensor that has the (possibly rank-reduced) type REDUCED."""
    assert isinstance(reduced, TensorType)
    kept = kept_dims(mixed(op.static_sizes, op.sizes), reduced.get_shape())
    return Slice(mixed(op.static_offsets, op.offsets), mixed(op.static_strides, op.strides), kept)


def kept_dims(sizes: Sequence[Expression], reduced: Sequence[int]) -> list[int]:
    """The dimensions of a slice that a rank-reduced type keeps, in order; the others have size 1.

    As MLIR does it: a dimension of static size 1 that the type cannot have is dropped, from the left.
    """
    kept: list[int] = []
    excess = len(sizes) - len(reduced)
    for dimension, size in enumerate(sizes):
        wanted = reduced[len(kept)] if len(kept) < len(reduced) else None
        declared = size.constant if size.is_constant else DYNAMIC_INDEX
        if wanted == declared or (wanted is not None and excess == 0):
            kept.append(dimension)
        elif excess > 0 and size == constant(1):
            excess -= 1
        else:
            raise NotAffine("the slice's rank reduction is ambiguous")
    if len(kept) != len(reduced):
        raise NotAffine("the slice's rank reduction is ambiguous")
    return kept


def groups(op: ExpandShapeOp | CollapseShapeOp) -> list[list[int]]:
    """The reassociation: per collapsed dimension the expanded ones, outermost first."""
    return [[i.value.data for i in group.data] for group in op.reassociation.data]


def row_major(indices: Sequence[Expression], sizes: Sequence[Expression]) -> Expression:
    """`((i0 * s1 + i1) * s2 + i2) ...`: the position in row-major order; indices of size 1 are dropped."""
    result = constant(0)
    for index, size in zip(indices, sizes, strict=True):
        result = result * size + (constant(0) if size == constant(1) else index)
    return result
