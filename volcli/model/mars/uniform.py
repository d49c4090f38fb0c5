r"""MARS by one linear part: the sets of one tile of each kind, for each residue of the sizes.

Tiles of one kind are translates of each other, and have the same sets up to translation (proposition 4.1 of
Ferry, Derrien and Rajopadhye, with the condition of erratum E001-2). Where a size is a symbol, the kinds
depend on its residue modulo the tiling's modulus, and it depends on the size which of the sets are empty: a
`TileClass` is one residue and one kind."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import islpy as isl

from volcli.language.expressions import Expression, loop, parameter
from volcli.model.mars.answers import MarsAnswer, MarsSet, SetOrder, TileClass
from volcli.model.mars.dataflow import Flow
from volcli.model.mars.footprints import Footprints
from volcli.model.mars.layout import best_order
from volcli.model.mars.refinement import ConsumerPartition, identity, produced_by_tiles, read_by_tiles
from volcli.model.mars.tiling import HyperplaneTiling, linear, tiles_named
from volcli.model.mars.vectors import affine_map
from volcli.presburger import build
from volcli.presburger.build import DIM, number
from volcli.presburger.counts import Polynomial, Residue, count_at, counted
from volcli.presburger.extremes import interval
from volcli.presburger.names import parameters_of_space


class Uniform:
    """One linear part: the tiles of one kind have the same sets, up to translation."""

    def __init__(self, flow: Flow, tiling: HyperplaneTiling, access: isl.Map | None) -> None:
        self._flow = flow
        self._tiling = tiling
        self._access = access

    def answer(self) -> MarsAnswer:
        classes: list[TileClass] = []
        alike: list[str] = []
        layout = None
        general = self._partition(None) if self._tiling.symbols else None
        for residues in self._residues():
            kinds = self._tiling.kinds({name: each.remainder for name, each in residues.items()})
            if len(kinds) == 1:
                alike.append(_text(residues))
            for kind in kinds:
                tiles = None if len(kinds) == 1 else self._tiles_like(kind, residues)
                if general is None:
                    partition = self._partition(kind)
                    classes.append(self._numeric(partition, tiles, kind))
                    layout = layout or self._layout(classes[-1], kind, {})
                else:
                    classes.append(self._symbolic(general, tiles, kind, residues))
                    layout = layout or self._layout(classes[-1], kind, residues)
        invariant = all(each.tiles is None for each in classes)
        reason = None if invariant else _reason(alike)
        return MarsAnswer(self._flow, tuple(classes), invariant, reason, layout)

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
        return tiles_named(points.project_out(DIM.set, count, count).coalesce())

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
                    cut.append((inside.coalesce(), members | {index}))
                if not outside.is_empty():
                    cut.append((outside.coalesce(), members))
            regions = cut
        large = _fixed(everything, {name: each.value(60) for name, each in residues.items()})
        main = next(members for where, members in regions if not where.is_disjoint(large))
        sizes = next(where for where, members in regions if members == main)
        sets = tuple(
            MarsSet(
                partition.sets[index].points,
                partition.sets[index].consumers,
                self._count(here[index], residues),
            )
            for index in sorted(main)
        )
        others = tuple(
            (_condition(where, residues), len(members)) for where, members in regions if members != main
        )
        return TileClass(_condition(sizes, residues), tiles, kind, sets, others)

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
            points = points.project_out(DIM.param, points.find_dim_by_name(DIM.param, origin), 1)
        return points.intersect_params(self._sizes(residues)).coalesce()

    # -- conditions and layout -------------------------------------------------------------------------

    def _layout(self, of: TileClass, kind: Sequence[int], residues: dict[str, Residue]) -> SetOrder | None:
        """The sets in the order of fewest bursts, each with the tile that it belongs to."""
        if not of.sets:
            return None
        families = [_family(one, produced=self._flow.writer is not None) for one in of.sets]
        kept = list(dict.fromkeys(families))
        order, bursts = best_order(kept)
        read = self._read(kind)
        return SetOrder(
            tuple(families.index(kept[k]) for k in order),
            self._number(read, residues),
            self._number(_row_starts(read), residues) if read.dim(DIM.set) else None,
            bursts,
        )

    def _read(self, kind: Sequence[int]) -> isl.Set:
        """What one tile reads from outside, as elements in memory where that is known."""
        footprints = Footprints(self._tiling, kind)
        own = (0,) * len(kind)
        read = [footprints.of(each, own) for each in self._flow.dependences]
        points = read[0]
        for each in read[1:]:
            points = points.union(each)
        if self._flow.writer is not None and self._flow.is_same_nest:
            points = points.subtract(footprints.of(identity(len(kind), self._flow.inner), own))
        return points if self._access is None else points.apply(self._access)

    def _number(self, points: isl.Set, residues: dict[str, Residue]) -> int | Polynomial | None:
        """How many POINTS there are, for sizes of these RESIDUES."""
        if not points.is_bounded():
            return None
        if residues:
            return self._count(points.intersect_params(self._sizes(residues)), residues)
        return count_at(points, {}) if is_countable(points) else None


def _row_starts(points: isl.Set) -> isl.Set:
    """The first ones of the runs of neighbours in the last dimension of POINTS."""
    return points.subtract(points.apply(_next_in_row(points.dim(DIM.set)))).coalesce()


def _reason(alike: Sequence[str]) -> str:
    """For which sizes tiles are translates of each other, if not for all: ALIKE."""
    if alike:
        return f"all tiles have the same sets, up to translation, if {' or '.join(alike)}"
    vectors = "H^-1 * diag(s) * t is no integer vector for some tiles t"
    return f"tiles are not all translates of each other: {vectors}"


def _text(residues: dict[str, Residue]) -> str:
    """`s mod 2 = 1`."""
    return " and ".join(f"{name} mod {each.period} = {each.remainder}" for name, each in residues.items())


def _condition(sizes: isl.Set, residues: dict[str, Residue]) -> str:
    """`s mod 2 = 1 and s >= 3`; isl's text, for several symbols that have to do with each other."""
    parts: list[str] = []
    for name, residue in residues.items():
        position = sizes.find_dim_by_name(DIM.param, name)
        low, high = _ends(sizes, name) if position >= 0 else (None, None)
        if low is not None and low == high:
            parts.append(f"{name} = {low}")
            continue
        if residue.period > 1:
            parts.append(f"{name} mod {residue.period} = {residue.remainder}")
        if low is not None and (low > residue.value(0) or residue.period == 1):
            parts.append(f"{name} >= {low}")
        if high is not None:
            parts.append(f"{name} <= {high}")
    text = " and ".join(parts)
    names = ", ".join(residues)
    said = isl.Set(f"[{names}] -> {{ : {text} }}")
    if sizes.is_equal(said):
        return text
    return str(sizes).partition(":")[2].rpartition("}")[0].strip()


