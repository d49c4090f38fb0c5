"""Dependences of tiles, of triangles, and of nests that share no loop, against all pairs of iterations."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import volcli
from volcli.facts.dependences import DependenceFact
from volcli.presburger.measures.points import few_points

Iteration = tuple[int, ...]


class Nest:
    """Loops over tiles of `size` iterations of up to two loops, the second one a triangle or not; one access."""

    def __init__(self, draw: random.Random, number: int) -> None:
        self.number = number
        self.size = draw.choice((2, 3))
        self.count = draw.choice((4, 5, 6))
        self.triangle = draw.random() < 0.3
        self.step = draw.choice((1, 1, 2))
        self.index = draw.choice(("{i}", "{i} + 1", "2 * {i}", "{i} + {k}", "{k}", "3"))
        self.is_write = number == 0 or draw.random() < 0.7

    def iterations(self) -> Iterator[Iteration]:
        for tile in range(0, self.count, self.size):
            for i in range(tile, min(tile + self.size, self.count)):
                for k in range(0, i if self.triangle else 3, self.step):
                    yield tile, i, k

    def element(self, at: Iteration) -> int:
        return int(eval(self.index.format(i=at[1], k=at[2])))

    def text(self) -> str:
        t, i, k = (f"%{name}{self.number}" for name in "tik")
        high = f"affine_map<(d0) -> (d0)>({i})" if self.triangle else "3"
        index = self.index.format(i=i, k=k)
        access = (
            f"affine.store %x, %m[{index}]" if self.is_write else f"%v{self.number} = affine.load %m[{index}]"
        )
        return f"""affine.for {t} = 0 to {self.count} step {self.size} {{
          affine.for {i} = affine_map<(d0) -> (d0)>({t}) to min affine_map<(d0) -> (d0 + {self.size}, {self.count})>({t}) {{
            affine.for {k} = 0 to {high} step {self.step} {{ {access} : memref<?xf32> }} }} }}"""


def enumerated(nests: list[Nest]) -> dict[tuple[int, int, int], list[tuple[Iteration, Iteration]]]:
    """The pairs of iterations that depend on each other, by the accesses and the depth, in their order."""
    found: dict[tuple[int, int, int], list[tuple[Iteration, Iteration]]] = {}
    for source in nests:
        for sink in nests:
            if source.number > sink.number or not (source.is_write or sink.is_write):
                continue
            for one in source.iterations():
                for other in sink.iterations():
                    if source.element(one) != sink.element(other):
                        continue
                    depth = 1
                    if source is sink:
                        if one >= other:
                            continue
                        depth = next(d for d in range(3) if one[d] != other[d]) + 1
                    found.setdefault((source.number, sink.number, depth), []).append((one, other))
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(40))
def test_dependences_are_those_of_enumeration(seed: int) -> None:
    draw = random.Random(seed)
    nests = [Nest(draw, number) for number in range(3)]
    body = "\n".join(nest.text() for nest in nests)
    analysed = volcli.loads(f"func.func @f(%m: memref<?xf32>, %x: f32) {{\n{body}\nreturn }}").run(
        "dependences"
    )
    facts = {
        (fact.source.index, fact.sink.index, fact.depth): fact
        for fact in analysed.facts
        if isinstance(fact, DependenceFact)
    }
    expected = enumerated(nests)
    assert facts.keys() == expected.keys()
    for key, pairs in expected.items():
        fact = facts[key]
        assert fact.verdict == "dependent"
        is_own = key[0] == key[1]
        distances = {tuple(b - a for a, b in zip(*pair, strict=True)) for pair in pairs} if is_own else {()}
        assert fact.distances is not None
        assert set(few_points(fact.distances.set, 1000) or ()) == distances
        assert list(fact.hull) == [(min(d), max(d)) for d in zip(*distances, strict=True)]
        assert fact.witness is not None
        assert (fact.witness.source, fact.witness.sink) == pairs[0]
        source, sink = (next(n for n in nests if n.number == k) for k in key[:2])
        assert fact.witness.element == (source.element(pairs[0][0]),) == (sink.element(pairs[0][1]),)


def test_tiles_and_nests_without_a_common_loop() -> None:
    nest = """affine.for %{0} = 0 to 20 step 8 {{ affine.for %{1} = affine_map<(d0) -> (d0)>(%{0})
      to min affine_map<(d0) -> (d0 + 8, 20)>(%{0}) {{ affine.for %{2} = 0 to 9 {{
        %{3} = affine.load %m[%{1}] : memref<32xf32>
        affine.store %{3}, %m[%{1}] : memref<32xf32> }} }} }}"""
    body = nest.format("a", "b", "c", "v") + nest.format("d", "e", "f", "w")
    program = volcli.loads(f"func.func @f(%m: memref<32xf32>) {{ {body} return }}").run("dependences")
    facts = [fact for fact in program.facts if isinstance(fact, DependenceFact)]
    assert {str(fact.distances) for fact in facts if fact.depth == 3} == {"{ [a = 0, b = 0, c] : 0 < c <= 8 }",
        "{ [d = 0, e = 0, f] : 0 < f <= 8 }"}  # fmt: skip
    between = [fact for fact in facts if fact.source.index < 2 <= fact.sink.index]
    assert len(between) == 3
    assert all(fact.hull == () and fact.witness is not None for fact in between)
