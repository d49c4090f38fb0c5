"""Races: two iterations that have no order go to the same element, and one of them writes it.

In a parallel loop (affine.parallel, scf.parallel, scf.forall, or a loop that is marked `volcli.parallel`)
that is a dependence that the loop carries, of whichever direction, and slices that scf.forall inserts are
writes (`inserts.py`); in an operation with parallel loops of its own (linalg on
buffers), two points that differ in a parallel loop:

    { [i, l] -> [i, l'] : R(i, l) = W(i, l') and l_p < l'_p for a parallel loop p }

Atomic updates of one element do not race, nor do values that the loop itself reduces, nor writes of one value
(`one_value.py`): a constant, or what is computed before the loop.
A race that only some arguments cause is one that callers have to avoid (`racing.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import islpy as isl
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from volcli.language.expressions import ANY, Expression, Index, LoopIndex
from volcli.language.loops import MARK
from volcli.language.unchanged import operations_in
from volcli.model.memory.accesses.comparable_indices import ComparableIndices
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.aliases import Alias, alias
from volcli.model.memory.buffers.buffers import Origin
from volcli.model.memory.buffers.effects import Inside
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.checks.races.race_answers import Race, RaceAnswer, RaceVerdict
from volcli.model.memory.checks.races.racing import racing, united
from volcli.model.memory.checks.races.stored import of_different_numbers
from volcli.model.memory.dependences.answers import Dependence, DependenceVerdict, Distances, Witness
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.dependences.witnesses import with_element
from volcli.model.memory.flow.schedules import expanded
from volcli.model.memory.loops.inserts import Inserts
from volcli.model.memory.occurrence.certainty import CallArguments, first_point
from volcli.model.memory.occurrence.doubts import doubt
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.relations.relation import Meeting, Relation, meeting
from volcli.presburger.sets.build import DIM


class Races:
    """The races of one function."""

    def __init__(self, memory: Memory, *, operations: int = DEFAULT_OPERATIONS) -> None:
        self._memory = memory
        self._operations = operations
        self._inserts = Inserts(memory)

    def all(self) -> list[RaceAnswer]:
        """Every parallel loop, and every operation with parallel loops of its own; in the text's order."""
        found: list[RaceAnswer] = []
        own: dict[Operation, list[Site]] = {}
        for site in self._memory.sites:
            own.setdefault(site.op, []).append(site)
        for op in operations_in(self._memory.function):
            levels = () if op is self._memory.function else self._memory.nests.of_operation(op)
            if levels and (MARK in op.attributes or not all(level.sequential for level in levels)):
                found.append(self._of_loop(op, levels))
            elif (sites := own.get(op)) is not None and _has_points(op, sites):
                inside = [s for each in operations_in(op) if each is not op for s in own.get(each, ())]
                found.append(self._of_points(op, sites, inside))
        return found

    def of(self, op: Operation) -> RaceAnswer:
        """The iterations of the loop OP, whether or not they have an order."""
        return self._of_loop(op, self._memory.nests.of_operation(op))

    def _of_loop(self, op: Operation, levels: tuple[Level, ...]) -> RaceAnswer:
        inside = [s for s in self._memory.sites if any(level is levels[0] for level in s.levels)]
        races = [
            *self._between_iterations(op, inside, levels),
            *self._between_iterations(op, self._inserts.inside(op), levels),
        ]
        answer = self._answer(op, races, inside)
        because = self._memory.insides.get(op, Inside()).because
        if because is None or answer.verdict is not RaceVerdict.FREE:
            return answer if because is None else replace(answer, known=False)
        return RaceAnswer(op, RaceVerdict.UNKNOWN, because=because, known=False)

    def _of_points(self, op: Operation, own: list[Site], inside: list[Site]) -> RaceAnswer:
        """The points of OP, which goes to its OWN elements, and runs its region, at each of them.

        INSIDE are the accesses there.
        """
        races = [*self._between_points(own), *self._with_region(own, inside)]
        answer = self._answer(op, races, [*own, *inside])
        because = self._memory.insides.get(op, Inside()).because
        if because is None or answer.verdict is not RaceVerdict.FREE:
            return answer if because is None else replace(answer, known=False)
        return RaceAnswer(op, RaceVerdict.UNKNOWN, because=because, known=False)

    def _with_region(self, own: list[Site], inside: list[Site]) -> Iterator[Race]:
        """Accesses in a region, of which it is unknown at which points they go to which elements.

        What the region itself allocates is other memory at each point.
        """
        for first, second in product([*own, *inside], inside):
            if not _writes(first, second) or self._is_local(first, own) or self._is_local(second, own):
                continue
            if alias(first.place.root, second.place.root) in (Alias.SAME, Alias.UNKNOWN):
                text = self._memory.names.access(second)
                yield Race(first, second, because=f"at which points its region accesses {text} is unknown")

    def _is_local(self, site: Site, own: list[Site]) -> bool:
        root = site.place.root
        return root.origin is Origin.ALLOCATION and self._memory.of_pairs.made_in(root) > len(own[0].levels)

    def _answer(self, op: Operation, races: Iterator[Race] | list[Race], sites: list[Site]) -> RaceAnswer:
        found = list(races)
        certain = tuple(race for race in found if race.witness is not None)
        if certain:
            is_known = all(race.calls is not None for race in certain) and len(certain) == len(found)
            return RaceAnswer(op, RaceVerdict.RACE, certain, known=is_known)
        if found:
            return RaceAnswer(op, RaceVerdict.UNKNOWN, tuple(found), found[0].because, known=False)
        return RaceAnswer(op, RaceVerdict.FREE, assumptions=tuple(self._assumptions(sites)))

    def _assumptions(self, sites: list[Site]) -> dict[str, None]:
        """What "no race" rests on: two buffers are different memory, a layout does not overlap itself."""
        found: dict[str, None] = {}
        for first, second in product(sites, sites):
            if first.number > second.number or not _writes(first, second):
                continue
            match alias(first.place.root, second.place.root):
                case Alias.ASSUMED_DISTINCT:
                    found[self._memory.assumed.apart(first.place.root, second.place.root)] = None
                case Alias.SAME:
                    found.update(dict.fromkeys(self._memory.assumed.layout((first, second))))
                case _:
                    pass
        return found

    # -- iterations of a loop --------------------------------------------------------------------------

    def _between_iterations(
        self, op: Operation, sites: list[Site], levels: tuple[Level, ...]
    ) -> Iterator[Race]:
        for first, second in self._memory.partners.pairs(sites):
            if not _writes(first, second):
                continue
            races = (
                self._at(op, first, second, depth)
                for depth in _depths(first, levels)
                if not first.writes_one_value_at(second, depth)
            )
            if (race := _first_and_all(races)) is not None:
                yield race

    def _at(self, op: Operation, first: Site, second: Site, depth: int) -> Race | None:
        """The race of iterations of the loop OP that differ at DEPTH."""
        found = self._memory.dependence(first, second, depth)
        points = found.distances.points
        if found.verdict is DependenceVerdict.DEPENDENT and points is not None:
            different = self._different(found)
            if different is not None and different.points.is_empty():
                return Race(first, second, because="the numbers that are written are equal")
            racing = points if different is None else different.points
            unknown = doubt(*_certain(self._memory, found.distances, racing))
            if unknown is not None:
                return Race(first, second, because=unknown)
            if different is not None:
                race = self._with_example(first, second, different, None)
                return self._with_calls(op, race, racing, points)
            race = Race(first, second, self._memory.witness(found))
            return race if found.distances.shown is not None else self._with_calls(op, race, points, points)
        if found.verdict is DependenceVerdict.UNKNOWN:
            return Race(first, second, because=found.because)
        return None

    def _with_calls(self, op: Operation, race: Race, points: isl.Set, possible: isl.Set) -> Race:
        """RACE of iterations of the loop OP: in calls that have POINTS; maybe in those with POSSIBLE ones."""
        first, second = race.first, race.second

        def domains() -> list[isl.Set]:
            return [self._between_bounds(site, op) for site in (first, second)]

        return replace(race, calls=self._calls(points, possible, domains, self._memory.common(first, second)))

    def _different(self, found: Dependence) -> Meeting | None:
        """The iterations that what was FOUND is of and that write different numbers; None if all may."""
        shown, common = found.distances.shown, self._memory.common(found.source, found.sink)
        if shown is not None or found.depth > common:
            return None
        try:
            with budget(self._operations):
                return of_different_numbers(self._memory.instances, found.source, found.sink, found.depth)
        except BudgetExceeded:
            return None

    def _between_bounds(self, site: Site, op: Operation) -> isl.Set:
        """The iterations that the bounds of the loops around SITE allow where the loop OP runs.

        An operation with loops of its own, as linalg.fill of a memref, has an iteration of each of these.
        """
        instances, elimination = self._memory.instances, self._memory.bounds.elimination
        points = instances.domains.between_bounds(site.op, op)
        for extent in site.place.extents:
            size = instances.resolved(extent)
            if isinstance(size, Expression):
                points = points.intersect_params(elimination.conjunction((), (size - 1,)).points)
        return points

    # -- points of an operation ------------------------------------------------------------------------

    def _between_points(self, sites: list[Site]) -> Iterator[Race]:
        for first, second in product(sites, sites):
            if not _writes(first, second) or first.writes_one_value(second):
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
        """Points that differ in a parallel loop of the operation, which are the first of an access's loops.

        A view of bytes has loops after them, through the bytes of an element: as many as it has.
        """
        if len(first.access.extents) != len(second.access.extents):
            return Race(first, second, because="they run through different points")
        around = len(first.levels)
        loops = sorted(first.access.parallel & second.access.parallel)
        if first.place.index == second.place.index and _is_injective(first.place.index, loops):
            return None
        races = (self._race(first, second, around, around + own) for own in loops)
        return _first_and_all(races)

    def _race(self, first: Site, second: Site, equal: int, position: int) -> Race | None:
        """A race of iterations that are EQUAL in so many loops, and differ in the one at POSITION."""
        try:
            with budget(self._operations):
                digits = self._memory.delinearisation.of_buffer((first, second))
                one, other = (
                    expanded(self._memory.instances, site, () if digits is None else digits.of(k))
                    for k, site in enumerate((first, second))
                )
                left, right = one.elements(), other.elements()
                found = meeting(left, right, equal, position)
                if found.points.is_empty():
                    return None
                because = one.because or other.because or self._unstable(one, other, position, first)
                because = because or doubt(self._memory, found.points)
                if because:
                    return Race(first, second, because=because)
                race = self._with_example(first, second, found, digits)
        except BudgetExceeded as error:
            return Race(first, second, because=error.reason)
        domains = left.domain(), right.domain()
        return replace(
            race, calls=self._calls(found.points, found.points, lambda: domains, left.dim(DIM.in_))
        )

    def _calls(
        self, points: isl.Set, possible: isl.Set, domains: Callable[[], Sequence[isl.Set]], common: int
    ) -> CallArguments | None:
        """The calls in which there are POINTS, at which two accesses race, or POSSIBLE ones.

        None if that is too much.
        """
        try:
            with budget(self._operations):
                return racing(self._memory, points, possible, domains, common)
        except BudgetExceeded:
            return None

    def _unstable(self, one: Relation, other: Relation, position: int, site: Site) -> str | None:
        """What may differ between the iterations of the loops around an operation; not between its own."""
        unstable = (*one.unstable, *other.unstable)
        if not unstable or position >= len(site.levels):
            return None
        return self._memory.instances.instability(unstable)

    def _with_example(
        self, first: Site, second: Site, found: Meeting, digits: ComparableIndices | None
    ) -> Race:
        texts = self._memory.bounds.texts
        point = first_point(found.points)
        source, sink, element = found.split(point)
        witness = Witness(source, sink, element, texts.of_point(point))
        if digits is None:
            return Race(first, second, witness)
        known = with_element(witness, digits, first, self._memory.bounds)
        return Race(first, second, known, None if known is not None else "the element is not found")


