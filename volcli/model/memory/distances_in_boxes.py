"""Distances of accesses whose iterations are boxes and whose elements move with one loop each: a box as well.

Where each coordinate of an element is `c * t + r` with the number t of one loop, in source and sink the same,
they go to one element only if t' - t = (r - r') / c; of a loop that moves no coordinate, any two iterations
are. So the distances in all loops around both have nothing to do with each other:

    for i = 0 to 8 { for j = 0 to 4 { store %m[i + 2]; load %m[i] } }      depth 1: d_i = 2, -3 <= d_j <= 3

The first source is at the least numbers from which there is a sink: i = 0 and j = 0, and its sink at i = 2
and j = 0. What is no such pair is left to equations (`meetings_in_boxes.py`), and to isl.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volcli.model.memory.meetings_in_boxes import BoxedAccess, BoxMeeting

Distance = tuple[int, int]
"""The numbers from the first to the second, both included; if the first is greater, there is none."""


@dataclass(frozen=True)
class NumbersApart:
    """How far the numbers of common loops may be apart; if they are `all`, each that is in `ranges` is so."""

    ranges: tuple[Distance, ...]
    is_all: bool

    @property
    def is_never(self) -> bool:
        """Whether there are no such iterations."""
        return any(low > high for low, high in self.ranges)


def numbers_apart(
    source: BoxedAccess, sink: BoxedAccess, difference: Sequence[int], common: int, depth: int
) -> NumbersApart:
    """How far the numbers of COMMON loops may be apart where both meet at DEPTH.

    The offset of SOURCE is that of SINK and the DIFFERENCE.
    """
    found = [(-trips + 1, trips - 1) for trips in source.trips[:common]]
    found[: depth - 1] = [(0, 0)] * min(depth - 1, common)
    if depth <= common:
        found[depth - 1] = 1, source.trips[depth - 1] - 1
    is_all = not (source.conditions or sink.conditions or 0 in source.trips or 0 in sink.trips)
    for (_, one), (_, other), apart in zip(
        source.rows_of_elements, sink.rows_of_elements, difference, strict=True
    ):
        if len(one) != 1 or one != other or one[0][0] >= common:
            is_all = is_all and not one and not other and not apart
            continue
        ((position, coefficient),) = one
        distance, remainder = divmod(apart, coefficient)
        low, high = found[position]
        found[position] = (1, 0) if remainder else (max(low, distance), min(high, distance))
    return NumbersApart(tuple(found), is_all)


def distances_of(access: BoxedAccess, apart: NumbersApart) -> tuple[Distance, ...] | None:
    """How far the variables of loops around ACCESS are apart; None if they are no box of all numbers."""
    if not apart.is_all or apart.is_never:
        return None
    found: list[Distance] = []
    for k, (low, high) in enumerate(apart.ranges):
        _, terms = access.rows_of_values[k]
        if len(terms) != 1 or terms[0][0] != k or (terms[0][1] != 1 and low < high):
            return None
        found.append((terms[0][1] * low, terms[0][1] * high))
    return tuple(found)


def first_apart(source: BoxedAccess, sink: BoxedAccess, ranges: Sequence[Distance]) -> BoxMeeting:
    """The first iterations of SOURCE and SINK whose numbers are as far apart as RANGES say."""
    numbers = [max(0, -high) for _, high in ranges]
    others = [number + max(low, -number) for number, (low, _) in zip(numbers, ranges, strict=True)]
    numbers += [0] * (len(source.trips) - len(ranges))
    others += [0] * (len(sink.trips) - len(ranges))
    return BoxMeeting(source.iteration(numbers), sink.iteration(others), source.element(numbers))
