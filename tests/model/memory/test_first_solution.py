"""First solutions of linear constraints, and meetings of accesses, against trying out everything."""

from __future__ import annotations

import random
from itertools import product

import pytest

import volcli
from volcli.facts.access import AccessFact
from volcli.facts.dependences import DependenceFact
from volcli.presburger.measures.first_solution import Linear, Range, TooLong, first_solution


def enumerated(ranges: list[Range], constraints: list[Linear]) -> list[int] | None:
    """The first solution, of all that there are."""
    for numbers in product(*(range(low, high + 1) for low, high in ranges)):
        values = [e.constant + sum(c * numbers[v] for v, c in e.terms.items()) for e in constraints]
        if all(v == 0 if e.is_equation else v >= 0 for v, e in zip(values, constraints, strict=True)):
            return list(numbers)
    return None


def drawn(draw: random.Random) -> tuple[list[Range], list[Linear]]:
    """Up to four variables, and up to four constraints of some of them."""
    count = draw.randint(1, 4)
    ranges = [(low := draw.randint(-2, 2), low + draw.randint(-1, 5)) for _ in range(count)]
    constraints: list[Linear] = []
    for _ in range(draw.randint(1, 4)):
        coefficients = {v: draw.choice((-8, -3, -2, -1, 1, 1, 2, 4)) for v in range(count)}
        terms = {v: c for v, c in coefficients.items() if draw.random() < 0.6}
        constraints.append(Linear(terms, draw.randint(-6, 6), draw.random() < 0.6))
    return ranges, constraints


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_first_solutions_are_those_of_enumeration(seed: int) -> None:
    draw = random.Random(seed)
    solved = refuted = 0
    for _ in range(400):
        ranges, constraints = drawn(draw)
        expected = enumerated(ranges, constraints)
        try:
            found = first_solution(ranges, constraints)
        except TooLong:
            continue
        assert found == expected, (ranges, constraints)
        solved += found is not None
        refuted += found is None
    assert solved > 30
    assert refuted > 100


NESTS = {
    "triangle": ("%i = 0 to 6", "%j = 0 to #up(%i)", "%i, %j", "%j, %i"),
    "step": ("%i = 0 to 12 step 3", "%j = 0 to 4", "2 * %i + %j, 0", "%i + 3 * %j + 1, 0"),
    "tiles": ("%i = 0 to 10 step 4", "%j = #id(%i) to min #tile(%i)", "%j, 1", "%j - 2, 1"),
    "multiples": ("%i = 0 to 9", "%j = 0 to #down(%i) step 4", "%j, %i", "%i, %j + 1"),
    "remainders": ("%i = 0 to 9", "%j = #down(%i) to #id(%i)", "%j, %i + 1", "%i, %j"),
    "quotients": ("%i = 0 to 9", "%j = 0 to 5", "%i floordiv 2, %j", "%j, %i floordiv 3 + 1"),
    "never": ("%i = 0 to 9", "%j = 0 to 9", "2 * %i, %j", "2 * %j + 1, %i"),
}


def iterations(name: str) -> list[tuple[int, int]]:
    """The iterations of a nest, in their order."""
    if name == "triangle":
        return [(i, j) for i in range(6) for j in range(i + 1)]
    if name == "step":
        return [(i, j) for i in range(0, 12, 3) for j in range(4)]
    if name == "tiles":
        return [(i, j) for i in range(0, 10, 4) for j in range(i, min(i + 4, 10))]
    if name == "multiples":
        return [(i, j) for i in range(9) for j in range(0, i // 4 * 4, 4)]
    if name == "remainders":
        return [(i, j) for i in range(9) for j in range(i // 4 * 4, i)]
    if name == "quotients":
        return [(i, j) for i in range(9) for j in range(5)]
    return [(i, j) for i in range(9) for j in range(9)]


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", NESTS)
def test_witnesses_of_nests_are_the_first_pairs(name: str) -> None:
    outer, inner, stored, loaded = NESTS[name]
    text = f"""
#id = affine_map<(d0) -> (d0)>
#up = affine_map<(d0) -> (d0 + 1)>
#tile = affine_map<(d0) -> (d0 + 4, 10)>
#down = affine_map<(d0) -> ((d0 floordiv 4) * 4)>
func.func @f(%m: memref<64x64xf32>, %x: f32) {{
  affine.for {outer} {{
    affine.for {inner} {{
      affine.store %x, %m[{stored}] : memref<64x64xf32>
      %y = affine.load %m[{loaded}] : memref<64x64xf32>
    }}
  }}
  return
}}
"""
    program = volcli.loads(text)
    program.run("dependences")
    found = {
        (fact.kind, fact.depth): fact.witness
        for fact in program.facts
        if isinstance(fact, DependenceFact) and fact.kind != "WAW"
    }
    texts = [index.replace("%", "").replace("floordiv", "//") for index in (stored, loaded)]
    names = [compile(f"({text})", "index", "eval") for text in texts]
    elements = [{(i, j): eval(code, {"i": i, "j": j}) for i, j in iterations(name)} for code in names]
    expected: dict[tuple[str, int], tuple[tuple[int, int], tuple[int, int]]] = {}
    for kind, source, sink in (("RAW", *elements), ("WAR", *reversed(elements))):
        for one, other in product(iterations(name), repeat=2):
            if source[one] == sink[other] and (one < other or (one == other and kind == "RAW")):
                depth = 1 if one[0] < other[0] else 2 if one[1] < other[1] else 3
                expected.setdefault((kind, depth), (one, other))
    assert {key: (w.source, w.sink) for key, w in found.items() if w is not None} == expected


def test_tiles_are_in_bounds_and_counted() -> None:
    program = volcli.loads("""
#id = affine_map<(d0) -> (d0)>
#tile = affine_map<(d0) -> (d0 + 8, 64)>
func.func @f(%m: memref<64xf32>, %x: f32) {
  affine.for %ii = 0 to 64 step 8 {
    affine.for %i = #id(%ii) to min #tile(%ii) {
      affine.store %x, %m[%i] : memref<64xf32>
      affine.store %x, %m[%i - %ii + 56] : memref<64xf32>
      affine.store %x, %m[%i - %ii + 57] : memref<64xf32>
    }
  }
  return
}
""")
    program.run("check-accesses")
    facts = [fact for fact in program.facts if isinstance(fact, AccessFact)]
    assert [(fact.verdict, fact.failing, fact.total) for fact in facts] == [
        ("in-bounds", 0, 64),
        ("in-bounds", 0, 64),
        ("out-of-bounds", 8, 64),
    ]
