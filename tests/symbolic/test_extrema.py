"""Minima and maxima: the thesis's tables, and random ones at random points."""

from __future__ import annotations

import random
from itertools import product

import pytest

from tests.shared.numbers import value
from tests.symbolic.by_z3 import holds
from tests.symbolic.figures import TABLE
from volcli.language.expressions import (
    Atom,
    Expression,
    Maximum,
    Minimum,
    NotAffine,
    constant,
    maximum,
    minimum,
    parameter,
    piecewise,
)
from volcli.symbolic.context import Context
from volcli.symbolic.extrema import cost, simplified

p, q, r, s, t, u, a, b, M, N = (parameter(name) for name in "pqrstuabMN")
ZERO = constant(0)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", TABLE)
def test_the_thesis_tables(name: str) -> None:
    """Equal at random points, and no more operations than the thesis's result has."""
    before, thesis = TABLE[name]
    found = simplified(before, Context())
    chance = random.Random(5)
    for _ in range(500):
        point = {_atom(each): chance.randint(-40, 40) for each in (p, q, r, s, t, u, a, b, M, N)}
        assert value(found, point) == value(before, point) == value(thesis, point)
    assert cost(found) <= cost(thesis)


def test_a_context_decides() -> None:
    context = Context((N - 32, p - 1, N - 32 * p))
    assert simplified(maximum(32 * p, constant(6)), context) == 32 * p
    assert simplified(minimum(N, 32 * p + 2), context) == minimum(N, 32 * p + 2)
    assert simplified(minimum(N * p, N), context) == N


def test_pieces_stay_nested() -> None:
    """Figures 5-4 to 5-6: the inner choice is not repeated for each outer one."""
    inner = piecewise(((N,), a), ((-N - 1,), b))
    whole = piecewise(((M,), inner), ((-M - 1,), r))
    assert simplified(whole, Context()) == whole
    assert simplified(whole, Context((M, N))) == a
    assert simplified(piecewise(((M,), maximum(M, ZERO)), ((-M - 1,), ZERO)), Context()) == piecewise(
        ((M,), M), ((-M - 1,), ZERO)
    )


@pytest.mark.slow
@pytest.mark.parametrize("draws", [40, pytest.param(1500, marks=pytest.mark.fuzz)])
def test_random_expressions(draws: int) -> None:
    chance = random.Random(11)
    for _ in range(draws):
        try:
            expression = _drawn(chance, 4)
        except NotAffine:
            continue
        facts = [chance.choice((a, b, p)) + chance.randint(-2, 2) for _ in range(chance.randint(0, 2))]
        found = simplified(expression, Context(facts))
        assert cost(found) <= cost(expression)
        for numbers in product(range(-3, 5), repeat=3):
            point = dict(zip(map(_atom, (a, b, p)), numbers, strict=True))
            if all(value(fact, point) >= 0 for fact in facts):
                assert value(found, point) == value(expression, point), (expression, found, point)


def test_no_operand_is_in_vain() -> None:
    """Not beside others one by one, nor beside all of them together."""
    assert simplified(minimum(2 * a, constant(10), a + 5), Context()) == minimum(2 * a, constant(10))
    assert simplified(maximum(minimum(a, b), minimum(b, p)), Context((p - a,))) == minimum(b, p)
    assert simplified(2 * minimum(a + 1, a + 3, b), Context()) == 2 * minimum(a + 1, b)
    assert simplified(q * maximum(a + 1, a + 3), Context()) == q * a + 3 * q
    assert simplified(maximum(a, b, p), Context((a + b - 2 * p,))) == maximum(a, b)


@pytest.mark.slow
def test_each_operand_is_alone_somewhere() -> None:
    """Of random results of one extremum, each operand is below, or above, all others at some point."""
    chance = random.Random(3)
    for _ in range(60):
        combine = chance.choice((minimum, maximum))
        found = simplified(combine(*(_linear(chance) for _ in range(chance.randint(2, 5)))), Context())
        atom = found.single_atom
        for operand in atom.operands if isinstance(atom, Minimum | Maximum) else ():
            sign = 1 if isinstance(atom, Minimum) else -1
            others = [sign * (each - operand) - 1 for each in atom.operands if each != operand]
            assert holds(others, constant(-1)) is False, (found, operand)


def _linear(chance: random.Random) -> Expression:
    names = chance.sample((a, b, p), 2)
    return (
        names[0] * chance.choice((1, 1, 2, -1)) + names[1] * chance.choice((0, 1, -1)) + chance.randint(-3, 3)
    )


def _atom(symbol: Expression) -> Atom:
    found = symbol.single_atom
    assert found is not None
    return found


def _drawn(chance: random.Random, depth: int) -> Expression:
    kind = chance.randrange(8)
    if depth == 0 or kind < 2:
        return chance.choice((a, b, p)) * chance.choice((1, 1, 2, -1)) + chance.randint(-3, 3)
    if kind < 5:
        return chance.choice((minimum, maximum))(_drawn(chance, depth - 1), _drawn(chance, depth - 1))
    if kind == 5:
        return _drawn(chance, depth - 1) + _drawn(chance, depth - 1)
    if kind == 6:
        return _drawn(chance, depth - 1) * chance.choice((-1, 2, 3))
    return _drawn(chance, depth - 1) // 3 if chance.random() < 0.7 else _drawn(chance, 1) * a
