"""Hulls, strides and counts, against enumeration in plain Python."""

from __future__ import annotations

import time
from math import gcd

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared.enumeration import Point, points_of
from tests.shared.seeds import examples
from volcli.presburger.measures import box

finite_sets = st.sets(st.tuples(st.integers(-4, 6), st.integers(-3, 5)), max_size=7)


def isl_set(points: set[Point]) -> isl.Set:
    result = isl.Set("{ [i, j] : false }")
    for i, j in sorted(points):
        result = result.union(isl.Set(f"{{ [{i}, {j}] }}"))
    return result.coalesce()


def hull_of(points: set[Point]) -> set[Point]:
    if not points:
        return set()
    (il, jl), (ih, jh) = (tuple(f(p[d] for p in points) for d in range(2)) for f in (min, max))
    return {(i, j) for i in range(il, ih + 1) for j in range(jl, jh + 1)}


@given(finite_sets)
def test_box_hull_and_hyperrectangle(points: set[Point]) -> None:
    """Definition 4.5 with the minimum and maximum of each dimension (erratum E000-4)."""
    given_set = isl_set(points)
    if points:
        hull = box.box_hull(given_set)
        assert hull is not None
        assert points_of(hull) == hull_of(points)
    assert box.is_hyperrectangle(given_set) == (points == hull_of(points))


def test_the_counterexample_of_erratum_e000_4() -> None:
    """`{ (0, 5), (1, 0) }`: between its lexmin and its lexmax there is nothing; its hull has 12 points."""
    points = isl.Set("{ [0, 5]; [1, 0] }")
    assert points_of(points.lexmin()) == {(0, 5)}
    assert points_of(points.lexmax()) == {(1, 0)}
    hull = box.box_hull(points)
    assert hull is not None
    assert points_of(hull) == {(i, j) for i in range(2) for j in range(6)}
    assert not box.is_hyperrectangle(points)


def test_hull_with_parameters() -> None:
    triangle = isl.Set("[n] -> { [i, j] : 0 <= i <= j < n }")
    hull = box.box_hull(triangle)
    assert hull is not None
    for n in range(5):
        assert points_of(hull, n=n) == {(i, j) for i in range(n) for j in range(n)}
    assert not box.is_hyperrectangle(triangle)
    assert box.is_hyperrectangle(isl.Set("[n, m] -> { [i, j] : n <= i < n + m and m <= j < 2m }"))


def test_hull_of_a_scalar() -> None:
    assert box.is_hyperrectangle(isl.Set("{ [] }"))
    hull = box.box_hull(isl.Set("{ [] }"))
    assert hull is not None
    assert points_of(hull) == {()}


def test_an_unbounded_set_has_no_hull() -> None:
    points = isl.Set("{ [i, j] : 0 <= i < 4 and j >= i }")
    assert box.box_hull(points) is None
    assert box.ranges(points) is None
    assert not box.is_hyperrectangle(points)
    assert box.count(points) is None


@given(finite_sets.filter(bool), finite_sets.filter(bool), st.integers(0, 1))
def test_outside(points: set[Point], inner: set[Point], dimension: int) -> None:
    bounds = box.ranges(isl_set(inner))
    assert bounds is not None
    below, above = box.outside(isl_set(points), dimension, bounds[dimension])
    low, high = (f(p[dimension] for p in inner) for f in (min, max))
    assert points_of(below) == {p for p in points if p[dimension] < low}
    assert points_of(above) == {p for p in points if p[dimension] > high}


def test_outside_with_parameters() -> None:
    points = isl.Set("[n] -> { [i] : 0 <= i < n + 3 }")
    bounds = box.ranges(isl.Set("[n] -> { [i] : 1 <= i < n + 1 }"))
    assert bounds is not None
    below, above = box.outside(points, 0, bounds[0])
    for n in range(1, 4):
        assert points_of(below, n=n) == {(0,)}
        assert points_of(above, n=n) == {(n + 1,), (n + 2,)}


@given(finite_sets)
def test_strides(points: set[Point]) -> None:
    for d, found in enumerate(box.strides(isl_set(points))):
        coordinates = sorted(p[d] for p in points)
        assert found == max(1, gcd(*(c - coordinates[0] for c in coordinates)))


