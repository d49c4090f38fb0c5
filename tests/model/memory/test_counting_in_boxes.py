"""Points of boxes where linear conditions hold, counted and enumerated."""

from __future__ import annotations

import itertools
import random

import pytest

from volcli.model.memory.boxes.counting_in_boxes import Form, count_in_box


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(60))
def test_as_many_as_enumeration_finds(seed: int) -> None:
    draw = random.Random(seed)
    trips = {name: draw.randrange(5) for name in "abcd"[: draw.randrange(5)]}
    conditions: list[Form[str]] = [
        (
            {name: draw.choice([-3, -2, -1, 1, 2, 3]) for name in trips if draw.random() < 0.5},
            draw.randint(-4, 6),
        )
        for _ in range(draw.randrange(4))
    ]
    points = [
        dict(zip(trips, numbers, strict=True))
        for numbers in itertools.product(*(range(each) for each in trips.values()))
    ]
    inside = [
        point
        for point in points
        if all(sum(c * point[v] for v, c in terms.items()) + constant >= 0 for terms, constant in conditions)
    ]
    assert count_in_box(trips, conditions) == len(inside)


def test_independent_ranges_are_multiplied_and_not_gone_through() -> None:
    triangle: Form[str] = ({"i": 1, "j": -1}, 0)
    assert count_in_box({"i": 100, "j": 100, "k": 10**9}, [triangle]) == 5050 * 10**9


def test_what_takes_long_is_not_counted() -> None:
    assert count_in_box({"i": 1000, "j": 1000}, [({"i": 1, "j": -1}, 0)]) is None
