"""The examples of "An Irredundant Decomposition of Data Flow with Affine Dependences", with what is known of each.

Numbers of sets that tiles produce and read are those of the published implementation of MARS for uniform dependences.
"""

from __future__ import annotations

import islpy as isl
import pytest

from tests.model.mars.test_partitions import ours
from tests.oracles.mars import endless
from volcli.model.mars.footprints.consumers import NotFinite, candidates
from volcli.model.mars.footprints.footprints import AffineDependence, Footprints
from volcli.model.mars.partition.positions import Positions, everywhere
from volcli.model.mars.partition.refinement import produced_by_tiles, read_by_tiles
from volcli.model.mars.tilings.tiling import HyperplaneTiling, NotATiling
from volcli.presburger.measures.points import few_points

ROW = AffineDependence(((1, 0),), (0,))


def uniform(*vectors: tuple[int, ...]) -> list[AffineDependence]:
    rank = len(vectors[0])
    unit = tuple(tuple(int(r == c) for c in range(rank)) for r in range(rank))
    return [AffineDependence(unit, vector) for vector in vectors]


JACOBI_1D = uniform((-1, -1), (-1, 0), (-1, 1))


def test_one_row_over_any_size() -> None:
    """Section 4.3.1: the three sets as they are printed there, with s * i_0 and s * i_1 as o0 and o1."""
    found = read_by_tiles(Footprints(HyperplaneTiling.parse("i+j: s, j-i: s")), [ROW])
    printed = [
        "[s, o0, o1] -> { [i] : o0 - o1 - s < 2i < o0 - o1 and s > 0 }",
        "[s, o0, o1] -> { [i] : 2i = o0 - o1 and s > 0 }",
        "[s, o0, o1] -> { [i] : o0 - o1 < 2i < o0 - o1 + s and s > 0 }",
    ]
    positive = isl.Set("[s] -> { : s > 0 }")
    assert len(found.sets) == len(printed)
    for mars, text in zip(found.sets, printed, strict=True):
        assert mars.points.intersect_params(positive).is_equal(isl.Set(text))


@pytest.mark.slow
@pytest.mark.parametrize("size", range(1, 13))
def test_one_row_by_sizes(size: int) -> None:
    """E001-2: even sizes have one kind of tiles, odd ones two."""
    tiling = HyperplaneTiling.parse(f"i+j: {size}, j-i: {size}")
    kinds = tiling.kinds({})
    counts = [
        [
            len(few_points(mars.points, 100) or ())
            for mars in read_by_tiles(Footprints(tiling, kind), [ROW]).sets
        ]
        for kind in kinds
    ]
    half = (size - 1) // 2
    if size % 2 == 0:
        assert counts == [[half, 1, half] if size > 2 else [1]]
    else:
        assert counts == ([[half, 1, half], [half, half]] if size > 1 else [[1], []])
    for kind in kinds:
        functions = [(ROW.matrix, ROW.offset)]
        expected = endless.read(tiling.normals, tiling.sizes, functions, kind, 40)
        assert ours(read_by_tiles(Footprints(tiling, kind), [ROW])) == set(map(frozenset, expected.values()))


@pytest.mark.parametrize("size", [4, 6, 8, 16])
def test_jacobi_1d(size: int) -> None:
    """E001-3: seven classes of consumers; eleven sets of a data space, four produced, seven read."""
    footprints = Footprints(HyperplaneTiling.parse(f"t+i: {size}, t-i: {size}"), (0, 0))
    data = read_by_tiles(footprints, JACOBI_1D)
    assert (len(data.consumers), len(data.sets)) == (7, 11)
    tile = footprints.tile((0, 0))
    assert sum(not mars.points.is_disjoint(tile) for mars in data.sets) == 4
    produced = produced_by_tiles(footprints, JACOBI_1D)
    assert (sum(len(mars.consumers) for mars in produced.sets), len(produced.sets)) == (7, 4)


