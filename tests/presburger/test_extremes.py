"""The least and the greatest coordinate, also where isl counts a part that is empty."""

from __future__ import annotations

import random

import islpy as isl
import pytest

from volcli.presburger.measures.extremes import greatest, hull, interval, least, plain_box
from volcli.presburger.measures.points import few_points

WITH_AN_EMPTY_PART = """{ [a, b, c, d] : c mod 3 = 0 and (a + d) mod 2 = 0 and 0 <= a <= 2 and b > a and b <= 2
    and 0 < c <= 2 + b and d <= 1 and -1 + c <= 2d <= c; [a, b, 0, 0] : a mod 2 = 0 and 0 <= a <= 2 and a < b <= 2 }"""


def test_a_part_that_is_empty_says_nothing() -> None:
    points = isl.Set(WITH_AN_EMPTY_PART).fix_val(isl.dim_type.set, 0, isl.Val(0))
    assert interval(points, 1) == (1, 2)


def test_a_number_that_no_point_has_is_not_believed() -> None:
    points = isl.Set("{ [v] : 3 * floor((-1 - v) / 3) > -2 * v and v >= 0 }")
    assert least(points, 0) == next(v for v in range(8) if 3 * ((-1 - v) // 3) > -2 * v) == 2


@pytest.mark.parametrize(("text", "expected"), [
    ("{ [x] : x >= 3 }", (3, None)),
    ("{ [x] : x < 3 }", (None, 2)),
    ("{ [x] : x < 3; [x] : 5 <= x <= 9 }", (None, 9)),
    ("[n] -> { [x] : 1 <= x <= n <= 7 }", (1, 7)),
    ("[n] -> { [x] : 1 <= x <= n }", (1, None)),
    ("{ [x] : 2 * floor(x / 2) = x and 3 <= x <= 9; [x] : x = 11 }", (4, 11)),
    ("{ [x] : 1 = 0 }", (None, None)),
])  # fmt: skip
def test_ends(text: str, expected: tuple[int | None, int | None]) -> None:
    points = isl.Set(text)
    assert (least(points, 0), greatest(points, 0)) == expected


@pytest.mark.slow
def test_random_unions_against_their_points() -> None:
    rng = random.Random(3)
    for _ in range(200):
        parts = [
            f"[x, y] : {rng.randint(-3, 1)} <= x <= {rng.randint(0, 4)} and x + {rng.randint(-2, 2)} <= "
            f"{rng.randint(1, 3)} * y <= 9 and (x + {rng.randint(1, 2)} * y) mod {rng.randint(2, 4)} = 1"
            for _ in range(rng.randint(1, 3))
        ]
        points = isl.Set("{ " + "; ".join(parts) + " }")
        found: list[isl.Point] = []
        points.foreach_point(found.append)
        for position in (0, 1):
            numbers = [p.get_coordinate_val(isl.dim_type.set, position).to_python() for p in found]
            expected = (min(numbers), max(numbers)) if numbers else (None, None)
            assert interval(points, position) == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_hulls_and_few_points_of_sets_with_divisions(seed: int) -> None:
    """Corners that are no points, lines along which there are gaps, and sets of few points."""
    rng = random.Random(seed)
    many = 0
    for _ in range(120):
        conditions = [f"{rng.randint(-4, 0)} <= {name} <= {rng.randint(0, 7)}" for name in "xyz"]
        conditions += [
            f"{rng.randint(-2, 2)} * x + {rng.randint(-2, 2)} * y + {name} <= {rng.randint(0, 9)}"
            for name in rng.sample("xyz", rng.randint(0, 2))
        ]
        conditions += [f"(x + {rng.randint(0, 2)} * y + z) mod {rng.randint(2, 5)} = {rng.randint(0, 1)}"]
        points = isl.Set(f"{{ [x, y, z] : {' and '.join(conditions)} }}")
        found: list[isl.Point] = []
        points.foreach_point(found.append)
        if not found:
            continue
        coordinates = sorted(
            tuple(p.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(3)) for p in found
        )
        assert hull(points) == tuple((min(c), max(c)) for c in zip(*coordinates, strict=True))
        assert few_points(points, 8) == (coordinates if len(coordinates) <= 8 else None)
        many += len(coordinates) > 8
    assert many > 30


def test_gaps_at_the_ends() -> None:
    points = isl.Set("{ [x, y] : x mod 7 = 3 and 0 <= x <= 40 and y = 2 * x }")
    assert hull(points) == ((3, 38), (6, 76))
    assert few_points(points, 8) == [(x, 2 * x) for x in (3, 10, 17, 24, 31, 38)]
    assert few_points(points, 5) is None


@pytest.mark.parametrize(("text", "expected"), [
    ("{ [x] : 3 <= x <= 5 }", ((3, 5),)),
    ("{ [x, y] : x = -2 and 0 <= 2y <= 7 }", ((-2, -2), (0, 3))),
    ("{ [x, y] : 0 <= x <= 3 and 0 <= y }", None),
    ("{ [x, y] : 0 <= x <= 3 and x <= y <= 3 }", None),
    ("{ [x] : 0 <= x <= 8 and x mod 2 = 0 }", None),
    ("{ [x] : 0 <= x <= 2; [x] : 4 <= x <= 6 }", None),
    ("[n] -> { [x] : 0 <= x <= n }", None),
    ("{ [x] : 1 = 0 }", None),
    ("{ [] }", None),
])  # fmt: skip
def test_boxes_as_constraints_say_them(text: str, expected: tuple[tuple[int, int], ...] | None) -> None:
    points = isl.Set(text)
    assert plain_box(points) == expected
    if expected is not None:
        assert hull(points) == expected


def test_random_boxes_against_linear_programs() -> None:
    rng = random.Random(11)
    for _ in range(300):
        rank = rng.randint(1, 4)
        points = isl.Set.universe(isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, rank))
        for k in range(rank):
            for _ in range(rng.randint(1, 2)):
                points = points.lower_bound_val(isl.dim_type.set, k, isl.Val(rng.randint(-4, 0)))
                points = points.upper_bound_val(isl.dim_type.set, k, isl.Val(rng.randint(-1, 4)))
        found = plain_box(points)
        if found is not None:
            assert found == tuple(interval(points, k) for k in range(rank))
            count = points.count_val().to_python()
            assert (few_points(points) is None) == (count > 12)
