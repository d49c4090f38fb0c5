"""The last writers of what is read: `{ [[i] -> [e]] -> [t] }` for reads in iteration i of elements e.

With the times t of writes to e before the read, those are last behind which there is no other one that surely
writes: the lexicographically greatest ones. isl's maxima are wrong for some relations with divisions (the
version of July 2025, whose flow analysis rests on them and on complements, left m[1] without a writer in
`m[1] = ..; for i < 2: m[2 * i mod 6] = ..`), so that they are checked against the definition where there are
divisions. The definition is computed by subtraction where the check fails, where the order of some writes is
unknown, and where there are few: the cost is the square of the number of writes, and the answers are short.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import islpy as isl

from volcli.model.memory.instances import Site
from volcli.presburger.budget import is_spent
from volcli.presburger.build import DIM

_FEW = 20
"""Up to so many pairs of a write and a way in which another one is later, what is hidden is subtracted."""


@dataclass(frozen=True, eq=False)
class Writes:
    """`{ [element] -> [time] }` of writes that surely happen, and of those that may; in a space of times."""

    certain: isl.Map
    possible: isl.Map
    later: isl.Map
    """`{ [t] -> [u] : u is surely earlier than t }`"""
    perhaps_later: isl.Map
    """`{ [t] -> [u] : u may be earlier than t }`"""

    @staticmethod
    def of(
        accesses: Iterable[tuple[Site, isl.Map, bool]],
        times: Mapping[Site, isl.Map],
        space: isl.Space,
        unordered: isl.Map | None = None,
    ) -> Writes:
        """The writes with these relations `{ [i, l] -> [element] }`, each of which is exact or not.

        UNORDERED are pairs of times whose order is not known.
        """
        found = [isl.Map.empty(space), isl.Map.empty(space)]
        for site, points, exact in accesses:
            when = points.reverse().apply_range(times[site])
            found[0 if exact else 1] = found[0 if exact else 1].union(when)
        later = isl.Map.lex_gt(space.range())
        if unordered is None:
            return Writes(found[0], found[1], later, later)
        return Writes(found[0], found[1], later.subtract(unordered), later.union(unordered))

    def before(self, reads: isl.Map, times: isl.Map | None) -> LastWrites:
        """The last writes before READS, `{ [i] -> [e] }`, at their TIMES; without them, of all."""
        elements = reads.range_map()
        sure, perhaps = elements.apply_range(self.certain), elements.apply_range(self.possible)
        is_ordered = self.perhaps_later is self.later
        if times is not None:
            when = reads.domain_map().apply_range(times)
            earlier = when.apply_range(self.later)
            possibly = earlier if is_ordered else when.apply_range(self.perhaps_later)
            if not is_ordered:
                perhaps = perhaps.union(sure.intersect(possibly).subtract(earlier))
            sure, perhaps = sure.intersect(earlier), perhaps.intersect(possibly)
        is_large = is_ordered and sure.n_basic_map() * self.later.n_basic_map() > _FEW
        last = greatest(sure) if is_large else None
        whole = reads.wrap()
        unwritten = whole.subtract(sure.domain() if last is None else last.domain())
        if last is not None and perhaps.is_empty():
            return LastWrites(last, last, unwritten.unwrap(), unwritten.unwrap())
        hidden = (sure if last is None else last).apply_range(self.later)
        if last is None:
            last = sure.subtract(hidden)
        between = perhaps.apply_range(self.perhaps_later)
        if not is_ordered:
            between = between.union(sure.apply_range(self.perhaps_later).subtract(hidden))
        return LastWrites(
            last.subtract(between),
            last.union(perhaps.subtract(hidden)),
            unwritten.subtract(perhaps.domain()).unwrap(),
            unwritten.unwrap(),
        )


def greatest(points: isl.Map) -> isl.Map | None:
    """`{ [x] -> [t] : t is the lexicographically greatest with (x, t) in points }`.

    None if isl errs, or refuses because there is no greatest t for some x.

    >>> greatest(isl.Map("{ [x] -> [t] : 0 <= t <= x }"))
    Map("{ [x] -> [t = x] : x >= 0 }")
    """
    try:
        found = points.lexmax()
    except isl.Error:
        if is_spent():
            raise
        return None
    if not any(part.dim(DIM.div) for part in points.get_basic_maps()):
        return found
    behind = isl.Map.lex_lt(points.get_space().range())
    is_right = (
        found.is_subset(points)
        and points.domain().is_subset(found.domain())
        and found.apply_range(behind).intersect(points).is_empty()
    )
    return found if is_right else None


@dataclass(frozen=True, eq=False)
class LastWrites:
    """`{ [[i] -> [e]] -> [t] }`: the last write surely, or possibly; and what is read that nothing wrote."""

    certain: isl.Map
    possible: isl.Map
    never_written: isl.Map
    unwritten: isl.Map


def iterations_of(writes: isl.Map, times: isl.Map) -> isl.Map:
    """`{ [j] -> [[i] -> [e]] }` for the iterations j of the writer that runs at TIMES."""
    return writes.apply_range(times.reverse()).reverse()


def outermost(points: isl.Map, kind: isl.dim_type, depth: int) -> isl.Map:
    """POINTS, of whose dimensions the first DEPTH are kept: those of the loops around an operation."""
    return points.project_out(kind, depth, points.dim(kind) - depth)


def first_dimensions(points: isl.Set, depth: int) -> isl.Set:
    """The projection onto the first DEPTH dimensions."""
    return points.project_out(DIM.set, depth, points.dim(DIM.set) - depth)


def tidy(points: isl.Set, within: isl.Set) -> isl.Set:
    """POINTS, a part of WITHIN, in few pieces."""
    plain = points.coalesce()
    if plain.n_basic_set() < 2:
        return plain
    other = plain.gist(within).coalesce().intersect(within).coalesce()
    return min((plain, other), key=isl.Set.n_basic_set)
