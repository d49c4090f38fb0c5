"""Bounds by cases, against the least and the greatest elements of random sets, enumerated."""

from __future__ import annotations

from random import Random

import islpy as isl
import pytest

from tests.shared.numbers import value
from volcli.language.expressions import Expression, Parameter
from volcli.presburger.expressions.by_cases import by_cases

FORMS = ("n", "k", "0", "2", "n - k", "2k + 1", "floor(n/2)")
CONDITIONS = ("n >= 1", "n <= 0", "k > n", "n mod 2 = 0", "k = 1", "n <= 2 and k >= 0", "true")


def _parts(random: Random) -> list[tuple[str, str]]:
    return [(random.choice(FORMS), random.choice(CONDITIONS)) for _ in range(random.randint(1, 3))]


def _elements(parts: list[tuple[str, str]], n: int, k: int) -> list[int]:
    names = {"n": n, "k": k, "floor": int, "true": True}
    python = [
        (form.replace("/", "//").replace("2k", "2 * k"), when.replace("mod", "%").replace(" = ", " == "))
        for form, when in parts
    ]
    return [eval(form, names) for form, when in python if eval(when, names)]


def _at(expression: Expression, n: int, k: int) -> int:
    numbers = {"n": n, "k": k}
    return value(expression, {a: numbers[a.name] for a in expression.atoms() if isinstance(a, Parameter)})


@pytest.mark.parametrize("seed", range(26))
def test_each_case_is_the_least_or_the_greatest_element_where_it_applies(seed: int) -> None:
    parts = _parts(Random(seed))
    points = isl.Set(
        "[n, k] -> { " + "; ".join(f"[x] : x = {form} and {when}" for form, when in parts) + " }"
    )
    for lower in (True, False):
        found = by_cases(points, lower=lower)
        for n in range(-4, 5):
            for k in range(-4, 5):
                elements = _elements(parts, n, k)
                if elements:
                    assert found is not None
                    assert _at(found, n, k) == (min(elements) if lower else max(elements))


def test_many_cases_are_no_answer() -> None:
    parts = "; ".join(f"[x] : x = k + {k * k} and n = {k}" for k in range(9))
    assert by_cases(isl.Set(f"[n, k] -> {{ {parts} }}"), lower=True) is None


def test_a_case_for_which_another_formula_is_the_same_is_part_of_that() -> None:
    points = isl.Set("[n] -> { [x] : (n >= 3 and x = n) or (n = 2 and x = 2) or (n <= 1 and x = 5) }")
    assert str(by_cases(points, lower=True)) == "(n if n >= 2 else 5)"
