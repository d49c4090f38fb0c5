"""Which access goes to an element next: after one iteration of one access, in plain integers.

Behind time T comes first what is equal to it in the most entries: so those are looked at that are equal
before entry p and greater there, for p from the last entry to the first one. Among these each access has a
time before which it does not run; the first solution of its equations is its first iteration, and accesses
that cannot run before the best one so far are not looked at.

    for t0 { store %m[t0]; load %m[t0 - 1] }     after the store in t0 = 3: the load in t0 = 4
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from volcli.model.memory.flow.timed import Time, TimedAccess


class NextAccesses:
    """The ACCESSES to one buffer; there are no others."""

    def __init__(self, accesses: Sequence[TimedAccess]) -> None:
        self._accesses = accesses

    def after(self, access: TimedAccess, numbers: Sequence[int]) -> TimedAccess | None:
        """Which goes next to the element of ACCESS in the iteration of these NUMBERS; None: none does.

        Raises TooLong where that does not show soon.
        """
        time, element = access.time_at(numbers), access.element_at(numbers)
        for position in reversed(range(len(time))):
            found = self._first(access.time[:position], time, element)
            if found is not None:
                return found
        return None

    def _first(self, before: Time, time: Time, element: Sequence[int]) -> TimedAccess | None:
        """The first of those whose time begins like TIME, with the entries BEFORE, and is greater after."""
        position = len(before)
        best: tuple[Time, TimedAccess] | None = None
        for other in self._groups[position].get(before, ()):
            entry = other.time[position]
            if 0 <= entry <= time[position]:
                continue
            if best is not None and entry >= 0 and (entry, *other.first_time[position + 1 :]) > best[0]:
                break
            when = _first_time(other, position, time, element)
            if when is not None and (best is None or when < best[0]):
                best = when, other
        return None if best is None else best[1]

    @cached_property
    def _groups(self) -> Sequence[Mapping[Time, Sequence[TimedAccess]]]:
        """For each position the accesses with the same entries before it, by the times that they begin at."""
        ordered = sorted(self._accesses, key=lambda each: each.first_time)
        found: list[dict[Time, list[TimedAccess]]] = []
        for position in range(len(ordered[0].time) if ordered else 0):
            groups: dict[Time, list[TimedAccess]] = {}
            for each in ordered:
                groups.setdefault(each.time[:position], []).append(each)
            found.append(groups)
        return found


def _first_time(access: TimedAccess, position: int, time: Time, element: Sequence[int]) -> Time | None:
    """The first time, from POSITION on, at which ACCESS goes to ELEMENT and that is greater than TIME there,
    and equal to it before.
    """
    ranges = list(access.ranges)
    for k, entry in enumerate(access.time[: position + 1]):
        if entry < 0:
            loop = -1 - entry
            least, last = ranges[loop]
            least, last = (time[k], min(time[k], last)) if k < position else (time[k] + 1, last)
            if least > last:
                return None
            ranges[loop] = least, last
    found = access.first_at(element, ranges)
    return None if found is None else access.time_at(found)[position:]
