"""Elimination: each of its rules by a system that shows it, the thesis's systems, and random ones."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared.numbers import value
from tests.symbolic.figures import FIGURES
from tests.symbolic.systems import atom, drawn, has_rational_point, judged
from volcli.language.expressions import Expression, NotAffine, parameter
from volcli.symbolic.context import Context
from volcli.symbolic.fourier_motzkin import LinearSystem, cheapest, eliminate, project, system

x, y, b, n, m = (parameter(name) for name in ("x", "y", "b", "n", "m"))
X, Y = atom("x"), atom("y")


def over(variables: str, *inequalities: Expression, facts: tuple[Expression, ...] = ()) -> LinearSystem:
    """The system of INEQUALITIES over VARIABLES; it is not empty."""
    found = system([atom(name) for name in variables], inequalities, Context(facts))
    assert found is not None
    return found


# -- the rules -------------------------------------------------------------------------------------------


def test_multipliers_are_divided_by_their_greatest_common_divisor() -> None:
    """b * y <= b * x + 1 and b * x <= n give b * y <= n + 1, and not b * b * y <= b * n + b."""
    (found,) = eliminate(over("xy", b * x - b * y + 1, n - b * x, facts=(b - 1,)), X)
    assert found.inequalities == (n + 1 - b * y,)
    (found,) = eliminate(over("xy", b * m * x - y, n - 2 * m * x, facts=(b - 1, m - 1)), X)
    assert found.inequalities == (b * n - 2 * y,)


def test_a_divisor_that_may_be_negative_is_no_divisor() -> None:
    """Of b * (n + 1) and -b * (n + 1), both b and n below 0, only what is known to be positive is divided."""
    found = eliminate(over("xy", b * (n + 1) * x - y, 9 - b * (n + 1) * x, facts=(-b - 1, -n - 2)), X)
    for numbers in product(range(-4, 0), range(-4, -1), range(-20, 21)):
        point = dict(zip((atom("b"), atom("n"), Y), numbers, strict=True))
        inside = [each for each in found if all(value(f, point) >= 0 for f in each.inequalities)]
        assert bool(inside) == (numbers[2] <= 9)


def test_equalities_are_put_into_the_others() -> None:
    """The thesis's example (section 3.1): x = b and x + y >= 2 leave y >= 2 - b."""
    (found,) = eliminate(over("xy", x - b, b - x, x + y - 2), X)
    assert found.inequalities == (y + b - 2,)


@pytest.mark.slow
def test_what_an_equality_is_put_into_is_not_combined() -> None:
    """20 lower and 20 upper bounds beside x = y: these are 40 inequalities of y, and not 400."""
    below = [x - parameter(f"l{k}") for k in range(20)]
    above = [parameter(f"u{k}") - x for k in range(20)]
    (found,) = eliminate(over("xy", x - y, y - x, *below, *above), X)
    assert len(found.inequalities) == 40
    with pytest.raises(NotAffine, match="more than 200"):
        eliminate(over("xy", x - y, *below, *above), X)


def test_an_equality_with_a_coefficient() -> None:
    """b * x = y, b >= 2 and 3 * x <= n: 3 * y <= b * n."""
    (found,) = eliminate(over("xy", b * x - y, y - b * x, n - 3 * x, facts=(b - 2,)), X)
    assert found.inequalities == (b * n - 3 * y,)


def test_constants_are_rounded() -> None:
    assert over("xy", 2 * n * x + 4 * n * y + 9).inequalities == (n * x + 2 * n * y + 4,)
    assert system([X], [2 * x - 1, 1 - 2 * x], Context()) is None


def test_of_two_that_differ_by_a_constant_one_stays() -> None:
    assert over("x", x + 3, x + 5).inequalities == (x + 3,)
    assert over("x", x + n, x + m, facts=(n - m,)).inequalities == (x + m,)
    assert set(over("x", x + n, x + m).inequalities) == {x + n, x + m}


def test_what_follows_from_several_is_left_out() -> None:
    assert set(over("xy", x, y, x + y).inequalities) == {x, y}
    assert set(over("xy", x, y - 1, b * x + y - 1, facts=(b,)).inequalities) == {x, y - 1}


def test_the_cheapest_variable_comes_first() -> None:
    """3 * 3 inequalities of x, 1 of y; an equality costs least, a sign that is not known most."""
    six = [x + n, x + m, x + y, m - x, n - x, 9 - x]
    assert cheapest(over("xy", *six, y - b), (X, Y)) == Y
    assert cheapest(over("xy", *six, x - b, b - x, y + n, y + m, m - y), (X, Y)) == X
    assert cheapest(over("xy", b * x - n, y - n, y - m, n - y, m - x - y), (X, Y)) == Y
    assert {f for each in project(over("xy", x - y, y - n, m - x), (X, Y)) for f in each.context.facts} == {
        m - n
    }


# -- what is infeasible ----------------------------------------------------------------------------------


def test_a_system_without_points_is_none() -> None:
    assert system([X], [x - 5, 4 - x], Context()) is None
    assert system([X], [b * x - n - 1, n - b * x], Context()) is None
    assert system([X], [x - n, n - x, -n - 1], Context((n,))) is None


def test_blocks_have_one_sign() -> None:
    """b * x <= j <= b * x + b - 1: of the nine cases of the signs of -b and b one has a point."""
    blocks = over("xy", y - b * x, b * x - y + b - 1)
    (found,) = eliminate(blocks, X)
    assert found.context.proves(b - 1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FIGURES)
def test_only_feasible_cases_survive(name: str) -> None:
    """Whatever is eliminated first, each case that is left has points: no figure has a case in vain."""
    figure = FIGURES[name]
    variables = [atom(each) for each in figure.variables.split()]
    whole = system(variables, figure.inequalities, Context(figure.context))
    assert whole is not None
    inhabited = [
        dict(zip(map(atom, figure.symbols), numbers, strict=True))
        for numbers in product(*figure.symbols.values())
        if any(True for _ in figure.points(**dict(zip(figure.symbols, numbers, strict=True))))
    ]
    for variable in variables:
        for case in eliminate(whole, variable):
            facts = case.context.facts
            assert any(all(value(f, point) >= 0 for f in facts) for point in inhabited), (variable, facts)


def test_two_signs_that_depend_on_each_other() -> None:
    """n * x >= 1 and (1 - n) * x >= -9: of nine pairs of signs those remain that some n has, and points."""
    forms = (n * x - 1, (1 - n) * x + 9, x + 20, 20 - x)
    cases = [each.context.facts for each in eliminate(over("x", *forms), X)]
    points = [{atom("n"): number} for number in range(-30, 31)]
    for point in points:
        holding = [case for case in cases if all(value(fact, point) >= 0 for fact in case)]
        assert len(holding) == has_rational_point(forms, point, (X,))
    assert len(cases) == 3


# -- random systems --------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=12)
@given(st.integers(0, 10**6))
def test_projections_are_those_of_the_points(number: int) -> None:
    """Along one variable exactly the rational ones; along several no integer point is lost."""
    assert [each.why for each in judged(drawn(f"drawn/{number}")) if each.is_failure] == []


def test_squares_of_variables_are_refused() -> None:
    with pytest.raises(NotAffine, match="a square"):
        eliminate(over("x", x * x - 1), X)
