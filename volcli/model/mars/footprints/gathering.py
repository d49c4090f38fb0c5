"""The reads of a tiled nest, grouped by the writer of the values that they get.

A group has a relation for each of its reads: from iterations of the read to iterations of the writer, or
to the elements that the array held before the nest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce

import islpy as isl

from volcli.model.function import FunctionModel
from volcli.model.mars.footprints.cases import (
    NotADependence,
)
from volcli.model.mars.tilings.nests import TiledNest, share_loops, tiled_nest
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.model.mars.tilings.vectors import to_elements
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Root
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.flow.answers import BufferFlow, ReadFlow
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


@dataclass(eq=False)
class GatheredReads:
    """The reads of one nest that get values of one writer, or of none in the nest."""

    root: Root
    writer: Site | None
    nest: TiledNest
    destination: TiledNest | None
    relations: dict[Site, isl.Map] = field(default_factory=dict)
    nests: dict[Site, TiledNest] = field(default_factory=dict)
    """Of each read: inside the tiles, it may be in other loops than another one."""
    because: str | None = None
    assumptions: dict[str, None] = field(default_factory=dict)

    def of_tiled(self, relation: isl.Map) -> isl.Map:
        """RELATION from iterations of the tiled loops alone."""
        return relation.project_out(DIM.in_, self.nest.rank, relation.dim(DIM.in_) - self.nest.rank)


def gather(
    model: FunctionModel,
    scheme: TileScheme,
    buffer: BufferFlow,
    read: ReadFlow,
    nest: TiledNest,
    found: dict[tuple[Site | None, tuple[Level, ...]], GatheredReads],
) -> None:
    """Sort what READ gets by its writers. Raises NotADependence."""
    if not read.is_exact:
        raise NotADependence(read.because or "not all elements that are read are known")
    for writer, relation, because in _sources(model, scheme, buffer, read):
        destination = None if writer is None else tiled_nest(model, scheme, writer)
        gathered = found.setdefault(
            (writer, nest.tiled), GatheredReads(read.site.place.root, writer, nest, destination)
        )
        gathered.because = gathered.because or because
        relation = nest.sorted(relation)
        gathered.nests[read.site] = nest
        known = gathered.relations.get(read.site)
        gathered.relations[read.site] = relation if known is None else known.union(relation)
        gathered.assumptions.update(dict.fromkeys(read.assumptions))


def _sources(
    model: FunctionModel, scheme: TileScheme, buffer: BufferFlow, read: ReadFlow
) -> Iterator[tuple[Site | None, isl.Map, str | None]]:
    """The writers in tiled nests, and None for what was there before.

    Of each, the relation from iterations of READ to what it gets, and why nothing can be said of that.
    """
    before: list[isl.Map] = [] if read.unwritten is None else [read.unwritten]
    elements = model.memory.instances.relation(read.site).elements()
    for last in read.writers:
        if not last.exact:
            raise NotADependence(last.because or "its writers are not known exactly")
        destination = tiled_nest(model, scheme, last.writer)
        if destination is not None:
            yield last.writer, destination.sorted_range(last.pairs.reverse()), None
        elif share_loops(last.writer.levels, read.site.levels):
            written = f"{model.memory.names.access(last.writer)} writes it between the loops, in no tile"
            yield last.writer, last.pairs.reverse(), written
        else:
            before.append(elements.intersect_domain(last.pairs.range()))
    relation = reduce(isl.Map.union, before) if before else None
    if relation is not None and not relation.is_empty():
        if buffer.digits is not None:
            raise NotADependence("its elements are products of unknowns")
        yield None, to_elements(coalesced(relation)), None
