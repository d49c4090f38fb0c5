"""Accesses in boxes of iterations with the times at which they run, all in plain integers.

Of most lowered programs each loop has a constant number of iterations, and each index is an affine function
of their numbers t (`volcli.model.memory.boxes`). Then what an access does and when is two rows of integers:

    affine.for %i = 0 to 9 { store %m[%i + 2]; load %m[%i] }

The store goes to [t0 + 2] at the time (t0, 0), the load to [t0] at (t0, 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from volcli.language.expressions import Atom, Expression, LoopIndex, expression_of_atom
from volcli.model.memory.boxes import Box
from volcli.model.memory.first_solution import Linear, Range, first_solution
from volcli.model.memory.flow.schedules import Times
from volcli.model.memory.instances import Instances, Site

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
        at = self._positions
        return tuple(e.constant + sum(c * numbers[at[atom]] for atom, c in e.terms) for e in self.element)

    def runs_at(self, numbers: Sequence[int]) -> bool:
        """Whether it runs in the iteration of these NUMBERS, which are in its ranges."""
        at = self._positions
        return all(e.constant + sum(c * numbers[at[a]] for a, c in e.terms) >= 0 for e in self.box.conditions)

    @property
    def first(self) -> Sequence[int] | None:
        """The first iteration; None if there is none. Raises TooLong where that does not show soon."""
        return first_solution(self.ranges, self._conditions)

    def at_element(self, element: Sequence[int]) -> list[Linear]:
        """That it runs and goes to ELEMENT, of the numbers of its loops."""
        rows = [self._linear(e, at) for e, at in zip(self.element, element, strict=True)]
        return [*rows, *self._conditions]

    @cached_property
    def _conditions(self) -> list[Linear]:
        return [self._linear(each, None) for each in self.box.conditions]

    def _linear(self, expression: Expression, value: int | None) -> Linear:
        """`EXPRESSION = VALUE`; `EXPRESSION >= 0` without one."""
        terms = {self._positions[atom]: c for atom, c in expression.terms}
        return Linear(terms, expression.constant - (value or 0), value is not None)

    @cached_property
    def _positions(self) -> Mapping[Atom, int]:
        return {atom: k for k, atom in enumerate(self.atoms)}


def timed(instances: Instances, times: Times, site: Site, made: int) -> TimedAccess | None:
    """SITE, whose buffer is made in each iteration of so many loops; None if it is in no box."""
    placed = instances.placed(site, site.place, loosely=True)
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
