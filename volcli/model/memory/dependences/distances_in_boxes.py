"""Distances of accesses whose iterations are boxes and whose elements move with one loop each: a box as well.

Where each coordinate of an element is `c * t + r` with the number t of one loop, in source and sink the same,
they go to one element only if t' - t = (r - r') / c; of a loop that moves no coordinate, any two iterations
are. So the distances in all loops around both have nothing to do with each other:

    for i = 0 to 8 { for j = 0 to 4 { store %m[i + 2]; load %m[i] } }      depth 1: d_i = 2, -3 <= d_j <= 3

A sum of several loops, as tiles have it, does if the ranges of these leave just one distance for each:
8 * d + e = 0 with -7 <= e <= 7 is d = e = 0. Coordinates that loops around one of the two alone move say
whether there is any pair at all, and conditions, where both are in the same iteration of the loops that these
speak of, whether there is any iteration.

The first source is at the least numbers from which there is a sink: i = 0 and j = 0, and its sink at i = 2
and j = 0. What is no such pair is left to equations (`meetings_in_boxes.py`), and to isl.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volcli.model.memory.accesses.meetings_in_boxes import BoxedAccess, BoxMeeting, Row
from volcli.model.memory.boxes.first_solution import Linear, TooLong, first_solution

Distance = tuple[int, int]
"""The numbers from the first to the second, both included; if the first is greater, there is none."""

_Pair = tuple[Row, Row, int]
"""A coordinate of the source and one of the sink, and how much more is added to the first."""


@dataclass(frozen=True)
class NumbersApart:
    """How far the numbers of common loops may be apart; if they are `all`, each that is in `ranges` is so.

    Then the source and the sink are first in the numbers that there are in `numbers`, of loops whose distance
    is 0 or that are not common; others are as small as distances allow. It is never if there are no ranges.
    """

    ranges: tuple[Distance, ...] | None
    is_all: bool
    source: Sequence[int] = ()
    sink: Sequence[int] = ()

    @property
    def is_never(self) -> bool:
        """Whether there are no such iterations."""
        return self.ranges is None


_NEVER = NumbersApart(None, is_all=False)


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
    is_all, inner = not (0 in source.trips or 0 in sink.trips), list[_Pair]()
    for row, other, apart in zip(source.rows_of_elements, sink.rows_of_elements, difference, strict=True):
        terms = row[1]
        if not any(position < common for position, _ in (*terms, *other[1])):
            inner.append((row, other, apart))
        elif terms != other[1] or any(position >= common for position, _ in terms):
            is_all = False
        elif not _narrowed(found, terms, apart):
            return _NEVER
        else:
            is_all = is_all and all(found[position][0] == found[position][1] for position, _ in terms)
    if any(low > high for low, high in found):
        return _NEVER
    return _with_first(source, sink, found, inner) if is_all else NumbersApart(tuple(found), is_all)


def _narrowed(found: list[Distance], terms: Sequence[tuple[int, int]], apart: int) -> bool:
    """Whether distances can make the sum of TERMS so far APART; those FOUND that cannot are left out."""
    if len(terms) == 1:
        ((position, coefficient),) = terms
        distance, remainder = divmod(apart, coefficient)
        low, high = found[position]
        found[position] = max(low, distance), min(high, distance)
        return not remainder and low <= distance <= high
    before: list[Distance] = []
    while before != (before := [found[position] for position, _ in terms]):
        ends = [(c * found[p][0], c * found[p][1])[:: 1 if c > 0 else -1] for p, c in terms]
        least, most = (sum(end) for end in zip(*ends, strict=True))
        for (position, coefficient), (first, last) in zip(terms, ends, strict=True):
            # coefficient * distance is what the others leave of APART
            lower, upper = apart - (most - last), apart - (least - first)
            if coefficient < 0:
                lower, upper = -upper, -lower
            size, (low, high) = abs(coefficient), found[position]
            found[position] = low, high = max(low, -(-lower // size)), min(high, upper // size)
            if low > high:
                return False
    return True


def _with_first(
    source: BoxedAccess, sink: BoxedAccess, found: Sequence[Distance], inner: Sequence[_Pair]
) -> NumbersApart:
    """The distances FOUND, with the first numbers of loops that conditions and INNER coordinates speak of."""
    common, ranges = len(found), tuple(found)
    conditions: list[Linear] = []
    of_inner: list[Linear] = []
    for access, moved in ((source, -common), (sink, len(source.trips) - 2 * common)):
        for constant, terms in access.rows_of_conditions:
            if all(position >= common for position, _ in terms):
                of_inner.append(Linear({position + moved: c for position, c in terms}, constant))
            elif all(position < common and found[position] == (0, 0) for position, _ in terms):
                conditions.append(Linear(dict(terms), constant))
            else:
                return NumbersApart(ranges, is_all=False)
    try:
        others = _first_inner(source, sink, common, inner, of_inner)
        numbers = _first([(0, trips - 1) for trips in source.trips[:common]], conditions)
    except TooLong:
        return NumbersApart(ranges, is_all=False)
    if numbers is None or others is None:
        return _NEVER
    first = [max(number, -high) for number, (_, high) in zip(numbers, found, strict=True)]
    last = [number + max(low, -number) for number, (low, _) in zip(first, found, strict=True)]
    inside = len(source.trips) - common
    return NumbersApart(ranges, True, [*first, *others[:inside]], [*last, *others[inside:]])


def _first_inner(
    source: BoxedAccess, sink: BoxedAccess, common: int, inner: Sequence[_Pair], conditions: list[Linear]
) -> list[int] | None:
    """The first numbers of loops that are not COMMON, for which INNER coordinates are equal; None: never.

    Those around the source come first; CONDITIONS hold of them.
    """
    moved, constraints = len(source.trips) - 2 * common, conditions
    for (_, one), (_, other), apart in inner:
        if one or other:
            terms = {position - common: coefficient for position, coefficient in one}
            terms.update((position + moved, -coefficient) for position, coefficient in other)
            constraints.append(Linear(terms, apart, is_equation=True))
        elif apart:
            return None
    trips = (*source.trips[common:], *sink.trips[common:])
    return _first([(0, each - 1) for each in trips], constraints)


def _first(ranges: Sequence[Distance], constraints: Sequence[Linear]) -> list[int] | None:
    return first_solution(ranges, constraints) if constraints else [low for low, _ in ranges]


def distances_of(access: BoxedAccess, apart: NumbersApart) -> tuple[Distance, ...] | None:
    """How far the variables of loops around ACCESS are apart; None if they are no box of all numbers."""
    if not apart.is_all or apart.ranges is None:
        return None
    found, ranges, used = list[Distance](), apart.ranges, set[int]()
    for _, terms in access.rows_of_values[: len(ranges)]:
        first = last = 0
        for position, coefficient in terms:
            if position >= len(ranges) or position in used:
                return None
            low, high = ranges[position]
            if low < high:
                if coefficient != 1 or first < last:
                    return None
                used.add(position)
            first, last = first + coefficient * low, last + coefficient * high
        found.append((first, last))
    return tuple(found)


def first_apart(source: BoxedAccess, sink: BoxedAccess, apart: NumbersApart) -> BoxMeeting:
    """The first iterations of SOURCE and SINK of all that are so far APART."""
    return BoxMeeting(
        source.iteration(apart.source), sink.iteration(apart.sink), source.element(apart.source)
    )
