"""Accesses that go to different elements, whichever of their iterations are looked at: by numbers alone.

Each coordinate of an element is an affine function of numbers t in ranges
(`volcli.model.memory.boxes.boxes`). The difference of those of a write and a read has a least and a greatest
value, and steps that its coefficients' greatest common divisor divides:

    for %i { store %m[4 * %i + 1]; load %m[4 * %i] }     4 * t0 + 1 - 4 * t0' is 1 modulo 4: it is never 0

Where both are in iterations with the same numbers of some loops, these are one number in the difference: that
of the store and the load is 1 in the same iteration of the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from volcli.language.expressions import Expression, loop
from volcli.model.memory.accesses.boxed_accesses import NumberedAccess
from volcli.model.memory.accesses.relations import Site


class AccessesApart:
    """Which accesses IN BOXES share no element in iterations that agree in some entries of their TIMES."""

    def __init__(
        self, in_boxes: Mapping[Site, NumberedAccess], times: Mapping[Site, Sequence[Expression]]
    ) -> None:
        self._in_boxes = in_boxes
        self._times = times
        self._once: dict[tuple[int, int], bool] = {}
        self._known: dict[tuple[int, int, tuple[int, ...], tuple[int, ...], int], bool] = {}

    def never_meet(self, write: Site, read: Site, position: int) -> bool:
        """Whether it shows that they go to different elements where their times are equal before POSITION."""
        one, other = self._in_boxes.get(write), self._in_boxes.get(read)
        if one is None or other is None:
            return False
        key = one.number, other.number, one.offset, other.offset, self._equal_loops(write, read, position)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = are_disjoint(one, other, key[-1])
        return known

    def is_once(self, write: Site, read: Site, position: int) -> bool:
        """Whether it shows that WRITE goes to an element in one iteration, of those whose times are equal to
        one of READ before POSITION.
        """
        one = self._in_boxes.get(write)
        if one is None:
            return False
        key = one.number, self._equal_loops(write, read, position)
        known = self._once.get(key)
        if known is None:
            known = self._once[key] = is_injective(one, key[-1])
        return known

    def _equal_loops(self, write: Site, read: Site, position: int) -> int:
        """In how many loops around both they are in the same iteration."""
        count = 0
        for mine, other in zip(self._times[write][:position], self._times[read], strict=False):
            if mine.is_constant or other.is_constant:
                continue
            if not mine == other == loop(count) or write.levels[count] is not read.levels[count]:
                break
            count += 1
        return count


def are_disjoint(one: NumberedAccess, other: NumberedAccess, equal: int) -> bool:
    """Whether a coordinate shows that they share no element if the EQUAL first numbers are the same."""
    trips, others = one.access.trips, other.access.trips
    rows = zip(
        one.access.rows_of_elements, one.offset, other.access.rows_of_elements, other.offset, strict=True
    )
    for (_, terms), start, (_, its_terms), its_start in rows:
        left, low, step = dict(terms), start - its_start, 0
        high = low
        for number, coefficient in its_terms:
            if number < equal:
                left[number] = left.get(number, 0) - coefficient
            elif others[number] > 1:
                last = -coefficient * (others[number] - 1)
                low, high, step = low + min(0, last), high + max(0, last), gcd(step, coefficient)
        for number, coefficient in left.items():
            if coefficient and trips[number] > 1:
                last = coefficient * (trips[number] - 1)
                low, high, step = low + min(0, last), high + max(0, last), gcd(step, coefficient)
        if low > 0 or high < 0 or (step and (start - its_start) % step):
            return True
    return False


def is_injective(access: NumberedAccess, given: int) -> bool:
    """Whether coordinates say one by one in which iteration it is, where the first numbers are GIVEN.

    Each of them gives a number if no other one is in it that is not given yet:

        (4 * t1, t0 + t1)       first t1, then t0
    """
    trips = access.access.trips
    left = {number for number in range(given, len(trips)) if trips[number] > 1}
    rows = [{number for number, _ in terms} for _, terms in access.access.rows_of_elements]
    while left:
        found = next((row & left for row in rows if len(row & left) == 1), None)
        if found is None:
            return False
        left -= found
    return True
