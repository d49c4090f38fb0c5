"""Pairs of accesses whose answer is that of other pairs: against enumeration."""

from __future__ import annotations

import random
from itertools import product

import pytest

import volcli
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.answers import DependenceVerdict
from volcli.model.memory.dependences.dependences import Polyhedra
from volcli.model.memory.dependences.model import Memory
from volcli.presburger.measures.points import few_points
from volcli.presburger.relations.relation import Relation

BOUNDS = ("0 to 4", "1 to 6 step 2", "affine_map<(d0) -> (d0)>(%i) to 4")
INDICES = ("%i + {a}, {b}", "%i + {a}, %j + {b}", "{a} - %j, {b}", "2 * %i + {a}, %i + %j + {b}")


def memory_of(text: str) -> Memory:
    return volcli.loads(text).units[0].models()[0].memory


def program(choose: random.Random, accesses: int) -> tuple[str, list[str]]:
    """Two loops with accesses of few forms, and the formulas of their elements."""
    inner = choose.choice(BOUNDS)
    shapes = choose.sample(INDICES, 2)
    lines = ["func.func @f(%m: memref<?x?xf32>, %x: f32) {", "affine.for %i = 0 to 4 {"]
    lines.append(f"affine.for %j = {inner} {{")
    elements: list[str] = []
    for number in range(accesses):
        index = choose.choice(shapes).format(a=choose.randrange(-2, 3), b=choose.randrange(2))
        elements.append(index.replace("%", ""))
        index = index.replace("+ -", "- ")
        if choose.random() < 0.5:
            lines.append(f"affine.store %x, %m[{index}] : memref<?x?xf32>")
        else:
            lines.append(f"%v{number} = affine.load %m[{index}] : memref<?x?xf32>")
    return "\n".join([*lines, "}", "}", "return", "}"]), [inner, *elements]


def distances(inner: str, first: str, second: str, depth: int, *, in_order: bool) -> set[tuple[int, ...]]:
    """What is between iterations of both that go to one element, the second ones later at DEPTH."""
    numbers = {BOUNDS[0]: range(4), BOUNDS[1]: range(1, 6, 2)}
    points = [(i, j) for i in range(4) for j in numbers.get(inner, range(i, 4))]
    found: set[tuple[int, ...]] = set()
    for (i, j), (k, m) in product(points, points):
        step = (k - i, m - j)
        is_later = step[: depth - 1] == (0,) * (depth - 1) and (
            step[depth - 1] > 0 if depth < 3 else in_order
        )
        if is_later and eval(first, {"i": i, "j": j}) == eval(second, {"i": k, "j": m}):
            found.add(step)
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(5))
def test_all_pairs_have_the_distances_that_there_are(seed: int) -> None:
    text, (inner, *elements) = program(random.Random(seed), 9)
    memory = memory_of(text)
    found = {each.key: each for each in memory.dependences()}
    expected = {
        (source.number, sink.number, depth): points
        for source, sink in product(memory.sites, memory.sites)
        if source.is_write or sink.is_write
        for depth in (1, 2, 3)
        if (points := distances(inner, elements[source.number], elements[sink.number], depth,
                                in_order=source.number < sink.number))
    }  # fmt: skip
    assert found.keys() == expected.keys()
    for key, points in expected.items():
        each = found[key]
        assert each.verdict is DependenceVerdict.DEPENDENT
        assert each.distances.points is not None
        assert set(few_points(each.distances.points, 64) or ()) == points
        assert each.hull == tuple((min(of), max(of)) for of in zip(*points, strict=True))


def test_a_loop_that_was_unrolled_asks_few_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    distances = Polyhedra._within_budget  # pyright: ignore[reportPrivateUsage]

    def counted(
        self: Polyhedra, source: Relation, sink: Relation, levels: tuple[Level, ...], depth: int
    ) -> object:
        asked.append(depth)
        return distances(self, source, sink, levels, depth)

    monkeypatch.setattr(Polyhedra, "_within_budget", counted)
    copies = "\n".join(
        f"%v{k} = affine.load %m[%i + {k}] : memref<?xf32>\naffine.store %v{k}, %m[%i + {k + 3}] : memref<?xf32>"
        for k in range(16)
    )
    memory = memory_of(
        f"func.func @f(%m: memref<?xf32>) {{ affine.for %i = 0 to 64 step 4 {{ {copies} }} return }}"
    )
    found = list(memory.dependences())
    assert len(found) > 80
    assert len(asked) < 100  # and not 1,144: one for each difference of offsets


NESTS = """func.func @f(%m: memref<64xf32>, %x: f32) {{
  affine.for %i = 0 to {0} step 8 {{ affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (d0 + 8, {0})>(%i) {{
    affine.store %x, %m[%j] : memref<64xf32> }} }}
  affine.for %k = 0 to {1} step 8 {{ affine.for %l = affine_map<(d0) -> (d0)>(%k) to min affine_map<(d0) -> (d0 + 8, {1})>(%k) {{
    affine.store %x, %m[%l] : memref<64xf32> }} }}
  return
}}"""


@pytest.mark.parametrize("sizes", [(20, 20), (20, 13)])
def test_nests_with_the_same_iterations_have_one_domain(sizes: tuple[int, int]) -> None:
    memory = memory_of(NESTS.format(*sizes))
    first, second = (memory.instances.domains.of(site.op).points for site in memory.sites)
    assert (first is second) is (sizes[0] == sizes[1])
    for points, size in zip((first, second), sizes, strict=True):
        expected = {(i, j) for i in range(0, size, 8) for j in range(i, min(i + 8, size))}
        assert set(few_points(points, 64) or ()) == expected


LAYERS = """func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %x: f32) {
  affine.for %t = 0 to 4 {
    affine.for %i = 0 to 8 { affine.store %x, %a[%i] : memref<8xf32> }
    %own = memref.alloc() : memref<8xf32>
    affine.for %i = 0 to 8 { affine.store %x, %own[%i] : memref<8xf32> }
    %one = arith.select %c, %a, %b : memref<8xf32>
    affine.for %i = 0 to 8 { affine.store %x, %one[%i] : memref<8xf32> }
    affine.for %i = 0 to 8 { affine.store %x, %b[%i] : memref<8xf32> }
  }
  return
}"""


def test_equal_nests_have_one_form_unless_their_buffers_are_made_anew() -> None:
    memory = memory_of(LAYERS)
    verdicts = [[(each.depth, each.verdict) for each in memory.carried(site, site)] for site in memory.sites]
    carried = [(1, DependenceVerdict.DEPENDENT)]
    assert verdicts == [carried, [], carried, carried, carried]  # what is chosen is a site for each
    first, last = (memory.carried(each, each) for each in (memory.sites[0], memory.sites[-1]))
    assert first[0].distances is last[0].distances