SEIDEL_2D = uniform(
    (0, -1, -1), (0, -1, 0), (0, -1, 1), (0, 0, -1),
    (-1, 0, 0), (-1, 0, 1), (-1, 1, -1), (-1, 1, 0), (-1, 1, 1),
)  # fmt: skip
STAR_2D = uniform((-1, 0, 0), (-1, 1, 0), (-1, -1, 0), (-1, 0, 1), (-1, 0, -1))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("tiling", "dependences", "read", "produced"),
    [
        ("i: 8, j: 8, k: 8", uniform((-1, 0, 0), (0, -1, 0), (0, 0, -1)), 12, 7),
        ("i: 8, j: 8, k: 8", uniform((0, 0, -1)), 1, 1),
        ("t+i: 8, t-i: 8", JACOBI_1D, 7, 4),
        ("i+j: 8, j: 8", uniform((-1, 0), (0, -1), (-1, -1)), 6, 4),
        ("t: 8, t+i: 8, t+j: 8", STAR_2D, 28, 13),
        ("t: 8, t+i: 8, 4*t+2*i+j: 8", SEIDEL_2D, 33, 13),
    ],
)
def test_flow_between_tiles(
    tiling: str, dependences: list[AffineDependence], read: int, produced: int
) -> None:
    found = produced_by_tiles(
        Footprints(HyperplaneTiling.parse(tiling), (0,) * dependences[0].rank), dependences
    )
    assert (sum(len(mars.consumers) for mars in found.sets), len(found.sets)) == (read, produced)


def test_the_published_diamonds_have_four_hyperplanes() -> None:
    """23 sets read and 6 produced are those of two of three kinds of tiles, by counting; 3.1 asks for three."""
    with pytest.raises(NotATiling, match="linearly dependent"):
        HyperplaneTiling.parse("t+i: 6, t+j: 6, t-i: 6, t-j: 6")
    functions = [(each.matrix, each.offset) for each in STAR_2D]
    planes = [(1, 1, 0), (1, 0, 1), (1, -1, 0), (1, 0, -1)]
    tiles = [(0, 0, 0, -1), (0, 0, 0, 0), (0, 0, 0, 1)]
    assert endless.exchanged(planes, (6, 6, 6, 6), functions, tiles, 12) == [(23, 6), (45, 26), (23, 6)]


def test_two_dependences_that_cross() -> None:
    """Figure 9: three sets on tile (0, 0), four on others."""
    both = [AffineDependence(((1, -1),), (0,)), AffineDependence(((1, 1),), (0,))]
    positions = Positions(HyperplaneTiling.parse("i+j: 8, j-i: 8"), everywhere(both, 2))
    assert [len(positions.of(tile)) for tile in ((0, 0), (1, 0), (0, 1), (2, 1))] == [3, 4, 4, 4]


def test_equal_null_spaces_do_not_suffice() -> None:
    """Proposition 4.2 does not hold (E001-4): i and 2 * i have the null space 0, and the sets differ by tile."""
    both = [AffineDependence(((1,),), (0,)), AffineDependence(((2,),), (0,))]
    positions = Positions(HyperplaneTiling.parse("i: 4"), everywhere(both, 1))
    assert len({len(positions.of((tile,))) for tile in range(4)}) > 1


def test_a_neighbour_is_a_column_of_the_dual_basis() -> None:
    """E001-5: for i and i + j the next tile along the first one is at (s, -s), not at (s, 0)."""
    tiling = HyperplaneTiling.parse("i: 4, i+j: 4")
    assert [list(map(int, tiling.translation(tile, {}))) for tile in ((1, 0), (0, 1))] == [[4, -4], [0, 4]]


def test_one_block_of_a_matrix() -> None:
    found = read_by_tiles(
        Footprints(HyperplaneTiling.parse("i: r, j: s, k: q")),
        [AffineDependence(((1, 0, 0), (0, 0, 1)), (0, 0))],
    )
    assert [str(c) for mars in found.sets for c in mars.consumers] == ["(0, 0, 0) + p (0, 1, 0)"]


def test_the_ratio_of_two_sizes() -> None:
    """i + j of tiles of r by s: the sizes' ratio decides what overlaps."""
    with pytest.raises(NotFinite, match="ratio"):
        candidates(HyperplaneTiling.parse("i: r, j: s"), [AffineDependence(((1, 1),), (0,))])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("i", "'i' has no size"),
        ("i: 0", "the size in 'i: 0' is 0"),
        ("i: 8, i: 8", "linearly dependent"),
        ("i + j: 8", "without end"),
        ("i * j: 8", "not a linear form"),
        ("i - i: 8", "'i - i' is constant"),
        ("i + 1: 8", "has a constant"),
        ("i|j: 8", "not a linear form"),
        ("i: -4", "neither a positive number nor a name"),
    ],
)
def test_no_tilings(text: str, message: str) -> None:
    with pytest.raises(NotATiling, match=message):
        HyperplaneTiling.parse(text)
