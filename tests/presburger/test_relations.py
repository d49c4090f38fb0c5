"""Relations up to an offset, and what is asked of two of them: against enumeration of their pairs."""

from __future__ import annotations

import random
from itertools import product

import islpy as isl
import pytest

from tests.shared.enumeration import pairs_of
from volcli.presburger.relations.contents import Contents
from volcli.presburger.relations.relation import Relation, at_depth, meeting
from volcli.presburger.sets.names import without

SHAPES = (
    "{ [i, j] -> [i + j] : 0 <= i < 4 and 0 <= j < 3 }",
    "{ [i, j] -> [2i - j] : 0 <= i < 4 and 0 <= j <= i }",
    "{ [i, j] -> [j] : 0 <= i < 3 and 0 <= j < 4 and (i + j) mod 2 = 0 }",
)

Pairs = set[tuple[tuple[int, ...], tuple[int, ...]]]


def elements(shape: str, offset: int) -> Pairs:
    return {(x, (y[0] + offset,)) for x, y in pairs_of(isl.Map(shape))}


@pytest.mark.parametrize("seed", range(4))
def test_two_relations_share_the_elements_that_they_both_have(seed: int) -> None:
    choose = random.Random(seed)
    shapes, offsets = choose.choices(SHAPES, k=2), choose.choices(range(-2, 3), k=2)
    one, other = (Relation(isl.Map(s), s, (at,)) for s, at in zip(shapes, offsets, strict=True))
    first, second = (elements(s, at) for s, at in zip(shapes, offsets, strict=True))
    assert pairs_of(one.elements()) == first
    shared = {(x, y, e) for (x, e), (y, f) in product(first, second) if e == f}
    pairs = one.pairs(other)
    assert pairs_of(pairs) == {(x, y) for x, y, _ in shared}
    later = {
        1: {(x, y) for x, y, _ in shared if x[0] < y[0]},
        2: {(x, y) for x, y, _ in shared if x[0] == y[0] and x[1] < y[1]},
        3: {(x, y) for x, y, _ in shared if x == y},
    }
    for depth, expected in later.items():
        assert pairs_of(at_depth(pairs, 2, depth)) == expected
        found = meeting(one.elements(), other.elements(), min(depth - 1, 2), depth - 1 if depth < 3 else None)
        assert found.points.is_empty() is (not expected)
        if expected:
            x, y, element = found.split(found.points.sample_point())
            assert (x, y) in expected
            assert (x, y, element) in shared


@pytest.mark.parametrize("shape", SHAPES)
def test_offsets_alone_make_no_other_question(shape: str) -> None:
    relations = [Relation(isl.Map(shape), shape, (at,)) for at in (0, 1, 5)]
    zero, one, five = relations
    assert zero.beside(one) == five.at((4,)).beside(five)
    assert zero.beside(one) != one.beside(zero)
    assert pairs_of(zero.pairs(one)) == pairs_of(five.at((4,)).pairs(five))
    assert zero.at((0,)) is zero


def test_equal_points_have_one_key_and_others_have_others() -> None:
    contents = Contents()
    texts = (SHAPES[0], "{ [i, j] -> [j + i] : 0 <= j <= 2 and 0 <= i <= 3 }", SHAPES[1])
    one, same, other = (Relation(isl.Map(text)) for text in texts)
    assert contents.key(one) == contents.key(same)
    assert contents.key(one) != contents.key(other)
    assert contents.of(same.points, None)[0] is one.points
    assert contents.key(Relation(one.made, "numbers")) == contents.number("numbers")


def test_points_are_made_when_they_are_asked_for() -> None:
    asked: list[str] = []

    def made() -> isl.Map:
        asked.append("made")
        return isl.Map(SHAPES[0])

    relation = Relation(made, "key", (2,), is_numeric=True)
    moved = relation.at((3,))
    assert moved.is_like(relation)
    assert asked == []
    assert pairs_of(relation.elements()) == elements(SHAPES[0], 2)
    assert pairs_of(moved.elements()) == elements(SHAPES[0], 3)
    assert asked == ["made"]  # once for all offsets


def test_last_coordinates_become_points() -> None:
    shape = "{ [i] -> [e, k] : e = 2i + k and 0 <= i < 3 and 0 <= k < 2 }"
    relation = Relation(isl.Map(shape), "key", (1, 0))
    found = relation.with_last_as_points(1)
    assert pairs_of(found.elements()) == {((i, k), (2 * i + k + 1,)) for i in range(3) for k in range(2)}
    assert found.key != relation.at((0, 0)).with_last_as_points(1).key
    assert relation.with_last_as_points(0) is relation


def test_unstable_values_may_be_any_and_others_in_a_later_iteration() -> None:
    relation = Relation(
        isl.Map("[n, v] -> { [i] -> [i + v] : 0 <= i < n and 0 <= v <= 1 }"), "key", (0,), (("v", 1),)
    )
    assert relation.changing(1) == ("v",)
    assert relation.changing(2) == ()
    assert relation.stable().is_equal(isl.Map("[n] -> { [i] -> [e] : 0 <= i < n and i <= e <= i + 1 }"))
    pairs = without(relation.pairs(relation, relation.changing(1)), "v", "v'")
    assert pairs.is_equal(isl.Map("[n] -> { [i] -> [j] : 0 <= i, j < n and -1 <= i - j <= 1 }"))
    same = without(relation.pairs(relation), "v")
    assert same.is_equal(isl.Map("[n] -> { [i] -> [i] : 0 <= i < n }"))
