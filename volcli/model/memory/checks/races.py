"""Races: two iterations that have no order go to the same element, and one of them writes it.

In a parallel loop (affine.parallel, scf.parallel, scf.forall, or a loop that is marked `volcli.parallel`)
that is a dependence that the loop carries, of whichever direction; where scf.forall inserts slices, two
slices of different iterations that overlap; in an operation with parallel loops of its own (linalg on
buffers), two points that differ in a parallel loop:

    { [i, l] -> [i, l'] : R(i, l) = W(i, l') and l_p < l'_p for a parallel loop p }

No race are atomic updates of one element, nor values that the loop itself reduces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product

import islpy as isl
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from volcli import questions
from volcli.expressions import ANY, NotAffine, loop
from volcli.interface import operation_name
from volcli.memory import Effect, MemoryAccess
from volcli.model.memory.answers import Verdict, Witness
from volcli.model.memory.buffers import Alias, Origin, Place, Root, alias
from volcli.model.memory.certainty import certainty, why_uncertain
from volcli.model.memory.checks.meetings import Meeting, meeting
from volcli.model.memory.effects import Inside
from volcli.model.memory.flow.schedules import expanded, stable
from volcli.model.memory.instances import Relation, Site
from volcli.model.memory.model import Memory
from volcli.model.memory.nests import Level
from volcli.presburger.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget

MARK = "volcli.parallel"
_SLICE_WRITES = frozenset(("tensor.parallel_insert_slice",))


class RaceVerdict(Enum):
    """Three values."""

    FREE = "race-free"
    RACE = "race"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class Race:
    """Two accesses that go to one element in iterations without an order: an example, or why nobody knows."""

    first: Site
    second: Site
    witness: Witness | None = None
    because: str | None = None


@dataclass(frozen=True, eq=False)
class RaceAnswer:
    """Whether the iterations of OP, or the points of its own loops, race; with what is assumed for that."""

    op: Operation
    verdict: RaceVerdict
    races: tuple[Race, ...] = ()
    because: str | None = None
    assumptions: tuple[str, ...] = ()


class Races:
    """The races of one function."""

    def __init__(self, memory: Memory, *, operations: int = DEFAULT_OPERATIONS) -> None:
        self._memory = memory
        self._operations = operations

    def all(self) -> list[RaceAnswer]:
        """Every parallel loop, and every operation with parallel loops of its own; in the text's order."""
        found: list[RaceAnswer] = []
        own: dict[Operation, list[Site]] = {}
        for site in self._memory.sites:
            own.setdefault(site.op, []).append(site)
        for op in self._memory.function.walk():
            levels = () if op is self._memory.function else self._memory.nests.of_operation(op)
            if levels and (MARK in op.attributes or not all(level.sequential for level in levels)):
                found.append(self._of_loop(op, levels))
            elif _has_points(op, sites := own.get(op, [])):
                found.append(self._answer(op, self._between_points(sites), sites))
        return found

    def _of_loop(self, op: Operation, levels: tuple[Level, ...]) -> RaceAnswer:
        inside = [s for s in self._memory.sites if any(level is levels[0] for level in s.levels)]
        slices = [replace(s, number=len(self._memory.sites) + k) for k, s in enumerate(self._slices(op))]
        races = [*self._between_iterations(inside, levels), *self._between_slices(slices, levels)]
        answer = self._answer(op, races, inside)
        because = self._memory.insides.get(op, Inside()).because
        if because is None or answer.verdict is not RaceVerdict.FREE:
            return answer
        return RaceAnswer(op, RaceVerdict.UNKNOWN, because=because)

    def _answer(self, op: Operation, races: Iterator[Race] | list[Race], sites: list[Site]) -> RaceAnswer:
        found = list(races)
        certain = tuple(race for race in found if race.witness is not None)
        if certain:
            return RaceAnswer(op, RaceVerdict.RACE, certain)
        if found:
            return RaceAnswer(op, RaceVerdict.UNKNOWN, tuple(found), found[0].because)
        return RaceAnswer(op, RaceVerdict.FREE, assumptions=tuple(self._assumptions(sites)))

    def _assumptions(self, sites: list[Site]) -> dict[str, None]:
        pairs = (
            (a.place.root, b.place.root)
            for a, b in product(sites, sites)
            if a.number < b.number and _writes(a, b)
        )
        return {
            self._memory.assumed(first, second): None
            for first, second in pairs
            if alias(first, second) is Alias.ASSUMED_DISTINCT
        }

    # -- iterations of a loop --------------------------------------------------------------------------

    def _between_iterations(self, sites: list[Site], levels: tuple[Level, ...]) -> Iterator[Race]:
        for first, second in product(sites, sites):
            if not _writes(first, second):
                continue
            race: Race | None = None
            for depth in _depths(first, levels):
                found = self._memory.dependence(first, second, depth)
                if found.verdict is Verdict.DEPENDENT and found.distances.points is not None:
                    unknown = self._doubt(found.distances.points)
                    if unknown is None:
                        race = Race(first, second, self._memory.witness(found))
                        break
                    race = Race(first, second, because=unknown)
                elif found.verdict is Verdict.UNKNOWN and race is None:
                    race = Race(first, second, because=found.because)
            if race is not None:
                yield race

    def _doubt(self, points: isl.Set) -> str | None:
        """What it depends on that POINTS are any: on a value that no caller chooses; None if on none."""
        given = isl.Set.from_params(points.params())
        certain = certainty(self._memory, given, isl.Set.universe(given.get_space()))
        return why_uncertain(self._memory, given) if certain.points.is_empty() else None

    # -- slices ----------------------------------------------------------------------------------------

    def _slices(self, op: Operation) -> Iterator[Site]:
        """The slices that the iterations of OP insert, as accesses."""
        for inner in op.walk():
            if operation_name(inner) not in _SLICE_WRITES:
                continue
            try:
                stated = questions.slice_of(inner)
            except NotAffine:
                continue
            if stated is None:
                continue
            rows = zip(stated.offsets, stated.strides, strict=True)
            index = tuple(offset + stride * loop(k) for k, (offset, stride) in enumerate(rows))
            access = MemoryAccess(Effect.WRITE, stated.source, index, stated.sizes)
            place = Place(Root(Origin.UNKNOWN, stated.source), index, stated.sizes, ())
            yield Site(-1, inner, access, place, self._memory.nests.levels(inner.parent))

    def _between_slices(self, slices: list[Site], levels: tuple[Level, ...]) -> Iterator[Race]:
        for first, second in product(slices, slices):
            if first.access.memref is not second.access.memref:
                continue
            for depth in _depths(first, levels):
                race = self._race(first, second, lambda s: self._whole(s), depth - 1, depth - 1)
                if race is not None:
                    yield race
                    break

    def _whole(self, site: Site) -> tuple[isl.Map, Relation]:
        relation = self._memory.instances.of_place(site, site.place)
        return stable(relation.elements(), relation), relation

    # -- points of an operation ------------------------------------------------------------------------

    def _between_points(self, sites: list[Site]) -> Iterator[Race]:
        for first, second in product(sites, sites):
            if not _writes(first, second) or len(first.place.extents) != len(second.place.extents):
                continue
            match alias(first.place.root, second.place.root):
                case Alias.UNKNOWN:
                    yield Race(first, second, because="they may be the same memory")
                case Alias.SAME:
                    race = self._points(first, second)
                    if race is not None:
                        yield race
                case _:
                    pass

    def _points(self, first: Site, second: Site) -> Race | None:
        around = len(first.levels)
        found: Race | None = None
        for own in sorted(first.access.parallel & second.access.parallel):
            race = self._race(first, second, self._expanded, around, around + own)
            if race is not None and race.witness is not None:
                return race
            found = found or race
        return found

    def _expanded(self, site: Site) -> tuple[isl.Map, Relation]:
        return expanded(self._memory.instances, site)

    def _race(
        self,
        first: Site,
        second: Site,
        relation_of: Callable[[Site], tuple[isl.Map, Relation]],
        equal: int,
        position: int,
    ) -> Race | None:
        """A race of iterations that are EQUAL in so many loops, and differ in the one at POSITION."""
        try:
            with budget(self._operations):
                (left, one), (right, other) = relation_of(first), relation_of(second)
                found = meeting(left, right, equal, position)
                if found is None:
                    return None
                because = one.because or other.because or self._unstable(one, other, position, first)
                because = because or self._doubt(found.points)
                return (
                    Race(first, second, because=because)
                    if because
                    else self._with_example(first, second, found)
                )
        except BudgetExceeded as error:
            return Race(first, second, because=error.reason)

    def _unstable(self, one: Relation, other: Relation, position: int, site: Site) -> str | None:
        """What may differ between the iterations of the loops around an operation; not between its own."""
        unstable = (*one.unstable, *other.unstable)
        if not unstable or position >= len(site.levels):
            return None
        return self._memory.instances.instability(unstable)

    def _with_example(self, first: Site, second: Site, found: Meeting) -> Race:
        texts = self._memory.bounds.texts
        point = found.example()
        source, sink, element = found.split(point)
        return Race(first, second, Witness(source, sink, element, texts.of_point(point)))


def _writes(first: Site, second: Site) -> bool:
    """Whether one of two accesses writes, and they are not both atomic."""
    return (first.is_write or second.is_write) and not (first.access.atomic and second.access.atomic)


def _depths(site: Site, levels: tuple[Level, ...]) -> range:
    """The depths of LEVELS among the loops around SITE."""
    first = next(k for k, level in enumerate(site.levels) if level is levels[0])
    return range(first + 1, first + 1 + len(levels))


def _has_points(op: Operation, sites: list[Site]) -> bool:
    """Whether OP has parallel loops of its own; the lanes of a vector are none."""
    if any(isinstance(value.type, VectorType) for value in (*op.operands, *op.results)):
        return False
    return any(site.is_write and site.access.parallel and ANY not in site.access.index for site in sites)
