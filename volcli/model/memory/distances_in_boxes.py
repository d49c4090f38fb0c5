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

from volcli.model.memory.meetings_in_boxes import BoxedAccess, BoxMeeting

Distance = tuple[int, int]
"""The numbers from the first to the second, both included; if the first is greater, there is none."""


def numbers_apart(
    source: BoxedAccess, sink: BoxedAccess, difference: Sequence[int], common: int, depth: int
) -> list[Distance] | None:
    """How far the numbers of COMMON loops are apart where both meet at DEPTH; None if it is no such pair.

    The offset of SOURCE is that of SINK and the DIFFERENCE.
    """
    if source.conditions or sink.conditions or 0 in source.trips or 0 in sink.trips:
        return None
    found = [(-trips + 1, trips - 1) for trips in source.trips[:common]]
    found[: depth - 1] = [(0, 0)] * min(depth - 1, common)
    if depth <= common:
        found[depth - 1] = 1, source.trips[depth - 1] - 1
    for (_, one), (_, other), apart in zip(
        source.rows_of_elements, sink.rows_of_elements, difference, strict=True
    ):
        if len(one) > 1 or one != other or (one and one[0][0] >= common) or (not one and apart):
            return None
        for position, coefficient in one:
            distance, remainder = divmod(apart, coefficient)
            low, high = found[position]
            found[position] = (1, 0) if remainder else (max(low, distance), min(high, distance))
    return found


def distances_of(access: BoxedAccess, apart: Sequence[Distance]) -> tuple[Distance, ...] | None:
    """How far the variables of loops around ACCESS are apart; None if they are no box of all numbers."""
    found: list[Distance] = []
    for k, (low, high) in enumerate(apart):
        _, terms = access.rows_of_values[k]
        if len(terms) != 1 or terms[0][0] != k or (terms[0][1] != 1 and low < high):
            return None
        found.append((terms[0][1] * low, terms[0][1] * high))
    return tuple(found)


def first_apart(source: BoxedAccess, sink: BoxedAccess, apart: Sequence[Distance]) -> BoxMeeting | None:
    """The first iterations of SOURCE and SINK whose numbers are so far APART; None: there are none."""
    if any(low > high for low, high in apart):
        return None
    numbers = [max(0, -high) for _, high in apart]
    others = [number + max(low, -number) for number, (low, _) in zip(numbers, apart, strict=True)]
    numbers += [0] * (len(source.trips) - len(apart))
    others += [0] * (len(sink.trips) - len(apart))
    return BoxMeeting(source.iteration(numbers), sink.iteration(others), source.element(numbers))
