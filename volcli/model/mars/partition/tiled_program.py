r"""What the tiles of a program hold and consume, exactly: its value-based flow, iteration to tile.

With F the flow of values, { x -> e } from an iteration x that reads to the element, or the iteration of the
writer, that it gets, for all iterations x that run, and t(x) = floor(H x / s),

    C = { e -> t(x) : e in F(x) }            the tiles that consume e; without the tile that produces e
    E = { t -> e }                           what t produces and others consume, or what t reads

C is the union of all pieces of the flow, of all reads of a nest, with the ends of its loops. That some tiles
have the sets that a theory states, with the consumers K, is compared element by element:

    V = { t : C(e) = K(e) for every e that t holds, in the program or as it is stated }

What a tile reads may be consumed by all tiles along a line, of which the last ones are cut by the ends of
loops, and read a part of it. Then the answer is about whole tiles only: C and K are restricted to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from volcli.model.mars.footprints.cases import tiles_of, whole_tiles
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.footprints.periodic import NotPeriodic, split
from volcli.model.mars.partition.positions import Positions, different, everywhere
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.presburger.measures.points import least_point
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True, eq=False)
class TiledProgram:
    """The tiles of FLOW, with numbers for the sizes of the TILING and of what PRODUCERS are in."""

    flow: Flow
    tiling: HyperplaneTiling
    producers: HyperplaneTiling

    @cached_property
    def everything(self) -> Positions:
        """C and E, for all tiles."""
        return self.by(self.flow.relation, only_whole=False)

    @cached_property
    def among_whole(self) -> Positions:
        """C and E, if only whole tiles count."""
        return self.by(self.flow.relation, only_whole=True)

    def by(self, relation: isl.Map, *, only_whole: bool) -> Positions:
        """C and E of a RELATION from tiled iterations to what they get; ONLY WHOLE tiles may count."""
        return self._positions(relation, self.whole if only_whole else None)

    @cached_property
    def stated(self) -> Positions:
        """K: what the dependences say of tiles without ends."""
        return self._positions(everywhere(self.flow.dependences, len(self.tiling.iterators)))

    def _positions(self, relation: isl.Map, within: isl.Set | None = None) -> Positions:
        producers = None if self.flow.writer is None else self.producers
        return Positions(self.tiling, relation, producers, is_same=self.flow.is_same_nest, within=within)

    @cached_property
    def whole(self) -> isl.Set:
        """The tiles all of whose iterations are those of a reader, whatever it gets."""
        return coalesced(whole_tiles(self._domain, self._runs, self.tiling))

    @property
    def _runs(self) -> isl.Set:
        """The iterations that run wherever a tile is: those of the flow may be fewer than run at all."""
        domain, runs = self._domain, self.flow.runs
        if runs is not None and domain.is_subset(runs):
            return runs
        try:
            return split(domain).runs
        except NotPeriodic:
            return isl.Set.universe(domain.get_space())

    @property
    def _domain(self) -> isl.Set:
        return self.flow.relation.domain() if self.flow.domain is None else self.flow.domain

    @cached_property
    def for_any_symbols(self) -> Positions:
        """C and E of the whole tiles for any values of the program's symbols, all of them together."""
        inside = tiles_of(self.tiling).intersect_range(self.whole).domain()
        return self._positions(self.flow.relation.intersect_domain(inside).project_out_all_params())

    def covered(self, claimed: Positions, *, only_whole: bool, is_endless: bool = False) -> isl.Set:
        """V, of what is CLAIMED of all tiles, or ONLY of WHOLE ones.

        Where it IS ENDLESS, those of the consumers count that consume something in the program.
        """
        program = self.among_whole if only_whole else self.everything
        consumers, actual = claimed.consumers, program.consumers
        if is_endless:
            consumers = consumers.intersect_range(actual.range())
        wrong = different(actual, consumers).domain()
        wrong = claimed.held.union(program.held).intersect_range(wrong).domain()
        return coalesced(program.held.domain().subtract(wrong))

    def as_stated(self, covers: isl.Set | None, among: isl.Set | None) -> isl.Point | None:
        """The least of the tiles AMONG these that reads from others what is stated; None if none does.

        It is one that the answer COVERS, and so are the tiles whose values it reads: they have these sets.
        """
        actual, stated = (each.consumers.reverse() for each in (self.everything, self.stated))
        tiles = actual.domain().subtract(different(actual, stated).domain())
        if covers is not None and self.flow.writer is not None:
            sources = stated.intersect_domain(tiles).apply_range(self.stated.held.reverse())
            tiles = tiles.subtract(sources.subtract_range(covers).domain())
        tiles = tiles.project_out_all_params()
        for each in (covers, among):
            tiles = tiles if each is None else tiles.intersect(each)
        found = least_point(tiles)
        return None if found.is_void() else found

    def read_by(self, tile: isl.Point) -> isl.Set:
        """What TILE reads from others, as it is stated."""
        return isl.Set.from_point(tile).project_out_all_params().apply(self.stated.consumers.reverse())
