"""Polynomials of sizes hold for all sizes that they are said of."""

from __future__ import annotations

import random

import pytest

import volcli
from tests.model.mars.counts import SizedCase, differing_sizes, drawn_sized
from volcli.model.mars.footprints.footprints import AffineDependence
from volcli.model.mars.tilings.tiling import HyperplaneTiling

UNIT = ((1,),)


@pytest.mark.parametrize("offset", [-2, 2])
def test_the_least_sizes_may_have_other_numbers(offset: int) -> None:
    """Of 2i in tiles of 3, one iteration of each second tile is read by another one, and of larger ones two."""
    case = SizedCase(HyperplaneTiling.parse("2i: s"), (AffineDependence(UNIT, (offset,)),), True)
    assert differing_sizes(case, range(1, 13)) == []


@pytest.mark.slow
def test_sizes_below_a_distance() -> None:
    """Tiles below 50 share nothing with their neighbours, and the polynomials are not of those."""
    both = tuple(AffineDependence(UNIT, (offset,)) for offset in (0, 50))
    case = SizedCase(HyperplaneTiling.parse("i: s"), both, False)
    assert differing_sizes(case, range(48, 60)) == []
    text = """func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = affine.load %a[%i + 50] : memref<?xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %b[%i] : memref<?xf32>
  }
  return
}"""
    (fact,) = volcli.loads(text).functions[0].mars("i: s")
    assert fact.classes[0].sizes == "s >= 51"
    assert [count for _, count in fact.classes[0].members] == ["50", "s - 50", "50"]


@pytest.mark.slow
def test_random_cases() -> None:
    found = [differing_sizes(drawn_sized(random.Random(seed)), range(1, 13)) for seed in range(10)]
    assert [each for each in found if each] == []
    assert sum(each is not None for each in found) > 6


def test_conditions_on_sizes_have_the_names_of_the_program() -> None:
    """A tile reads something if the inner loop runs: `v4 >= 3` was what isl had."""
    text = """func.func @f(%b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %k = 1 to affine_map<(n) -> (n - 1)>(%n) {
      %0 = affine.load %b[%k, %k] : memref<?x?xf32>
      affine.store %0, %c[%i, %k] : memref<?x?xf32>
    }
  }
  return
}"""
    (fact,) = volcli.loads(text).functions[0].mars("i: s")
    conditions = [fact.classes[0].sizes, *(where for where, _ in fact.classes[0].exceptions)]
    assert conditions == ["s > 0 and n >= 3", "s > 0 and n <= 2"]
