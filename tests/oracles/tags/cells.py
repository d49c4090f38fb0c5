"""Tensors: their types, and their elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

Index = tuple[int, ...]
Tag = tuple[str, Index]
"""An element of an argument."""

TYPES: Mapping[str, str] = {
    "f": "f32", "i": "i32", "b": "i1", "q": "!quant.uniform<i8:f32, 1.0:3>"
}  # fmt: skip
"""Of each kind, the type of elements. Floats are whole numbers, and small ones."""
ZERO_POINT = 3
"""The stored number that is 0 in a quantised tensor; the numbers here are those that are meant."""


def type_of(kind: str, shape: Sequence[int]) -> str:
    """`tensor<2x3xf32>`."""
    return f"tensor<{''.join(f'{n}x' for n in shape)}{TYPES[kind]}>"


def indices(shape: Sequence[int]) -> list[Index]:
    """All indices, row by row."""
    return list(product(*map(range, shape)))


def parallel(rank: int) -> str:
    """The iterator types of RANK loops in any order."""
    return ", ".join(['"parallel"'] * rank)
