"""Sizes of shaped values as index expressions: from lists of numbers and operands, and from types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, ShapedType
from xdsl.ir import Attribute, SSAValue

from volcli.language.expressions import Expression, NotAffine, constant, dim_of, value_of
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
