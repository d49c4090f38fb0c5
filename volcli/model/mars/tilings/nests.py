"""Tiled nests: the loops of an access that a tiling cuts, and those that run inside of its tiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.model.function import FunctionModel
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import affine_map, unit
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level


@dataclass(frozen=True)
class TiledNest:
    """The loops around one access: those that are tiled first, in the order of the tiling, then the others.

    Two accesses are in the tiles of one nest if their tiled loops are the same; loops of one name may be
    several. `order` are the positions of the loops among those around the access.
    """

    tiling: HyperplaneTiling
    tiled: tuple[Level, ...]
    order: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The number of tiled loops."""
        return len(self.tiled)

    def is_same(self, other: TiledNest | None) -> bool:
        """Whether both cut the same loops."""
        return other is not None and self.tiled == other.tiled

    def has_same_tiles(self, other: TiledNest) -> bool:
        """Whether tiles of the same numbers have the same iterations of both nests."""
        mine, theirs = self.tiling, other.tiling
        return (mine.normals, mine.sizes) == (theirs.normals, theirs.sizes)

    def sorted(self, iterations: isl.Map) -> isl.Map:
        """ITERATIONS, from those of the access, from tiled loops first."""
        return iterations.apply_domain(self._permutation)

    def sorted_range(self, iterations: isl.Map) -> isl.Map:
        """ITERATIONS, to those of the access, to tiled loops first."""
        return iterations.apply_range(self._permutation)

    def sorted_set(self, iterations: isl.Set) -> isl.Set:
        """ITERATIONS of the access, tiled loops first."""
        return iterations.apply(self._permutation)

    @property
    def _permutation(self) -> isl.Map:
        rows = unit(len(self.order))
        return affine_map([rows[source] for source in self.order], [0] * len(self.order))


def tiled_nest(model: FunctionModel, scheme: TileScheme, site: Site) -> TiledNest | None:
    """The nest of SITE; None if SITE is not inside all of the loops that a tiling names."""
    names = loop_names(model, site.levels)
    tiling = scheme.of(names)
    if tiling is None:
        return None
    tiled = [names.index(name) for name in tiling.iterators]
    others = [k for k in range(len(names)) if k not in tiled]
    return TiledNest(tiling, tuple(site.levels[k] for k in tiled), (*tiled, *others))


def loop_names(model: FunctionModel, levels: Sequence[Level]) -> list[str | None]:
    """The induction variables of LEVELS, each with its %; None where there is none."""
    return [model.name_of(level.variable) if level.variable is not None else None for level in levels]


def share_loops(levels: Iterable[Level], others: Iterable[Level]) -> bool:
    """Whether one loop is among both."""
    return not set(levels).isdisjoint(others)
