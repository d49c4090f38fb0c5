"""Conditions as text: what their names are, where they hold, and where a bad text is bad."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import islpy as isl
import pytest

from volcli.language.expressions import constant
from volcli.presburger.sets.condition_words import ConditionError
from volcli.presburger.sets.conditions import ParsedCondition, conjuncts, read


def holds(condition: ParsedCondition, *values: int) -> bool:
    points = condition.points
    for position, number in enumerate(condition.numbers([constant(value) for value in values])):
        points = points.fix_val(isl.dim_type.param, position, isl.Val(number.constant))
    return not points.is_empty()


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("n >= 1 and n mod 4 = 0", lambda n, _: n >= 1 and n % 4 == 0),
        ("n % 4 == 0 && m != 2", lambda n, m: n % 4 == 0 and m != 2),
        ("%n %3 = 1 and m = m", lambda n, _: n % 3 == 1),
        ("0 <= n < m <= 5", lambda n, m: 0 <= n < m <= 5),
        ("not (n > 2) || m = 3", lambda n, m: n <= 2 or m == 3),
        ("exists k : n = 3k and m = m", lambda n, _: n % 3 == 0),
        ("floord(n, 2) >= min(m, 1)", lambda n, m: n // 2 >= min(m, 1)),
        ("2n - m = 1", lambda n, m: 2 * n - m == 1),
        ("n * m >= 4", lambda n, m: n * m >= 4),
        ("2 * n * m - 3n * n < m * n * 3 + m", lambda n, m: 2 * n * m - 3 * n * n < 3 * m * n + m),
        ("n * m * n mod 3 = 1", lambda n, m: n * m * n % 3 == 1),
        ("n - m * 2 * n = 1", lambda n, m: n - 2 * m * n == 1),
        ("(n + 1) * (m - 2n) >= 3", lambda n, m: (n + 1) * (m - 2 * n) >= 3),
        ("4 >= 2 * (n - (m - 1) * -n) * m", lambda n, m: 2 * (n + (m - 1) * n) * m <= 4),
        ("(n - m) * (n + m) <= n * (2) or (n - n) * m = 1", lambda n, m: n * n - m * m <= 2 * n),
    ],
)
def test_what_it_means(text: str, meaning: Callable[[int, int], bool]) -> None:
    condition = read(text)
    assert [str(name) for name in condition.names] == ["%n", "%m"][: len(condition.names)]
    for n, m in itertools.product(range(-5, 9), repeat=2):
        assert holds(condition, *(n, m)[: len(condition.names)]) == meaning(n, m)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("%n >= 1", ["%n"]),
        ("n >= %n", ["%n"]),
        ("%0 >= %r#1", ["%0", "%r#1"]),
        ("dim(%t, 0) = dim( t , 1 )", ["dim(%t, 0)", "dim(%t, 1)"]),
        ("@f:%n <= @f:dim(%t, 0)", ["@f:%n", "@f:dim(%t, 0)"]),
        ("dim(@f:t, 2) >= @g.h:n", ["@f:dim(%t, 2)", "@g.h:%n"]),
        ("%min >= %and", ["%min", "%and"]),
    ],
)
def test_the_names_of_a_program(text: str, names: list[str]) -> None:
    assert [str(name) for name in read(text).names] == names


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("n >= ", "^"),
        ("n >= ) 3", ") 3"),
        ("(n mod 2) * m >= 0", "m >= 0"),
        ("(n >= 1", "^"),
        ("n >= 1 }", "}"),
        ("n >= 1 m <= 3", "m <= 3"),
        ("n <> 3", "> 3"),
        ("n = 3.5", ".5"),
        ("n", "^"),
        ("", "^"),
        ("n >= 1 and and m >= 1", "and m >= 1"),
        ("floord(n, m) >= 1", "m) >= 1"),
    ],
)
def test_where_a_bad_text_is_bad(text: str, wrong: str) -> None:
    with pytest.raises(ConditionError) as caught:
        read(text)
    assert text[caught.value.at :] == ("" if wrong == "^" else wrong)


def test_a_conjunction_is_several_conditions() -> None:
    assert [each.text for each in conjuncts("n >= 1 and n mod 16 = 0 && m < 4")] == [
        "n >= 1",
        "n mod 16 = 0",
        "m < 4",
    ]


def test_what_is_no_conjunction_is_one() -> None:
    text = "n >= 1 and m >= 1 or n = 0"
    assert [each.text for each in conjuncts(text)] == [text]


def test_the_place_of_an_error_is_that_in_the_whole_text() -> None:
    with pytest.raises(ConditionError) as caught:
        conjuncts("n >= 1 and m >= and n = 2")
    assert caught.value.at == len("n >= 1 and m >= ")
