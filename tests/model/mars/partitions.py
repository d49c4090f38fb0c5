"""Random tilings and dependences."""

from __future__ import annotations

import random

from volcli.model.mars.tilings.tiling import HyperplaneTiling, NotATiling


def drawn_tiling(chance: random.Random, rank: int) -> HyperplaneTiling:
    """Linearly independent hyperplanes with small coefficients, and small sizes."""
    names = "ijk"[:rank]
    while True:
        rows = [[chance.choice((0, 1, 1, -1, 2)) for _ in names] for _ in names]
        planes = [
            "+".join(f"{f}*{n}" for n, f in zip(names, row, strict=True) if f).replace("+-", "-")
            for row in rows
        ]
        if any(not plane for plane in planes):
            continue
        text = ", ".join(f"{plane}: {chance.randint(1, 5)}" for plane in planes)
        try:
            found = HyperplaneTiling.parse(text)
        except NotATiling:
            continue
        if len(found.iterators) == rank and abs(int(found.matrix.det())) <= 4:
            return found


def drawn_matrix(chance: random.Random, rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(chance.choice((0, 1, 1, -1, 2)) for _ in range(columns)) for _ in range(rows))


def drawn_offset(chance: random.Random, rank: int) -> tuple[int, ...]:
    return tuple(chance.randint(-2, 2) for _ in range(rank))