def _first_and_all(races: Iterable[Race | None]) -> Race | None:
    """The first of RACES of two accesses that has an example, or else the first one; with the calls of all.

    Nothing is added to what happens in all calls.
    """
    found: list[Race] = []
    for race in races:
        if race is not None:
            found.append(race)
            if race.witness and race.calls is not None and race.calls.surely.plain_is_universe():
                return race
    chosen = next((race for race in found if race.witness is not None), found[0] if found else None)
    calls = [race.calls for race in found if race.calls is not None]
    return chosen and replace(chosen, calls=united(calls) if len(calls) == len(found) else None)


def _certain(memory: Memory, found: Distances, points: isl.Set) -> tuple[Memory, isl.Set]:
    """What shows that there are distances: POINTS, the ones that were FOUND, or those of some executions."""
    shown = found.shown
    if shown is None or shown.distances.points is None:
        return memory, points
    return memory.shown_in(shown), shown.distances.points


def _writes(first: Site, second: Site) -> bool:
    """Whether one of two accesses writes, and they are not both atomic."""
    return (first.is_write or second.is_write) and not (first.access.atomic and second.access.atomic)


def _depths(site: Site, levels: tuple[Level, ...]) -> range:
    """The depths of LEVELS among the loops around SITE."""
    first = next(k for k, level in enumerate(site.levels) if level is levels[0])
    return range(first + 1, first + 1 + len(levels))


def _is_injective(index: Sequence[Index], loops: Iterable[int]) -> bool:
    """Whether points that differ in one of an operation's LOOPS surely have other elements: each of these is
    the only loop in some coordinate, as both are in `%m[%i + 2 * d0, d1]`.
    """
    alone: set[int] = set()
    for each in index:
        if isinstance(each, Expression):
            own = [atom for atom in each.atoms() if isinstance(atom, LoopIndex)]
            if len(own) == 1 and each.coefficient(own[0]):
                alone.add(own[0].position)
    return alone.issuperset(loops)


def _has_points(op: Operation, sites: list[Site]) -> bool:
    """Whether OP has parallel loops of its own; the lanes of a vector are none."""
    if any(isinstance(value.type, VectorType) for value in (*op.operands, *op.results)):
        return False
    return any(site.is_write and site.access.parallel and ANY not in site.access.index for site in sites)
