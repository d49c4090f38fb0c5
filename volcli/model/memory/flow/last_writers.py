"""The last writers of what is read: `{ [[i] -> [e]] -> [t] }` for reads in iteration i of elements e.

With the times t of writes to e before the read, those are last behind which there is no other one that surely
writes. This is the definition, computed by subtraction. (isl has a flow analysis of its own, which rests on
lexicographic maxima and their complements. In the version of July 2025 the complement misses points where an
index has a stride: `m[1] = ..; for i < 2: m[2 * i mod 6] = ..` left m[1] without a writer.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import islpy as isl

from volcli.model.memory.instances import Site
from volcli.presburger.build import DIM


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
        if times is not None:
            when = reads.domain_map().apply_range(times)
            earlier, possibly = when.apply_range(self.later), when.apply_range(self.perhaps_later)
            if self.perhaps_later is not self.later:
                perhaps = perhaps.union(sure.intersect(possibly).subtract(earlier))
            sure, perhaps = sure.intersect(earlier), perhaps.intersect(possibly)
        hidden = sure.apply_range(self.later)
        last = sure.subtract(hidden)
        between = perhaps.apply_range(self.perhaps_later)
        if self.perhaps_later is not self.later:
            between = between.union(sure.apply_range(self.perhaps_later).subtract(hidden))
        whole = reads.wrap()
        unwritten = whole.subtract(sure.domain())
        return LastWrites(
            last.subtract(between),
            last.union(perhaps.subtract(hidden)),
            unwritten.subtract(perhaps.domain()).unwrap(),
            unwritten.unwrap(),
        )


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
