"""Elements with tags, and tensors of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

Index = tuple[int, ...]
Tag = tuple[str, Index]
"""An element of an argument, or of a constant of several numbers: of those it is not asked which they are."""


class Cell(NamedTuple):
    """A number, and the elements that it may depend on: without any it is known before the run."""

    number: int
    tags: frozenset[Tag] = frozenset()


TYPES: Mapping[str, str] = {
    "f": "f32", "i": "i32", "b": "i1", "q": "!quant.uniform<i8:f32, 1.0:3>"
}  # fmt: skip
ZERO_POINT = 3
"""The stored number that is 0 in a quantised tensor; the numbers here are those that are meant."""


@dataclass(frozen=True)
class Tensor:
    """Elements of a KIND: f, i, b or q, as in TYPES. Floats are whole numbers, and small ones."""

    kind: str
    shape: tuple[int, ...]
    cells: Mapping[Index, Cell]

    @property
    def type(self) -> str:
        """`tensor<2x3xf32>`."""
        return type_of(self.kind, self.shape)


def type_of(kind: str, shape: Sequence[int]) -> str:
    """`tensor<2x3xf32>`."""
    return f"tensor<{''.join(f'{n}x' for n in shape)}{TYPES[kind]}>"


def indices(shape: Sequence[int]) -> list[Index]:
    """All indices, row by row."""
    return list(product(*map(range, shape)))


def made(kind: str, shape: Sequence[int], of: Callable[[Index], Cell]) -> Tensor:
    """The tensor whose element at each index is that OF it."""
    return Tensor(kind, tuple(shape), {index: of(index) for index in indices(shape)})


def computed(kind: str, function: Callable[..., int], *cells: Cell) -> Cell:
    """FUNCTION of the numbers; integers wrap around, and truths are 0 or 1."""
    number = function(*(cell.number for cell in cells))
    if kind == "i":
        number = (number + 2**31) % 2**32 - 2**31
    return Cell(number, frozenset[Tag]().union(*(cell.tags for cell in cells)))


def selected(truth: Cell, yes: Cell, no: Cell) -> Cell:
    """YES or NO; a TRUTH that is known says which of them is read."""
    chosen = yes if truth.number else no
    if not truth.tags:
        return chosen
    return Cell(chosen.number, truth.tags | yes.tags | no.tags)


def parallel(rank: int) -> str:
    """The iterator types of RANK loops in any order."""
    return ", ".join(['"parallel"'] * rank)
