"""Inequalities that follow from a context, ones that do not, and random ones against enumeration."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import product

import pytest

from tests.shared.numbers import value
from tests.symbolic.by_z3 import holds as by_z3_holds
from volcli.language.expressions import Atom, Expression, constant, maximum, minimum, parameter
from volcli.symbolic.context import Context, Entailment, tightened

n, m, k, b, i, j, q = (parameter(name) for name in ("n", "m", "k", "b", "i", "j", "q"))

CEILING = (b - 1, b * q - n, n - 1 - b * (q - 1))
"""q = ceildiv(n, b)"""
FLOOR = (b - 1, n - b * q, b * q + b - 1 - n)
"""q = n floordiv b"""

TRUE = {
    "n * b >= n": ((n, b - 1), n * b - n),
    "n * b + b >= 1": ((n, b - 1), n * b + b - 1),
    "ceildiv(n, b) * b >= n": (CEILING, q * b - n),
    "ceildiv(n, b) * b < n + b": (CEILING, n + b - 1 - q * b),
    "floordiv(n, b) * b <= n": (FLOOR, n - q * b),
    "i * b + j >= 0": ((i, n - 1 - i, j, b - 1 - j), i * b + j),
    "i * b + j < n * b": ((i, n - 1 - i, j, b - 1 - j), n * b - 1 - i * b - j),
    "the last tile has an element": ((*CEILING, n - 1, i, q - 1 - i), minimum(b, n - i * b) - 1),
    "a tile has at most b": ((*CEILING, n - 1, i, q - 1 - i), b - minimum(b, n - i * b)),
    "three symbols": ((n - 1, m - 1, k - 1), n * m * k - n),
    "three dimensions": ((i, n - 1 - i, j, m - 1 - j, q, k - 1 - q), n * m * k - 1 - ((i * m + j) * k + q)),
    "a single tile": ((b - 1, q, b - 1 - b * q), n * n - q * n * m * k),
    "a square": ((), n * n - 2 * n * m + m * m),
    "a square of integers": ((), n * n - n),
    "different numbers": ((n - m - 1,), n * n - 2 * n * m + m * m - 1),
    "rounding": ((2 * n - 7,), n - 4),
    "a floor": ((), n - 3 * (n // 3)),
    "a remainder": ((), 2 - n % 3),
    "in vain": ((n - 3, -n), constant(-1)),
}
FALSE = {
    "n * b > n": ((n, b - 1), n * b - n - 1),
    "n * m >= n + m": ((n - 1, m - 1), n * m - n - m),
    "no order": ((n, m), n * n * m - n * m * m),
    "b may be negative": ((n,), n * b),
    "a remainder": ((), 1 - n % 3),
    "a maximum": ((), n - maximum(n, m)),
    "nothing": ((), constant(-1)),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", TRUE)
def test_what_follows_is_proved(name: str) -> None:
    facts, goal = TRUE[name]
    assert Context(facts).decide(goal).holds


def test_symbols_that_nothing_multiplies_leave_room_for_products() -> None:
    """Tiles of size b from q * b <= 1 on, and others of size a: much is known of the sizes that is not needed."""
    p, r, t, u, c, d, e, f, g = (parameter(name) for name in "prtucdefg")
    one, other = b * p + b * t, m * q + m * u
    sizes = (c - 1, n - g, 6 - g, d - e, d - 1, d - b, 2**30 - b, f - c, f - 1, f - m, 2**30 - m)
    firsts = (p, b * p, q, m * q, b - 1, m - 1, 1 - b * p, b + b * p - 2, 1 - m * q, m + m * q - 2)
    tiles = (one - m * r, m - one + m * r - 1, m * q - m * r, b * t, n - one - 1, 5 - one)
    points = (n - 2 * j - 2, 2 - j, 2 * j - b * p + 1, k, 2 - j - k)
    first, second = 2 * j + 1 - one, 2 * j + 2 * k + 1 - other
    inside = (first, b - 1 - first, second, m - 1 - second)
    assert Context((*sizes, *firsts, *tiles, *points, *inside)).proves(m * u)
    assert not Context((*sizes, *tiles, *points, *inside)).proves(m * u - 1)


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not_follow_has_a_counterexample(name: str) -> None:
    facts, goal = FALSE[name]
    found = Context(facts).decide(goal)
    assert found.holds is False
    assert_is_counterexample(found, facts, goal)


def assert_is_counterexample(found: Entailment, facts: Sequence[Expression], goal: Expression) -> None:
    """The witness of FOUND has all FACTS and not GOAL; it may say nothing of symbols that do not matter."""
    assert found.witness is not None
    point = dict.fromkeys(symbols((*facts, goal)), 0) | dict(found.witness)
    assert all(value(fact, point) >= 0 for fact in facts)
    assert value(goal, point) < 0


def symbols(forms: Sequence[Expression]) -> list[Atom]:
    return [each for name in "nmkbijq" if (each := parameter(name).single_atom) and _is_in(each, forms)]


def _is_in(symbol: Atom, forms: Sequence[Expression]) -> bool:
    return any(atom == symbol for form in forms for atom in form.atoms())


def test_a_product_of_numbers_with_the_same_sign_is_not_negative() -> None:
    """q = ceildiv(i, n) has the sign of i, whichever that is; so has q - 1 not."""
    quotient = Context((n - 1, n * q - i, i - 1 - n * (q - 1)))
    assert quotient.decide(i * q).holds
    assert quotient.decide(2 * i * q * m * m).holds
    assert quotient.decide(-i * q).holds is False
    assert quotient.decide(i * (q - 1)).holds
    assert quotient.decide(i * (q + 1)).holds is False
    assert Context((n + i, -n - i)).decide(-n * i).holds


def test_constants_are_rounded_down() -> None:
    """E003-1: 2*n*i + 4*n*j + 9 >= 0 is n*i + 2*n*j + 4 >= 0."""
    assert tightened(2 * n * i + 4 * n * j + 9) == n * i + 2 * n * j + 4


def test_signs() -> None:
    context = Context((n - 1, m))
    assert context.signs(n * m + 1).negative is False
    assert context.signs(n * m + 1).zero is False
    assert context.signs(n * m).zero is True
    assert context.signs(-n).positive is False
    assert (context.signs(b).negative, context.signs(b).zero, context.signs(b).positive) == (True, True, True)


@pytest.mark.slow
@pytest.mark.parametrize("draws", [75, pytest.param(3000, marks=pytest.mark.fuzz)])
def test_random_goals(draws: int) -> None:
    """Never a wrong verdict, by enumeration and by z3, and at least 95 % are decided."""
    chance = random.Random(7)
    names = (n, m, b)
    points = [
        dict(zip(symbols(names), values, strict=True)) for values in product(range(-3, 8), repeat=len(names))
    ]
    decided = 0
    for _ in range(draws):
        facts, goal = drawn_goal(chance, names)
        found = Context(facts).decide(goal)
        by_z3 = by_z3_holds(facts, goal)
        if found.holds:
            inside = (point for point in points if all(value(fact, point) >= 0 for fact in facts))
            assert all(value(goal, point) >= 0 for point in inside), (facts, goal)
            assert by_z3 is not False, (facts, goal)
        elif found.holds is False:
            assert_is_counterexample(found, facts, goal)
            assert by_z3 is not True, (facts, goal)
        decided += found.holds is not None
    assert decided >= 0.95 * draws


@pytest.mark.slow
@pytest.mark.parametrize("goals", [TRUE, FALSE], ids=["true", "false"])
def test_z3_agrees(goals: Mapping[str, tuple[Sequence[Expression], Expression]]) -> None:
    verdicts = {name: by_z3_holds(facts, goal) for name, (facts, goal) in goals.items()}
    assert (goals is FALSE) not in verdicts.values(), verdicts
    assert (goals is TRUE) in verdicts.values()


def drawn_goal(chance: random.Random, names: Sequence[Expression]) -> tuple[list[Expression], Expression]:
    """Bounds of some of NAMES and an order of two of them; and what may follow from these."""
    facts = [chance.choice(names) - chance.randint(-1, 2) for _ in range(chance.randint(1, 3))]
    facts += [chance.choice(names) - chance.choice(names) for _ in range(chance.randint(0, 1))]
    return facts, _drawn(chance, names)


def _drawn(chance: random.Random, names: Sequence[Expression]) -> Expression:
    """A product of two or three sums and a linear rest, or a sum of such a product and an extremum."""
    total = constant(chance.randint(-2, 2))
    factors = [chance.choice(names) - chance.randint(-1, 1) for _ in range(chance.randint(2, 3))]
    term = constant(chance.choice((1, 1, 2, -1)))
    for factor in factors:
        term = term * factor
    total = total + term + chance.randint(-1, 1) * chance.choice(names)
    if chance.random() < 0.3:
        total = total + minimum(chance.choice(names), chance.choice(names) + 1)
    return total


def test_remainders_of_remainders_are_no_explosion() -> None:
    """Each remainder in another one doubles what is without them: a few are worked out, many are unknown."""
    for depth, is_known in ((3, True), (40, False)):
        nested = n
        for divisor in range(depth):
            nested = (nested + 1) % (depth + 5 - divisor % 3)
        assert Context((n,)).proves(nested) is is_known
