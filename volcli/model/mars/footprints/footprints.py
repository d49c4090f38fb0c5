r"""Footprints: the elements that a tile reads, as sets over tile sizes and the origin of a tile.

A dependence is an affine function B(x) = A·x + b from iterations to elements (definition 3.1 of Ferry,
Derrien and Rajopadhye). The footprint of a tile is the image of its points,

    B<T(o)> = { A·x + b : 0 <= H·x - o < s }

with o the tile's origin, o_j = s_j·t_j. The tile that is δ away has the origin o + diag(s)·δ, which is linear
in (s, o) for a given δ: so footprints of tiles of symbolic size are sets of Presburger arithmetic.

>>> tiling = HyperplaneTiling.parse("i+j: s, j-i: s")
>>> row = AffineDependence(((1, 0),), (0,))
>>> Footprints(tiling).of(row, (0, 0))
Set("[s, o0, o1] -> { [i0] : -s + o0 - o1 < 2i0 < s + o0 - o1 }")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from volcli.language.expressions import Expression, parameter
from volcli.language.unchanged import cached_method
from volcli.model.mars.footprints.periodic import Residues
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import Offset, affine_map
from volcli.presburger.sets import build


@dataclass(frozen=True, eq=False)
class AffineDependence:
    """B(x) = MATRIX·x + OFFSET, on the tiling's iterators and after them those of loops inside a tile.

    `inner` are the iterations of the latter, which are the same in all tiles. Of the tiled iterations, only
    those in `runs` read, if there are others: a set with a period, given by its `residues`.
    """

    matrix: tuple[tuple[int, ...], ...]
    offset: tuple[int, ...]
    inner: isl.Set | None = None
    runs: isl.Set | None = None
    residues: Residues | None = None

    def is_same(self, other: AffineDependence) -> bool:
        """Whether both lead from the same iterations to the same elements."""
        return (
            (self.matrix, self.offset, self.residues) == (other.matrix, other.offset, other.residues)
            and (self.inner is None) == (other.inner is None)
            and (self.inner is None or other.inner is None or bool(self.inner.is_equal(other.inner)))
        )

    @property
    def rank(self) -> int:
        """The number of coordinates of an element."""
        return len(self.matrix)

    def of_tiled(self, iterators: int) -> tuple[tuple[int, ...], ...]:
        """The part of A that belongs to the tiling's ITERATORS: it moves images of tiles."""
        return tuple(row[:iterators] for row in self.matrix)


class Footprints:
    """Images of the tiles of one tiling, over its symbols, and over the origin unless that is given.

    With ORIGIN, a tile (..., t_j, ...), the sets are those of this tile and its neighbours.
    """

    def __init__(self, tiling: HyperplaneTiling, tile: Sequence[int] | None = None) -> None:
        self.tiling = tiling
        self._tile = tuple(tile) if tile is not None else None

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The symbols of sizes, and `o0`, `o1`, ..., the coordinates of the origin."""
        origins = tuple(f"o{j}" for j in range(len(self.tiling.sizes))) if self._tile is None else ()
        return (*self.tiling.symbols, *origins)

    def of(self, dependence: AffineDependence, offset: Offset) -> isl.Set:
        """The footprint by DEPENDENCE of the tile that is OFFSET away."""
        points = self.tile(offset)
        if dependence.runs is not None:
            points = points.intersect(dependence.runs)
        if dependence.inner is not None:
            points = points.flat_product(dependence.inner)
        return points.apply(affine_map(dependence.matrix, dependence.offset))

    @cached_method
    def tile(self, offset: Offset) -> isl.Set:
        """`{ x : 0 <= H·x - (o + diag(s)·offset) < s }`."""
        tiling, inside = self.tiling, list[Expression]()
        for j, times in enumerate(offset):
            size = tiling.size(j)
            origin = parameter(f"o{j}") if self._tile is None else size * self._tile[j]
            along = tiling.form(j) - origin - size * times
            inside += [along, size - 1 - along, size - 1]
        points = build.nonnegative(len(tiling.iterators), tuple(inside))
        return points.align_params(build.space(self.parameters, 0))
