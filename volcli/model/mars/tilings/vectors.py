"""Integer vectors and affine functions between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import islpy as isl

from volcli.model.mars.tilings.tiling import linear
from volcli.presburger.sets import build

Offset = tuple[int, ...]
"""A vector: of iterations, or from a tile to another one, how many tiles further along each hyperplane."""
Matrix = tuple[Offset, ...]
"""The linear part of a dependence, by rows."""


def unit(rank: int) -> tuple[Offset, ...]:
    """The rows of the identity.

    >>> unit(2)
    ((1, 0), (0, 1))
    """
    return tuple(tuple(int(row == column) for column in range(rank)) for row in range(rank))


def tuple_text(vector: Iterable[object]) -> str:
    """`(1, 0)`, and `(1)`."""
    return f"({', '.join(map(str, vector))})"


def affine_map(matrix: Sequence[Sequence[int]], offset: Sequence[int]) -> isl.Map:
    """`{ x -> MATRIX·x + OFFSET }`.

    >>> affine_map([[1, 0], [1, -2]], [0, 3])
    Map("{ [i0, i1] -> [i0, 3 + i0 - 2i1] }")
    """
    index = tuple(linear(row) + number for row, number in zip(matrix, offset, strict=True))
    return build.relation(len(matrix[0]) if matrix else 0, index)


def to_elements(relation: isl.Map) -> isl.Map:
    """RELATION to indices of an array; the only element of one without dimensions is [0].

    >>> to_elements(isl.Map("{ [i] -> [] }"))
    Map("{ [i] -> [0] }")
    """
    return relation if relation.dim(build.DIM.out) else relation.apply_range(isl.Map("{ [] -> [0] }"))
