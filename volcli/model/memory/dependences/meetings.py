"""Where accesses meet that are in boxes, asked once for all that differ by the same offset."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import add, sub

from volcli.model.memory.accesses.boxed_accesses import NumberedAccess
from volcli.model.memory.accesses.instances import Instances, Site
from volcli.model.memory.accesses.meetings_in_boxes import BoxMeeting, first_meeting, never_meet
from volcli.model.memory.boxes.first_solution import TooLong
from volcli.model.memory.dependences.answers import Witness
from volcli.model.memory.dependences.distances_in_boxes import (
    Distance,
    NumbersApart,
    distances_of,
    first_apart,
    numbers_apart,
)


class Meetings:
    """The meetings of one function's accesses whose iterations are boxes."""

    def __init__(self, instances: Instances) -> None:
        self._instances = instances
        self._sites: dict[int, NumberedAccess | None] = {}
        self._known_apart: dict[Hashable, NumbersApart] = {}
        self._never: dict[Hashable, bool] = {}
        self._first: dict[Hashable, BoxMeeting | TooLong | None] = {}

    def never(self, source: Site, sink: Site, common: int, depth: int) -> bool:
        """Whether it is shown that SOURCE and SINK never go to one element at DEPTH, with COMMON loops."""
        one, other = self._numbered(source), self._numbered(sink)
        if one is None or other is None or len(one.offset) != len(other.offset):
            return False
        if self._apart(one, other, common, depth).is_never:
            return True
        if one.access.conditions or other.access.conditions:
            return False  # left to isl, of which most is asked once for all depths
        difference = tuple(map(sub, one.offset, other.offset))
        key = one.number, other.number, difference
        if key not in self._never:
            self._never[key] = never_meet(one.access, other.access, difference)
        return self._never[key] or self._of(one, other, common, depth) is None

    def witness(self, source: Site, sink: Site, common: int, depth: int) -> Witness | None:
        """The first iterations in which they do; None if that is not known."""
        one, other = self._numbered(source), self._numbered(sink)
        if one is None or other is None:
            return None
        met = self._of(one, other, common, depth)
        if met is None or isinstance(met, TooLong):
            return None
        return Witness(met.source, met.sink, tuple(map(add, met.element, one.offset)), {})

    def distances(self, source: Site, sink: Site, common: int, depth: int) -> tuple[Distance, ...] | None:
        """Their distances at DEPTH, if these are a box; None if there are none, or it is no such pair."""
        one, other = self._numbered(source), self._numbered(sink)
        if one is None or other is None or len(one.offset) != len(other.offset):
            return None
        return distances_of(one.access, self._apart(one, other, common, depth))

    def form(self, site: Site, offset: Sequence[int]) -> Hashable:
        """The same for accesses in boxes that are equal but for their OFFSET; None if SITE is in no box."""
        found = self._numbered(site)
        return None if found is None else (found.number, *map(sub, found.offset, offset))

    def _of(
        self, one: NumberedAccess, other: NumberedAccess, common: int, depth: int
    ) -> BoxMeeting | TooLong | None:
        difference = tuple(map(sub, one.offset, other.offset))
        key = one.number, other.number, difference, common, depth
        if key not in self._first:
            try:
                self._first[key] = self._found(one, other, common, depth)
            except TooLong as error:
                self._first[key] = error
        return self._first[key]

    def _found(
        self, one: NumberedAccess, other: NumberedAccess, common: int, depth: int
    ) -> BoxMeeting | None:
        apart = self._apart(one, other, common, depth)
        if apart.is_never:
            return None
        if apart.is_all:
            return first_apart(one.access, other.access, apart)
        difference = tuple(map(sub, one.offset, other.offset))
        return first_meeting(one.access, other.access, difference, common, depth)

    def _apart(self, one: NumberedAccess, other: NumberedAccess, common: int, depth: int) -> NumbersApart:
        difference = tuple(map(sub, one.offset, other.offset))
        key = one.number, other.number, difference, common, depth
        known = self._known_apart.get(key)
        if known is None:
            known = numbers_apart(one.access, other.access, difference, common, depth)
            self._known_apart[key] = known
        return known

    def _numbered(self, site: Site) -> NumberedAccess | None:
        try:
            return self._sites[site.number]
        except KeyError:
            found = self._sites[site.number] = self._instances.in_box(site)
            return found
