r"""What each read of a tiled nest gets, where, and for which tiles that can be said.

A read has *cases*: iterations in which it gets values of one writer, or what was there before the nest, by
one affine function. Tiles are alike only if the cases are, so cases of one flow are chosen such that there
are whole tiles inside: with P_k ∩ R_k the iterations of case k (`periodic`), those that hold for the most
iterations come first, and

    P := P ∩ P_k                      if a tile is still whole inside: the case is one of the dependences
    P := P ∩ { a half-space beside P_k }     else, if one is whole there: the case is one of the edges

A tile T is whole inside P if T ∩ R is not empty, and inside P. If sizes are symbols, P must have the
dimension of the iterations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, reduce

import islpy as isl

from volcli.language.expressions import Expression, loop
from volcli.model.mars.footprints.footprints import AffineDependence
from volcli.model.mars.footprints.periodic import NotPeriodic, PeriodicIterations, split
from volcli.model.mars.tilings.nests import TiledNest
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import Matrix, Offset
from volcli.presburger.measures.extremes import interval
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import map_pieces
from volcli.presburger.sets.coalescing import coalesced


class NotADependence(ValueError):
    """What a read gets is not an affine function of the iteration; the text says why."""


@dataclass(frozen=True, eq=False)
class ReadCase:
    """Iterations of a nest, the tiled loops first, and what is read there: by one affine function.

    `iterations` are those of the tiled loops in which it is so."""

    dependence: AffineDependence
    iterations: PeriodicIterations

    @cached_property
    def extent(self) -> tuple[int, int]:
        """In how many directions the iterations have no end, and the size of their box otherwise."""
        return _extent(self.iterations.polyhedron)


@dataclass(frozen=True, eq=False)
class ChosenCases:
    """The cases that hold inside the polyhedron `inside`."""

    cases: tuple[ReadCase, ...]
    inside: isl.Set

    @property
    def runs(self) -> isl.Set | None:
        """The iterations inside in which one of the cases runs; None if these are all."""
        found = coalesced(reduce(isl.Set.union, (each.iterations.runs for each in self.cases)))
        return None if self.inside.is_subset(found) else found


def cases_of(relation: isl.Map, nest: TiledNest) -> Iterator[ReadCase]:
    """RELATION, from iterations of NEST, tiled loops first, as affine functions. Raises NotADependence."""
    for where, function in pieces(relation):
        for part in coalesced(where).get_basic_sets():
            yield _case(isl.Set.from_basic_set(part), function, nest)


def linear_parts(relation: isl.Map, nest: TiledNest) -> Iterator[Matrix]:
    """The linear part, on the tiled loops of NEST, of each piece of RELATION that is an affine function."""
    with suppress(NotADependence):
        for _, function in pieces(relation):
            with suppress(NotADependence):
                yield AffineDependence(*_affine(function, nest)).of_tiled(nest.rank)


def _case(where: isl.Set, function: isl.MultiAff, nest: TiledNest) -> ReadCase:
    matrix, offset = _affine(function, nest)
    outer, inner = outer_and_inner(where, nest)
    try:
        iterations = split(outer)
    except NotPeriodic as error:
        raise NotADependence(str(error)) from error
    runs = None if iterations.residues is None else iterations.runs
    return ReadCase(AffineDependence(matrix, offset, inner, runs, iterations.residues), iterations)


def _affine(function: isl.MultiAff, nest: TiledNest) -> tuple[Matrix, Offset]:
    """A and b of FUNCTION(x) = A·x + b, over the loops of NEST. Raises NotADependence."""
    matrix: list[tuple[int, ...]] = []
    offset: list[int] = []
    for row in range(function.dim(DIM.out)):
        form = function.get_aff(row)
        if form.dim(DIM.div) or any(
            not form.get_coefficient_val(DIM.param, p).is_zero() for p in range(form.dim(DIM.param))
        ):
            raise NotADependence("its elements are not affine functions of the loops")
        factors = [form.get_coefficient_val(DIM.in_, k) for k in range(len(nest.order))]
        if not all(each.is_int() for each in (*factors, form.get_constant_val())):
            raise NotADependence("its elements are affine functions of the loops with fractions in them")
        matrix.append(tuple(each.to_python() for each in factors))
        offset.append(form.get_constant_val().to_python())
    return tuple(matrix), tuple(offset)


def distinct(dependences: Iterable[AffineDependence]) -> tuple[AffineDependence, ...]:
    """DEPENDENCES, each once."""
    found: list[AffineDependence] = []
    for each in dependences:
        if not any(each.is_same(other) for other in found):
            found.append(each)
    return tuple(found)


def pieces(relation: isl.Map) -> list[tuple[isl.Set, isl.MultiAff]]:
    """A function from iterations, as affine pieces.

    Raises NotADependence if an iteration has several images.
    """
    if not relation.is_single_valued():
        raise NotADependence("one iteration reads several elements")
    return map_pieces(isl.PwMultiAff.from_map(coalesced(relation)))


def outer_and_inner(where: isl.Set, nest: TiledNest) -> tuple[isl.Set, isl.Set | None]:
    """The iterations of the tiled loops, and of those inside the tiles; None if there are none of these.

    Raises NotADependence if tiles differ in them.
    """
    tiled, rest = nest.rank, len(nest.order) - nest.rank
    if not rest:
        return where, None
    outer, inner = where.project_out(DIM.set, tiled, rest), where.project_out(DIM.set, 0, tiled)
    if not outer.flat_product(inner).is_subset(where):
        raise NotADependence("a loop inside the tiles has bounds that are not the same in all tiles")
    return outer, inner


def chosen(cases: Iterable[ReadCase], tiling: HyperplaneTiling) -> ChosenCases | None:
    """The cases of CASES that whole tiles have, and where; None if no tile is whole."""
    inside: isl.Set | None = None
    found: list[ReadCase] = []
    for case in sorted(cases, key=lambda c: c.extent, reverse=True):
        each = case.iterations
        if inside is not None and inside.intersect(each.polyhedron).intersect(each.runs).is_empty():
            continue  # at an edge
        runs = [other.iterations.runs for other in found]
        both = each.polyhedron if inside is None else inside.intersect(each.polyhedron)
        if _has_whole_tile(both, [*runs, each.runs], tiling):
            inside = both
            found.append(case)
        elif inside is not None:
            beside = [
                part for part in _beside(inside, each.polyhedron) if _has_whole_tile(part, runs, tiling)
            ]
            if not beside:
                return None
            inside = max(beside, key=_extent)
        else:
            return None
    return None if inside is None else ChosenCases(tuple(found), coalesced(inside))


def largest(cases: Iterable[ReadCase]) -> ReadCase | None:
    """The case that holds for the most iterations."""
    return max(cases, key=lambda c: c.extent, default=None)


def common_iterations(cases: Sequence[ReadCase]) -> isl.Set:
    """The iterations of all CASES, of which there is one at least, as if none were left out."""
    return reduce(isl.Set.intersect, (case.iterations.polyhedron for case in cases))


def _beside(inside: isl.Set, polyhedron: isl.Set) -> Iterator[isl.Set]:
    """INSIDE after each face of POLYHEDRON: what is a half-space there."""
    for part in polyhedron.get_basic_sets():
        for constraint in part.get_constraints():
            halfspace = isl.BasicSet.universe(part.get_space()).add_constraint(constraint)
            for beside in isl.Set.from_basic_set(halfspace).complement().get_basic_sets():
                yield inside.intersect(isl.Set.from_basic_set(beside))


def _has_whole_tile(polyhedron: isl.Set, runs: Sequence[isl.Set], tiling: HyperplaneTiling) -> bool:
    if tiling.symbols:
        return not polyhedron.is_empty() and _is_full(polyhedron)
    return not whole_tiles(polyhedron, reduce(isl.Set.union, runs), tiling).is_empty()


def whole_tiles(polyhedron: isl.Set, runs: isl.Set, tiling: HyperplaneTiling) -> isl.Set:
    """The tiles that have iterations in RUNS, and all of them in POLYHEDRON."""
    iterations = tiles_of(tiling).reverse().intersect_range(runs)
    return iterations.domain().subtract(iterations.subtract_range(polyhedron).domain())


def tiles_of(tiling: HyperplaneTiling) -> isl.Map:
    """`{ x -> t : x in T(t) }`, for numeric sizes."""
    count = len(tiling.iterators)
    inside: list[Expression] = []
    for j in range(count):
        along = tiling.form(j) - tiling.size(j) * loop(count + j)
        inside += [along, tiling.size(j) - 1 - along]
    pairs = isl.Map.from_domain(build.nonnegative(2 * count, tuple(inside)))
    return pairs.move_dims(DIM.out, 0, DIM.in_, count, count)


def _is_full(polyhedron: isl.Set) -> bool:
    """Whether POLYHEDRON is in no hyperplane."""
    rank = polyhedron.dim(DIM.set)
    return not any(
        constraint.is_equality() and constraint.involves_dims(DIM.set, 0, rank)
        for constraint in polyhedron.affine_hull().get_constraints()
    )


def _extent(points: isl.Set) -> tuple[int, int]:
    """In how many directions there is no end, and the size of the box otherwise."""
    unbounded, size = 0, 1
    for position in range(points.dim(DIM.set)):
        low, high = interval(points, position)
        if low is None or high is None:
            unbounded += 1
        else:
            size *= high - low + 1
    return unbounded, size
