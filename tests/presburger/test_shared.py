"""Equal sets are one object, and results are those of the sets, whichever object stands for them."""

from __future__ import annotations

import islpy as isl
import pytest

from volcli.presburger.sets.shared import forget, once, shared


def test_equal_sets_are_one_object() -> None:
    one = shared(isl.Set("{ [i] : 0 <= i < 4 }"))
    assert shared(isl.Set("{ [i] : 0 <= i and i <= 3 }")) is one
    assert shared(one) is one
    assert shared(isl.Set("{ [i] : 0 <= i < 5 }")) is not one
    assert shared(isl.Set("{ [i, j] : 0 <= i < 4 and j = 0 }")) is not one


def test_a_result_is_computed_once() -> None:
    asked: list[isl.Set] = []

    def image(points: isl.Set) -> isl.Set:
        asked.append(points)
        return points.apply(isl.Map("{ [i] -> [i + 1] }"))

    for _ in range(2):
        found = once("image", image, isl.Set("{ [i] : 0 <= i < 7 }"))
        assert found.is_equal(isl.Set("{ [i] : 1 <= i < 8 }"))
    assert len(asked) == 1
    once("another", image, isl.Set("{ [i] : 0 <= i < 7 }"))
    assert len(asked) == 2


def test_parameters_belong_to_a_set() -> None:
    assert shared(isl.Set("[n] -> { [i] : i = n }")) is not shared(isl.Set("[m] -> { [i] : i = m }"))


def test_a_failure_is_not_remembered() -> None:
    points = isl.Set("{ [i] : 0 <= i < 3 }")
    with pytest.raises(ZeroDivisionError):
        once("fails", lambda _: 1 // 0, points)
    assert once("fails", lambda _: 1, points) == 1


def test_forgetting_keeps_sets_valid() -> None:
    before = shared(isl.Set("{ [i] : 0 <= i < 9 }"))
    forget()
    assert shared(isl.Set("{ [i] : 0 <= i < 9 }")).is_equal(before)
