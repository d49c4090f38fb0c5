"""The steps by which sets are constructed: hyperplanes, dependences, footprints, consumers.

With H the hyperplanes and s the sizes, the columns of D = H^-1 diag(s) lead from a tile to its neighbours. A
dependence B(x) = A x + b maps iterations x by their part in I alone, where I is orthogonal to ker(A). So a
tile that is D t away has a footprint that is A D t away, which the projection W(t) of D t onto I determines.

    B(i, j) = (i), tiles i + j: s and j - i: s     ker(A): (0, 1), I: (1, 0), W(1, 0) = (s/2, 0)

Source: Ferry, Derrien and Rajopadhye, sections 3 and 4; D instead of scaled normals by erratum E001-5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, lcm

import flint
import islpy as isl

from volcli.model.mars.footprints.cases import tiles_of
from volcli.model.mars.footprints.consumers import NotFinite
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.footprints.footprints import AffineDependence, Footprints
from volcli.model.mars.partition.positions import Positions, everywhere
from volcli.model.mars.partition.refinement import ConsumerPartition, read_by_tiles
from volcli.model.mars.tilings.spans import fraction
from volcli.model.mars.tilings.tiling import HyperplaneTiling, Size
from volcli.model.mars.tilings.vectors import Matrix, affine_map, unit
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True)
class LinearPart:
    """A matrix A on the tiled iterators, bases of its null space and of what is orthogonal to that."""

    matrix: Matrix
    kernel: tuple[tuple[int, ...], ...]
    supplementary: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Translation:
    """A vector that is linear in the sizes of tiles: of each coordinate, the factor of each size."""

    coordinates: tuple[tuple[tuple[Size, Fraction], ...], ...]

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The coordinates, where sizes are numbers."""
        return tuple(map(_number, self.coordinates))

    def __str__(self) -> str:
        """`(s/2, -s/2 + r)`, and `(4, 0)` where sizes are numbers."""
        return f"({', '.join(map(_sum_text, self.coordinates))})"


class Construction:
    """The steps for one FLOW, of what a tile reads: of an array, or of what tiles produce."""

    def __init__(self, flow: Flow, tile: Sequence[int] | None = None) -> None:
        assert flow.nest is not None
        self.flow = flow
        self.tiling: HyperplaneTiling = flow.nest.tiling
        self.tile = None if self.tiling.symbols else tuple(tile or (0,) * len(self.tiling.sizes))
        self.footprints = Footprints(self.tiling, self.tile)

    @cached_property
    def parts(self) -> list[LinearPart]:
        """The linear parts of the dependences, each once: one if they intersect uniformly."""
        count = len(self.tiling.iterators)
        return [
            _linear_part(each) for each in dict.fromkeys(one.of_tiled(count) for one in self.flow.dependences)
        ]

    @cached_property
    def partition(self) -> ConsumerPartition | None:
        """The footprint of all dependences, cut by its consumers; None if their classes are not finite."""
        return self._classes if isinstance(self._classes, ConsumerPartition) else None

    @property
    def not_finite(self) -> str | None:
        """Why there is no finite set of classes, if not for several linear parts."""
        return self._classes if isinstance(self._classes, str) else None

    @cached_property
    def _classes(self) -> ConsumerPartition | str | None:
        if len(self.parts) != 1:
            return None
        try:
            return read_by_tiles(self.footprints, self.flow.dependences)
        except NotFinite as error:
            return str(error)

    def translation(self, offset: Sequence[int], part: LinearPart | None = None) -> Translation:
        """D·OFFSET; or W(OFFSET), its orthogonal projection onto the supplementary of a PART."""
        return self._along(self.tiling.inverse if part is None else _onto(part) * self.tiling.inverse, offset)

    def moved(self, offset: Sequence[int], part: LinearPart) -> Translation:
        """A·D·OFFSET: how far footprints by the linear PART are apart."""
        return self._along(_rational(part.matrix) * self.tiling.inverse, offset)

    def _along(self, matrix: flint.fmpq_mat, offset: Sequence[int]) -> Translation:
        pairs = list(enumerate(zip(self.tiling.sizes, offset, strict=True)))
        return Translation(
            tuple(
                tuple((size, fraction(matrix[row, j]) * times) for j, (size, times) in pairs)
                for row in range(matrix.nrows())
            )
        )

    def footprint(self, dependence: AffineDependence) -> isl.Set:
        """B<T(t)>: what the tile reads by one DEPENDENCE."""
        return coalesced(self.footprints.of(dependence, (0,) * len(self.tiling.sizes)))

    @cached_property
    def whole(self) -> isl.Set:
        """B<T(t)> of all dependences: the union of their footprints."""
        return coalesced(reduce(isl.Set.union, map(self.footprint, self.flow.dependences)))

    # -- consumers, for numeric sizes --------------------------------------------------------------------

    @cached_property
    def consumers(self) -> list[isl.Set]:
        """V_i(t): the tiles whose footprint by dependence i shares elements with that of all of the tile."""
        return [self._tiles_reading(each, self.whole) for each in self.flow.dependences]

    def _tiles_reading(self, dependence: AffineDependence, elements: isl.Set) -> isl.Set:
        reads = everywhere([dependence], len(self.tiling.iterators)).intersect_range(elements)
        return coalesced(reads.domain().apply(tiles_of(self.tiling)))

    def by_position(self) -> list[tuple[isl.Set, isl.Set]] | None:
        """The sets of this tile alone, each with its consumers; there are no ends of loops.

        None where loops inside a tile end at a symbol, with which the number of sets may grow.
        """
        assert self.tile is not None
        reads = everywhere(self.flow.dependences, len(self.tiling.iterators))
        if reads.involves_dims(DIM.param, 0, reads.dim(DIM.param)):
            return None
        return Positions(self.tiling, reads).of(self.tile)

    def families(self) -> Iterator[tuple[tuple[int, ...], isl.Set]]:
        """F_D(t) of propositions 4.3 and 4.4: the tiles that read by the dependences D, and by no other."""
        every = reduce(isl.Set.union, self.consumers)
        left: list[tuple[tuple[int, ...], isl.Set]] = [((), every)]
        for number, own in enumerate(self.consumers):
            cut = [((*of, number), tiles.intersect(own)) for of, tiles in left]
            cut += [(of, tiles.subtract(own)) for of, tiles in left]
            left = [(of, coalesced(tiles)) for of, tiles in cut if not tiles.is_empty()]
        yield from sorted(left, key=lambda each: each[0])

    def projections(self, number: int, tiles: isl.Set, most: int) -> list[tuple[Fraction, ...]] | None:
        """W_i(t' - t) of dependence NUMBER for the t' of TILES, each once; None if they are more than MOST.

        P_D is what this is for the tiles F_D and the dependences in D; proposition 4.4 calls it finite.
        """
        assert self.tile is not None
        part = _linear_part(self.flow.dependences[number].of_tiled(len(self.tiling.iterators)))
        columns = [self.translation(step, part).numbers for step in unit(len(self.tile))]
        scale = lcm(*(x.denominator for column in columns for x in column))
        rows = [[int(x * scale) for x in row] for row in zip(*columns, strict=True)]
        offset = [-sum(x * t for x, t in zip(row, self.tile, strict=True)) for row in rows]
        found = few_points(tiles.apply(affine_map(rows, offset)), most)
        return None if found is None else [tuple(Fraction(x, scale) for x in each) for each in found]

    def unequal(self) -> Iterator[tuple[int, ...]]:
        """Steps to neighbours by which footprints of different linear parts are not moved alike (E001-4)."""
        for offset in unit(len(self.tiling.sizes)):
            if len({str(self.moved(offset, part)) for part in self.parts}) > 1:
                yield offset


