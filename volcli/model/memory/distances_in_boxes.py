"""Distances of accesses whose iterations are boxes and whose elements move with one loop each: a box as well.

Where each coordinate of an element is `c * t + r` with the number t of one loop, in source and sink the same,
they go to one element only if t' - t = (r - r') / c; of a loop that moves no coordinate, any two iterations
are. So the distances in all loops around both have nothing to do with each other:

    for i = 0 to 8 { for j = 0 to 4 { store %m[i + 2]; load %m[i] } }      depth 1: d_i = 2, -3 <= d_j <= 3

What is no such pair is left to isl, for which it is the general case.
"""

from __future__ import annotations

from collections.abc import Sequence

from volcli.model.memory.meetings_in_boxes import BoxedAccess

Distance = tuple[int, int]
"""The numbers from the first to the second, both included."""


def distances_in_box(
    source: BoxedAccess, sink: BoxedAccess, difference: Sequence[int], common: int, depth: int
) -> tuple[Distance, ...] | None:
    """The distances in each of COMMON loops at DEPTH; None if they never meet, or are no such pair.

    The offset of SOURCE is that of SINK and the DIFFERENCE.
    """
    if source.conditions or sink.conditions or 0 in source.trips or 0 in sink.trips:
        return None
    steps = _steps(source, common)
    moved = _moved(source, sink, difference, common)
    if steps is None or moved is None:
        return None
    found: list[Distance] = []
    for k, step in enumerate(steps):
        most = source.trips[k] - 1
        low, high = (0, 0) if k < depth - 1 else (1 if k == depth - 1 else -most, most)
        for distance in moved.get(k, ()):
            low, high = max(low, distance), min(high, distance)
        if low > high or (step != 1 and low != high):
            return None
        found.append((step * low, step * high))
    return tuple(found)


def _steps(access: BoxedAccess, common: int) -> list[int] | None:
    """What the first COMMON loops count in; None if one begins at what another one says."""
    found: list[int] = []
    for k, (_, terms) in enumerate(access.rows_of_values[:common]):
        if len(terms) != 1 or terms[0][0] != k:
            return None
        found.append(terms[0][1])
    return found


def _moved(
    source: BoxedAccess, sink: BoxedAccess, difference: Sequence[int], common: int
) -> dict[int, tuple[int, ...]] | None:
    """How far a sink is from its source in the loops that move a coordinate; None if it is not so simple."""
    found: dict[int, tuple[int, ...]] = {}
    for (_, one), (_, other), apart in zip(
        source.rows_of_elements, sink.rows_of_elements, difference, strict=True
    ):
        if len(one) > 1 or one != other or (one and one[0][0] >= common) or (not one and apart):
            return None
        for position, coefficient in one:
            distance, remainder = divmod(apart, coefficient)
            if remainder:
                return None
            found[position] = (*found.get(position, ()), distance)
    return found
