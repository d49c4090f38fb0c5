"""Reads at several depths inside the tiles: between the tiled loop and one in it, and in that one."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import pytest

import volcli
from volcli.facts.mars import MarsFact

PROGRAM = """
func.func @f(%b: memref<400xf32>, %o: memref<400xf32>, %p: memref<400x400xf32>) {{
  affine.for %i = 0 to 64 {{
    %x = affine.load %b[{step} * %i + {above}] : memref<400xf32>
    affine.store %x, %o[%i] : memref<400xf32>
    affine.for %j = 0 to {width} {{
      %y = affine.load %b[{step} * %i + {inner} * %j + {inside}] : memref<400xf32>
      affine.store %y, %p[%i, %j] : memref<400x400xf32>
    }}
  }}
  return
}}
"""


def expected(
    size: int, step: int, above: int, width: int, inner: int, inside: int
) -> Counter[frozenset[int]]:
    """How many elements that tile 0 reads have these consumers, of tiles without an end."""
    tiles: dict[int, set[int]] = defaultdict(set)
    for t in range(-40, 41):
        for i in range(t * size, (t + 1) * size):
            tiles[step * i + above].add(t)
            for j in range(width):
                tiles[step * i + inner * j + inside].add(t)
    return Counter(frozenset(each) for each in tiles.values() if 0 in each)


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(12))
def test_sets_are_those_of_both_depths(seed: int) -> None:
    chance = random.Random(seed)
    size, step, inner = chance.choice((2, 3, 4, 8)), chance.choice((1, 1, 2)), chance.choice((0, 1, 2))
    width, above, inside = chance.randint(1, 4), chance.randint(0, 5), chance.randint(0, 5)
    text = PROGRAM.format(step=step, above=above, width=width, inner=inner, inside=inside)
    program = volcli.loads(text).run(f"mars{{tile='i: {size}'}}")
    assert "V900" not in {each.code for each in program.diagnostics}
    (fact,) = (each for each in program.facts if isinstance(each, MarsFact) and each.array == "%b")
    assert fact.exact
    found = Counter[frozenset[int]]()
    for each in fact.to_json()["sets"]:
        assert all("p" not in consumer for consumer in each["consumers"])
        found[frozenset(int(consumer.strip("()")) for consumer in each["consumers"])] += int(each["count"])
    assert found == expected(size, step, above, width, inner, inside)
