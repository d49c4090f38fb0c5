"""Linear systems are empty if no number is in them: compared with enumeration."""

from __future__ import annotations

import random
from itertools import product

from volcli.symbolic.rows import ProductRow, is_empty, row_of

SIDE = range(-3, 4)


def holds(row: ProductRow, point: tuple[int, ...]) -> bool:
    return sum(c * (point[monomial[0]] if monomial else 1) for monomial, c in row.terms) >= 0


def system(seed: int) -> list[ProductRow]:
    """Rows over three numbers from -3 to 3, some of which are multiplied by large ones."""
    chance = random.Random(seed)
    ends = [row_of({(x,): sign, (): 3}) for x in range(3) for sign in (1, -1)]
    factors = (-2, -1, 0, 1, 3, chance.choice((5, 2**40)))
    others = [
        row_of(
            {(0,): chance.choice(factors), (1,): chance.choice(factors), (2,): 1, (): chance.randint(-6, 2)}
        )
        for _ in range(4)
    ]
    return [*ends, *others]


def test_a_system_is_empty_if_no_number_is_in_it() -> None:
    found = {True: 0, False: 0}
    for seed in range(60):
        rows = system(seed)
        has_point = any(all(holds(row, point) for row in rows) for point in product(SIDE, repeat=3))
        claimed = is_empty(rows)
        assert not (claimed and has_point), seed
        are_small = all(row.is_small for row in rows)
        assert claimed or has_point or not are_small, seed  # integers are asked for of small numbers
        found[claimed] += 1
    assert min(found.values()) > 5


def test_systems_without_unknowns() -> None:
    assert not is_empty([])
    assert is_empty([row_of({(): -1})])
    assert not is_empty([row_of({(): 0})])


def thin(others: int) -> list[ProductRow]:
    """1 <= 3x - 7y <= 2 at 1 <= x <= 2: for no integer y; and a chain of OTHERS that are 2^20 times the next."""
    rows = [row_of({(0,): 1, (): -1}), row_of({(0,): -1, (): 2})]
    rows += [row_of({(0,): 3, (1,): -7, (): -1}), row_of({(0,): -3, (1,): 7, (): 2})]
    return [*rows, *(row_of({(k,): 1, (k + 1,): -(2**20)}) for k in range(1, others + 1))]


def test_integers_are_asked_for_where_a_basis_is_reduced_soon() -> None:
    assert is_empty(thin(0))
    assert is_empty(thin(4))
    assert not is_empty(thin(9))  # isl may take seconds for eleven unknowns, and counts no operation
