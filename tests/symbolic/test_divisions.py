"""Inequalities divided by positive symbols: what they give is true at each integer point, by enumeration."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from math import prod

import pytest

from volcli.language.expressions import Expression, parameter
from volcli.symbolic.context import Context
from volcli.symbolic.divisions import divided
from volcli.symbolic.rows import ProductRow, row_of

b, c, i, j, k, n, q, t = (parameter(name) for name in "bcijknqt")
TILES = Context([b - 1, k, i - b * k, b * k - i, q, n - b * q, b * q - n, n - 1 - i])
"""i = b * k and n = b * q, the tiles of a loop whose length is a multiple of their size."""


@pytest.mark.parametrize(
    ("known", "goal"),
    [
        (TILES, n - i - b),
        (TILES, q - k - 1),
        (TILES.assuming(j - b * t, b * t - j, b * k + b - 1 - j), i - j),
        (TILES.assuming(c - 1, j - b * t, b * t - j, b * c - 1 - j), b * c - b - j),
        (Context([b - 1, i - b * q, b * q + b - 1 - i, i - b * k, b * k - i]), b * q - i),
    ],
    ids=[
        "the last tile is whole",
        "tiles are counted",
        "triangles of tiles",
        "tiles of tiles",
        "a remainder is 0",
    ],
)
def test_what_division_proves(known: Context, goal: Expression) -> None:
    assert known.proves(goal)
    assert not known.proves(goal - 1)


def test_a_projection_needs_what_division_makes_redundant() -> None:
    assert TILES.proves(n - i - b)
    assert not TILES.implies(n - i - b)


@pytest.mark.parametrize("seed", range(20))
def test_integer_points_stay(seed: int) -> None:
    """Of random rows over three symbols, the first of them positive, and a symbol that an equality defines."""
    chance = random.Random(seed)
    rows = [row_of({(0,): 1, (): -1}), *_defining(), *(_drawn(chance) for _ in range(3))]
    new = divided(rows)
    points = 0
    for values in product(range(-4, 5), repeat=3):
        point = dict(enumerate(values))
        point[3] = point[0] * point[1] + point[2]
        if all(_value(row, point) >= 0 for row in rows):
            points += 1
            assert all(_value(row, point) >= 0 for row in new)
    assert points


def _defining() -> list[ProductRow]:
    """Symbol 3 is the product of the first two, and the third one."""
    terms = {(3,): 1, (0, 1): -1, (2,): -1}
    return [row_of(terms), row_of({monomial: -c for monomial, c in terms.items()})]


def _drawn(chance: random.Random) -> ProductRow:
    monomials = [(0, 1), (0, 2), (1,), (2,), (0,), (3,)]
    terms = {each: chance.randint(-2, 2) for each in chance.sample(monomials, 3)}
    return row_of({**terms, (): chance.randint(0, 9)})


def _value(row: ProductRow, point: Mapping[int, int]) -> int:
    return sum(c * prod(point[x] for x in monomial) for monomial, c in row.terms)
