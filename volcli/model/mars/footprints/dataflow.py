r"""What the statements of a tiled nest read, as affine dependences: of arrays as they were, and of each
other's values.

Value-based flow says for each read which write gave it its value (`model.memory.flow`), so that programs need
no single-assignment form. Within a nest whose loops the tiling cuts, a read has

* values of a write in a nest that is tiled, too: a dependence from the iteration that reads to the one that
  wrote; or
* what was there before the nest: a dependence to the element.

Near the ends of loops there are other cases, such as initial values; which of them count, and where, is said
in `cases`. Tiles in the paper have no ends either.

    %a[%t, %i] = f(%a[%t - 1, %i - 1], ...)      (t, i) -> (t - 1, i - 1), ...    inside { 2 <= t <= 99, ... }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import islpy as isl
from xdsl.ir import Operation

from volcli.model.function import FunctionModel
from volcli.model.mars.footprints.cases import (
    NotADependence,
    ReadCase,
    cases_of,
    chosen,
    common_iterations,
    distinct,
    largest,
    linear_parts,
    outer_and_inner,
)
from volcli.model.mars.footprints.footprints import AffineDependence
from volcli.model.mars.footprints.gathering import GatheredReads, gather
from volcli.model.mars.footprints.handed_on import carried_around, handed_on
from volcli.model.mars.footprints.periodic import NotPeriodic, lattice_of
from volcli.model.mars.tilings.nests import TiledNest, loop_names, share_loops, tiled_nest
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.model.mars.tilings.vectors import Matrix, Offset
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Root
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.buffers.roots import Origin
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True, eq=False)
class Flow:
    """The dependences of one array: of its elements, or of the values that WRITER puts into it.

    Elements are coordinates of ROOT, or the iterations of WRITER, those of the tiling first. If `because` is
    given, nothing of it is known. If what is read is not these dependences in whole tiles, `edges` says why.
    """

    root: Root
    writer: Site | None
    readers: tuple[Site, ...]
    nest: TiledNest | None = None
    """The nest of the readers; None if nothing of it is known."""
    destination: TiledNest | None = None
    """The nest of the writer."""
    relations: tuple[isl.Map, ...] = ()
    """What the tiled iterations of each reader read."""
    dependences: tuple[AffineDependence, ...] = ()
    of_readers: tuple[tuple[AffineDependence, ...], ...] = ()
    """Those of each reader."""
    largest: tuple[tuple[Site, ReadCase], ...] = ()
    """Of reads, the case that holds for the most iterations, if it is one of this flow: in any tiles."""
    inner: isl.Set | None = None
    """The iterations of the writer's loops inside a tile."""
    inside: isl.Set | None = None
    """The iterations of the tiled loops for which the dependences are these."""
    domain: isl.Set | None = None
    """The iterations of the tiled loops in which one of the readers runs."""
    runs: isl.Set | None = None
    """Of these iterations, those that run, if it is not all of them: a set with a period."""
    lattice: tuple[Offset, ...] | None = None
    """A basis of the vectors that lead from iterations that run to such, if it is not all of them."""
    edges: str | None = None
    is_edge: bool = False
    """Whether no tile is whole in these iterations."""
    is_partial: bool = False
    """Whether readers get something else at the ends of loops, in no flow: a size is a symbol."""
    is_handed_on: bool = False
    """Whether it is a value that loops carry: `relations` are those of tiled iterations alone."""
    parts: tuple[Matrix, ...] = ()
    """The linear parts, on the tiled loops, of all cases of all readers."""
    because: str | None = None
    assumptions: tuple[str, ...] = ()

    @property
    def relation(self) -> isl.Map:
        """All that the tiled iterations of the readers read."""
        return coalesced(reduce(isl.Map.union, self.relations))

    @property
    def is_same_nest(self) -> bool:
        """Whether the writer is in the tiles of the readers' nest, and not in those of another one."""
        return self.writer is None or self.nest is None or self.nest.is_same(self.destination)

    @property
    def is_numeric(self) -> bool:
        """Whether all sizes of tiles are numbers."""
        nests = [each for each in (self.nest, self.destination) if each is not None]
        return not any(each.tiling.symbols for each in nests)

    @property
    def has_same_tiles(self) -> bool:
        """Whether the tiles of the writer's nest are those of the readers', by number."""
        return self.nest is None or self.destination is None or self.nest.has_same_tiles(self.destination)

    @property
    def outermost(self) -> Operation:
        """The outermost loop of the readers; if there is one that is not around the writer, too, of these."""
        around, own = () if self.writer is None else self.writer.levels, self.readers[0].levels
        return next((level for level in own if level not in around), own[0]).op

    @property
    def dense(self) -> Flow:
        """It as if all iterations ran, and got what most of them get: tiles are alike, nothing is sure."""
        cases = [case for _, case in self.largest]
        if not cases or common_iterations(cases).is_empty():
            return replace(self, edges="no iteration has all of the dependences")
        found = distinct([replace(each.dependence, runs=None, residues=None) for each in cases])
        edges = None if self.is_edge else self.edges
        return replace(self, dependences=found, lattice=None, runs=None, edges=edges)

    @property
    def is_usual(self) -> bool:
        """Whether it is what whole tiles read."""
        return self.edges is None and self.because is None


