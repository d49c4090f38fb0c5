"""Values that loops hand on from iteration to iteration, in iter_args and not in memory.

In the iteration x of a loop L at the depth p, the value %s that L carries is made of all iterations before:

    { x -> y : x and y are iterations of one nest, y_k = x_k for all k < p, and y_p < x_p }

so that the tiles of all these y have to run before that of x. Of a sum over %j in a nest (i, j), the
iteration (1, 5) needs (1, 4), ..., (1, 0), and in tiles of `j: 4` the tile (1, 1) needs (1, 0). No element
holds what is handed on, and no set has it. A number that the iterators of loops tell, as 3 * j, is computed
anew, and what is the same in each iteration is not made by the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import IndexType, MemRefType, UnrankedMemRefType
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import NotAffine, Value, value_of
from volcli.language.loops import While
from volcli.language.programs.known_loops import iteration_of, known_loop
from volcli.model.function import FunctionModel
from volcli.model.mars.footprints.cases import tiles_of
from volcli.model.mars.tilings.nests import TiledNest
from volcli.model.mars.tilings.vectors import affine_map, unit
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True, eq=False)
class HandedOn:
    """The VALUE that a loop around READER carries; RELATION leads from tiled iterations to what they need."""

    value: SSAValue
    reader: Site
    nest: TiledNest
    relation: isl.Map

    @property
    def crosses_tiles(self) -> bool:
        """Whether some tile may need what another one hands on."""
        if self.nest.tiling.symbols:
            return not self.relation.is_empty()
        tiles = tiles_of(self.nest.tiling)
        between = self.relation.apply_domain(tiles).apply_range(tiles)
        return not between.is_subset(isl.Map.identity(between.get_space()))


def handed_on(model: FunctionModel, nests: Iterable[tuple[Site, TiledNest]]) -> list[HandedOn]:
    """What loops hand on between tiles of NESTS, each with a site in it: each value of each nest once."""
    found: dict[tuple[SSAValue, tuple[Level, ...]], HandedOn] = {}
    for value, site, nest, position in carried_around(nests):
        key = value, nest.tiled
        if key not in found and not _is_told(model, site, value):
            found[key] = HandedOn(value, site, nest, _needs(model, site, nest, position))
    return [each for each in found.values() if each.crosses_tiles]


def carried_around(
    nests: Iterable[tuple[Site, TiledNest]],
) -> Iterator[tuple[SSAValue, Site, TiledNest, int]]:
    """What tiled loops of NESTS, and those around them, carry: with a site, and the depth of the loop."""
    for site, nest in nests:
        for position in range(max(nest.order[: nest.rank], default=-1) + 1):
            for value in _carried(site.levels[position].op):
                yield value, site, nest, position


def _needs(model: FunctionModel, site: Site, nest: TiledNest, position: int) -> isl.Map:
    """The tiled iterations around SITE, each with those before it in the loop at POSITION."""
    tiled = nest.order[: nest.rank]
    last = site.levels[max(tiled)].op.regions[-1].block.last_op
    assert last is not None
    points = model.memory.instances.domains.of(last).points
    pairs = isl.Map.from_domain_and_range(points, points)
    for outer in range(position):
        pairs = pairs.equate(DIM.in_, outer, DIM.out, outer)
    everything = isl.Map.universe(pairs.get_space())
    pairs = pairs.intersect(everything.order_gt(DIM.in_, position, DIM.out, position))
    rows = unit(points.dim(DIM.set))
    to_tiled = affine_map([rows[k] for k in tiled], (0,) * nest.rank)
    return coalesced(pairs.apply_domain(to_tiled).apply_range(to_tiled))


def _carried(op: Operation) -> Iterator[SSAValue]:
    """What iterations of OP use of the ones before, and is no memory."""
    loop = known_loop(op)
    if loop is None:
        return
    if isinstance(loop, While):
        pairs = zip(loop.before, loop.yielded, strict=True)
        carried = ((argument, yielded) for argument, yielded in pairs if argument is not iteration_of(loop))
    else:
        carried = ((each.argument, each.yielded) for each in loop.carried)
    for argument, yielded in carried:
        is_made = yielded is not argument and argument.first_use is not None
        is_memory = isinstance(argument.type, MemRefType | UnrankedMemRefType)
        if is_made and not is_memory:
            yield argument


def _is_told(model: FunctionModel, site: Site, value: SSAValue) -> bool:
    """Whether the iterators of loops around SITE, and values from outside, tell VALUE."""
    if not isinstance(value.type, IndexType):
        return False
    kept = model.memory.instances.domains.of(site.op).kept
    try:
        closed = model.memory.bounds.closed.of(value_of(value), kept)
    except NotAffine:
        return False
    return closed is not None and Value(value) not in closed.atoms()
