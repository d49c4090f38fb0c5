"""The steps by which sets come about, against enumeration: consumers, translations, families of dependences."""

from __future__ import annotations

from collections import defaultdict

import islpy as isl
import pytest

import volcli
from tests.conftest import ROOT
from tests.oracles.mars import endless
from volcli.model.mars.footprints.dataflow import flows
from volcli.model.mars.partition.construction import Construction
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS

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


def test_different_linear_parts_have_no_translation() -> None:
    """E001-4: the null spaces of a[i] and a[2 * i] are the same."""
    assert list(constructed("doubled", "i:4", (0,)).unequal()) == [(1,)]
    assert list(constructed("jacobi_1d", "t+i:6, t-i:6").unequal()) == []


def test_bases_are_of_the_null_space_and_of_what_is_orthogonal_to_it() -> None:
    for part in constructed("crossing", "i+j:4, j-i:4").parts:
        assert all(endless.dot(row, vector) == 0 for row in part.matrix for vector in part.kernel)
        assert all(endless.dot(one, other) == 0 for one in part.kernel for other in part.supplementary)
        assert len(part.kernel) + len(part.supplementary) == 2
