"""Boundaries: the halfspaces around a box hull, and how dimensions follow each other through an operation."""

from __future__ import annotations

from itertools import pairwise
from math import gcd

import islpy as isl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared.enumeration import Point, points_of
from volcli.language.expressions import ANY, loop
from volcli.model.volumes.knowledge.boundaries import (
    GAPS,
    Halfspace,
    Track,
    fresh_boundaries,
    merged_periods,
    tracks,
    transported,
)

points = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=8)


def isl_set(elements: set[Point]) -> isl.Set:
    result = isl.Set("{ [i, j] : false }")
    for i, j in elements:
        result = result.union(isl.Set(f"{{ [{i}, {j}] }}"))
    return result


@pytest.mark.slow
@given(points, points)
def test_fresh_boundaries(constants: set[Point], others: set[Point]) -> None:
    """Every constant outside the hull of the others is beyond it in some dimension; the rest are gaps."""
    constants -= others
    found = {b: points_of(s) for b, s in fresh_boundaries(isl_set(constants), isl_set(others)).items()}
    expected: dict[Halfspace, set[Point]] = {}
    for d in range(2):
        low, high = min(p[d] for p in others), max(p[d] for p in others)
        expected[Halfspace(d, -1)] = {p for p in constants if p[d] < low}
        expected[Halfspace(d, 1)] = {p for p in constants if p[d] > high}
    outside = set().union(*expected.values())
    expected[GAPS] = constants - outside
    assert found == {b: s for b, s in expected.items() if s}


@pytest.mark.parametrize(
    ("element", "index", "units", "expected"),
    [
        ((loop(0), loop(1)), (2 * loop(1) + loop(2), loop(0)), (), (Track(1, 2, 1), Track(0, 1, 1))),
        ((loop(0),), (3 - loop(0),), (), (Track(0, -1, 1),)),
        ((2 * loop(0) + 1,), (loop(0),), (), (Track(0, 1, 2),)),
        ((loop(0), loop(1)), (loop(0) + loop(1),), (), (None,)),
        ((loop(0) + loop(1),), (loop(0), loop(1)), (), (None, None)),
        ((loop(0) + loop(1),), (loop(0), loop(1)), (1,), (Track(0, 1, 1), None)),
        ((loop(0),), (loop(0) // 2,), (), (None,)),
        ((loop(0),), (loop(0) % 2,), (), (None,)),
        ((loop(0), loop(0)), (loop(0),), (), (None,)),
        ((loop(0),), (ANY, loop(1)), (), (None, None)),
    ],
)
def test_tracks(element: tuple, index: tuple, units: tuple[int, ...], expected: tuple) -> None:  # type: ignore[type-arg]
    assert tracks(element, index, frozenset(units)) == expected


def test_transport() -> None:
    track = (Track(1, -2, 1), None)
    assert transported(Halfspace(0, 1), track, "%a") == Halfspace(1, -1)
    assert transported(Halfspace(1, 1), track, "%a") == Halfspace(1, 1, "%a")
    assert transported(Halfspace(0, 1, "%b"), track, "%a") == Halfspace(0, 1, "%b")
    assert transported(GAPS, track, "%a") is GAPS


@given(st.integers(1, 12), st.integers(1, 6), st.integers(1, 3), st.integers(0, 5))
def test_a_period_is_carried_through_strides(period: int, c: int, step: int, o: int) -> None:
    """Elements c * l + o that agree modulo the period are c' * l apart by a multiple of the new period."""
    moved = Track(0, c, step).period(period)
    assert moved == period // gcd(period, c) * step
    same = [step * k for k in range(200) if (c * k + o) % period == o % period]
    assert all((b - a) % moved == 0 for a, b in pairwise(same))


def test_merged_periods() -> None:
    assert merged_periods([(2, 1), (3, 4)], 2) == (6, 4)
    assert merged_periods([], 2) == (1, 1)
