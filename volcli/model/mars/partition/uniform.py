r"""MARS by one linear part: the sets of one tile of each kind, for each residue of the sizes.

Tiles of one kind are translates of each other, and have the same sets up to translation (proposition 4.1 of
Ferry, Derrien and Rajopadhye, with the condition of erratum E001-2). Where a size is a symbol, the kinds
depend on its residue modulo the tiling's modulus, and it depends on the size which of the sets are empty: a
`TileClass` is one residue and one kind."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import islpy as isl

from volcli.language.expressions import Expression, loop, parameter
from volcli.limits import mars as limits
from volcli.model.mars.footprints.consumers import NotFinite
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.footprints.footprints import Footprints
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet, SetOrder, TileClass
from volcli.model.mars.partition.refinement import (
    ConsumerPartition,
    identity,
    produced_by_tiles,
    read_by_tiles,
)
from volcli.model.mars.partition.set_layout import DeclaredMemory, SetLayout
from volcli.model.mars.tilings.size_conditions import residues_text, sizes_text
from volcli.model.mars.tilings.tiling import HyperplaneTiling, linear, tiles_named
from volcli.presburger.measures.counts import Polynomial, Residue, count_at, counted, holds_from, large
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM, at_values
from volcli.presburger.sets.coalescing import coalesced
from volcli.presburger.sets.names import parameters_of_space, without


class Uniform:
    """One linear part: the tiles of one kind have the same sets, up to translation."""

    def __init__(self, flow: Flow, tiling: HyperplaneTiling, memory: DeclaredMemory | None) -> None:
        self._flow = flow
        self._tiling = tiling
        self._memory = memory

    def answer(self) -> MarsAnswer:
        classes: list[TileClass] = []
        alike: list[str] = []
        general = self._partition(None) if self._tiling.symbols else None
        for residues in self._residues():
            remainders = {name: each.remainder for name, each in residues.items()}
            if (count := self._tiling.kinds_count(remainders)) > limits.KINDS_OF_TILES:
                raise NotFinite(f"tiles are of {count} kinds, which are not translates of each other")
            kinds = self._tiling.kinds(remainders)
            if len(kinds) == 1:
                alike.append(residues_text(residues))
            for kind in kinds:
                tiles = None if len(kinds) == 1 else self._tiles_like(kind, residues)
                if general is None:
                    partition = self._partition(kind)
                    classes.append(self._numeric(partition, tiles, kind))
                else:
                    classes.append(self._symbolic(general, tiles, kind, residues))
        invariant = all(each.tiles is None for each in classes)
        reason = None if invariant else _reason(alike)
        layout = self._layout(classes)
        return MarsAnswer(self._flow, tuple(classes), invariant=invariant, reason=reason, layout=layout)

    def _partition(self, tile: Sequence[int] | None) -> ConsumerPartition:
        footprints = Footprints(self._tiling, tile)
        if self._flow.writer is None:
            found = read_by_tiles(footprints, self._flow.dependences)
        else:
            found = produced_by_tiles(
                footprints, self._flow.dependences, self._flow.inner, is_same=self._flow.is_same_nest
            )
        violated = found.violation()
        assert violated is None, violated
        return found

    def _residues(self) -> Iterator[dict[str, Residue]]:
        modulus = self._tiling.modulus
        names = self._tiling.symbols
        if modulus ** len(names) > limits.RESIDUES:
            raise NotFinite(f"{modulus ** len(names)} residues of sizes have other kinds of tiles each")
        for remainders in itertools.product(range(modulus), repeat=len(names)):
            yield {name: Residue(modulus, r) for name, r in zip(names, remainders, strict=True)}

    def _tiles_like(self, kind: Sequence[int], residues: dict[str, Residue]) -> isl.Set:
        """The tiles that are translates of KIND: diag(s)·(t - kind) is in H·M·Z^d."""
        tiling, count = self._tiling, len(self._tiling.sizes)
        product = tiling.matrix * tiling.lattice_columns
        through = [[int(product[row, column]) for column in range(count)] for row in range(count)]
        zero: list[Expression] = []
        for j, size in enumerate(tiling.sizes):
            times = size if isinstance(size, int) else residues[size].remainder
            zero.append(times * (loop(j) - kind[j]) - linear(through[j], count))
        both = tuple(e for form in zero for e in (form, -form))
        points = build.nonnegative(2 * count, both)
        return tiles_named(coalesced(points.project_out(DIM.set, count, count)))

    # -- numbers for all sizes -------------------------------------------------------------------------

    def _numeric(
        self, partition: ConsumerPartition, tiles: isl.Set | None, kind: tuple[int, ...]
    ) -> TileClass:
        sets = tuple(
            MarsSet(
                mars.points, mars.consumers, count_at(mars.points, {}) if is_countable(mars.points) else None
            )
            for mars in partition.sets
        )
        return TileClass(None, tiles, kind, sets)

    # -- symbols ---------------------------------------------------------------------------------------

    def _symbolic(
        self,
        partition: ConsumerPartition,
        tiles: isl.Set | None,
        kind: tuple[int, ...],
        residues: dict[str, Residue],
    ) -> TileClass:
        """The sets that the tiles of KIND have where the sizes are large, and for which sizes fewer."""
        here = [self._at(mars.points, kind, residues) for mars in partition.sets]
        everything = self._sizes(residues)
        regions: list[tuple[isl.Set, frozenset[int]]] = [(everything, frozenset())]
        for index, points in enumerate(here):
            exists = points.params()
            cut: list[tuple[isl.Set, frozenset[int]]] = []
            for where, members in regions:
                inside, outside = where.intersect(exists), where.subtract(exists)
                if not inside.is_empty():
                    cut.append((coalesced(inside), members | {index}))
                if not outside.is_empty():
                    cut.append((coalesced(outside), members))
            regions = cut
        index = max([60, *(large(points, residues) for points in here)])
        values = {name: each.value(index) for name, each in residues.items()}
        main, sizes = next(
            (members, where)
            for where, members in regions
            if not where.is_disjoint(at_values(everything, values))
        )
        sets = tuple(
            MarsSet(
                partition.sets[index].points,
                partition.sets[index].consumers,
                self._count(here[index], residues),
            )
            for index in sorted(main)
        )
        counts = zip(sorted(main), (each.count for each in sets), strict=True)
        least = self._least(sizes, residues, [(here[k], count) for k, count in counts])
        others = [(where, members) for where, members in regions if members != main]
        if not sizes.is_subset(least):
            others.insert(0, (coalesced(sizes.subtract(least)), main))
            sizes = coalesced(sizes.intersect(least))
        exceptions = tuple((sizes_text(where, residues), len(members)) for where, members in others)
        return TileClass(sizes_text(sizes, residues), tiles, kind, sets, exceptions, values, sizes)

    def _least(
        self,
        sizes: isl.Set,
        residues: dict[str, Residue],
        counts: Sequence[tuple[isl.Set, int | Polynomial | None]],
    ) -> isl.Set:
        """Of SIZES, those from which on all COUNTS of sets are what they are said to be."""
        index = 0
        for points, count in counts:
            if isinstance(count, Polynomial):
                index = max(index, holds_from(points.drop_unused_params(), count, residues, sizes))
        for name, each in residues.items():
            sizes = sizes.intersect(isl.Set(f"[{name}] -> {{ : {name} >= {each.value(index)} }}"))
        return sizes

    def _count(self, points: isl.Set, residues: dict[str, Residue]) -> Polynomial | None:
        points = points.drop_unused_params()
        if any(name not in residues for name in parameters_of_space(points)):
            return None
        return counted(points, residues)

    def _sizes(self, residues: dict[str, Residue]) -> isl.Set:
        """The positive sizes of these residues."""
        points = isl.Set.universe(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
        for name, each in residues.items():
            text = f"[{name}] -> {{ : {name} > 0 and {name} mod {each.period} = {each.remainder} }}"
            points = points.intersect(isl.Set(text))
        return points

    def _at(self, points: isl.Set, kind: Sequence[int], residues: dict[str, Residue]) -> isl.Set:
        """POINTS for the tile KIND and sizes of these RESIDUES: o = diag(s)·kind."""
        for j, times in enumerate(kind):
            origin = f"o{j}"
            points = points.intersect_params(build.equal(parameter(origin), self._tiling.size(j) * times))
            points = without(points, origin)
        return coalesced(points.intersect_params(self._sizes(residues)))

    # -- conditions and layout -------------------------------------------------------------------------

    def _layout(self, classes: Sequence[TileClass]) -> SetOrder | None:
        """The sets of the first of CLASSES in the order of fewest bursts, each with the tile it belongs to.

        A tile may read blocks of tiles of other kinds, which have other sets: then there is no such order.
        """
        of, residues = classes[0], next(self._residues()) if self._tiling.symbols else {}
        values = {name: each.remainder for name, each in residues.items()}
        kinds = self._tiling.kinds_count(values)
        if self._memory is None:
            return None

        def counted(points: isl.Set) -> int | Polynomial | None:
            return self._number(points, residues, of.where)

        produced = self._flow.writer is not None
        return SetLayout(of.sets, self._memory, counted, produced).of(
            self._read(of.example), in_order=self._are_of_one_kind(classes[:kinds], values)
        )

    def _are_of_one_kind(self, classes: Sequence[TileClass], values: Mapping[str, int]) -> bool:
        """Whether tiles of each of CLASSES share elements with their like only."""
        sets = itertools.chain.from_iterable(each.sets for each in classes)
        offsets = {consumer.offset for mars in sets for consumer in mars.consumers}
        own = (0,) * len(self._tiling.sizes)
        return len({self._tiling.kind_of(each, values) for each in (own, *offsets)}) == 1

    def _read(self, kind: Sequence[int]) -> isl.Set:
        """What one tile reads from outside: elements, or iterations of what writes them."""
        footprints = Footprints(self._tiling, kind)
        own = (0,) * len(kind)
        read = [footprints.of(each, own) for each in self._flow.dependences]
        points = read[0]
        for each in read[1:]:
            points = points.union(each)
        if self._flow.writer is not None and self._flow.is_same_nest:
            points = points.subtract(footprints.of(identity(len(kind), self._flow.inner), own))
        return points

    def _number(
        self, points: isl.Set, residues: dict[str, Residue], where: isl.Set | None
    ) -> int | Polynomial | None:
        """How many POINTS there are, for sizes of these RESIDUES that are in WHERE."""
        if not points.is_bounded():
            return None
        if residues and where is not None:
            points = points.intersect_params(self._sizes(residues))
            found = self._count(points, residues)
            is_it = found is not None and where.is_subset(self._least(where, residues, [(points, found)]))
            return found if is_it else None
        return count_at(points, {}) if is_countable(points) else None


def _reason(alike: Sequence[str]) -> str:
    """For which sizes tiles are translates of each other, if not for all: ALIKE."""
    if alike:
        return f"all tiles have the same sets, up to translation, if {' or '.join(alike)}"
    vectors = "H^-1 * diag(s) * t is not an integer vector for some tiles t"
    return f"tiles are not all translates of each other: {vectors}"


def is_countable(points: isl.Set) -> bool:
    """Whether the number of POINTS is a number, the same for all parameters."""
    return bool(points.is_bounded()) and not points.involves_dims(DIM.param, 0, points.dim(DIM.param))
