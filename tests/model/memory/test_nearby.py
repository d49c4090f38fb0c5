"""Accesses that are left out of pairs because of their offsets are independent, whatever the loops are."""

from __future__ import annotations

import random

import pytest

import volcli
from volcli.limits import memory as limits
from volcli.model.memory.accesses import partners
from volcli.model.memory.dependences.answers import DependenceVerdict
from volcli.model.memory.dependences.model import Memory

INDICES = (
    ("{a}", "{b}"),
    ("%i + {a}", "{b}"),
    ("{a} - %i", "%j + {b}"),
    ("2 * %i + {a}", "3 * %j + {b}"),
    ("symbol(%n) + {a}", "%i + {b}"),
    ("symbol(%n) + %i + {a}", "symbol(%k) + {b}"),
    ("symbol(%u) + {a}", "{b}"),
    ("symbol(%u) + %i + {a}", "symbol(%n) + {b}"),
    ("%i mod 4 + {a}", "(%i + %j) floordiv 3 + {b}"),
)


def memory_of(text: str) -> Memory:
    return volcli.loads(text).units[0].models()[0].memory


def program(choose: random.Random, accesses: int) -> str:
    """Accesses with many offsets in two loops: sums, multiples, arguments, a number loaded in each iteration."""
    lines = [
        "func.func @f(%m: memref<?x?xf32>, %t: memref<?xindex>, %x: f32, %n: index, %k: index) {",
        f"affine.for %i = {choose.choice(('0 to 5', '2 to 9 step 3', '0 to %n'))} {{",
        "%u = memref.load %t[%i] : memref<?xindex>",
        f"affine.for %j = {choose.choice(('0 to 4', '0 to 6 step 2', '0 to %i'))} {{",
    ]
    shapes = choose.sample(INDICES, 3)
    for number in range(accesses):
        first, second = choose.choice(shapes)
        index = f"{first}, {second}".format(a=choose.randrange(-9, 10), b=choose.randrange(-4, 5))
        if choose.random() < 0.5:
            lines.append(f"affine.store %x, %m[{index}] : memref<?x?xf32>")
        else:
            lines.append(f"%v{number} = affine.load %m[{index}] : memref<?x?xf32>")
    return "\n".join([*lines, "}", "}", "return", "}"]).replace("+ -", "- ")


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_out_is_independent(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WINDOW_PAIRS", 1)
    monkeypatch.setattr(limits, "PARTNERS", 1)
    memory = memory_of(program(random.Random(seed), 14))
    pairs = list(memory.partners.pairs(memory.sites))
    every = list(partners.Partners().pairs(memory.sites))
    near = set(pairs)
    assert [pair for pair in every if pair in near] == pairs
    assert len(pairs) < len(every)
    for source, sink in every:
        if (source, sink) not in near:
            for depth in range(1, memory.common(source, sink) + 2):
                found = memory.dependence(source, sink, depth).verdict
                assert found is DependenceVerdict.INDEPENDENT, (source.op, sink.op, depth)


def test_offsets_along_several_dimensions_are_found() -> None:
    body = "".join(
        f"affine.store %x, %m[%i + {a}, {b}] : memref<99x9xf32>\n" for a in range(0, 80, 2) for b in range(9)
    )
    memory = memory_of(
        f"func.func @f(%m: memref<99x9xf32>, %x: f32) {{\naffine.for %i = 0 to 5 {{\n{body}}}\nreturn\n}}"
    )
    numbers = {(a, b): 9 * (a // 2) + b for a in range(0, 80, 2) for b in range(9)}
    expected = {
        (n, other) for (a, b), n in numbers.items() for d in (-4, -2, 0, 2, 4)
        if (other := numbers.get((a + d, b))) is not None
    }  # fmt: skip
    found = {(one.number, other.number) for one, other in memory.partners.pairs(memory.sites)}
    assert found == expected


@pytest.mark.slow
def test_pairs_of_many_accesses_are_those_that_meet() -> None:
    """2,500 loads and stores have 18 million pairs of which one writes."""
    accesses = "".join(
        f"%v{k} = affine.load %m[symbol(%n) + {k}] : memref<?xf32>\n"
        f"affine.store %v{k}, %m[symbol(%n) + {k + 1}] : memref<?xf32>\n"
        for k in range(2500)
    )
    memory = memory_of(f"func.func @f(%m: memref<?xf32>, %n: index) {{\n{accesses}return\n}}")
    pairs = [(one.number, other.number) for one, other in memory.partners.pairs(memory.sites)]
    assert (
        len(pairs) == 2 * 2499 + 2500
    )  # each element but two: a load and a store, in both orders, and itself
    assert len(list(memory.dependences())) == 2499
