"""Conditions with quotients: written as people do, and read again, they are the same sets."""

from __future__ import annotations

import islpy as isl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.condition_words import ConditionError
from volcli.presburger.sets.conditions import read
from volcli.presburger.sets.quotients import with_quotients

SMALL = st.integers(-3, 3)


@st.composite
def comparisons(draw: st.DrawFn) -> str:
    """A comparison with a floor, in isl's language."""
    a, b, c, d, e = (draw(SMALL) for _ in range(5))
    k = draw(st.sampled_from([2, 3, 7, 32]))
    inner = draw(st.sampled_from([f"{a}*x + {b}*y + {c}", f"{a}*x + {b}*floor((y + {c})/2)"]))
    factor = draw(st.sampled_from([1, -1, 2, k, -k]))
    operator = draw(st.sampled_from(["<=", "<", ">=", ">", "="]))
    return f"{factor}*floor(({inner})/{k}) {operator} {d}*x + {e}*y + {draw(st.integers(-40, 40))}"


def condition_of(points: isl.Set) -> str:
    text = str(points)
    return text[text.index(":", text.index("{")) + 1 : text.rindex("}")].strip()


@given(st.lists(comparisons(), min_size=1, max_size=3), st.sampled_from([" and ", " or "]))
def test_what_is_written_is_what_isl_has(parts: list[str], joined: str) -> None:
    points = isl.Set(f"[x, y] -> {{ : {joined.join(parts)} }}").coalesce()
    condition = condition_of(points) or "true"
    found = read(with_quotients(condition))
    again = found.points
    for position, name in enumerate(found.names):
        again = again.set_dim_name(DIM.param, position, name.value)
    assert again.align_params(points.get_space()).is_equal(points.align_params(again.get_space()))


@pytest.mark.parametrize(
    ("isl_text", "text"),
    [
        ("32*floor((-1 - d)/32) <= -32 - n", "n <= 32 * (d floordiv 32)"),
        ("4*floor((n)/4) = n", "4 * (n floordiv 4) = n"),
        ("floor((3 + 8n + m)/4) >= 2", "2 * n + ((m + 3) floordiv 4) >= 2"),
        ("(2*floor((n)/2) >= 4 or n = 1)", "(2 * (n floordiv 2) >= 4 or n = 1)"),
        ("n >= 1 and m <= 3", "n >= 1 and m <= 3"),
        ("0 <= floor((n)/2) <= 3", "0 <= floor((n)/2) <= 3"),
    ],
)
def test_conditions_in_their_simplest_form(isl_text: str, text: str) -> None:
    assert with_quotients(isl_text) == text


@pytest.mark.parametrize(
    "text",
    [
        "n floordiv m = 1",
        "floordiv 2 = n",
        "n floordiv = 2",
        "n + floordiv 2 = 0",
        "2 * n floordiv 2 = n",
        "2n floordiv 2 = n",
    ],
)
def test_a_quotient_needs_an_operand_and_a_number(text: str) -> None:
    with pytest.raises(ConditionError) as refused:
        read(text)
    assert refused.value.at == text.index("floordiv")


def test_quotients_of_parentheses_and_names_are_read() -> None:
    found = read("%n <= 32 * (dim(%a, 0) floordiv 32) and (%n + 1) floordiv 2 >= 3").points
    expected = isl.Set("[n0, n1] -> { : n0 <= 32*floor(n1/32) and floor((n0 + 1)/2) >= 3 }")
    assert found.is_equal(expected)
