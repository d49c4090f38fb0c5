"""Boxes: unions of domains, hulls and intersections, at all small points; the thesis's example."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product

import pytest

from tests.numbers import value
from tests.symbolic.systems import atom
from volcli.language.expressions import Atom, Expression, NotAffine, constant, maximum, minimum, parameter
from volcli.symbolic.boxes import Interval, hull, intersection, merged
from volcli.symbolic.context import Context
from volcli.symbolic.cost import cost

w, n, m, M, a, b = (parameter(name) for name in ("w", "n", "m", "M", "a", "b"))
W = atom("w")
POINTS = [dict(zip((atom("n"), atom("m")), p, strict=True)) for p in product(range(-5, 6), repeat=2)]
NUMBERS = range(-20, 21)


def test_the_union_of_the_thesis() -> None:
    """Equations 5.2 to 5.6: w <= max(min(n, n + 1), n + 2), of which one domain is left."""
    interval = Interval(constant(0), maximum(minimum(n, n + 1), n + 2))
    assert interval.domains(W, Context()) == ((w, n + 2 - w),)
    union = ((w, n - w, n + 1 - w), (w, n + 2 - w))
    assert hull(union, W, Context()) == Interval(constant(0), n + 2)


def test_figure_5_3() -> None:
    """The intersection of figure 5-2's boxes takes no more operations than the thesis's."""
    low = minimum(maximum(M * a + b, constant(0)), constant(19))
    high = maximum(minimum((M + 1) * a + b, constant(19)), constant(0))
    (found,) = intersection((Interval(constant(10), constant(19)),), (Interval(low, high),), Context())
    assert cost(found.lower) <= cost(minimum(maximum(b + M * a, constant(10)), constant(19)))
    assert cost(found.upper) <= cost(maximum(minimum(b + a + M * a, constant(19)), constant(0)))


def test_an_empty_interval() -> None:
    assert Interval(n + 1, minimum(n, m)).is_empty(Context())
    assert not Interval(n, minimum(n, m)).is_empty(Context())
    assert Interval(n, m).is_empty(Context((n - m - 1,)))


def test_what_has_no_hull() -> None:
    with pytest.raises(NotAffine, match="no upper bound"):
        hull(((w - n,),), W, Context())
    with pytest.raises(NotAffine, match="has a factor"):
        hull(((2 * w - n, m - w),), W, Context())


def drawn_end(chance: random.Random, depth: int = 2) -> Expression:
    if depth == 0 or chance.random() < 0.3:
        return chance.choice((n, m, constant(0), n + m)) + chance.randint(-3, 3)
    combine = chance.choice((minimum, maximum))
    return combine(drawn_end(chance, depth - 1), drawn_end(chance, depth - 1))


def test_domains_are_the_interval() -> None:
    chance = random.Random(2)
    for _ in range(40):
        interval = Interval(drawn_end(chance), drawn_end(chance))
        domains = interval.domains(W, Context())
        for point in POINTS[::7]:
            inside = {k for k in NUMBERS if _is_in(interval, point, k)}
            at = [{**point, W: k} for k in NUMBERS]
            assert inside == {
                p[W] for p in at if any(all(value(f, p) >= 0 for f in domain) for domain in domains)
            }


def test_merged_and_intersected() -> None:
    chance = random.Random(4)
    for _ in range(40):
        facts = [chance.choice((n, m)) + chance.randint(-2, 3)]
        one, other = (Interval(drawn_end(chance), drawn_end(chance)) for _ in range(2))
        (both,), (either,) = (f((one,), (other,), Context(facts)) for f in (intersection, merged))
        for point in (p for p in POINTS if all(value(fact, p) >= 0 for fact in facts)):
            sets = [{k for k in NUMBERS if _is_in(each, point, k)} for each in (one, other, both, either)]
            assert sets[2] == sets[0] & sets[1]
            if sets[0] and sets[1]:
                union = sets[0] | sets[1]
                assert sets[3] == set(range(min(union), max(union) + 1))


def _is_in(interval: Interval, point: Mapping[Atom, int], number: int) -> bool:
    return value(interval.lower, point) <= number <= value(interval.upper, point)
