"""The steps by which sets come about, against enumeration: consumers, translations, families of dependences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import islpy as isl
import pytest

import volcli
from tests.conftest import ROOT
from tests.oracles.mars import endless
from volcli.model.mars.footprints.dataflow import flows
from volcli.model.mars.partition.construction import Construction
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.build import number as integer

Point = tuple[int, ...]
REACH = 30


def constructed(name: str, tile: str, at: Point = (0, 0)) -> Construction:
    unit = volcli.load(ROOT / "testdata" / "mars" / f"{name}.mlir").functions[0].unit
    (model,) = unit.models()
    return Construction(flows(model, TileScheme.parse(tile), DEFAULT_OPERATIONS)[0], at)


def footprints(made: Construction) -> list[dict[Point, set[Point]]]:
    """What each tile reads by each dependence, of iterations within REACH."""
    found: list[dict[Point, set[Point]]] = []
    sizes = tuple(int(size) for size in made.tiling.sizes)
    for each in made.flow.dependences:
        of: dict[Point, set[Point]] = defaultdict(set)
        for point in endless.points_near(2, REACH):
            tile = endless.tile_of(made.tiling.normals, sizes, point)
            of[tile].add(endless.image((each.matrix, each.offset), point))
        found.append(of)
    return found


def has(tiles: isl.Set, tile: Point) -> bool:
    return not tiles.intersect(isl.Set(f"{{ [{', '.join(map(str, tile))}] }}")).is_empty()


def points(elements: Sequence[Point] | set[Point]) -> isl.Set:
    return isl.Set("{ " + "; ".join(f"[{', '.join(map(str, each))}]" for each in elements) + " }")


@pytest.mark.parametrize(
    ("name", "tile", "at"),
    [
        ("one_row", "i+j:8, j-i:8", (0, 0)),
        ("one_row", "i+j:5, j-i:5", (1, 0)),
        ("jacobi_1d", "t+i:6, t-i:6", (0, 1)),
        ("crossing", "i+j:4, j-i:6", (1, 0)),
    ],
)
def test_consumers_are_those_of_enumeration(name: str, tile: str, at: Point) -> None:
    """V_i, and the families of tiles by the dependences by which they read, of tiles near the origin."""
    made = constructed(name, tile, at)
    reads = footprints(made)
    own = set[Point]().union(*(of[at] for of in reads))
    families = dict(made.families())
    for other in endless.points_near(2, 2):
        by = tuple(k for k, of in enumerate(reads) if of[other] & own)
        assert [has(tiles, other) for tiles in made.consumers] == [k in by for k in range(len(reads))]
        assert [of for of, tiles in families.items() if has(tiles, other)] == ([by] if by else [])


@pytest.mark.parametrize(("name", "tile"), [("one_row", "i+j:8, j-i:8"), ("jacobi_1d", "t+i:6, t-i:6")])
def test_a_class_shares_what_its_tiles_and_the_tile_read(name: str, tile: str) -> None:
    """Of one row, tiles with the same footprint share all of it, and not the element that only they read."""
    made = constructed(name, tile)
    reads = footprints(made)
    own = set[Point]().union(*(of[0, 0] for of in reads))
    assert made.whole.is_equal(points(own))
    assert made.partition is not None
    for each, shared in made.partition.reads.items():
        assert shared.is_equal(points(own & set[Point]().union(*(of[each.offset] for of in reads))))
    assert max(len(each.consumers) for each in made.partition.sets) < len(made.partition.reads)


@pytest.mark.parametrize(("tile", "at"), [("i+j:8, j-i:8", (1, 0)), ("i+j:4, j-i:6", (2, 1))])
def test_the_projections_of_a_family_are_those_of_enumeration(tile: str, at: Point) -> None:
    """P_D of proposition 4.4: infinitely many tiles, and few vectors from the tile to them."""
    made = constructed("crossing", tile, at)
    assert [part.kernel for part in made.parts] == [((1, 1),), ((1, -1),)]
    kernels: list[Point] = [(1, 1), (1, -1)]
    for of, tiles in made.families():
        near = [other for other in endless.points_near(2, 5) if has(tiles, other)]
        for number in of:
            expected = {projected(made, at, other, kernels[number]) for other in near}
            found = made.projections(number, tiles, 16)
            assert found is not None
            assert len(found) == len(expected)
            assert set(found) == expected
    assert made.projections(0, isl.Set("{ [a, b] }"), 16) is None


def projected(made: Construction, tile: Point, other: Point, kernel: Point) -> tuple[Fraction, ...]:
    """The vector from TILE to OTHER without its part along KERNEL."""
    vector = made.translation([b - a for a, b in zip(tile, other, strict=True)]).numbers
    along = sum((x * k for x, k in zip(vector, kernel, strict=True)), Fraction(0)) / endless.dot(
        kernel, kernel
    )
    return tuple(x - along * k for x, k in zip(vector, kernel, strict=True))


def test_a_tile_without_a_constant_end_has_no_list_of_sets() -> None:
    """Proposition 4.1 needs bounded tiles: the number of consumers grows with the length of the inner loop."""
    made = constructed("conv_1d", "i:4", (0,))
    assert made.partition is None
    assert made.by_position() is None
    assert made.not_finite is not None
    assert "no constant bounds" in made.not_finite
    (tiles,) = made.consumers
    for length in (1, 6, 22):
        numbered = tiles
        for position in range(tiles.dim(DIM.param)):
            numbered = numbered.fix_val(DIM.param, position, integer(length))
        furthest = (2 + length) // 4
        assert few_points(numbered.project_out_all_params(), 32) == [
            (t,) for t in range(-furthest, furthest + 1)
        ]


def test_a_footprint_is_moved_by_its_translation() -> None:
    """A·D·t, for tiles that are translates: of one_row, those with even t0 + t1 where the size is odd."""
    made = constructed("one_row", "i+j:5, j-i:5")
    (of,) = footprints(made)
    for tile in ((1, 1), (1, -1), (2, 0), (-1, 1)):
        (moved,) = made.moved(tile, made.parts[0]).coordinates
        by = sum(int(size) * factor for size, factor in moved)
        assert of[tile] == {(element + by,) for (element,) in of[0, 0]}
    assert str(made.translation((1, 0))) == "(5/2, 5/2)"
    assert str(made.translation((1, 0), made.parts[0])) == "(5/2, 0)"


def test_origins_and_differences_are_projected_differently() -> None:
    """N001-2: the tile (2, 1) is at (4, 12), projected to 4, and (1, 1) further than (1, 0), projected to 0.

    N001-4: the tile (-1, 1) of Jacobi 1D is the vector (0, -8) away.
    """
    made = constructed("one_row", "i+j:8, j-i:8")
    assert str(made.translation((2, 1), made.parts[0])) == "(4, 0)"
    assert str(made.translation((1, 1), made.parts[0])) == "(0, 0)"
    made = constructed("jacobi_1d", "t+i:8, t-i:8")
    assert str(made.translation((-1, 1), made.parts[0])) == "(0, -8)"


def test_tiles_along_the_null_space_share_elements() -> None:
    """N001-5: by i - j, tiles along (1, 1), which is i + j, and not those along j - i."""
    made = constructed("crossing", "i+j:8, j-i:8")
    by_first, _ = made.consumers
    assert made.parts[0].kernel == ((1, 1),)
    assert all(has(by_first, (along, 0)) for along in range(-9, 9))
    assert not any(has(by_first, (0, across)) for across in (-9, -2, 1, 9))


def test_different_linear_parts_have_no_translation() -> None:
    """E001-4: the null spaces of a[i] and a[2 * i] are the same."""
    assert list(constructed("doubled", "i:4", (0,)).unequal()) == [(1,)]
    assert list(constructed("jacobi_1d", "t+i:6, t-i:6").unequal()) == []


def test_bases_are_of_the_null_space_and_of_what_is_orthogonal_to_it() -> None:
    for part in constructed("crossing", "i+j:4, j-i:4").parts:
        assert all(endless.dot(row, vector) == 0 for row in part.matrix for vector in part.kernel)
        assert all(endless.dot(one, other) == 0 for one in part.kernel for other in part.supplementary)
        assert len(part.kernel) + len(part.supplementary) == 2
