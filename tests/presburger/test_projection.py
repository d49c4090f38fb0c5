"""Columns of random tableaus are eliminated, and no integer point is gained or lost."""

from __future__ import annotations

from itertools import product

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared.seeds import examples
from volcli.presburger.tableaus.projection import projected, without_redundant_locals
from volcli.presburger.tableaus.tableau import Column, Role, Row, Tableau

SIDE = 3  # all variables lie between -SIDE and SIDE
COLUMNS = tuple(Column(name, f"%{name}", Role.DOMAIN) for name in "abcd")
Point = tuple[int, ...]


def bounded(equalities: list[Row], inequalities: list[Row]) -> Tableau:
    """The constraints, in the box."""
    empty = Tableau(COLUMNS)
    sides = [empty.row({column.key: sign}, SIDE) for column in COLUMNS for sign in (1, -1)]
    return empty.with_rows(equalities, [*inequalities, *sides])


def enumerated(tableau: Tableau) -> set[Point]:
    """The points of the box, one by one."""

    def value(row: Row, point: Point) -> int:
        return sum(a * x for a, x in zip(row, (*point, 1), strict=True))

    return {
        point
        for point in product(range(-SIDE, SIDE + 1), repeat=len(COLUMNS))
        if all(value(row, point) == 0 for row in tableau.equalities)
        and all(value(row, point) >= 0 for row in tableau.inequalities)
    }


def points(tableau: Tableau) -> set[Point]:
    found: set[Point] = set()
    dims = len(tableau.domain)
    tableau.points().foreach_point(
        lambda p: found.add(tuple(p.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(dims)))
    )
    return found


coefficient = st.sampled_from([-4, -3, -2, -1, -1, 0, 0, 0, 1, 1, 2, 3, 5])
row = st.tuples(*[coefficient] * len(COLUMNS), st.integers(-6, 6))
tableaus = st.builds(bounded, st.lists(row, max_size=2), st.lists(row, max_size=2))


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(tableaus, st.integers(1, 3))
def test_projection_is_exact(tableau: Tableau, kept: int) -> None:
    found = projected(tableau, [column.key for column in COLUMNS[kept:]])
    assert found.domain == COLUMNS[:kept]
    assert points(found) == {point[:kept] for point in enumerated(tableau)}


@pytest.mark.slow
@settings(max_examples=examples(25))
@given(tableaus)
def test_redundant_locals_are_eliminated_exactly(tableau: Tableau) -> None:
    found = without_redundant_locals(tableau.as_locals(["c", "d"]))
    assert points(found) == {point[:2] for point in enumerated(tableau)}
    at = [k for k, column in enumerate(found.columns) if column.role is Role.LOCAL]
    assert not any(abs(row[k]) == 1 for row in found.equalities for k in at)


def test_no_points_are_one_row() -> None:
    found = projected(bounded([(2, 0, 0, 0, -1)], []), ["b", "c", "d"])
    assert (found.equalities, found.inequalities) == ((), ((0, -1),))


def test_two_locals_of_one_equality_become_one() -> None:
    # 2a + 3b = c for any a and b: that is every c
    free = Tableau(COLUMNS[:3], ((2, 3, -1, 0),))
    assert projected(free, ["a", "b"]) == Tableau(COLUMNS[2:3])


def test_a_local_with_its_own_equality_has_small_coefficients() -> None:
    found = projected(Tableau(COLUMNS[:2], ((6, 17, -6),)), [])
    assert found.equalities == ((6, 17, -6),)
    a, b, c = COLUMNS[:3]
    found = projected(Tableau((a, b, c), ((1, 17, 6, -6),), ((0, 0, 1, 0),)), ["c"])
    assert found.equalities == ((1, -1, 6, 0),)


def test_columns_that_constraints_speak_of_cannot_vanish() -> None:
    with pytest.raises(ValueError, match="constraints speak of"):
        Tableau(COLUMNS, ((1, 0, 0, 0, 0),)).over(COLUMNS[1:])


def test_tableaus_of_other_columns_are_not_appended() -> None:
    with pytest.raises(ValueError, match="columns differ"):
        Tableau(COLUMNS).append(Tableau(COLUMNS[1:]))


def test_symbols_are_parameters_of_the_points() -> None:
    i, n = Column("i", "%i", Role.DOMAIN), Column("n", "%n", Role.SYMBOL)
    below = Tableau((i, n), (), ((1, 0, 0), (-1, 1, -1)))
    assert below.points().is_equal(isl.Set("[n] -> { [i] : 0 <= i < n }"))


def test_numbers_of_any_size() -> None:
    (i,) = COLUMNS[:1]
    at = Tableau((i,), ((1, -(2**70)),))
    assert at.points().is_equal(isl.Set(f"{{ [{2**70}] }}"))
