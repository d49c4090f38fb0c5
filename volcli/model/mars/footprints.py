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

from volcli.model.mars.tiling import HyperplaneTiling
from volcli.presburger.build import DIM, number

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
        self._functions: dict[AffineDependence, isl.Map] = {}

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
        return points.apply(self._function(dependence))

    def tile(self, offset: Offset) -> isl.Set:
        """`{ x : 0 <= H·x - (o + diag(s)·offset) < s }`."""
        known = self._tiles.get(offset)
        if known is None:
            known = self._tiles[offset] = self._tile_at(offset)
        return known

    def _tile_at(self, offset: Offset) -> isl.Set:
        tiling = self.tiling
        over = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, len(self.parameters), len(tiling.iterators))
        for position, name in enumerate(self.parameters):
            over = over.set_dim_name(DIM.param, position, name)
        local, points = isl.LocalSpace.from_space(over), isl.BasicSet.universe(over)
        for j, (normal, size) in enumerate(zip(tiling.normals, tiling.sizes, strict=True)):
            origin, times = (None, offset[j]) if self._tile is not None else (f"o{j}", offset[j])
            if self._tile is not None:
                times += self._tile[j]
            above = _linear(local, normal, [(origin, -1), (size, -times)], 0)
            below = _linear(local, [-n for n in normal], [(origin, 1), (size, times + 1)], -1)
            points = points.add_constraint(isl.Constraint.inequality_from_aff(above))
            points = points.add_constraint(isl.Constraint.inequality_from_aff(below))
            if isinstance(size, str):
                is_positive = _linear(local, (), [(size, 1)], -1)
                points = points.add_constraint(isl.Constraint.inequality_from_aff(is_positive))
        return isl.Set.from_basic_set(points)

    def _function(self, dependence: AffineDependence) -> isl.Map:
        known = self._functions.get(dependence)
        if known is None:
            known = self._functions[dependence] = affine_map(dependence.matrix, dependence.offset)
        return known


def affine_map(matrix: Sequence[Sequence[int]], offset: Sequence[int]) -> isl.Map:
    """`{ x -> MATRIX·x + OFFSET }`.

    >>> affine_map([[1, 0], [1, -2]], [0, 3])
    Map("{ [i0, i1] -> [i0, 3 + i0 - 2i1] }")
    """
    over = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, len(matrix[0]) if matrix else 0)
    local = isl.LocalSpace.from_space(over)
    pieces = isl.AffList.alloc(isl.DEFAULT_CONTEXT, len(matrix))
    for row, constant in zip(matrix, offset, strict=True):
        pieces = pieces.add(_linear(local, row, (), constant))
    target = over.map_from_domain_and_range(isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, len(matrix)))
    return isl.Map.from_multi_aff(isl.MultiAff.from_aff_list(target, pieces))


def _linear(
    local: isl.LocalSpace,
    row: Sequence[int],
    parameters: Sequence[tuple[str | int | None, int]],
    constant: int,
) -> isl.Aff:
    """ROW·x + PARAMETERS times their factors + CONSTANT; a number in place of a name is that number."""
    result = isl.Aff.zero_on_domain(local)
    for name, factor in parameters:
        if isinstance(name, int):
            constant += name * factor
        elif name is not None and factor:
            position = local.find_dim_by_name(DIM.param, name)
            result = result.add_coefficient_val(DIM.param, position, number(factor))
    for position, factor in enumerate(row):
        if factor:
            result = result.set_coefficient_val(DIM.in_, position, number(factor))
    return result.set_constant_val(number(constant))
