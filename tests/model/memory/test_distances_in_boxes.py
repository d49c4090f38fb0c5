"""Dependences of accesses that move with one loop a coordinate, against all pairs of iterations."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

import volcli
from volcli.facts.dependences import DependenceFact
from volcli.presburger.measures.points import few_points

Form = tuple[int | None, int, int]
"""A loop, its coefficient and a number: `2 * %i1 + 3`."""


def value(form: Form, iteration: Sequence[int]) -> int:
    loop, coefficient, number = form
    return number + (0 if loop is None else coefficient * iteration[loop])


def written(form: Form) -> str:
    loop, coefficient, number = form
    return str(number) if loop is None else f"{coefficient} * %i{loop} + {number}"


def drawn(draw: random.Random, depth: int) -> tuple[Form, ...]:
    loops = (*range(depth), None)
    return tuple((draw.choice(loops), draw.choice((1, 1, 2, -1)), draw.randint(0, 3)) for _ in range(2))


def program(ranges: Sequence[range], elements: Sequence[tuple[Form, ...]]) -> str:
    stored, loaded = (", ".join(map(written, each)) for each in elements)
    heads = (f"affine.for %i{k} = {r.start} to {r.stop} step {r.step} {{" for k, r in enumerate(ranges))
    return f"""func.func @f(%m: memref<?x?xf32>, %x: f32) {{
{" ".join(heads)}
affine.store %x, %m[{stored}] : memref<?x?xf32>
%y = affine.load %m[{loaded}] : memref<?x?xf32>
{"}" * len(ranges)}
return }}"""


def enumerated(
    ranges: Sequence[range], elements: Sequence[tuple[Form, ...]]
) -> dict[tuple[int, int, int], list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """The pairs of iterations that depend on each other, by the accesses and the depth, in their order."""
    found: dict[tuple[int, int, int], list[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    iterations = list(product(*ranges))
    for source, sink in ((0, 0), (0, 1), (1, 0)):
        for one, other in product(iterations, repeat=2):
            in_order = one < other or (one == other and source < sink)
            goes = ([value(form, at) for form in elements[k]] for k, at in ((source, one), (sink, other)))
            first, second = goes
            if in_order and first == second:
                equal = [a == b for a, b in zip(one, other, strict=True)]
                depth = equal.index(False) + 1 if False in equal else len(ranges) + 1
                found.setdefault((source, sink, depth), []).append((one, other))
    return found


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(12))
def test_dependences_are_those_of_enumeration(seed: int) -> None:
    draw = random.Random(seed)
    depth = draw.randint(1, 3)
    ranges = [
        range(low := draw.randint(-1, 2), low + draw.randint(1, 5), draw.choice((1, 1, 1, 2)))
        for _ in range(depth)
    ]
    stored = drawn(draw, depth)
    loaded = tuple((k, c, draw.randint(0, 3)) for k, c, _ in stored) if seed % 3 else drawn(draw, depth)
    expected = enumerated(ranges, (stored, loaded))
    analysed = volcli.loads(program(ranges, (stored, loaded))).run("dependences")
    facts = {
        (fact.source.index, fact.sink.index, fact.depth): fact
        for fact in analysed.facts
        if isinstance(fact, DependenceFact)
    }
    assert facts.keys() == expected.keys()
    for key, pairs in expected.items():
        fact = facts[key]
        assert fact.verdict == "dependent"
        distances = {tuple(b - a for a, b in zip(*pair, strict=True)) for pair in pairs}
        assert fact.distances is not None
        assert set(few_points(fact.distances.set, 1000) or ()) == distances
        assert list(fact.hull) == [(min(d), max(d)) for d in zip(*distances, strict=True)]
        assert fact.witness is not None
        assert (fact.witness.source, fact.witness.sink) == pairs[0]
