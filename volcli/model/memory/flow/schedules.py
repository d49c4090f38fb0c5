"""When each access runs: a schedule, so that accesses run in the lexicographic order of their times.

The access with number s, in n loops, of an operation with loops l of its own, runs at

    c_0, i_1, c_1, ..., i_n, c_n, l, s

c_k is the number of the first access in the same operation of the body of the k-th loop: accesses are
numbered as they follow in the text, what an operation reads before what it writes. Blocks that branch to
each other are one loop, whose iterations are the blocks that run. Iterations of a parallel loop are taken
in sequence: where that makes a difference, there is no order (`unordered.py`).

    affine.for %i { store; affine.for %j { load } }        store: 0, i, 0, 0, 0, 0    load: 0, i, 1, j, 1, 1
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property

import islpy as isl
from xdsl.ir import Block, Operation

from volcli.language.expressions import Expression, Index, constant, loop, loops
from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.instances import Instances
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.dependences.model import Memory
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build


class Times:
    """When accesses run: `entries` are a loop or a number at each position."""

    def __init__(self, entries: Mapping[Site, tuple[Expression, ...]]) -> None:
        self.entries = entries
        self.relation: Callable[[Site], isl.Map] = cache(self._relation)

    def _relation(self, site: Site) -> isl.Map:
        """`{ [i, l] -> [time] }`"""
        return build.relation(len(site.levels) + len(site.place.extents), self.entries[site])


class Schedules:
    """The times of the accesses of one function."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.nests = memory.nests

    @cached_property
    def _first(self) -> Mapping[Operation, int]:
        """The number of the first access in each operation."""
        found: dict[Operation, int] = {}
        for site in self._memory.sites:
            current: Operation | None = site.op
            while current is not None and current not in found:
                found[current] = site.number
                current = current.parent_op()
        return found

    def time(self, site: Site) -> tuple[Expression, ...]:
        """When SITE runs, over the iterations of the loops around it and of the operation's own."""
        around = len(self._memory.nests.levels(site.op.parent))
        own = (loop(around + k) for k in range(len(site.place.extents)))
        return (*self._inside(site.op.parent), constant(self._first[site.op]), *own, constant(site.number))

    @cached_method
    def _inside(self, block: Block | None) -> tuple[Expression, ...]:
        """How the times of all accesses in BLOCK begin."""
        known, op = (), None if block is None else block.parent_op()
        if op is not None:
            levels = self._memory.nests.levels
            is_whole = op is self._memory.function
            around = 0 if is_whole else len(levels(op.parent))
            before = () if is_whole else (*self._inside(op.parent), constant(self._first[op]))
            # The function's own blocks are a loop, too, if they branch to each other.
            known = (*before, *map(loop, range(around, len(levels(block)))))
        return known

    def of(self, sites: Sequence[Site]) -> Times:
        """The times of SITES in one space; what is the same for all is left out.

        The numbers of accesses are those among SITES: 0, 1, ... at each position where all have a number.
        """
        times = [self.time(site) for site in sites]
        length = max(map(len, times), default=0)
        padded = [(*t[:-1], *(constant(0) for _ in range(length - len(t))), t[-1]) for t in times]
        kept = [k for k in range(length) if len({t[k] for t in padded}) > 1 or not padded[0][k].is_constant]
        kept = sorted({*kept, length - 1}) if length else []
        for k in kept:
            if all(time[k].is_constant for time in padded):
                ranks = {c: constant(n) for n, c in enumerate(sorted({time[k].constant for time in padded}))}
                padded = [(*time[:k], ranks[time[k].constant], *time[k + 1 :]) for time in padded]
        return Times({s: tuple(time[k] for k in kept) for s, time in zip(sites, padded, strict=True)})


def expanded(instances: Instances, site: Site, digits: Sequence[Index] = ()) -> Relation:
    """`{ [i, l] -> [element] }` over the operation's own loops l too.

    Where DIGITS are given, they stand for the element.
    """
    place, own = site.place, loops(len(site.place.extents))
    if not own and not digits:
        return instances.relation(site)
    place = replace(place, index=(*(digits or place.index), *own))
    return instances.of_place(site, place).with_last_as_points(len(own))