def test_strides_of_a_union_of_lattices() -> None:
    points = isl.Set("{ [i] : 0 <= i < 99 and (i mod 6 = 1 or i mod 6 = 4) }")
    assert box.strides(points) == (3,)


def test_strides_with_parameters() -> None:
    points = isl.Set("[n, o] -> { [i, j] : exists k : i = o + 2k and 0 <= k < n and 0 <= j < n }")
    assert box.strides(points) == (2, 1)


def test_strides_of_lattices() -> None:
    points = isl.Set("{ [i, j, k] : 0 <= i < 20 and i mod 3 = 1 and j = 4k and 0 <= k < 3 }")
    assert box.strides(points) == (3, 4, 1)


basic_sets = [
    "{ [i, j] : 0 <= i < 5 and 0 <= j < 3 }",
    "{ [i, j] : 0 <= i <= j < 6 }",
    "{ [i, j] : 0 <= i < 9 and i mod 3 = 1 and 0 <= j < 8 and j mod 2 = 0 }",
    "{ [i, j] : 0 <= i < 9 and 0 <= j < 9 and (i + j) mod 2 = 0 }",
    "{ [i, j] : 0 <= i < 12 and 1 <= i mod 4 <= 2 and 0 <= j < 2 }",
    "{ [i, j] : exists a, b : i = 3a + 5b and 0 <= a <= 1 and 0 <= b <= 1 and 0 <= j < 4 }",
    "{ [i, j] : 2 <= i < 7 and -3 <= j < -1 }",
    "{ [i, j] : i = 3 and j = 4 }",
    "{ [i, j] : i = 2j and 0 <= j < 5 }",
    "{ [i, j] : 0 <= i < 4 and j = i mod 2 }",
    "{ [i, j] : 0 <= i < 7 and j = floor(i / 2) }",
    "{ [i, j] : false }",
]


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(st.sets(st.sampled_from(basic_sets), min_size=1, max_size=3), st.booleans())
def test_count_of_unions(texts: set[str], difference: bool) -> None:
    first, *others = (isl.Set(text) for text in sorted(texts))
    for other in others:
        first = first.subtract(other) if difference else first.union(other)
    expected = {(i, j) for i in range(-5, 16) for j in range(-5, 16)}
    assert points_of(first) <= expected
    assert box.count(first) == len(points_of(first))


@pytest.mark.slow
@given(finite_sets)
def test_count_of_scattered_points(points: set[Point]) -> None:
    assert box.count(isl_set(points)) == len(points)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ [] }", 1),
        ("{ [] : false }", 0),
        ("{ [i] : 0 <= i < 0 }", 0),
        ("[n] -> { [i] : 0 <= i < 4 }", 4),
        ("[n] -> { [i] : 0 <= i < n }", None),
        ("{ [i, j] : 0 <= i < 1000000 and 0 <= j < 1000000 }", 10**12),
        (
            "{ [i, j] : 0 <= i < 10**6 and 0 <= j < 1000000 and i mod 2 = 0 }".replace("10**6", "1000000"),
            5 * 10**11,
        ),
        (
            "{ [i, j] : 0 <= i < 1000000 and 0 <= j < 1000000 and (i < 1 or j > 999997) }",
            10**6 + 2 * (10**6 - 1),
        ),
        ("{ [b, i, j] : 0 <= b < 1000000 and 0 <= i <= j < 100 }", 5050 * 10**6),
        ("{ [a, b, c, d] : 0 <= a, b, c, d < 1000000000 }", 10**36),
        ("{ [b, i, c, j] : 0 <= b, c < 1000000 and 0 <= i <= j < 10 }", 55 * 10**12),
        ("{ [i] : 0 <= i < 300000 and 1 <= i mod 4 <= 2 }", 150_000),
    ],
)
def test_count_at_once(text: str, expected: int | None) -> None:
    start = time.perf_counter()
    assert box.count(isl.Set(text)) == expected
    assert time.perf_counter() - start < 2


def test_a_count_that_is_too_long_is_unknown() -> None:
    """A triangle of 5 * 10^11 points is neither a product nor worth an enumeration."""
    assert box.count(isl.Set("{ [i, j] : 0 <= i <= j < 1000000 }")) is None
