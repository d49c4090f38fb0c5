"""Which accesses depend on which: the dependence polyhedron of a pair, at each depth.

Two accesses with relations S and T go to one element in the iterations `{ [i] -> [j] } = T^-1 o S`. At
depth d the sink runs in a later iteration of the d-th common loop and in the same iteration of the loops
around it:

    j_1 = i_1, ..., j_(d-1) = i_(d-1), j_d >= i_d + 1

and beyond the n common loops, at depth n + 1, in the same iteration of all, after the source. (MemRef
dependence checks in MLIR, "checkMemrefAccessDependence".) All of it is exact: integers, not rationals.

    affine.for %i = 0 to 9 { store %m[%i]; load %m[%i - 2] }        store -> load at depth 1: { [2] }

Where the element is not an affine function of the iterations, accesses are compared by the digits of their
linear indices, if they have some in common (`delinearisation.py`).

With a step that is a value, j_d >= i_d + step takes the place of j_d >= i_d + 1 (`strides.py`).

What is asked of two accesses is asked of all that differ from them by the same offset: a nest of many
accesses to neighbouring elements has few different questions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

import islpy as isl

from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.comparable_indices import ComparableIndices
from volcli.model.memory.accesses.delinearisation import Delinearisation
from volcli.model.memory.accesses.instances import Instances
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.accesses.strides import Strides
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.answers import DependenceVerdict, Distances
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.extremes import hull
from volcli.presburger.measures.first_solution import TooLong
from volcli.presburger.relations.numbers import DistanceRanges, NumberedPair
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import without

DEPENDENT = DependenceVerdict.DEPENDENT
INDEPENDENT = Distances(DependenceVerdict.INDEPENDENT)


@dataclass(frozen=True, eq=False)
class ComparedAccesses:
    """The distances of a pair of accesses, and the relations that say them: to elements, or to DIGITS."""

    distances: Distances
    source: Relation
    sink: Relation
    digits: ComparableIndices | None = None


class Polyhedra:
    """The dependence polyhedra of one function's pairs of accesses to one buffer."""

    def __init__(
        self,
        instances: Instances,
        strides: Strides,
        delinearisation: Delinearisation,
        operations: int,
    ) -> None:
        self._instances = instances
        self._delinearisation = delinearisation
        self._strides = strides
        self._operations = operations
        self._pairs: dict[Hashable, isl.Map] = {}
        self._steps: dict[Hashable, isl.Set] = {}
        self._numbered: dict[Hashable, NumberedPair | None] = {}
        self._answers: dict[Hashable, Distances] = {}

    def distances(self, source: Site, sink: Site, common: int, depth: int) -> Distances:
        """The distances of the pair at DEPTH, the order within one iteration apart, with COMMON loops."""
        first, second = self._instances.relation(source), self._instances.relation(sink)
        found = self._between(source, sink, first, second, common, depth)
        if found.verdict is not DependenceVerdict.UNKNOWN:
            return found
        return self._best(source, sink, ComparedAccesses(found, first, second), common, depth).distances

    def compared(self, source: Site, sink: Site, common: int, depth: int) -> ComparedAccesses:
        """The pair by elements; or by digits of these, if that says more."""
        first, second = self._instances.relation(source), self._instances.relation(sink)
        best = ComparedAccesses(self._between(source, sink, first, second, common, depth), first, second)
        if best.distances.verdict is not DependenceVerdict.UNKNOWN:
            return best
        return self._best(source, sink, best, common, depth)

    def _best(
        self, source: Site, sink: Site, best: ComparedAccesses, common: int, depth: int
    ) -> ComparedAccesses:
        """The BEST by elements, or by digits, if that says more."""
        for one, other, digits in self._digits(source, sink, depth):
            found = self._between(source, sink, one, other, common, depth)
            if found.verdict is not DependenceVerdict.UNKNOWN:
                return ComparedAccesses(found, one, other, digits)
            if found.points is not None:
                best = ComparedAccesses(found, one, other, digits)
        return best

    def _digits(
        self, source: Site, sink: Site, depth: int
    ) -> Iterator[tuple[Relation, Relation, ComparableIndices]]:
        """The accesses by digits of linear indices, whose sizes are the same in both iterations at DEPTH."""
        for fixed in dict.fromkeys((0, depth - 1)):
            digits = self._delinearisation.of_buffer((source, sink), fixed)
            if digits is not None:
                one, other = (
                    self._instances.of_place(site, replace(site.place, index=digits.of(position)))
                    for position, site in enumerate((source, sink))
                )
                yield one, other, digits

    def _between(
        self, source: Site, sink: Site, first: Relation, second: Relation, common: int, depth: int
    ) -> Distances:
        levels = source.levels[:common]
        key = first.beside(second), self._steps_at(levels, depth), common, depth
        known = self._answers.get(key)
        if known is None:
            known = self._answers[key] = self._by_numbers(first, second, levels, depth)
        return known

    def _steps_at(self, levels: tuple[Level, ...], depth: int) -> Hashable:
        """What makes distances at DEPTH different from those of other LEVELS: steps that are values."""
        return (levels, depth) if self._strides.of(levels) else None

    def _by_numbers(
        self, source: Relation, sink: Relation, levels: tuple[Level, ...], depth: int
    ) -> Distances:
        """The distances, by numbers where these say it, or that there are none."""
        common = len(levels)
        key = source.beside(sink), common
        if key not in self._numbered:
            self._numbered[key] = source.numbered(sink, common)
        numbers = self._numbered[key]
        if numbers is None:
            return self._within_budget(source, sink, levels, depth)
        box = numbers.distances(depth)
        try:
            if box is None and numbers.first(depth) is None:
                return INDEPENDENT
            if box is None and depth > common:
                box = DistanceRanges((range(1),) * common)
        except TooLong:
            numbers = None
        if box is not None:
            return Distances(DEPENDENT, box, box.ends, numbers=numbers) if all(box.ranges) else INDEPENDENT
        return replace(self._within_budget(source, sink, levels, depth), numbers=numbers)

    def _within_budget(
        self, source: Relation, sink: Relation, levels: tuple[Level, ...], depth: int
    ) -> Distances:
        common = len(levels)
        try:
            with budget(self._operations):
                points = self._steps_of(source, sink, levels, depth).intersect(self._later(common, depth))
                if points.is_empty():
                    return INDEPENDENT
                points = points.coalesce()
                ends = hull(points)
        except BudgetExceeded as error:
            return Distances(DependenceVerdict.UNKNOWN, exact=False, because=error.reason)
        exact = source.exact and sink.exact and not source.unstable and not sink.unstable
        because = source.because or sink.because
        if exact:
            return Distances(DEPENDENT, points, ends)
        if because is None:
            because = self._instances.instability(source.unstable or sink.unstable)
        return Distances(DependenceVerdict.UNKNOWN, points, ends, exact=False, because=because)

    def pairs(self, source: Relation, sink: Relation, levels: tuple[Level, ...], depth: int) -> isl.Map:
        """`{ [i] -> [j] }`: SOURCE in i and SINK in j share an element, and steps of LEVELS between them."""
        changing = sink.changing(depth)
        key = source.beside(sink), changing
        if key not in self._pairs:
            self._pairs[key] = source.pairs(sink, changing)
        return self._strides.distant(self._pairs[key], levels, depth)

    @cached_method
    def _later(self, common: int, depth: int) -> isl.Set:
        """`{ [d] : d_1 = ... = d_(depth-1) = 0 and d_depth >= 1 }`."""
        result = isl.Set.universe(build.space((), common))
        zero, one = isl.Val.zero(isl.DEFAULT_CONTEXT), isl.Val.one(isl.DEFAULT_CONTEXT)
        for position in range(min(depth - 1, common)):
            result = result.fix_val(DIM.set, position, zero)
        return result.lower_bound_val(DIM.set, depth - 1, one) if depth <= common else result

    def _steps_of(self, source: Relation, sink: Relation, levels: tuple[Level, ...], depth: int) -> isl.Set:
        """All distances between iterations that share an element, whichever runs first.

        With steps that are values, only those at DEPTH.
        """
        common = len(levels)
        key = source.beside(sink), self._steps_at(levels, depth), common, sink.changing(depth)
        known = self._steps.get(key)
        if known is None:
            pairs = self.pairs(source, sink, levels, depth)
            pairs = pairs.project_out(DIM.in_, common, pairs.dim(DIM.in_) - common)
            pairs = pairs.project_out(DIM.out, common, pairs.dim(DIM.out) - common)
            unstable = (name for name, _ in (*source.unstable, *sink.unstable))
            names = (variant for name in unstable for variant in (name, f"{name}'"))
            known = self._steps[key] = without(pairs.deltas(), *names)
        return known
