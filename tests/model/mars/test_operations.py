"""MARS of chains of structured operations, on tensors and in memory, against their execution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

import volcli
from tests.oracles.mars.chains import compared_chain
from volcli.facts.mars import MarsFact


@pytest.mark.slow
def test_random_chains() -> None:
    found = checked(range(4))
    assert 0 < found["by_translation"] < found["exact"], found


@pytest.mark.slow
def test_readers_of_other_dimensions() -> None:
    """Tiles of 2 coordinates, read by tiles of 3, were said to be alike."""
    found = checked(("7711/61", "7711/12"))
    assert found["exact"] > found["unknown"], found


def checked(seeds: Iterable[int | str]) -> Counter[str]:
    """What became of the flows of random chains, each of which is compared with its execution."""
    found = Counter[str]()
    for seed in seeds:
        comparison = compared_chain(str(seed))
        assert not comparison.wrong, comparison.text
        found.update(comparison.report.numbers)
    return found


DENSE = """
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%x: tensor<32x24xf32>, %w: tensor<24x40xf32>, %y: tensor<32x40xf32>) -> tensor<32x40xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<32x24xf32>, tensor<24x40xf32>)
         outs(%y : tensor<32x40xf32>) -> tensor<32x40xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%p : tensor<32x40xf32>) outs(%y : tensor<32x40xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %a : f32
      linalg.yield %c : f32
  } -> tensor<32x40xf32>
  return %r : tensor<32x40xf32>
}
"""


def produced(text: str, tile: str) -> list[MarsFact]:
    return [fact for fact in volcli.loads(text).functions[0].mars(tile) if fact.kind == "produced"]


def test_the_tiles_that_consume_a_product() -> None:
    """Only the last tile along the sum produces what the next operation reads: for its tile (t0, t1)."""
    _, fact = produced(DENSE, "d0: 8, d1: 8, d2: 8; d0: 8, d1: 8")
    (one,), (row,) = fact.classes, fact.sets
    assert one.tiles is None
    assert str(fact.covers) == "{ [t0, t1, t2 = 2] : 0 <= t0 <= 3 and 0 <= t1 <= 4 }"
    assert row.consumers == ("[t0, t1] -> { [c0 = t0, c1 = t1] }",)
    assert (fact.tile, fact.reader) == ("d0: 8, d1: 8", 6)


MORE = """
func.func @f(%x: memref<12xf32>, %y: memref<2x12xf32>, %z: memref<2x2xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1, d0)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<12xf32>) outs(%y : memref<2x12xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y : memref<2x12xf32>) outs(%z : memref<2x2xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
  }
  return
}
"""


def test_tiles_of_readers_with_more_coordinates() -> None:
    """Of a row of %y, columns 0 to 2, 3 to 5, ... go to one tile each, and 0 to 3, 4 to 7, 8 to 11 are written by one."""
    fact = next(each for each in produced(MORE, "d0: 1, d1: 2, d2: 3; d0: 4, d1: 2") if each.classes)
    members = {one.example: sorted(str(count) for _, count in one.members) for one in fact.classes}
    assert members == {(0, 0): ["1", "1", "3", "3"], (1, 0): ["2"] * 4}


def test_tiles_of_other_sizes() -> None:
    """Tiles of 8 x 8 for tiles of 16 x 4: each has two sets, each tile of the other space reads four."""
    _, fact = produced(DENSE, "d0: 8, d1: 8, d2: 8; d0: 16, d1: 4")
    assert [count for _, count in fact.classes[0].members] == ["32", "32"]
    assert len({row.consumers for row in fact.sets}) == 2


def test_a_convolution_of_a_tensor() -> None:
    (fact,) = (
        fact
        for fact in volcli.loads(
            """func.func @f(%x: tensor<?xf32>, %w: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %z = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}"""
        )
        .functions[0]
        .mars("d0: 4, d1: 4")
        if fact.array == "%x"
    )
    assert [count for _, count in fact.classes[0].members] == ["3", "1", "3"]