def flows(model: FunctionModel, scheme: TileScheme, operations: int) -> list[Flow]:
    """What is read in the nests that TILING cuts, by array, nest and writer, in the order of the text."""
    found: list[Flow] = []
    buffers = MemoryFlow(model.memory, operations=operations).all()
    tiled = {
        level
        for buffer in buffers
        for read in buffer.reads
        if (nest := tiled_nest(model, scheme, read.site)) is not None
        for level in nest.tiled
    }
    for buffer in buffers:
        gathered: dict[tuple[Site | None, tuple[Level, ...]], GatheredReads] = {}
        unknown: list[Flow] = []
        for read in buffer.reads:
            nest = tiled_nest(model, scheme, read.site)
            if nest is None:
                if share_loops(read.site.levels, tiled):
                    unknown.append(_unknown(model, read.site, _between(model, scheme, read.site)))
                continue
            try:
                gather(model, scheme, buffer, read, nest, gathered)
            except NotADependence as error:
                unknown.append(_unknown(model, read.site, str(error)))
        found += unknown or _flows(model, list(gathered.values()))
    return found + _handed_on(model, scheme)


def _handed_on(model: FunctionModel, scheme: TileScheme) -> list[Flow]:
    """What tiles give each other in iter_args: it is in no set."""
    return [
        Flow(
            Root(Origin.UNKNOWN, each.value),
            None,
            (each.reader,),
            each.nest,
            each.nest,
            (each.relation,),
            is_handed_on=True,
            because="tiles hand it on in iter_args, and not in memory",
        )
        for each in handed_on(model, _in_tiles(model, scheme))
    ]


def _in_tiles(model: FunctionModel, scheme: TileScheme) -> list[tuple[Site, TiledNest]]:
    nests = ((site, tiled_nest(model, scheme, site)) for site in model.memory.sites)
    return [(site, nest) for site, nest in nests if nest is not None]


def unknown_flows(model: FunctionModel, scheme: TileScheme, because: str) -> list[Flow]:
    """Each access that reads in the nests that SCHEME cuts, and what their loops carry; nothing is known
    of these BECAUSE of that."""
    tiled = _in_tiles(model, scheme)
    carried = {value: site for value, site, _, _ in carried_around(tiled)}
    return [
        *(_unknown(model, site, because) for site, _ in tiled if not site.is_write),
        *(
            Flow(Root(Origin.UNKNOWN, value), None, (site,), is_handed_on=True, because=because)
            for value, site in carried.items()
        ),
    ]


def _unknown(model: FunctionModel, site: Site, because: str) -> Flow:
    text = f"{model.memory.names.access(site)}: {because}"
    return Flow(site.place.root, None, (site,), because=text)


def _between(model: FunctionModel, scheme: TileScheme, site: Site) -> str:
    names = loop_names(model, site.levels)
    tiling = max(scheme.tilings, key=lambda each: sum(name in names for name in each.iterators))
    missing = " and ".join(name for name in tiling.iterators if name not in names)
    return f"it is between the tiled loops, outside of {missing}, and in no tile"


