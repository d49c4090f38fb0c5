"""MARS of random tilings and dependences, against the enumeration of who reads what."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import islpy as isl
import pytest

import volcli
from tests.model.mars.partitions import drawn_matrix, drawn_offset, drawn_tiling
from tests.oracles.mars import endless
from tests.oracles.mars.one_flow import from_least
from tests.shared.seeds import seeds
from volcli import loads
from volcli.limits import mars as limits
from volcli.model.mars.footprints.consumers import NotFinite
from volcli.model.mars.footprints.footprints import AffineDependence, Footprints
from volcli.model.mars.partition.classes_by_translation import by_examples, moves_of
from volcli.model.mars.partition.positions import Positions, everywhere
from volcli.model.mars.partition.refinement import ConsumerPartition, produced_by_tiles, read_by_tiles
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets.build import DIM

REACH = {1: 120, 2: 26, 3: 16}
SYMBOLS = ("s", "r")


def _form(points: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """POINTS with the first one at the origin."""
    return sorted(from_least(frozenset(points)))


def ours(partition: ConsumerPartition) -> set[frozenset[tuple[int, ...]]]:
    sets = [few_points(mars.points, 100_000) for mars in partition.sets]
    assert all(points is not None for points in sets)
    return {frozenset(points or ()) for points in sets}


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", seeds(4, of=60))
def test_what_tiles_read(seed: int) -> None:
    chance = random.Random(seed)
    rank = chance.choice((1, 2, 2))
    tiling = drawn_tiling(chance, rank)
    matrix = drawn_matrix(chance, chance.randint(1, rank), rank)
    dependences = [
        AffineDependence(matrix, drawn_offset(chance, len(matrix))) for _ in range(chance.randint(1, 3))
    ]
    functions = [(each.matrix, each.offset) for each in dependences]
    for kind in tiling.kinds({}):
        partition = read_by_tiles(Footprints(tiling, kind), dependences)
        assert partition.violation() is None
        expected = endless.read(tiling.normals, tiling.sizes, functions, kind, REACH[rank])
        assert ours(partition) == set(map(frozenset, expected.values())), (str(tiling), functions, kind)


def small_tiling(chance: random.Random) -> HyperplaneTiling:
    """Of three dimensions, with few enough points that they can be enumerated."""
    while True:
        found = drawn_tiling(chance, 3)
        normals = [abs(f) for normal in found.normals for f in normal]
        if max(found.sizes) <= 3 and max(normals) == 1 and abs(int(found.matrix.det())) <= 2:
            return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(2, of=4))
def test_three_dimensions(seed: int) -> None:
    """Of the first kind of tiles: what they read through two or three functions, and what they produce."""
    chance = random.Random(seed)
    tiling = small_tiling(chance)
    unit = tuple(tuple(int(r == c) for c in range(3)) for r in range(3))
    is_read = seed % 2 == 0
    matrix = drawn_matrix(chance, chance.randint(2, 3), 3) if is_read else unit
    dependences = [
        AffineDependence(matrix, drawn_offset(chance, len(matrix))) for _ in range(chance.randint(1, 3))
    ]
    functions = [(each.matrix, each.offset) for each in dependences]
    kind = next(iter(tiling.kinds({})))
    partition = (read_by_tiles if is_read else produced_by_tiles)(Footprints(tiling, kind), dependences)
    assert partition.violation() is None
    enumerated = endless.read if is_read else endless.produced
    expected = enumerated(tiling.normals, tiling.sizes, functions, kind, REACH[3])
    assert ours(partition) == set(map(frozenset, expected.values())), (str(tiling), functions, kind)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", seeds(4, of=60))
def test_what_tiles_produce(seed: int) -> None:
    chance = random.Random(seed)
    rank = chance.choice((1, 2, 2))
    tiling = drawn_tiling(chance, rank)
    unit = tuple(tuple(int(r == c) for c in range(rank)) for r in range(rank))
    dependences = [AffineDependence(unit, drawn_offset(chance, rank)) for _ in range(chance.randint(1, 3))]
    functions = [(each.matrix, each.offset) for each in dependences]
    for kind in tiling.kinds({}):
        partition = produced_by_tiles(Footprints(tiling, kind), dependences)
        assert partition.violation() is None
        expected = endless.produced(tiling.normals, tiling.sizes, functions, kind, REACH[rank])
        assert ours(partition) == set(map(frozenset, expected.values())), (str(tiling), functions, kind)
        reads = {
            frozenset(points): {
                tuple(a + b for a, b in zip(each.offset, kind, strict=True)) for each in mars.consumers
            }
            for mars in partition.sets
            if (points := few_points(mars.points, 100_000)) is not None
        }
        assert reads == {frozenset(points): set(tiles) for tiles, points in expected.items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(4, of=60))
def test_by_position(seed: int) -> None:
    """Different linear parts: the sets of each tile, and the tiles that have translates of them."""
    chance = random.Random(seed)
    rank = chance.choice((1, 2))
    tiling = drawn_tiling(chance, rank)
    rows = chance.randint(1, rank)
    dependences = [
        AffineDependence(drawn_matrix(chance, rows, rank), drawn_offset(chance, rows)) for _ in range(2)
    ]
    functions = [(each.matrix, each.offset) for each in dependences]
    positions = Positions(tiling, everywhere(dependences, rank))
    names = ", ".join(f"t{k}" for k in range(rank))
    box = " and ".join(f"-2 <= t{k} <= 2" for k in range(rank))
    try:
        with budget():
            tiles = positions.held.domain().intersect(isl.Set(f"{{ [{names}] : {box} }}"))
            parts = [each.of_tiled(rank) for each in dependences]
            classes = [each for each, _ in by_examples(positions, tiles, moves_of(tiling, parts))]
    except BudgetExceeded:
        pytest.skip("more than isl's budget")
    for tile in {tuple(chance.randint(-2, 2) for _ in range(rank)) for _ in range(4)}:
        expected = endless.read(tiling.normals, tiling.sizes, functions, tile, REACH[rank])
        found = {frozenset(few_points(points, 100_000) or ()) for points, _ in positions.of(tile)}
        assert found == set(map(frozenset, expected.values())), (str(tiling), functions, tile)
        point = isl.Set("{ [" + ", ".join(map(str, tile)) + "] }")
        holding = [each for each in classes if not each.tiles.is_disjoint(point)]
        assert bool(holding) == bool(expected) or len(classes) == limits.KINDS_OF_TILES
        for each in holding:
            example = [few_points(points, 100_000) or [] for points, _ in each.sets]
            assert sorted(map(_form, example)) == sorted(map(_form, expected.values()))


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(4, of=40))
def test_symbols_are_their_values(seed: int) -> None:
    """Sets over symbolic sizes and origins, at numbers, are those of the numbers."""
    chance = random.Random(seed)
    rank = chance.choice((1, 2))
    numeric = drawn_tiling(chance, rank)
    symbols = [chance.choice(SYMBOLS) for _ in numeric.sizes]
    values = {name: chance.randint(1, 5) for name in SYMBOLS}
    tiling = HyperplaneTiling(numeric.iterators, numeric.normals, tuple(symbols))
    numeric = replace(tiling, sizes=tuple(values[name] for name in symbols))
    matrix = drawn_matrix(chance, chance.randint(1, rank), rank)
    dependences = [AffineDependence(matrix, drawn_offset(chance, len(matrix))) for _ in range(2)]
    try:
        partition = read_by_tiles(Footprints(tiling), dependences)
    except NotFinite:
        return
    assert partition.violation() is None
    tile = tuple(chance.randint(-2, 2) for _ in range(rank))
    origin = {f"o{j}": values[name] * tile[j] for j, name in enumerate(symbols)}
    sets = set[frozenset[tuple[int, ...]]]()
    for mars in partition.sets:
        points = mars.points
        for name, value in {**values, **origin}.items():
            position = points.find_dim_by_name(DIM.param, name)
            if position >= 0:
                points = points.fix_val(DIM.param, position, value)
        points = points.project_out_all_params()
        if not points.is_empty():
            sets.add(frozenset(few_points(points, 100_000) or ()))
    functions = [(each.matrix, each.offset) for each in dependences]
    expected = endless.read(numeric.normals, numeric.sizes, functions, tile, REACH[rank])
    assert sets == set(map(frozenset, expected.values())), (str(tiling), values, functions, tile)


GRID = """func.func @f(%a: memref<8x8xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 8 { affine.for %j = 0 to 8 {
    %x = affine.load %a[%i, %j] : memref<8x8xf32>
    affine.store %x, %b[%j] : memref<8xf32> } }
  return
}"""


@pytest.mark.parametrize(
    "text", ["i: 4, 101*i + 1009*j: 3", "1009*i: 4, j: 2", "99999999999999999999*i: 4, j: 2"]
)
def test_tiles_of_many_kinds_are_enumerated(text: str) -> None:
    (fact,) = loads(GRID).functions[0].mars(text)
    assert fact.exact
    assert HyperplaneTiling.parse(text).kinds_count({}) == HyperplaneTiling.parse(text).modulus


@pytest.mark.parametrize(
    "text", ["i + j: 3, j - i: 4", "2*i: 4, i + 3*j: 3", "i: 2, j: 5", "1009*i: 1009, j: 2"]
)
def test_kinds_are_as_many_as_residues(text: str) -> None:
    tiling = HyperplaneTiling.parse(text)
    kinds = tiling.kinds({})
    assert len(kinds) == tiling.kinds_count({})
    near = [*product(range(-6, 7), repeat=2)]
    assert {tiling.kind_of(each, {}) for each in near} == {tiling.kind_of(each, {}) for each in kinds}


MIXED = """func.func @f(%a: memref<30x30xf32>) {
  affine.for %i = 1 to 29 {
    affine.for %j = 1 to 29 {
      %x = affine.load %a[%i - 1, %j - 1] : memref<30x30xf32>
      %y = affine.load %a[%i - 1, %j] : memref<30x30xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %a[%i, %j] : memref<30x30xf32>
    }
  }
  return
}
"""


@pytest.mark.parametrize(("tile", "has_order"), [("i+j:5, i-j:2", False), ("i+j:4, i-j:2", True)])
def test_sets_have_an_order_if_all_tiles_that_share_them_are_translates(tile: str, has_order: bool) -> None:
    """What a tile reads is in the blocks of others, which have other sets if they are of another kind."""
    found = volcli.loads(MIXED).functions[0].mars(tile)
    (produced,) = (each for each in found if each.kind == "produced")
    assert produced.layout is not None
    assert (produced.layout.bursts is not None) == has_order


def test_the_tile_that_reads_in_an_order_reads_from_tiles_with_these_sets() -> None:
    """Tiles of the first row read from the loops' ends too: the tile whose numbers are shown does not."""
    text = MIXED.replace("%j = 1 to 29", "%j = 1 to affine_map<(d0) -> (d0 + 2)>(%i)")
    found = volcli.loads(text).functions[0].mars("i:2, j:5")
    (produced,) = (each for each in found if each.kind == "produced")
    assert produced.layout is not None
    assert produced.covers is not None
    assert produced.layout.tile is not None
    covers = produced.covers.set
    offsets = [tuple(map(int, re.findall(r"-?\d+", one))) for row in produced.sets for one in row.consumers]
    sources = [tuple(x - y for x, y in zip(produced.layout.tile, offset, strict=True)) for offset in offsets]
    assert all(not covers.is_disjoint(isl.Set(f"{{ [{', '.join(map(str, each))}] }}")) for each in sources)
