"""Candidates for the last writer of a read: `{ [[read] -> [element]] -> [write] }`, one for each write.

A candidate is dropped if another one overwrites the same elements later in the same iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.model.memory.accesses.site import Site
from volcli.model.memory.flow.earlier import TimedWrite


@dataclass(frozen=True, eq=False)
class Candidate:
    """`{ [[i] -> [e]] -> [j] }` for one writer that may be the last one, and its domain, the reads."""

    write: TimedWrite
    pairs: isl.Map

    @property
    def site(self) -> Site:
        return self.write.site

    reads: isl.Set


def not_hidden(candidates: Sequence[Candidate]) -> list[Candidate]:
    """CANDIDATES without those that write the same as another one does later in the same iteration.

    Of the writes `m[i] = ..; m[i] = ..` of a loop that was unrolled the last one alone.
    """
    if len(candidates) < 2:
        return [*candidates]
    kept: dict[int, list[Candidate]] = {}
    for each in candidates:
        alike = kept.setdefault(hash(each.pairs), [])
        for position, other in enumerate(alike):
            is_later = each.write.hides(other.write)
            if (is_later or other.write.hides(each.write)) and each.pairs.plain_is_equal(other.pairs):
                alike[position] = each if is_later else other
                break
        else:
            alike.append(each)
    found = {id(each) for alike in kept.values() for each in alike}
    return [each for each in candidates if id(each) in found]


def are_disjoint(candidates: Sequence[Candidate]) -> bool:
    """Whether each read has its writers among one of CANDIDATES alone."""
    seen = candidates[0].reads
    for candidate in candidates[1:]:
        if not candidate.reads.is_disjoint(seen):
            return False
        seen = seen.union(candidate.reads)
    return True
