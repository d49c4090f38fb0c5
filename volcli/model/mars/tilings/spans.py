"""Linear algebra over the rationals: spans of columns, and parts of vectors along them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint


def part_along(
    directions: Sequence[flint.fmpq_mat], direction: flint.fmpq_mat, difference: Sequence[int]
) -> list[Fraction] | None:
    """The part of DIFFERENCE along DIRECTION, beside those along the others; None if it has none."""
    basis: list[list[Fraction]] = []
    own: list[bool] = []
    for each in directions:
        for column in _independent(each):
            basis.append(column)
            own.append(each is direction)
    if not basis:
        return None if any(difference) else [Fraction(0)] * len(difference)
    solved = _solve(basis, [Fraction(d) for d in difference])
    if solved is None:
        return None
    return [
        sum(
            (c * column[row] for c, column, mine in zip(solved, basis, own, strict=True) if mine), Fraction(0)
        )
        for row in range(len(difference))
    ]


def _independent(matrix: flint.fmpq_mat) -> list[list[Fraction]]:
    """Columns that are a basis of the image."""
    reduced, rank = matrix.rref()
    pivots: list[int] = []
    for row in range(rank):
        pivots.append(next(c for c in range(matrix.ncols()) if reduced[row, c] != 0))
    return [[fraction(matrix[row, c]) for row in range(matrix.nrows())] for c in pivots]


def _solve(basis: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> list[Fraction] | None:
    """The coefficients of TARGET over the independent BASIS; None if it is not in their span."""
    rows = [[*(column[r] for column in basis), target[r]] for r in range(len(target))]
    table = flint.fmpq_mat([[flint.fmpq(x.numerator, x.denominator) for x in row] for row in rows])
    reduced, rank = table.rref()
    if any(all(reduced[r, c] == 0 for c in range(len(basis))) for r in range(rank)):
        return None
    return [fraction(reduced[r, len(basis)]) for r in range(len(basis))]


def columns(matrix: flint.fmpq_mat, chosen: Sequence[int]) -> flint.fmpq_mat:
    """The CHOSEN columns of MATRIX."""
    return flint.fmpq_mat([[matrix[row, j] for j in chosen] for row in range(matrix.nrows())])


def side_by_side(matrices: Sequence[flint.fmpq_mat]) -> flint.fmpq_mat:
    """One matrix with all columns of MATRICES."""
    rows = range(matrices[0].nrows())
    return flint.fmpq_mat([[m[row, c] for m in matrices for c in range(m.ncols())] for row in rows])


def fraction(value: flint.fmpq) -> Fraction:
    """VALUE as Python has it."""
    return Fraction(int(value.p), int(value.q))
