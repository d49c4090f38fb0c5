r"""Arrays of a tiled nest that lie in memory MARS by MARS: blocks for what tiles exchange, and local arrays.

Each tile has, of an array, a *local* part: the element e is at e - A·D·t - low. It holds at the beginning

* what other tiles produced and this one reads, from their blocks (`MarsBlocks`);
* what the array held before the nest and this tile reads, from the array itself, or from blocks into which an
  array that is only read was copied;

then the points of the tile run on it, in their old order, and at the end it holds the last value that the
tile wrote to each element. From there the MARS of the tile go to its block, and what is not written again to
the array: `final`. The tiles run in an order that keeps all dependences, so that a value that a later tile
reads is not overwritten by this one, and what the array held before is not overwritten by an earlier tile.

What is asked of the sets, exactly (`_check`), for the needs N = { (t, w) : t reads what another tile wrote in
iteration w } by value-based flow: the blocks that t reads have all of N; none has another value of an element
of which N has one (near the ends of loops a MARS may have consumers that do not run); and no element of N is
read from before the nest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import Operation

from volcli.language.expressions import Dim, Expression, constant, loop, parameter
from volcli.model.function import FunctionModel
from volcli.model.mars.allocation.accesses import (
    NotAllocatable,
    Rows,
    TileAccess,
    loop_order,
    memory_of,
    permutation,
    product,
    tile_access,
    translations,
)
from volcli.model.mars.allocation.blocks import MarsBlocks, packed_blocks, produced_blocks
from volcli.model.mars.allocation.transfers import (
    Move,
    convex_parts,
    crossed,
    in_every_tile,
    in_tile,
    united,
)
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.partition.partitioning import uniform_answer
from volcli.model.mars.tilings.tiling import HyperplaneTiling, linear
from volcli.model.mars.tilings.vectors import affine_map
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Root
from volcli.model.memory.flow.answers import BufferFlow, LastWriter, ReadFlow
from volcli.presburger.measures.extremes import hull
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class AllocatedArray:
    """One array: its blocks, its local part, and what is copied between that and the array itself.

    The element e is at e - `origin`·t - `low` of a local array of these `sizes`.
    """

    root: Root
    origin: Rows
    low: tuple[int, ...]
    sizes: tuple[int, ...]
    blocks: tuple[MarsBlocks, ...]
    initial: tuple[Move, ...]
    final: tuple[Move, ...]


@dataclass(eq=False)
class NestAllocation:
    """Makes the layout of the arrays that NEST reads, in the tiles of TILING."""

    model: FunctionModel
    tiling: HyperplaneTiling
    nest: Operation

    def array(self, root: Root, buffer: BufferFlow, flows: Sequence[Flow]) -> AllocatedArray:
        """The array ROOT, whose flow is BUFFER, and whose MARS are those of FLOWS. Raises NotAllocatable."""
        return _Array(self, root, buffer, flows).allocated()

    def sites(self, root: Root) -> list[Site]:
        """The accesses to ROOT in the nest."""
        memory = self.model.memory
        return [site for site in memory.sites if site.place.root == root and self.nest.is_ancestor(site.op)]


@dataclass(eq=False)
class _Array:
    of: NestAllocation
    root: Root
    buffer: BufferFlow
    flows: Sequence[Flow]

    def __post_init__(self) -> None:
        self._tiling = self.of.tiling
        self._tiles = len(self._tiling.sizes)
        self._translation = translations(self._tiling)
        sites = self.of.sites(self.root)
        self._check_memref(sites)
        self._accesses = [tile_access(self.of.model, self._tiling, site) for site in sites]
        self._of_site = {each.site: each for each in self._accesses}
        origins = {product(each.matrix, self._translation) for each in self._accesses}
        if len(origins) != 1:
            raise NotAllocatable("from tile to tile its accesses move differently")
        (self._origin,) = origins

    def allocated(self) -> AllocatedArray:
        """The array as it is laid out."""
        writes = [each for each in self._accesses if each.site.is_write]
        blocks = [each for flow in self.flows if (each := self._blocks(flow)) is not None]
        reads = [each for each in self.buffer.reads if each.site in self._of_site]
        initial = self._initial(reads) if writes else ()
        final = [move for each in writes for move in self._final(each, writes)]
        if writes:
            self._check(reads, blocks, initial)
        low, sizes = self._box()
        self._check_box([*(m for b in blocks for m in b.reads), *initial], low, sizes)
        return AllocatedArray(
            self.root, self._origin, low, sizes, tuple(blocks), tuple(initial), tuple(final)
        )

    def _check_memref(self, sites: Sequence[Site]) -> None:
        kind = self.root.value.type
        if not isinstance(kind, MemRefType) or not isinstance(kind.layout, NoneAttr) or not kind.shape.data:
            raise NotAllocatable("it is not a memref of one dimension or more in row-major order")
        if any(site.access.memref is not self.root.value for site in sites):
            raise NotAllocatable("it is accessed through a view")
        if any(len(site.op.results) > 1 for site in sites):
            raise NotAllocatable("it is accessed by something else than loads and stores")

    # -- blocks ----------------------------------------------------------------------------------------

    def _blocks(self, flow: Flow) -> MarsBlocks | None:
        """The blocks of FLOW."""
        is_written = any(each.site.is_write for each in self._accesses)
        flow = flow.dense
        if not (flow.is_usual and flow.is_same_nest):
            raise NotAllocatable(flow.because or flow.edges or "another nest produces it")
        found = uniform_answer(flow, memory_of(self.of.model, flow))
        if flow.writer is None:
            return None if is_written else packed_blocks(found, self._origin, self._shape())
        return produced_blocks(found, self._of_site[flow.writer], self._translation)

    def _shape(self) -> isl.Set:
        """The elements that the array has."""
        kind, elimination = self.root.value.type, self.of.model.bounds.elimination
        assert isinstance(kind, MemRefType)
        sizes: list[Expression] = []
        for d, size in enumerate(kind.get_shape()):
            name = elimination.name(Dim(self.root.value, d)) if size == DYNAMIC_INDEX else None
            sizes.append(constant(size) if name is None else parameter(name))
        return build.box(tuple(sizes))

    def _box(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The least index of what is accessed in the tile (0, ..., 0), and how far it goes."""
        found: list[isl.Set] = []
        for each in self._accesses:
            tile = _at_origin(in_tile(self._tiling, self._tiles), self._tiles)
            points = tile if each.inner is None else tile.flat_product(each.inner)
            found.append(points.apply(affine_map(each.matrix, each.offset)))
        ends: list[tuple[int, int]] = []
        for low, high in hull(united(found)):
            if low is None or high is None:
                raise NotAllocatable("a tile accesses elements without a constant bound")
            ends.append((low, high))
        return tuple(low for low, _ in ends), tuple(high - low + 1 for low, high in ends)

    def _check_box(self, moves: Sequence[Move], low: Sequence[int], sizes: Sequence[int]) -> None:
        """Raise NotAllocatable if MOVES go to an element outside of the local array."""
        inside: list[Expression] = []
        for k, (row, first, size) in enumerate(zip(self._origin, low, sizes, strict=True)):
            index = loop(self._tiles + k) - linear(row) - first
            inside += [index, size - 1 - index]
        local = build.nonnegative(self._tiles + len(sizes), tuple(inside))
        if not all(self._moved_elements(move).is_subset(local) for move in moves):
            raise NotAllocatable("a set has elements that no point of a whole tile accesses")

    # -- what is copied from the array, and to it --------------------------------------------------------

    def _initial(self, reads: Sequence[ReadFlow]) -> tuple[Move, ...]:
        """What READS get from before the nest, by elements."""
        found = [each for read in reads if (each := self._read_before(read)) is not None]
        points = united(found) if found else None
        if points is None or points.is_empty():
            return ()
        rank = points.dim(DIM.set) - self._tiles
        unit = tuple(tuple(int(r == c) for c in range(rank)) for r in range(rank))
        return (Move(tuple(convex_parts(points)), unit, (0,) * rank),)

    def _read_before(self, read: ReadFlow) -> isl.Set | None:
        """{ (t, e) : READ gets e from before the nest in the tile t }."""
        access = self._of_site[read.site]
        before = [] if read.unwritten is None else [read.unwritten.domain()]
        before += [each.pairs.range() for each in read.writers if each.writer not in self._of_site]
        if not read.is_exact or not all(each.exact for each in read.writers):
            raise NotAllocatable(read.because or "its writers are not known exactly")
        if not before:
            return None
        points = in_every_tile(self._sorted(read.site, united(before)), self._tiles)
        points = points.intersect(in_tile(self._tiling, access.rank))
        return points.apply(self._with_tile(access.matrix, access.offset))

    def _final(self, write: TileAccess, writes: Sequence[TileAccess]) -> Iterator[Move]:
        """What WRITE writes and none of WRITES writes again, by iterations of WRITE."""
        relation = self._relation(write.site)
        again = [relation.apply_range(self._relation(each.site).reverse()) for each in writes]
        last = relation.domain()
        for each, pairs in zip(writes, again, strict=True):
            last = last.subtract(pairs.intersect(_after(write.site, each.site, pairs)).domain())
        yield from self._of_tile(write, self._sorted(write.site, last))

    def _of_tile(self, access: TileAccess, points: isl.Set) -> Iterator[Move]:
        """ACCESS in POINTS of a tile."""
        if not points.is_empty():
            inside = in_tile(self._tiling, access.rank)
            parts = [in_every_tile(part, self._tiles) for part in convex_parts(points)]
            yield Move(crossed(parts, [inside]), access.matrix, access.offset)

    def _relation(self, site: Site) -> isl.Map:
        return self.of.model.memory.instances.relation(site).elements()

    def _sorted(self, site: Site, points: isl.Set) -> isl.Set:
        """Iterations of SITE with the loops of the tiling first."""
        return points.apply(self._permutation(site))

    def _permutation(self, site: Site) -> isl.Map:
        return permutation(loop_order(self.of.model, self._tiling, site))

    # -- what is asked of all of it --------------------------------------------------------------------

    def _check(
        self, reads: Sequence[ReadFlow], blocks: Sequence[MarsBlocks], initial: Sequence[Move]
    ) -> None:
        needs = {each.site: self._needs(each.site, reads) for each in self._accesses if each.site.is_write}
        given = {each.writer: united([move.points for move in each.reads]) for each in blocks if each.reads}
        for site, need in needs.items():
            if not need.is_subset(given[site]) if site in given else not need.is_empty():
                raise NotAllocatable("near the ends of loops it is read from other iterations")
            found = self._elements(self._of_site[site], need)
            if any(not found.range().is_disjoint(move.points) for move in initial):
                raise NotAllocatable("an element is read both from before the nest and from a tile")
            for other, points in given.items():
                assert other is not None
                clash = self._elements(self._of_site[other], points).apply_range(found.reverse())
                if other is site:
                    clash = clash.subtract(isl.Map.identity(clash.get_space()))
                if not clash.is_empty():
                    raise NotAllocatable("near the ends of loops a set has other values of its elements")

    def _needs(self, writer: Site, reads: Sequence[ReadFlow]) -> isl.Set:
        """{ (t, w) : t reads what WRITER wrote in iteration w of another tile }."""
        rank = self._of_site[writer].rank
        found = isl.Set.empty(isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, self._tiles + rank))
        for each in (last for read in reads for last in read.writers if last.writer is writer):
            found = found.union(self._need(each))
        return found

    def _need(self, flow: LastWriter) -> isl.Set:
        pairs = flow.pairs.apply_domain(self._permutation(flow.writer))
        pairs = pairs.apply_range(self._permutation(flow.reader))
        before, behind = pairs.dim(DIM.in_), pairs.dim(DIM.out)
        points = in_every_tile(pairs.wrap().flatten(), self._tiles)
        points = points.intersect(in_tile(self._tiling, before + behind, before))
        points = points.subtract(in_tile(self._tiling, before + behind))
        return points.project_out(DIM.set, self._tiles + before, behind)

    def _elements(self, access: TileAccess, points: isl.Set) -> isl.Map:
        """From (t, x) in POINTS to (t, element)."""
        return self._with_tile(access.matrix, access.offset).intersect_domain(points)

    def _moved_elements(self, move: Move) -> isl.Set:
        return move.points.apply(self._with_tile(move.matrix, move.offset))

    def _with_tile(self, matrix: Rows, offset: Sequence[int]) -> isl.Map:
        rows = Move((), matrix, tuple(offset)).element(self._tiles)
        return build.relation(self._tiles + len(matrix[0]), (*map(loop, range(self._tiles)), *rows))


def _at_origin(points: isl.Set, tiles: int) -> isl.Set:
    """The x of (0, ..., 0, x)."""
    for position in range(tiles):
        points = points.fix_val(DIM.set, position, build.number(0))
    return points.project_out(DIM.set, 0, tiles)


def _after(first: Site, second: Site, pairs: isl.Map) -> isl.Map:
    """The pairs of iterations of which SECOND's runs after FIRST's."""
    common = sum(1 for one, other in zip(first.levels, second.levels, strict=False) if one is other)
    space = pairs.get_space()
    same = isl.Map.universe(space)
    found = isl.Map.empty(space)
    for level in range(common):
        later = isl.Map.universe(space).order_lt(DIM.in_, level, DIM.out, level)
        found = found.union(same.intersect(later))
        same = same.equate(DIM.in_, level, DIM.out, level)
    return found.union(same) if first.number < second.number else found
