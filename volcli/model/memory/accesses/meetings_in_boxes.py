"""Where two accesses meet: the first pair of iterations, or a proof that there is none.

That a source and a later sink go to one element are linear equations of the numbers t and t' of their
iterations (`volcli.model.memory.boxes.boxes`), whose first solution is the first pair:

    store %m[8 * %i + %j]; load %m[8 * %i + %j - 3]     8 * t0 + t1 = 8 * t0' + t1' - 3
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from volcli.language.expressions import Atom, Expression
from volcli.model.memory.boxes.boxes import Box
from volcli.model.memory.boxes.first_solution import Linear, first_solution, is_refuted

Row = tuple[int, Sequence[tuple[int, int]]]
"""A constant, and coefficients of numbers by their positions."""


@dataclass(frozen=True)
class BoxedAccess:
    """An access in n loops, of which the k-th is in iteration `values[k]` over the numbers 0 .. trips - 1.

    It runs where `conditions` are not negative, and goes to `elements`, but for the constants that are added:
    its offset. So all those are equal that differ by their offsets alone.
    """

    numbers: tuple[Atom, ...]
    trips: tuple[int, ...]
    values: tuple[Expression, ...]
    elements: tuple[Expression, ...]
    conditions: tuple[Expression, ...]

    @classmethod
    def of(cls, box: Box, elements: Sequence[Expression]) -> BoxedAccess:
        """An access to ELEMENTS, but for their offset, in BOX."""
        linear = tuple(each - each.constant for each in elements)
        numbers, trips = tuple(box.trips), tuple(box.trips.values())
        return cls(numbers, trips, tuple(box.values.values()), linear, box.conditions)

    @property
    def ranges(self) -> tuple[range, ...] | None:
        """The values of each loop's variable, if they have nothing to do with each other."""
        found: list[range] = []
        for k, (trips, (first, terms)) in enumerate(zip(self.trips, self.rows_of_values, strict=False)):
            if len(terms) != 1 or terms[0][0] != k:
                return None
            step = terms[0][1]
            found.append(range(first, first + trips * step, step))
        return None if self.conditions or len(found) < len(self.trips) else tuple(found)

    def iteration(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """The values of the loops' variables in the iteration of these NUMBERS."""
        return _evaluated(self.rows_of_values, numbers)

    def element(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Where the access goes in the iteration of these NUMBERS, but for its offset."""
        return _evaluated(self.rows_of_elements, numbers)

    @cached_property
    def rows_of_values(self) -> Sequence[Row]:
        """The values of the loops' variables as constants, and coefficients of numbers by their positions."""
        return self._rows(self.values)

    @cached_property
    def rows_of_elements(self) -> Sequence[Row]:
        """The elements, but for the offset, in the same way: all constants are 0."""
        return self._rows(self.elements)

    @cached_property
    def rows_of_conditions(self) -> Sequence[Row]:
        """The conditions in the same way."""
        return self._rows(self.conditions)

    def _rows(self, expressions: Sequence[Expression]) -> Sequence[Row]:
        """EXPRESSIONS as constants and coefficients of numbers, by their positions."""
        position = {atom: k for k, atom in enumerate(self.numbers)}
        return [(e.constant, [(position[atom], c) for atom, c in e.terms]) for e in expressions]


@dataclass(frozen=True)
class BoxMeeting:
    """One iteration of the source and a later one of the sink that go to one element.

    The element is less the offset of the source.
    """

    source: tuple[int, ...]
    sink: tuple[int, ...]
    element: tuple[int, ...]


def first_meeting(
    source: BoxedAccess, sink: BoxedAccess, difference: Sequence[int], common: int, depth: int
) -> BoxMeeting | None:
    """The lexicographically first iterations in which they meet at DEPTH, with COMMON loops; None: never.

    The offset of SOURCE is that of SINK and the DIFFERENCE. Raises TooLong where it takes many steps.
    """
    equal = min(depth - 1, common)
    ranges, constraints = _together(source, sink, difference, equal)
    first = len(source.trips)
    if depth <= common:  # t' = t + 1 + later
        later = {first + depth - 1: 1, depth - 1: -1, len(ranges): -1}
        constraints.append(Linear(later, -1, is_equation=True))
        ranges.append((0, source.trips[depth - 1] - 2))
    found = first_solution(ranges, constraints)
    if found is None:
        return None
    numbers = found[:first]
    others = (*found[:equal], *found[first + equal : first + len(sink.trips)])
    return BoxMeeting(source.iteration(numbers), sink.iteration(others), source.element(numbers))


def never_meet(source: BoxedAccess, sink: BoxedAccess, difference: Sequence[int]) -> bool:
    """Whether it shows at once that they meet in no iterations, whichever runs first."""
    return is_refuted(*_together(source, sink, difference, 0))


def _together(
    source: BoxedAccess, sink: BoxedAccess, difference: Sequence[int], equal: int
) -> tuple[list[tuple[int, int]], list[Linear]]:
    """That both go to one element: ranges of the numbers of both, those of EQUAL loops the same; and more."""
    first = len(source.trips)
    constraints: list[Linear] = []
    for one, other, apart in zip(source.rows_of_elements, sink.rows_of_elements, difference, strict=True):
        terms = dict(one[1])
        for position, coefficient in other[1]:
            variable = position if position < equal else first + position
            total = terms.pop(variable, 0) - coefficient
            if total:
                terms[variable] = total
        constraints.append(Linear(terms, apart, is_equation=True))
    constraints += [Linear(dict(terms), constant) for constant, terms in source.rows_of_conditions]
    for constant, terms in sink.rows_of_conditions:
        if not all(position < equal for position, _ in terms):  # else it is one of the source, too
            moved = {position if position < equal else first + position: c for position, c in terms}
            constraints.append(Linear(moved, constant))
    return [(0, trips - 1) for trips in (*source.trips, *sink.trips)], constraints


def _evaluated(rows: Sequence[Row], numbers: Sequence[int]) -> tuple[int, ...]:
    found: list[int] = []
    for value, terms in rows:
        for position, coefficient in terms:
            value += coefficient * numbers[position]
        found.append(value)
    return tuple(found)