def _linear_part(matrix: Matrix) -> LinearPart:
    whole = flint.fmpz_mat([list(row) for row in matrix])
    basis, nullity = whole.nullspace()
    reduced = whole.hnf()
    rows = (tuple(int(reduced[r, c]) for c in range(whole.ncols())) for r in range(whole.nrows()))
    kernel = tuple(_primitive([int(basis[r, c]) for r in range(whole.ncols())]) for c in range(nullity))
    return LinearPart(matrix, kernel, tuple(_primitive(row) for row in rows if any(row)))


def _primitive(vector: Sequence[int]) -> tuple[int, ...]:
    """VECTOR without a common factor, and with a positive first number."""
    common = gcd(*vector) * (1 if next(x for x in vector if x) > 0 else -1)
    return tuple(x // common for x in vector)


def _onto(part: LinearPart) -> flint.fmpq_mat:
    """R^T (R R^T)^-1 R, the orthogonal projection onto the supplementary of PART, the rows of R."""
    if not part.supplementary:
        rank = len(part.kernel)
        return flint.fmpq_mat(rank, rank)
    rows = _rational(part.supplementary)
    return rows.transpose() * (rows * rows.transpose()).inv() * rows


def _rational(matrix: Matrix) -> flint.fmpq_mat:
    return flint.fmpq_mat(flint.fmpz_mat([list(row) for row in matrix]))


def _sum_text(coordinate: Sequence[tuple[Size, Fraction]]) -> str:
    """One coordinate: `s/2 - r`."""
    number = _number(coordinate)
    factors: dict[str, Fraction] = {}
    for size, factor in coordinate:
        if isinstance(size, str):
            factors[size] = factors.get(size, Fraction(0)) + factor
    terms = [_term(name, factor) for name, factor in factors.items() if factor]
    terms += [str(number)] if number or not terms else []
    return " + ".join(terms).replace("+ -", "- ")


def _number(coordinate: Sequence[tuple[Size, Fraction]]) -> Fraction:
    return sum((size * factor for size, factor in coordinate if isinstance(size, int)), start=Fraction(0))


def _term(name: str, factor: Fraction) -> str:
    """`-3*s/2`."""
    times = {1: "", -1: "-"}.get(factor.numerator, f"{factor.numerator}*")
    return f"{times}{name}" + (f"/{factor.denominator}" if factor.denominator > 1 else "")
