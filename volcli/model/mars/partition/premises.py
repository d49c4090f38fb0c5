r"""Whether what is said of tiles is what happens in the program: for whole tiles, whose consumers are whole.

The sets are found for tiles without ends: dependences hold for all iterations, or for all those inside of a
polyhedron. The program has ends, other dependences elsewhere, and an order of its tiles. With

    W    the tiles that are whole inside of the iterations for which the dependences are these
    W'   the tiles that are whole in the iterations of the readers' nest, whatever they read
    C    { a -> t : t consumes a }, as it is said, and C' as it is in the program

it holds of a tile v with the elements E(v), all of whose consumers C(E(v)) are in W, if C and C' are equal on
E(v) but for tiles that are in neither W nor W'. It is *exact* if that is so of each such v, and there is one.
Where the sets depend on the position of the tile, C is of W alone: what is reversed, `m[i] = m[39 - i]` for
i = 20, ..., 39, is consumed there, and produced elsewhere.

A tiling is illegal if a tile reads what a later one writes, in the lexicographic order of the tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import islpy as isl

from volcli.model.mars.footprints.cases import tiles_of, whole_tiles
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.partition.positions import Positions, everywhere
from volcli.model.mars.partition.refinement import identity
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.presburger.measures.points import coordinates

NOTHING_WHOLE = "no tile is whole, with all tiles that consume of it, where the dependences are these"
OTHERS = "tiles elsewhere, of other dependences, consume other elements"
_SIZES = (1, 2, 3, 4)
"""Numbers that stand for all sizes that are symbols."""


@dataclass(frozen=True, eq=False)
class Premises:
    """What is said of FLOW, with numbers for the sizes of the TILING and of what PRODUCERS are in."""

    flow: Flow
    tiling: HyperplaneTiling
    producers: HyperplaneTiling

    @property
    def linear_parts(self) -> list[tuple[tuple[int, ...], ...]]:
        """How elements move as tiles do: by the dependences; of what is produced, as the producer's loops."""
        tiled = len(self.tiling.iterators)
        if self.flow.writer is None:
            return [each.of_tiled(tiled) for each in self.flow.dependences]
        tiled = len(self.producers.iterators)
        return [identity(tiled, self.flow.inner).of_tiled(tiled)]

    def illegal(self) -> str | None:
        """Why the tiles cannot run one after the other; None if nothing says so."""
        if self.flow.writer is None or not self.flow.is_same_nest:
            return None
        pairs = self.program.held.apply_range(self.program.consumers)
        backwards = pairs.intersect(isl.Map.lex_gt(pairs.get_space().range()))
        if backwards.is_empty():
            return None
        rank = len(self.tiling.sizes)
        numbers = coordinates(backwards.wrap().flatten().project_out_all_params().sample_point())
        writer, reader = (str(each).replace(",)", ")") for each in (numbers[:rank], numbers[rank:]))
        return f"the tiling is illegal: the tile {reader} reads what the later tile {writer} writes"

    @cached_property
    def program(self) -> Positions:
        """C', for all tiles of the program."""
        return self._positions(self.flow.relation)

    @cached_property
    def whole(self) -> isl.Set:
        """W."""
        if self.flow.inside is None:
            return self.real
        return self._whole_in(self.flow.inside)

    @cached_property
    def real(self) -> isl.Set:
        """W'."""
        domain = self.flow.domain
        return self._whole_in(self.flow.relation.domain() if domain is None else domain)

    def _whole_in(self, points: isl.Set) -> isl.Set:
        runs = isl.Set.universe(points.get_space()) if self.flow.runs is None else self.flow.runs
        return whole_tiles(points, runs, self.tiling).coalesce()

    def _positions(self, relation: isl.Map) -> Positions:
        producers = None if self.flow.writer is None else self.producers
        return Positions(self.tiling, relation, producers, is_same=self.flow.is_same_nest)

    def inside(self) -> Positions:
        """C of the tiles of W alone, for any parameters."""
        tiles = self.whole.project_out_all_params()
        everything = everywhere(self.flow.dependences, len(self.tiling.iterators))
        iterations = whole_iterations(tiles, self.tiling)
        return self._positions(everything.intersect_domain(iterations))

    def wrong(self, said: Positions) -> isl.Set:
        """The tiles of whose elements other ones of W and W' are consumers than C says."""
        real, whole = self.real, self.whole
        claimed = said.consumers.intersect_range(whole)
        actual = self.program.consumers.intersect_range(real)
        different = actual.subtract(claimed).union(claimed.subtract(actual))
        elements = different.domain()
        held = said.held.union(self.program.held)
        return held.intersect_range(elements).domain().coalesce()

    def uniform(self) -> str | None:
        """Why it is not exact that all tiles have the same sets, up to translation; None if it is."""
        said = self._positions(everywhere(self.flow.dependences, len(self.tiling.iterators)))
        whole = self.whole
        if self._has_end(said):
            beyond = said.consumers.subtract_range(whole).domain()
            whole = whole.subtract(said.held.intersect_range(beyond).domain())
        held = said.held.intersect_domain(whole)
        if held.is_empty():
            return NOTHING_WHOLE
        return OTHERS if not self.wrong(said).is_disjoint(whole) else None

    @staticmethod
    def _has_end(said: Positions) -> bool:
        """Whether one element has finitely many consumers."""
        return bool(said.consumers.intersect_domain(said.consumers.domain().sample()).range().is_bounded())


def whole_iterations(tiles: isl.Set, tiling: HyperplaneTiling) -> isl.Set:
    """All iterations of TILES."""
    return tiles_of(tiling).intersect_range(tiles).domain()


def numeric(flow: Flow, tiling: HyperplaneTiling) -> Sequence[Premises]:
    """The premises of FLOW by TILING, with a few numbers for its symbols."""
    producers = tiling if flow.destination is None else flow.destination.tiling
    if not tiling.symbols and not producers.symbols:
        return [Premises(flow, tiling, producers)]
    return [Premises(flow, _sized(tiling, n), _sized(producers, n)) for n in _SIZES]


def _sized(tiling: HyperplaneTiling, number: int) -> HyperplaneTiling:
    return replace(tiling, sizes=tuple(number if isinstance(s, str) else s for s in tiling.sizes))
