"""The steps of elimination: each inequality follows from those it is made of, and none goes without a reason."""

from __future__ import annotations

from itertools import product

import pytest

from tests.shared.numbers import value
from tests.symbolic.figures import FIGURES
from tests.symbolic.printed_systems import drawn_text, judged_text
from tests.symbolic.systems import atom
from volcli.language.expressions import parameter
from volcli.symbolic.context import Context
from volcli.symbolic.scanning import scan
from volcli.symbolic.steps import SystemSteps, system_steps

b, i, j, n, U, V = (parameter(name) for name in ("b", "i", "j", "n", "U", "V"))


def steps_of(name: str) -> SystemSteps:
    figure = FIGURES[name]
    variables = [atom(each) for each in figure.variables.split()]
    return system_steps(variables, figure.inequalities, Context(figure.context))


def test_figure_2_2() -> None:
    """What is left when j is eliminated, with b >= 1, U >= 0 and V >= 0 as conditions on the symbols."""
    first = steps_of("2-3").steps[0]
    assert (first.zero, first.lower, first.upper, first.undetermined) == ((2,), (3, 6), (4, 5, 7), ())
    x = parameter("x")
    assert {each.form for each in first.result} == {
        U - i, i, V, b * x + b - 1, 2 * i - b * x, V - b * x, b - 1
    }  # fmt: skip
    conditions = {each.form for each in first.result if each.fate == "a condition on the symbols"}
    assert conditions == {V, b - 1}


@pytest.mark.parametrize("name", ["2-3", "4-3", "4-5"])
def test_each_inequality_holds_where_those_do_that_it_is_made_of(name: str) -> None:
    """At small numbers of all symbols and variables that the signs of the step admit."""
    found = steps_of(name)
    forms = {each.number: each for each in found.given}
    checked = 0
    for step in found.steps:
        for each in step.result:
            sources = [forms[number].form for number in each.of]
            atoms = sorted({a for form in (each.form, *sources, *step.case) for a in form.atoms()}, key=str)
            symbols = [a for a in atoms if "*" not in str(a)]
            for values in product(range(-2, 3), repeat=min(len(symbols), 6)) if len(symbols) <= 6 else ():
                point = dict(zip(symbols, values, strict=True))
                if point.get(atom("b"), 1) < 1 or min(point.get(atom(s), 1) for s in ("B", "B1", "B2")) < 1:
                    continue
                if all(value(form, point) >= 0 for form in (*sources, *step.case)):
                    checked += 1
                    assert value(each.form, point) >= 0
            forms[each.number] = each
    assert checked


def test_the_loops_are_those_that_scan_the_system() -> None:
    figure = FIGURES["2-3"]
    variables = [atom(each) for each in figure.variables.split()]
    assert list(steps_of("2-3").nests) == scan(variables, figure.inequalities, Context(figure.context))


def test_a_sign_that_is_not_known_makes_cases() -> None:
    """`n * i <= 6` is of S?: it is of S+ where n <= -1, of S0 where n = 0, and of S- where n >= 1."""
    found = system_steps([atom("i")], [i + 9, 9 - i, 6 - n * i], Context())
    sides = {
        frozenset(step.case): (step.zero, step.lower, step.upper, step.undetermined) for step in found.steps
    }
    assert sides == {
        frozenset({n - 1}): ((), (1,), (2, 3), (3,)),
        frozenset({n, -n}): ((3,), (1,), (2,), (3,)),
        frozenset({-n - 1}): ((), (1, 3), (2,), (3,)),
    }


def test_a_system_without_points_has_no_steps() -> None:
    found = system_steps([atom("i")], [i - 3, 2 - i], Context())
    assert (found.steps, found.nests) == ((), ())


def test_an_equality_is_put_into_the_others() -> None:
    """Section 3.1: of j = b, j + i - 2 >= 0 becomes b + i - 2 >= 0; the upper bound is combined with one lower."""
    found = system_steps([atom("i"), atom("j")], [j - b, b - j, i + j - 2], Context())
    assert [(str(each.form), each.of) for each in found.steps[0].result] == [
        ("0", (1, 2)),
        ("b + i - 2", (3, 2)),
    ]


@pytest.mark.parametrize("number", range(2))
def test_printed_loops_reach_the_points(number: int) -> None:
    (found,) = judged_text(drawn_text(f"tests/{number}"))
    assert found.worth == "exact", found.why
