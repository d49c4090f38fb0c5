"""Parts of a domain behave as the sets they stand for."""

from __future__ import annotations

import itertools

import islpy as isl
import pytest

from tests.shared.enumeration import points_of
from volcli.model.volumes.domains.parts import Part, as_set, intersection, normalised, union, union_of

WHOLE = isl.Set("{ [i] : 0 <= i < 4 }")
PARTS: list[Part] = [
    True,
    False,
    isl.Set("{ [i] : 0 <= i < 2 }"),
    isl.Set("{ [i] : 1 <= i < 4 }"),
    WHOLE,
    isl.Set("{ [i] : false }"),
]


def plain(part: Part) -> set[tuple[int, ...]]:
    return points_of(WHOLE) if part is True else set() if part is False else points_of(part)


@pytest.mark.sample(4)
@pytest.mark.parametrize(("left", "right"), list(itertools.product(PARTS, PARTS)))
def test_operations(left: Part, right: Part) -> None:
    assert plain(union(left, right)) == plain(left) | plain(right)
    assert plain(intersection(left, right)) == plain(left) & plain(right)


@pytest.mark.parametrize("part", PARTS)
def test_conversions(part: Part) -> None:
    assert points_of(as_set(part, WHOLE)) == plain(part)
    simple = normalised(part, lambda: WHOLE)
    assert plain(simple) == plain(part)
    if plain(part) in (set(), plain(True)):
        assert isinstance(simple, bool)


@pytest.mark.sample(4)
@pytest.mark.parametrize("parts", list(itertools.product(PARTS, PARTS, PARTS)))
def test_unions_of_many(parts: tuple[Part, ...]) -> None:
    assert plain(union_of(parts)) == set().union(*map(plain, parts))
