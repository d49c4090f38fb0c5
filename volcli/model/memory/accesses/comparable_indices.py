"""Indices of several accesses, by digits: two are equal if and only if the accesses go to one element.

A column is one dimension, or the number of which several dimensions are digits: of [i, j] with 0 <= j < b,
i * b + j.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from volcli.language.expressions import (
    Expression,
    Index,
    loop,
    loops,
)
from volcli.model.memory.accesses.linear_indices import digit_texts
from volcli.symbolic.mixed_radix import MixedRadix


@dataclass(frozen=True)
class IndexColumn:
    """The digits of one dimension in each of several indices: a linear index is COMMON + their number.

    Or the number of which several dimensions are digits (`linear_indices`).
    """

    digits: tuple[tuple[Index, ...], ...]
    radix: MixedRadix | None = None
    common: Expression | None = None
    sizes: tuple[Expression, ...] = ()
    """Of dimensions that are digits of one number, which stands in their place: of all but the first."""

    @property
    def joined(self) -> int:
        """How many dimensions it stands for."""
        return len(self.sizes) + 1

    @property
    def width(self) -> int:
        return len(self.digits[0])

    @property
    def is_other(self) -> bool:
        """Whether it is something else than the dimension itself."""
        return self.radix is not None or self.joined > 1

    def index(self, digits: Sequence[Expression]) -> Expression:
        """The index with these DIGITS, of one dimension."""
        if self.radix is None or self.common is None:
            return digits[0]
        return self.common + self.radix.number(digits)


@dataclass(frozen=True)
class ComparableIndices:
    """Indices of several accesses that are equal if and only if the accesses go to one element."""

    columns: tuple[IndexColumn, ...]

    def of(self, position: int) -> tuple[Index, ...]:
        """Those of the access at POSITION."""
        return tuple(each for column in self.columns for each in column.digits[position])

    @property
    def width(self) -> int:
        """How many digits an element has."""
        return sum(column.width for column in self.columns)

    @property
    def sizes(self) -> tuple[Expression, ...]:
        """What dimensions that were joined are divided by: with the number, it determines the element."""
        return tuple(size for column in self.columns for size in column.sizes)

    def element(self, digits: Sequence[Expression], own: Sequence[Index]) -> tuple[Expression, ...]:
        """The index of the element that has these DIGITS, over sizes and what indices have in common.

        What was joined is the OWN index of an access to it.
        """
        found: list[Expression] = []
        start = 0
        for column in self.columns:
            if column.joined > 1:
                dimensions = own[len(found) : len(found) + column.joined]
                found += [each for each in dimensions if isinstance(each, Expression)]
            else:
                found.append(column.index(digits[start : start + column.width]))
            start += column.width
        return tuple(found)


def texts_of(indices: ComparableIndices, text: Callable[[Expression], str]) -> list[str]:
    """The index of an element with the digits d0, d1, ... in each dimension, as TEXT writes expressions."""
    found: list[str] = []
    start = 0
    for column in indices.columns:
        if column.sizes:
            found += digit_texts(text(loop(start)), [text(size) for size in column.sizes])
        else:
            found.append(text(column.index(loops(start + column.width)[start:])))
        start += column.width
    return found
