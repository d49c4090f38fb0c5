"""Intervals whose ends are minima and maxima: unions of domains, hulls and intersections, at all small points."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product

import pytest

from tests.shared.numbers import value
from tests.symbolic.systems import atom
from volcli.language.expressions import Atom, Expression, constant, maximum, minimum, parameter
from volcli.symbolic.context import Context
from volcli.symbolic.cost import cost
from volcli.symbolic.extrema import simplified
from volcli.symbolic.unions import maximum_of_minima

n, m, M, a, b = (parameter(name) for name in ("n", "m", "M", "a", "b"))
POINTS = [dict(zip((atom("n"), atom("m")), p, strict=True)) for p in product(range(-5, 6), repeat=2)]
NUMBERS = range(-20, 21)
Ends = tuple[Expression, Expression]


def test_the_union_of_the_thesis() -> None:
    """Equations 5.2 to 5.6: w <= max(min(n, n + 1), n + 2), of which one domain is left."""
    assert maximum_of_minima(maximum(minimum(n, n + 1), n + 2), Context()) == ((n + 2,),)


def test_figure_5_3() -> None:
    """The intersection of figure 5-2's boxes takes no more operations than the thesis's."""
    low = minimum(maximum(M * a + b, constant(0)), constant(19))
    high = maximum(minimum((M + 1) * a + b, constant(19)), constant(0))
    lower = simplified(maximum(constant(10), low), Context())
    upper = simplified(minimum(constant(19), high), Context())
    assert cost(lower) <= cost(minimum(maximum(b + M * a, constant(10)), constant(19)))
    assert cost(upper) <= cost(maximum(minimum(b + a + M * a, constant(19)), constant(0)))


def drawn_end(chance: random.Random, depth: int = 2) -> Expression:
    if depth == 0 or chance.random() < 0.3:
        return chance.choice((n, m, constant(0), n + m)) + chance.randint(-3, 3)
    combine = chance.choice((minimum, maximum))
    return combine(drawn_end(chance, depth - 1), drawn_end(chance, depth - 1))


@pytest.mark.slow
def test_domains_are_the_interval() -> None:
    """w <= upper is the union of the domains w <= f for all f of one minimum; lower ends are mirrored."""
    chance = random.Random(2)
    for _ in range(40):
        lower, upper = drawn_end(chance), drawn_end(chance)
        above = maximum_of_minima(upper, Context())
        below = maximum_of_minima(-lower, Context())
        for point in POINTS[::7]:
            assert _numbers((lower, upper), point) == {
                k
                for k in NUMBERS
                if any(all(k <= value(f, point) for f in each) for each in above)
                and any(all(-k <= value(f, point) for f in each) for each in below)
            }


@pytest.mark.slow
@pytest.mark.parametrize("draws", [12, pytest.param(400, marks=pytest.mark.fuzz)])
def test_hulls_and_intersections(draws: int) -> None:
    """A union has the least lower and the greatest upper end, an intersection the other ones (E003-5)."""
    chance = random.Random(4)
    for _ in range(draws):
        known = Context([chance.choice((n, m)) + chance.randint(-2, 3)])
        (low, high), (first, last) = ((drawn_end(chance), drawn_end(chance)) for _ in range(2))
        both = simplified(maximum(low, first), known), simplified(minimum(high, last), known)
        either = simplified(minimum(low, first), known), simplified(maximum(high, last), known)
        for point in (p for p in POINTS if all(value(fact, p) >= 0 for fact in known.facts)):
            one, other = _numbers((low, high), point), _numbers((first, last), point)
            assert _numbers(both, point) == one & other
            if one and other:
                assert _numbers(either, point) == set(range(min(one | other), max(one | other) + 1))


def _numbers(ends: Ends, point: Mapping[Atom, int]) -> set[int]:
    return {k for k in NUMBERS if value(ends[0], point) <= k <= value(ends[1], point)}
