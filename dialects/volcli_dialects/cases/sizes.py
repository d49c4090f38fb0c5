"""Sizes of shaped values as index expressions: from lists of numbers and operands, and from types.

With them, slices by offsets, sizes and strides, and reshapes: each collapsed dimension is a group of expanded
ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Protocol, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, ShapedType
from xdsl.ir import Attribute, Operation, SSAValue

from volcli.language.expressions import Expression, NotAffine, constant, dim_of, value_of
from volcli.language.questions import SizeFact, StridedSlice, result_sizes, size_facts
from volcli.language.reads import rank_of


def mixed(static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]) -> list[Expression]:
    """A list of integers and SSA values as index expressions: `[0, %n, 4]`."""
    return filled_in(static.get_values(), dynamic)


def filled_in(numbers: Sequence[int], dynamic: Sequence[SSAValue]) -> list[Expression]:
    """NUMBERS with the values DYNAMIC for the markers in it; raises NotAffine if there are too few."""
    if list(numbers).count(DYNAMIC_INDEX) > len(dynamic):
        raise NotAffine("a size without an operand")
    values: Iterator[SSAValue] = iter(dynamic)
    return [value_of(next(values)) if n == DYNAMIC_INDEX else constant(n) for n in numbers]


def dims(value: SSAValue) -> list[Expression]:
    """The sizes of VALUE's dimensions."""
    return [dim_of(value, i) for i in range(rank_of(value))]


def shape(kind: Attribute, dynamic: Sequence[SSAValue]) -> list[Expression]:
    """The sizes that a type declares, its `?` taken from DYNAMIC in order."""
    assert isinstance(kind, ShapedType)
    return filled_in(kind.get_shape(), dynamic)


def like(source: SSAValue, result: SSAValue) -> list[Expression | None]:
    """The sizes of SOURCE for RESULT; nothing is known of one if the other has another rank, or none."""
    return [*dims(source)] if rank_of(source) == rank_of(result) else [None] * rank_of(result)


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


class OffsetSizeAndStride(Protocol):
    """An operation with MLIR's OffsetSizeAndStrideOpInterface."""

    @property
    def offsets(self) -> Sequence[SSAValue]: ...
    @property
    def sizes(self) -> Sequence[SSAValue]: ...
    @property
    def strides(self) -> Sequence[SSAValue]: ...
    @property
    def static_offsets(self) -> DenseArrayBase[IntegerType]: ...
    @property
    def static_sizes(self) -> DenseArrayBase[IntegerType]: ...
    @property
    def static_strides(self) -> DenseArrayBase[IntegerType]: ...


def strided_slice(op: OffsetSizeAndStride, source: SSAValue, updated: SSAValue | None = None) -> StridedSlice:
    """The slice of SOURCE that the offsets, sizes and strides of OP give."""
    return StridedSlice(
        source,
        tuple(mixed(op.static_offsets, op.offsets)),
        tuple(mixed(op.static_sizes, op.sizes)),
        tuple(mixed(op.static_strides, op.strides)),
        updated,
    )


def groups(op: Operation) -> list[list[int]]:
    """The reassociation: per collapsed dimension the expanded ones, outermost first."""
    return [[i.value.data for i in group.data] for group in cast(Any, op).reassociation.data]


def output_sizes(op: Operation) -> list[Expression]:
    """The sizes of what OP expands to: numbers, and the operands after the first one."""
    return mixed(cast(Any, op).static_output_shape, op.operands[1:])


def register_reshapes(expand: type[Operation], collapse: type[Operation]) -> None:
    """A collapsed size is the product of its group's sizes, before EXPAND and after COLLAPSE."""

    @size_facts.case(expand)
    def facts(op: Operation) -> list[SizeFact]:
        source, sizes = op.operands[0], output_sizes(op)
        return [
            SizeFact(dim_of(source, g), _product(sizes, group), f"dimension {g} of the source")
            for g, group in enumerate(groups(op))
        ]

    result_sizes.case(expand)(lambda op: [output_sizes(op)])
    result_sizes.case(collapse)(lambda op: [[_product(dims(op.operands[0]), group) for group in groups(op)]])


def _product(sizes: Sequence[Expression], group: Sequence[int]) -> Expression:
    return prod((sizes[i] for i in group), start=constant(1))
