r"""Whether tiles can run one after the other, in the lexicographic order of their coordinates.

A tile runs as a whole, so what an iteration x reads of an iteration y in the same nest is there if

    floor(H y / s) <= floor(H x / s)       lexicographically

for each pair (x, y) of the value-based flow. Each tile has memory of its own for what it produces, so that
only values count, and not the places in which they lie. For sizes that are symbols it suffices that
H y <= H x for each hyperplane; one small size for which it is not so is an example.

    %a[%i, %j] = f(%a[%i - 1, %j + 1])    i: 4, j: 4     (0, 1) writes in (0, 4) what (0, 0) reads in (1, 3)

In another order tiles can run if no tile is reached from itself, from each to others that read of it.

Tiles of several nests that share a loop have no lexicographic order: one nest's tile has iterations before
and after those of another one's. They can run in some order, or nothing is answered about these nests:

    for t { for i: b[i] = f(a[i]); for i: a[i] = g(b[i]) }    i: 4     each nest's tile (1) reads the other's
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from itertools import combinations

import islpy as isl

from volcli.limits import mars as limits
from volcli.model.function import FunctionModel
from volcli.model.mars.footprints.cases import tiles_of
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.tilings.nests import TiledNest, share_loops
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import affine_map, tuple_text, unit
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Root
from volcli.model.memory.buffers.nests import Level
from volcli.presburger.measures.points import coordinates, few_points
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced

SIZES = (1, 2, 3, 4)
"""Numbers that stand for all sizes that are symbols."""
UNPROVED = "the lexicographic order of tiles is not known to be legal for all sizes: give numbers"
CYCLE = "some tiles may need values of each other, so that none can be first"
ANOTHER = "another order is legal, which 'any-order' asks for"

Tiled = tuple[Level, ...]


def legal(model: FunctionModel, found: Sequence[Flow], *, any_order: bool = False) -> list[Flow]:
    """The flows that were FOUND; of nests whose tiles cannot run in order, why nothing is known of them.

    A flow of which nothing is known may forbid the order, too: that it does not is assumed of the others.
    """
    inner: dict[Tiled, list[Flow]] = defaultdict(list)
    for flow in found:
        is_known = flow.because is None and flow.writer is not None and flow.is_same_nest
        if flow.nest is not None and (is_known or flow.is_handed_on):
            inner[flow.nest.tiled].append(flow)
    because: dict[Tiled, str] = {}
    for tiled, flows in inner.items():
        of_each = (_illegal(model, flow) for flow in flows)
        text = next((text for text in of_each if text is not None), None)
        cycle = None if text is None else _cycle(flows)
        if text is not None and not (any_order and cycle is None):
            because[tiled] = f"{text}; {cycle or ANOTHER}"
    for together in _entangled(model, found):
        if (text := _without_order(model, together)) is not None:
            because.update({nest: text for flow in together for nest in _nests(flow) if nest not in because})
    unknown = dict.fromkeys(flow.root for flow in found if flow.because is not None and flow.nest is None)
    return [_assuming(model, _unless(flow, because), unknown) for flow in found]


def _entangled(model: FunctionModel, found: Sequence[Flow]) -> list[list[Flow]]:
    """The known flows that were FOUND in and between nests in one loop, where it carries values back.

    Of other nests, all tiles of the first one in the text can run before those of the next one.
    """
    rank = {site: k for k, site in enumerate(model.memory.sites)}
    known = [f for f in found if f.because is None and f.writer is not None and f.destination is not None]
    groups: list[set[Tiled]] = []
    back: set[Tiled] = set()
    for flow in known:
        writer, reader = flow.writer, flow.readers[0]
        if flow.is_same_nest or writer is None or not share_loops(reader.levels, writer.levels):
            continue
        nests = set(_nests(flow))
        back |= nests if rank[writer] > rank[reader] else set()
        near = [group for group in groups if not group.isdisjoint(nests)]
        groups = [*(group for group in groups if group not in near), nests.union(*near)]
    return [
        [f for f in known if group.issuperset(_nests(f))] for group in groups if not group.isdisjoint(back)
    ]


def _without_order(model: FunctionModel, flows: Sequence[Flow]) -> str | None:
    """Why tiles of several nests, with all FLOWS between them, may have no order; None if they have one."""
    if not all(flow.is_numeric for flow in flows):
        sized = (_without_order(model, [_of_size(flow, size) for flow in flows]) for size in SIZES)
        return next(filter(None, sized), UNPROVED)
    nests = list(dict.fromkeys(nest for flow in flows for nest in _nests(flow)))
    steps = {flow: _steps(flow, nests) for flow in flows}
    across = [flow for flow in flows if not flow.is_same_nest]
    for first, second in combinations(across, 2):
        both = steps[first].intersect(steps[second].reverse())
        if not both.is_empty():
            written, read = _named(model, second, second.readers[0]), _named(model, first, first.readers[0])
            return (
                f"the tiling is illegal: a tile that reads {read} needs values of one that reads {written}, "
                "and that one of it, so that none can be first"
            )
    return None if _is_acyclic(coalesced(reduce(isl.Map.union, steps.values()))) else CYCLE


def _steps(flow: Flow, nests: Sequence[Tiled]) -> isl.Map:
    """From tiles to others that read of them by FLOW, each tile with the number of its nest among NESTS."""
    width = max(map(len, nests))
    places: list[isl.Map] = []
    for nest in _tiled_nests(flow):
        rows = ((0,) * nest.rank, *unit(nest.rank), *((0,) * nest.rank,) * (width - nest.rank))
        number = (nests.index(nest.tiled), *(0,) * width)
        places.append(tiles_of(nest.tiling).apply_range(affine_map(rows, number)))
    reader, writer = places
    read = _of_tiled(flow.relation, writer.dim(DIM.in_)).apply_range(writer).apply_domain(reader).reverse()
    return coalesced(read.subtract(isl.Map.identity(read.get_space())))


def _unless(flow: Flow, because: dict[Tiled, str]) -> Flow:
    text = next((because[nest] for nest in _nests(flow) if nest in because), None)
    return flow if text is None else replace(flow, because=text)


def _assuming(model: FunctionModel, flow: Flow, unknown: Collection[Root]) -> Flow:
    """FLOW if the order of its tiles is legal for what they read of memory of which the flow is UNKNOWN."""
    if flow.because is not None or not unknown:
        return flow
    reads = [site for site in model.memory.sites if not site.is_write]
    in_nest = [site for site in reads if any(share_loops(site.levels, tiled) for tiled in _nests(flow))]
    firsts = (next((site for site in in_nest if site.place.root == root), None) for root in unknown)
    texts = [model.memory.names.access(site) for site in firsts if site is not None]
    assumed = (f"the order of tiles is legal for {text}" for text in texts)
    return replace(flow, assumptions=(*flow.assumptions, *assumed))


def _nests(flow: Flow) -> list[Tiled]:
    return [nest.tiled for nest in _tiled_nests(flow)]


def _tiled_nests(flow: Flow) -> list[TiledNest]:
    """That of the readers, and that of the writer."""
    return [nest for nest in (flow.nest, flow.destination) if nest is not None]


def _illegal(model: FunctionModel, flow: Flow) -> str | None:
    """Which tile reads what a later one writes; None if none does.

    What an outer loop carries may be of no use in the tiles.
    """
    assert flow.nest is not None
    tiling = flow.nest.tiling
    for site, values in zip(flow.readers, flow.relations, strict=True):
        access = _named(model, flow, site)
        if not tiling.symbols:
            text = _example(access, values, tiling)
        else:
            sized = (_sized(tiling, size) for size in SIZES)
            texts = (_example(access, values, each) for each in sized)
            text = None if _is_forward(values, tiling) else next(filter(None, texts), UNPROVED)
        if text is not None:
            return text.replace(" is illegal ", " may be illegal ", 1) if flow.is_handed_on else text
    return None


def _named(model: FunctionModel, flow: Flow, site: Site) -> str:
    names = model.memory.names
    if flow.is_handed_on:
        return f"the loop that carries {names.memref(flow.root.value)}"
    return names.access(site)


def _sized(tiling: HyperplaneTiling, number: int) -> HyperplaneTiling:
    return replace(tiling, sizes=tuple(number if isinstance(s, str) else s for s in tiling.sizes))


def _of_size(flow: Flow, number: int) -> Flow:
    """FLOW with NUMBER for all sizes that are symbols."""
    nests = [replace(nest, tiling=_sized(nest.tiling, number)) for nest in _tiled_nests(flow)]
    return replace(flow, nest=nests[0], destination=nests[-1])


def _is_forward(values: isl.Map, tiling: HyperplaneTiling) -> bool:
    """Whether H·y <= H·x for each iteration x that reads VALUES of an iteration y."""
    count = len(tiling.normals)
    along = affine_map(tiling.normals, (0,) * count)
    moved = _of_tiled(values, count).apply_range(along).apply_domain(along)
    everything = isl.Map.universe(moved.get_space())
    return all(moved.is_disjoint(everything.order_lt(DIM.in_, j, DIM.out, j)) for j in range(count))


def _of_tiled(values: isl.Map, count: int) -> isl.Map:
    """VALUES to iterations of the first COUNT loops of the writer."""
    return values.apply_range(affine_map(unit(values.dim(DIM.out))[:count], (0,) * count))


def _example(access: str, values: isl.Map, tiling: HyperplaneTiling) -> str | None:
    """An iteration that reads VALUES of a later tile by ACCESS."""
    count, tiles = len(tiling.sizes), tiles_of(tiling)
    values = _of_tiled(values, count)
    later = isl.Map.lex_lt(tiles.range().get_space())
    backwards = values.intersect(tiles.apply_range(later).apply_range(tiles.reverse()))
    if backwards.is_empty():
        return None
    numbers = coordinates(backwards.wrap().flatten().project_out_all_params().sample_point())
    reader, writer = numbers[:count], numbers[count:]
    names = f"({', '.join(tiling.iterators)})"
    return (
        f"the tiling {tiling} is illegal in the lexicographic order of tiles: "
        f"at {names} = {tuple_text(reader)}, "
        f"{access} reads in the tile {tuple_text(_tile(tiling, reader))} what the later tile "
        f"{tuple_text(_tile(tiling, writer))} writes at {tuple_text(writer)}"
    )


def _tile(tiling: HyperplaneTiling, point: Sequence[int]) -> tuple[int, ...]:
    planes = zip(tiling.normals, tiling.sizes, strict=True)
    return tuple(sum(map(int.__mul__, normal, point)) // int(size) for normal, size in planes)


def _cycle(flows: Sequence[Flow]) -> str | None:
    """Why tiles of one nest, with these FLOWS, may have no order; None if they have one."""
    assert flows[0].nest is not None
    tiling = flows[0].nest.tiling
    if tiling.symbols:
        return UNPROVED
    tiles, count = tiles_of(tiling), len(tiling.sizes)
    values = reduce(isl.Map.union, (_of_tiled(flow.relation, count) for flow in flows))
    read = values.apply_range(tiles).apply_domain(tiles).reverse()
    read = coalesced(read.subtract(isl.Map.identity(read.get_space())))
    return None if _is_acyclic(read) else CYCLE


def _is_acyclic(steps: isl.Map) -> bool:
    """Whether no tile is reached from itself by STEPS, as far as that is seen: few are sorted.

    Of others: along a coordinate that no step decreases, or none increases, a cycle stays where it is; and
    there is none if only so many steps can follow each other.
    """
    pairs = few_points(steps.wrap().flatten(), limits.COMPARED_POINTS, limits.COMPARED_OPERATIONS)
    if pairs is not None:
        return _are_acyclic(pairs, steps.dim(DIM.in_))
    changed = True
    while changed:
        changed = False
        for k in range(steps.dim(DIM.in_)):
            everything = isl.Map.universe(steps.get_space())
            turns = (everything.order_lt(DIM.in_, k, DIM.out, k), everything.order_gt(DIM.in_, k, DIM.out, k))
            if any(steps.is_disjoint(each) for each in turns) and not all(map(steps.is_disjoint, turns)):
                steps, changed = coalesced(steps.equate(DIM.in_, k, DIM.out, k)), True
    path = steps
    for _ in range(limits.STEPS_OF_TILES):
        if path.is_empty():
            return True
        path = coalesced(path.apply_range(steps))
    return False


def _are_acyclic(pairs: Sequence[tuple[int, ...]], rank: int) -> bool:
    """Whether no tile is reached from itself by PAIRS of tiles, each of RANK coordinates.

    >>> _are_acyclic([(0, 1), (1, 2)], 1), _are_acyclic([(0, 1), (1, 0)], 1)
    (True, False)
    """
    sorter = TopologicalSorter[tuple[int, ...]]()
    for pair in pairs:
        sorter.add(pair[rank:], pair[:rank])
    try:
        sorter.prepare()
    except CycleError:
        return False
    return True
