"""Closures of relations, against all steps of small ones."""

from __future__ import annotations

import random

import islpy as isl
import pytest

from volcli.equivalence.paths.paths import Paths
from volcli.equivalence.paths.stars import star

POINTS = isl.Set("{ [i, e] : 0 <= i < 6 and 0 <= e < 6 }")
AGAINST_THE_GRAIN = (
    "{ [i, e, c] -> [i - 1, e - 1, c + 1] : e = i and 0 <= c < 4; "
    "[i, e, c] -> [i - 1, e, c] : e < i or e > i or c < 0 or c >= 4 }"
)


def reached(step: isl.Map, points: isl.Set) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All pairs of points that some number of steps leads from and to."""
    pairs = pairs_of(step)
    found = {(point, point) for point, _ in pairs_of(points.identity())}
    while True:
        more = {(a, d) for a, b in found for c, d in pairs if b == c} - found
        if not more:
            return found
        found |= more


def pairs_of(relation: isl.Map) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    found: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    count = relation.dim(isl.dim_type.in_)

    def add(point: isl.Point) -> None:
        total = 2 * count
        at = tuple(
            point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(total)
        )  # fmt: skip
        found.add((at[:count], at[count:]))

    relation.wrap().flatten().foreach_point(add)
    return found


def random_step(rng: random.Random) -> isl.Map:
    """From an iteration to the one before; elements stay, or go along one of two vectors."""
    parts: list[str] = []
    rest = "i >= 1"
    for _ in range(rng.randint(1, 2)):
        low, shift = rng.randint(-3, 3), rng.randint(-2, 2)
        condition = rng.choice([f"e = i + {low}", f"e >= {low + 2}", f"e >= i + {low}", f"e = {low + 2}"])
        parts.append(f"[i, e] -> [i - 1, e + {shift}] : {rest} and {condition} and 0 <= e + {shift} < 6")
        rest += f" and not ({condition})"
    parts.append(f"[i, e] -> [i - 1, e] : {rest}")
    return isl.Map(f"{{ {'; '.join(parts)} }}").intersect_domain(POINTS).intersect_range(POINTS)


def test_elements_go_along_one_vector_after_the_other() -> None:
    points = isl.Set("{ [i, e, c] : 0 <= i < 4 and 0 <= e < 4 and 0 <= c < 5 }")
    step = isl.Map(AGAINST_THE_GRAIN).intersect_domain(points).intersect_range(points)
    found = star(Paths.of(step), points)
    assert found is not None
    assert pairs_of(found.support) == reached(step, points)


@pytest.mark.parametrize("seed", range(12))
def test_closures_are_those_of_all_steps(seed: int) -> None:
    rng = random.Random(seed)
    known = 0
    for _ in range(4):
        step = random_step(rng)
        found = star(Paths.of(step), POINTS)
        if found is not None:
            known += 1
            assert pairs_of(found.support) == reached(step, POINTS), step
    assert known