def _flows(model: FunctionModel, groups: Sequence[GatheredReads]) -> list[Flow]:
    """The flows of one array; where a size is a symbol, without those that are edges of others."""
    found = [_flow(model, group) for group in groups]
    extents: dict[Site, tuple[int, int]] = {}
    for site, case in (pair for flow in found for pair in flow.largest):
        extents[site] = max(extents.get(site, case.extent), case.extent)
    found = [replace(flow, largest=_kept(flow, extents)) for flow in found]
    return found if all(flow.is_numeric for flow in found) else without_edges(found)


def without_edges(found: Sequence[Flow]) -> list[Flow]:
    """The flows FOUND, but for what reads get at the ends of loops that have others in whole tiles."""
    usual = {site for flow in found if flow.is_usual for site in flow.readers}
    kept = [flow for flow in found if flow.is_usual or not (flow.is_edge and usual.issuperset(flow.readers))]
    left_out = {site for flow in found if flow not in kept for site in flow.readers}
    return [replace(flow, is_partial=not left_out.isdisjoint(flow.readers)) for flow in kept]


def _kept(flow: Flow, extents: Mapping[Site, tuple[int, int]]) -> tuple[tuple[Site, ReadCase], ...]:
    """The largest cases of FLOW that are the largest of their reads, of these EXTENTS, in all flows."""
    return tuple((site, case) for site, case in flow.largest if case.extent == extents[site])


def _flow(model: FunctionModel, group: GatheredReads) -> Flow:
    everything = Flow(
        group.root,
        group.writer,
        tuple(group.relations),
        group.nest,
        group.destination,
        tuple(map(group.of_tiled, group.relations.values())),
        domain=_domain(model, group),
        assumptions=tuple(group.assumptions),
        because=group.because,
    )
    try:
        of_reads = [list(cases_of(each, group.nests[site])) for site, each in group.relations.items()]
        most = zip(group.relations, map(largest, of_reads), strict=True)
        everything = replace(
            everything,
            largest=tuple((site, case) for site, case in most if case is not None),
            inner=None if group.writer is None else _inner(model, group.writer, group.destination),
            parts=tuple(
                dict.fromkeys(
                    case.dependence.of_tiled(group.nest.rank) for cases in of_reads for case in cases
                )
            ),
        )
        found = chosen([case for each in of_reads for case in each], group.nest.tiling)
        if found is None:
            edges = "no tile is whole inside the iterations"
            return replace(everything, edges=edges, is_edge=True)
        residues = [each.dependence.residues for each in found.cases]
        return replace(
            everything,
            dependences=distinct([each.dependence for each in found.cases]),
            of_readers=tuple(
                tuple(each.dependence for each in cases if each in found.cases) for cases in of_reads
            ),
            inside=found.inside,
            runs=found.runs,
            lattice=lattice_of(residues, group.nest.rank),
        )
    except (NotADependence, NotPeriodic) as error:
        parts = (part for s, each in group.relations.items() for part in linear_parts(each, group.nests[s]))
        return replace(everything, edges=str(error), parts=everything.parts or tuple(dict.fromkeys(parts)))


def _domain(model: FunctionModel, group: GatheredReads) -> isl.Set:
    """The iterations of the tiled loops in which one of the reads of GROUP runs."""
    found: list[isl.Set] = []
    for site, nest in group.nests.items():
        points = nest.sorted_set(model.memory.instances.domains.of(site.op).points)
        found.append(points.project_out(DIM.set, nest.rank, points.dim(DIM.set) - nest.rank))
    return coalesced(reduce(isl.Set.union, found))


def _inner(model: FunctionModel, writer: Site, nest: TiledNest | None) -> isl.Set | None:
    """The iterations of WRITER's loops inside a tile. Raises NotADependence if tiles differ in them."""
    if nest is None:
        return None
    _, inner = outer_and_inner(nest.sorted_set(model.memory.instances.domains.of(writer.op).points), nest)
    return inner
