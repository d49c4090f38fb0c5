"""Accesses in boxes of iterations with the times at which they run, all in plain integers.

Of most lowered programs each loop has a constant number of iterations, and each index is an affine function
of their numbers t (`volcli.model.memory.boxes.boxes`). Then what an access does and when is two rows of
integers:

    affine.for %i = 0 to 9 { store %m[%i + 2]; load %m[%i] }

The store goes to [t0 + 2] at the time (t0, 0), the load to [t0] at (t0, 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from volcli.language.expressions import Atom, Expression, LoopIndex, expression_of_atom
from volcli.model.memory.accesses.instances import Instances
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.boxes.boxes import Box
from volcli.model.memory.flow.schedules import Times
from volcli.presburger.measures.first_solution import Linear, Range, first_solution

Time = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class TimedAccess:
    """An access in the iterations of a BOX to an `element`, at a `time`.

    An entry n >= 0 of the time is that number, and -1 - k the number of the k-th loop, t_k.
    """

    site: Site
    box: Box
    element: tuple[Expression, ...]
    time: Time

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The numbers t_0, t_1, ... of its loops, the operation's own ones last."""
        return tuple(self.box.trips)

    @cached_property
    def ranges(self) -> list[Range]:
        """From which number to which each loop runs."""
        return [(0, trips - 1) for trips in self.box.trips.values()]

    @cached_property
    def first_time(self) -> Time:
        """A time than which it runs in no iteration earlier."""
        return tuple(max(entry, 0) for entry in self.time)

    def time_at(self, numbers: Sequence[int]) -> Time:
        """When it runs in the iteration of these NUMBERS."""
        return tuple(entry if entry >= 0 else numbers[-1 - entry] for entry in self.time)

    def element_at(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Where it goes in the iteration of these NUMBERS."""
        return tuple(start + sum(c * numbers[at] for at, c in terms) for start, terms in self._rows)

    def runs_at(self, numbers: Sequence[int]) -> bool:
        """Whether it runs in the iteration of these NUMBERS, which are in its ranges."""
        at = self._positions
        return all(e.constant + sum(c * numbers[at[a]] for a, c in e.terms) >= 0 for e in self.box.conditions)

    @property
    def first(self) -> Sequence[int] | None:
        """The first iteration; None if there is none. Raises TooLong where that does not show soon."""
        return first_solution(self.ranges, self._conditions)

    def first_at(self, element: Sequence[int], ranges: Sequence[Range]) -> Sequence[int] | None:
        """The first iteration, in RANGES, in which it goes to ELEMENT; None if there is none.

        Raises TooLong where that does not show soon.
        """
        for (constant, terms), at in zip(self._rows, element, strict=True):
            least = most = constant - at
            for position, c in terms:
                low, high = ranges[position]
                least, most = least + min(c * low, c * high), most + max(c * low, c * high)
            if least > 0 or most < 0:
                return None
        rows = (
            Linear(dict(terms), constant - at, is_equation=True)
            for (constant, terms), at in zip(self._rows, element, strict=True)
        )
        return first_solution(ranges, [*rows, *self._conditions])

    @cached_property
    def _conditions(self) -> list[Linear]:
        at = self._positions
        return [Linear({at[atom]: c for atom, c in e.terms}, e.constant) for e in self.box.conditions]

    @cached_property
    def _rows(self) -> Sequence[tuple[int, Sequence[tuple[int, int]]]]:
        """The element as constants and coefficients of numbers, by their positions."""
        at = self._positions
        return [(e.constant, [(at[atom], c) for atom, c in e.terms]) for e in self.element]

    @cached_property
    def _positions(self) -> Mapping[Atom, int]:
        return {atom: k for k, atom in enumerate(self.atoms)}


def timed(instances: Instances, times: Times, site: Site, made: int) -> TimedAccess | None:
    """SITE, whose buffer is made in each iteration of so many loops; None if it is in no box."""
    # Numbers of divisions in bounds come after all loops, an operation's own ones in front of them.
    divided = not site.place.extents
    placed = instances.placed(site, site.place, loosely=True, divided=divided)
    if placed is None:
        return None
    box, index = placed
    numbers = list(box.trips)
    # A buffer that a loop makes anew is another one in each of its iterations.
    element = (*map(expression_of_atom, numbers[:made]), *index)
    conditions = tuple(each for each in box.conditions if box.interval(each)[0] < 0)
    return TimedAccess(site, replace(box, conditions=conditions), element, time_of(times, site))


def time_of(times: Times, site: Site) -> Time:
    """When SITE runs, as the `time` of a `TimedAccess`."""
    return tuple(e.constant if e.is_constant else -1 - _loop(e) for e in times.entries[site])


def _loop(entry: Expression) -> int:
    """Which loop an entry of a time is."""
    ((atom, _),) = entry.terms
    assert isinstance(atom, LoopIndex)
    return atom.position