def _ends(sizes: isl.Set, name: str) -> tuple[int | None, int | None]:
    """The least and the greatest value of a symbol."""
    others = [n for n in parameters_of_space(sizes) if n != name]
    for each in others:
        sizes = sizes.project_out(DIM.param, sizes.find_dim_by_name(DIM.param, each), 1)
    line = sizes.move_dims(DIM.set, 0, DIM.param, 0, 1)
    return interval(line, 0)


def _family(mars: MarsSet, *, produced: bool) -> frozenset[object]:
    """The consumers of a set relative to the tile that it belongs to, as classes."""
    if produced:
        return frozenset(each.offset for each in mars.consumers)
    first = mars.consumers[0].offset
    return frozenset(each.relative_to(first) for each in mars.consumers)


def _fixed(points: isl.Set, values: dict[str, int]) -> isl.Set:
    for name, value in values.items():
        points = points.fix_val(DIM.param, points.find_dim_by_name(DIM.param, name), number(value))
    return points


def is_countable(points: isl.Set) -> bool:
    """Whether the number of POINTS is a number, the same for all parameters."""
    return bool(points.is_bounded()) and not points.involves_dims(DIM.param, 0, points.dim(DIM.param))


def _next_in_row(rank: int) -> isl.Map:
    """`{ a -> a + (0, ..., 0, 1) }`."""
    unit = [[int(row == column) for column in range(rank)] for row in range(rank)]
    return affine_map(unit, [0] * (rank - 1) + [1])
