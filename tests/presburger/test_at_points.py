"""A few points show that the least element of a set is no minimum and no maximum of forms."""

from __future__ import annotations

import islpy as isl
import pytest

from volcli.language.expressions import parameter
from volcli.presburger.expressions import at_points
from volcli.presburger.expressions.read_back import extremum

STAIRS = " or ".join(f"({4 * k} <= n < {4 * k + 4} and x >= {k}m + n)" for k in range(7))
"""For n in [4k, 4k + 4), the least number is k * m + n."""
LEAST = " or ".join(f"(x >= n + {k} and n >= {k})" for k in range(7))
"""The least of n, n + 1, ..., where n >= 0: seven parts, and one formula."""


def test_one_form_for_each_part_is_no_formula() -> None:
    n, m = isl.Set("[n, m] -> { [x] : x = n and n >= 0 }"), isl.Set("[n, m] -> { [x] : x = m and n < 0 }")
    assert not at_points.may_be_formula([n.dim_min(0), m.dim_min(0)], max, min)


@pytest.mark.parametrize("other", ["n", "m"])
def test_a_minimum_may_be_one(other: str) -> None:
    parts = [isl.Set("[n, m] -> { [x] : x >= n }"), isl.Set(f"[n, m] -> {{ [x] : x >= {other} - 1 }}")]
    assert at_points.may_be_formula([part.dim_min(0) for part in parts], max, min)


def test_the_function_of_many_parts_is_not_asked_for_where_none_is_exact() -> None:
    found = extremum(isl.Set(f"[n, m] -> {{ [x] : {STAIRS} }}"), lower=True)
    assert found is not None
    assert not found.exact


def test_of_many_parts_a_formula_is_found() -> None:
    found = extremum(isl.Set(f"[n] -> {{ [x] : {LEAST} }}"), lower=True)
    assert found is not None
    assert (found.expression, found.exact) == (parameter("n"), True)


def test_of_what_is_not_exact_each_part_has_its_bound() -> None:
    """The same formula, without being looked for: the least of n, n + 1, ... is n."""
    found = extremum(isl.Set(f"[n] -> {{ [x] : {LEAST} }}"), lower=True, is_exact=False)
    assert found is not None
    assert not found.exact
    assert str(found.expression).startswith("min(n, ") or found.expression == parameter("n")
