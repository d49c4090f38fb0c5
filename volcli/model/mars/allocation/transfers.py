r"""What is moved when arrays lie in memory MARS by MARS: which points, for which tile, and to which place.

A *block* is the memory of one tile (of one class of tiles with the same footprint, of an array that is only
read): its MARS one after the other, in the order of fewest bursts, each with as much room as it has points
in a whole tile. A `Move` goes through points x, one part of a MARS after the other, for a tile t,

    { (t, x) : x - D·t - shift in the part, x in an iteration domain }

in lexicographic order of x, and through a block from `start` on. Tiles at the ends of loops have fewer
points; as whoever writes a block and whoever reads it leave out the same ones, both count alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import Expression, loop
from volcli.model.mars.allocation.accesses import NotAllocatable, Rows
from volcli.model.mars.tilings.tiling import HyperplaneTiling, linear
from volcli.model.mars.tilings.vectors import Offset
from volcli.presburger.measures.counts import count_at
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True, eq=False)
class Move:
    """One pass through `parts`, sets of (tile, x), one after the other; x stands for `matrix·x + offset`.

    The first of these elements is at `start` in the block of the tile that is `block` away.
    """

    parts: tuple[isl.Set, ...]
    matrix: Rows
    offset: tuple[int, ...]
    block: Offset = ()
    start: int = 0

    @property
    def points(self) -> isl.Set:
        """All (tile, x)."""
        return united(self.parts)

    def rank(self, tile: int) -> int:
        """How many coordinates x has beside so many of a TILE."""
        return self.parts[0].dim(DIM.set) - tile

    def element(self, tile: int) -> tuple[Expression, ...]:
        """The element, over (tile, x) with so many coordinates of a TILE."""
        return tuple(linear(row, tile) + number for row, number in zip(self.matrix, self.offset, strict=True))


def united(sets: Sequence[isl.Set]) -> isl.Set:
    """The union of SETS, which are not none."""
    found, *others = sets
    for each in others:
        found = found.union(each)
    return found


def convex_parts(points: isl.Set) -> list[isl.Set]:
    """POINTS as disjoint sets of one conjunction each."""
    found = coalesced(points).make_disjoint().compute_divs()
    return [isl.Set.from_basic_set(each) for each in found.get_basic_sets()]


def moved(part: isl.Set, translation: Rows, shift: Sequence[int], tiles: int) -> isl.Set:
    """`{ (t, x) : x - TRANSLATION·t - SHIFT in PART }` for the first coordinates of x; others stay."""
    rank = part.dim(DIM.set)
    back = [loop(tiles + k) for k in range(rank)]
    for k, (row, number) in enumerate(zip(translation, shift, strict=True)):
        back[k] = back[k] - linear(row) - number
    return part.apply(build.relation(tiles + rank, tuple(back)).reverse())


def in_every_tile(points: isl.Set, tiles: int) -> isl.Set:
    """`{ (t, x) : x in POINTS }`."""
    return points.insert_dims(DIM.set, 0, tiles)


def in_tile(tiling: HyperplaneTiling, rank: int, first: int | None = None) -> isl.Set:
    """`{ (t, x) : x in T(t) }` with RANK coordinates after t, of which those from FIRST on are tiled."""
    tiles, inside = len(tiling.sizes), list[Expression]()
    for j, size in enumerate(tiling.sizes):
        assert isinstance(size, int)
        along = tiling.form(j, tiles + (first or 0)) - size * loop(j)
        inside += [along, size - 1 - along]
    return build.nonnegative(tiles + rank, tuple(inside))


def crossed(sets: Sequence[isl.Set], others: Sequence[isl.Set]) -> tuple[isl.Set, ...]:
    """The intersections of each of SETS with each of OTHERS, in this order.

    Raises NotAllocatable if that is not a conjunction any more.
    """
    found: list[isl.Set] = []
    for one in sets:
        for other in others:
            both = one.intersect(other)
            if both.is_empty():
                continue
            if both.n_basic_set() != 1:
                raise NotAllocatable("a part of a set is not a conjunction of inequalities")
            found.append(both)
    return tuple(found)


def room(points: isl.Set) -> int:
    """The largest number of POINTS for any parameters. Raises NotAllocatable if there is none."""
    points = points.project_out_all_params()
    if not points.is_bounded():
        raise NotAllocatable("the number of elements of a set is not constant")
    return count_at(points, {})
