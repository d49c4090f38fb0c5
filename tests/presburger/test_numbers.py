"""Pairs of numbers that share an element, and their distances, against enumeration."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import product

import pytest

from volcli.presburger.measures.first_solution import Linear, TooLong
from volcli.presburger.relations.numbers import NumberedPair, NumberedRelation

Pair = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def values(forms: list[Linear], numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(each.constant + sum(c * numbers[k] for k, c in each.terms.items()) for each in forms)


def drawn(draw: random.Random, loops: list[tuple[int, int, int]], rank: int) -> NumberedRelation:
    """Elements in LOOPS with so many trips, a step and a first value each; half of them are plain."""
    count = len(loops)
    trips = [n for n, _, _ in loops]
    iteration = [Linear({k: step}, first) for k, (_, step, first) in enumerate(loops)]
    conditions: list[Linear] = []
    if draw.random() < 0.3:  # a triangle, or a point of the iteration
        if draw.random() < 0.5 and count > 1:
            conditions.append(Linear({0: 1, count - 1: -1}, draw.randint(0, 1)))
        else:
            trips.append(draw.randint(1, 3))
    element: list[Linear] = []
    for _ in range(rank):
        chosen = draw.sample(range(len(trips)), k=min(len(trips), draw.choice((0, 1, 1, 1, 2))))
        element.append(Linear({k: draw.choice((1, 1, -1, 2)) for k in chosen}, draw.randint(-1, 1)))
    return NumberedRelation(trips, iteration, element, conditions, is_function=len(trips) == count)


def points(numbers: NumberedRelation) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The iterations with their elements."""
    every = product(*(range(n) for n in numbers.trips))
    return [
        (values([*numbers.iteration], t), values([*numbers.element], t))
        for t in every
        if all(v >= 0 for v in values([*numbers.conditions], t))
    ]


def enumerated(pair: NumberedPair, depth: int) -> list[Pair]:
    """The pairs at DEPTH, with the element less the offset of the sink, in their order."""
    equal = min(depth - 1, pair.common)
    found: list[Pair] = []
    for (x, e), (y, f) in product(points(pair.source), points(pair.sink)):
        moved = tuple(a + d for a, d in zip(e, pair.difference, strict=True))
        is_later = depth > pair.common or y[equal] > x[equal]
        if moved == f and x[:equal] == y[:equal] and is_later:
            found.append((x, y, f))
    return sorted(found)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(6))
def test_first_pairs_and_distances_are_those_of_enumeration(seed: int) -> None:
    draw = random.Random(seed)
    shared = ranges = empty = 0
    for _ in range(200):
        common, rank = draw.randint(0, 2), draw.randint(1, 2)
        nests = [[(draw.randint(0, 4), draw.choice((1, 1, 2)), draw.randint(-1, 1)) for _ in range(common)]]
        nests += [[(draw.randint(1, 4), 1, 0) for _ in range(draw.randint(0, 1))] for _ in range(2)]
        source, sink = (drawn(draw, [*nests[0], *own], rank) for own in nests[1:])
        pair = NumberedPair(source, sink, [draw.randint(-2, 2) for _ in range(rank)], common)
        for depth in range(1, common + 2):
            expected = enumerated(pair, depth)
            with suppress(TooLong):
                assert pair.first(depth) == (expected[0] if expected else None), (pair, depth)
            distances = pair.distances(depth)
            if distances is not None:
                between = {tuple(b - a for a, b in zip(x, y, strict=False))[:common] for x, y, _ in expected}
                assert {*product(*distances.ranges)} == between, (pair, depth)
                ranges += bool(between)
                empty += not between
            shared += bool(expected)
    assert shared > 40
    assert ranges > 20
    assert empty > 20


def multiples(loops: int) -> list[dict[int, int]]:
    """The terms of coordinates that move with one of so many LOOPS, or with none."""
    return [{}, *({k: factor} for k in range(loops) for factor in (-1, 1, 2))]


@pytest.mark.parametrize(("loops", "common"), [(1, 1), (2, 1), (2, 2)])
def test_distances_of_all_small_pairs_are_those_of_enumeration(loops: int, common: int) -> None:
    """Two coordinates that move with one loop each, in all ways: random pairs meet few that disagree."""
    trips, iteration = [2, 3][:loops], [Linear({k: 1}, 0) for k in range(loops)]
    forms = [Linear(terms, 0) for terms in multiples(loops)]
    differences = [*product(range(-2, 3), repeat=2)] if loops == 1 else [(1, -1), (1, 2)]
    relations = [NumberedRelation(trips, iteration, each, []) for each in product(forms, repeat=2)]
    said = 0
    for (source, sink), difference in product(product(relations, repeat=2), differences):
        pair = NumberedPair(source, sink, difference, common)
        distances = pair.distances(1)
        if distances is not None:
            said += 1
            pairs = enumerated(pair, 1)
            between = {tuple(b - a for a, b in zip(x, y, strict=True))[:common] for x, y, _ in pairs}
            assert {*product(*distances.ranges)} == between, (pair, distances)
    assert said > 1000
