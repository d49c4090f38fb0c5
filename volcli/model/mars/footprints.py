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
from volcli.model.mars.tiling import HyperplaneTiling, linear
from volcli.presburger import build

Offset = tuple[int, ...]
"""A tile relative to another one: how many tiles further along each hyperplane."""


@dataclass(frozen=True, eq=False)
class AffineDependence:
    """B(x) = MATRIX·x + OFFSET, on the tiling's iterators and behind them those of loops inside a tile.

    INNER are the iterations of the latter, which are the same in all tiles.
    """

    matrix: tuple[tuple[int, ...], ...]
    offset: tuple[int, ...]
    inner: isl.Set | None = None

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
        self._tiles: dict[Offset, isl.Set] = {}

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The symbols of sizes, and `o0`, `o1`, ..., the coordinates of the origin."""
        origins = tuple(f"o{j}" for j in range(len(self.tiling.sizes))) if self._tile is None else ()
        return (*self.tiling.symbols, *origins)

    def of(self, dependence: AffineDependence, offset: Offset) -> isl.Set:
        """The footprint by DEPENDENCE of the tile that is OFFSET away."""
        points = self.tile(offset)
        if dependence.inner is not None:
            points = points.flat_product(dependence.inner)
        return points.apply(affine_map(dependence.matrix, dependence.offset))

    def tile(self, offset: Offset) -> isl.Set:
        """`{ x : 0 <= H·x - (o + diag(s)·offset) < s }`."""
        known = self._tiles.get(offset)
        if known is None:
            known = self._tiles[offset] = self._tile_at(offset)
        return known

    def _tile_at(self, offset: Offset) -> isl.Set:
        tiling, inside = self.tiling, list[Expression]()
        for j, times in enumerate(offset):
            size = tiling.size(j)
            origin = parameter(f"o{j}") if self._tile is None else size * self._tile[j]
            along = tiling.form(j) - origin - size * times
            inside += [along, size - 1 - along, size - 1]
        points = build.nonnegative(len(tiling.iterators), tuple(inside))
        return points.align_params(build.space(self.parameters, 0))


def affine_map(matrix: Sequence[Sequence[int]], offset: Sequence[int]) -> isl.Map:
    """`{ x -> MATRIX·x + OFFSET }`.

    >>> affine_map([[1, 0], [1, -2]], [0, 3])
    Map("{ [i0, i1] -> [i0, 3 + i0 - 2i1] }")
    """
    index = tuple(linear(row) + number for row, number in zip(matrix, offset, strict=True))
    return build.relation(len(matrix[0]) if matrix else 0, index)
