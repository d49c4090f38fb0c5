"""Affine expressions over loops, and boxes of points."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Index = tuple[int, ...]


def box(extents: Sequence[int]) -> Iterator[Index]:
    """All points 0 <= p < EXTENTS in lexicographic order; of the empty sequence, the single point ().

    >>> list(box((1, 2)))
    [(0, 0), (0, 1)]
    """
    return itertools.product(*(range(extent) for extent in extents))


@dataclass(frozen=True)
class Affine:
    """The expression sum(coefficients[l] * loop[l]) + constant.

    >>> Affine((2, 1), -1).at((3, 4))
    9
    """

    coefficients: tuple[int, ...]
    constant: int = 0

    def at(self, point: Index) -> int:
        """The value at the loop POINT."""
        return self.constant + sum(c * p for c, p in zip(self.coefficients, point, strict=True))

    def loops(self, extents: Sequence[int]) -> tuple[int, ...]:
        """The loops that occur; those of extent 1 count as absent (they only ever are 0)."""
        return tuple(loop for loop, c in enumerate(self.coefficients) if c != 0 and extents[loop] > 1)

    def range_over(self, extents: Sequence[int]) -> tuple[int, int]:
        """The least and the greatest value over the box of EXTENTS."""
        ends = [(c * (n - 1)) for c, n in zip(self.coefficients, extents, strict=True)]
        return self.constant + sum(min(e, 0) for e in ends), self.constant + sum(max(e, 0) for e in ends)

    def bare(self) -> int | None:
        """The loop l if the expression is just l, else None."""
        used = [loop for loop, c in enumerate(self.coefficients) if c != 0]
        if self.constant == 0 and len(used) == 1 and self.coefficients[used[0]] == 1:
            return used[0]
        return None

    def text(self, names: Sequence[str] | None = None) -> str:
        """MLIR's notation, with the loops called d0, d1, ... unless NAMES are given."""
        called = names or [f"d{loop}" for loop in range(len(self.coefficients))]
        terms = [
            name if c == 1 else f"{name} * {c}"
            for name, c in zip(called, self.coefficients, strict=True)
            if c != 0
        ]
        if self.constant or not terms:
            terms.append(str(self.constant))
        return " + ".join(terms)


def at(expressions: Sequence[Affine], point: Index) -> Index:
    """The index that the EXPRESSIONS name at the loop POINT."""
    return tuple(expression.at(point) for expression in expressions)


def loop(number: int, of: int) -> Affine:
    """The expression that is loop NUMBER of OF loops."""
    return Affine(tuple(int(other == number) for other in range(of)))


def fixed(value: int, of: int) -> Affine:
    """The expression that is VALUE at every point of OF loops."""
    return Affine((0,) * of, value)


def identity(rank: int) -> tuple[Affine, ...]:
    """(d0, ..., d{rank-1}) -> (d0, ..., d{rank-1})."""
    return tuple(loop(number, rank) for number in range(rank))


def map_text(loops: int, expressions: Sequence[Affine]) -> str:
    """An affine_map attribute in MLIR's notation."""
    dims = ", ".join(f"d{number}" for number in range(loops))
    return f"affine_map<({dims}) -> ({', '.join(e.text() for e in expressions)})>"
