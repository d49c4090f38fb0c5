"""Which writes are earlier than a read, and which of these are later than others: by numbers and loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import Expression, LoopIndex
from volcli.model.memory.accesses.site import Site
from volcli.presburger.sets.build import DIM, number

TimeEntries = tuple[Expression, ...]
"""A number or a loop at each position."""


@dataclass(frozen=True, eq=False)
class TimedWrite:
    """`{ [element] -> [j] }`, and when iteration j of the writer runs."""

    site: Site
    iterations: isl.Map
    time: TimeEntries

    def hides(self, other: TimedWrite) -> bool:
        """Whether in each iteration it comes later than the OTHER one, which is in the same loops."""
        if self.site.levels is not other.site.levels:
            return False
        for mine, its in zip(self.time, other.time, strict=True):
            if mine != its:
                return mine.is_constant and its.is_constant and mine.constant > its.constant
        return False

    def is_before(self, time: TimeEntries) -> bool:
        """Whether it shows that all of its iterations run before all those of an access at TIME."""
        return precedes(self.time, time)


def precedes(first: TimeEntries, second: TimeEntries) -> bool:
    """Whether it shows that all iterations of an access at time FIRST run before those of one at SECOND."""
    for mine, other in zip(first, second, strict=True):
        if not (mine.is_constant and other.is_constant):
            return False
        if mine != other:
            return mine.constant < other.constant
    return False


TimedGroup = tuple[int, list[TimedWrite]]
"""Writes, with the position that makes them earlier than an access."""


def from_last_to_first(writes: Iterable[TimedWrite], time: TimeEntries | None) -> Iterator[TimedGroup]:
    """WRITES in groups, each of which is later than all after it, with the position that makes it earlier
    than TIME; without TIME, of which it is not asked.
    """
    positions: dict[int, list[TimedWrite]] = {}
    for write in writes:
        if time is None:
            positions.setdefault(0, []).append(write)
            continue
        for position, (mine, other) in enumerate(zip(write.time, time, strict=True)):
            is_fixed = mine.is_constant and other.is_constant
            if not is_fixed or mine.constant < other.constant:
                positions.setdefault(position, []).append(write)
            if is_fixed and mine.constant != other.constant:
                break
    for position in sorted(positions, reverse=True):
        group = positions[position]
        if not all(write.time[position].is_constant for write in group):
            yield position, group
            continue
        places: dict[int, list[TimedWrite]] = {}
        for write in group:
            places.setdefault(write.time[position].constant, []).append(write)
        for place in sorted(places, reverse=True):
            yield position, places[place]


def less(pairs: isl.Map, first: TimeEntries, second: TimeEntries, position: int) -> isl.Map:
    """PAIRS `{ [[i] -> [e]] -> [j] }` for which the time FIRST of j is less than the time SECOND of i, and
    equal before POSITION.
    """
    for mine, other in zip(first[:position], second[:position], strict=True):
        match _loop(mine), _loop(other):
            case int(inner), int(outer):
                pairs = pairs.equate(DIM.out, inner, DIM.in_, outer)
            case int(inner), None:
                pairs = pairs.fix_val(DIM.out, inner, number(other.constant))
            case None, int(outer):
                pairs = pairs.fix_val(DIM.in_, outer, number(mine.constant))
            case _:
                pass
    mine, other = first[position], second[position]
    match _loop(mine), _loop(other):
        case int(inner), int(outer):
            return pairs.order_lt(DIM.out, inner, DIM.in_, outer)
        case int(inner), None:
            return pairs.upper_bound_val(DIM.out, inner, number(other.constant - 1))
        case None, int(outer):
            return pairs.lower_bound_val(DIM.in_, outer, number(mine.constant + 1))
        case _:
            return pairs


def _loop(entry: Expression) -> int | None:
    """The position of the loop that an entry of a time is; None for a number."""
    if entry.is_constant:
        return None
    ((atom, _),) = entry.terms
    assert isinstance(atom, LoopIndex)
    return atom.position
