"""Which accesses have no order between them: pairs of times neither of which is surely the earlier one.

    U = { t(i) -> t(j) : A in iteration i and B in iteration j run in an order that is not known }

U is symmetric. It holds, for the iterations that an operation G runs in (equal in all loops around G):

- what G states and what is in its region, which interleave point by point: `linalg.generic` writes point 0
  before its region loads for point 1; and what is in the region at two different points;
- two different points of a parallel loop of G itself, one of which is written: `memref.copy` between views
  that overlap;
- what runs in different iterations of a parallel loop G, atomic updates and racing accesses.

Only accesses that may go to one element are of interest, one of them a write: the copy of a view to itself
has no such pair, and a loop without a race has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations_with_replacement

import islpy as isl
from xdsl.ir import Operation

from volcli.language import questions
from volcli.language.expressions import loop
from volcli.language.programs.known_loops import is_while
from volcli.limits import memory as limits
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level, LoopLevels
from volcli.model.memory.flow.schedules import Times
from volcli.model.stated_effects import not_ordered, unknown_effects
from volcli.presburger.limits.budget import TooLarge
from volcli.presburger.relations.contents import Contents
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class Unordered:
    """U, and why the order of these pairs is unknown."""

    pairs: isl.Map
    because: str


@dataclass(frozen=True, eq=False)
class _Group:
    """The accesses of one operation that go to the same elements: what it reads there, and what it writes."""

    sites: Sequence[Site]
    points: isl.Map

    @property
    def op(self) -> Operation:
        return self.sites[0].op

    @property
    def is_written(self) -> bool:
        return any(site.is_write for site in self.sites)

    def times(self, times: Times) -> isl.Map:
        """`{ [i, l] -> [time] }` of all of them."""
        return reduce(isl.Map.union, map(times.relation, self.sites)).coalesce()


def unordered(accesses: Mapping[Site, Relation], times: Times, nests: LoopLevels) -> Unordered | None:
    """U of ACCESSES `{ [i, l] -> [element] }` that run at TIMES; None if there are no such pairs.

    To be asked where `may_be_unordered`. Raises TooLarge for more cases than are subtracted. U has pairs of
    two reads, too, which nothing asks for: it is computed for all accesses together that one operation has to
    the same elements.
    """
    found: list[isl.Map] = []
    because: str | None = None
    groups = _grouped(accesses)
    timed = [(group, group.times(times)) for group in groups]
    for (first, start), (second, end) in combinations_with_replacement(timed, 2):
        if not (first.is_written or second.is_written):
            continue
        known = list(_pairs(first, second, nests))
        if not known:
            continue
        pairs = reduce(isl.Map.union, (each for _, each in known)).coalesce()
        conflicts = first.points.apply_range(second.points.reverse())
        if conflicts.intersect(pairs).is_empty():
            continue
        if because is None:
            because = next(
                _because(op)
                for op, each in known
                if len(known) == 1 or not conflicts.intersect(each).is_empty()
            )
        when = pairs.apply_domain(start).apply_range(end)
        found += [when] if first is second else [when, when.reverse()]
    if because is None:
        return None
    pairs = reduce(isl.Map.union, found)
    if pairs.n_basic_map() > limits.UNORDERED_CASES:
        raise TooLarge(f"more than {limits.UNORDERED_CASES} cases in which accesses have no order")
    return Unordered(pairs, because)


def _grouped(accesses: Mapping[Site, Relation]) -> list[_Group]:
    contents = Contents()
    groups: dict[tuple[Operation, bool, int], list[tuple[Site, isl.Map]]] = {}
    for site, relation in accesses.items():
        key = site.op, site.access.atomic, contents.of(relation.points, None)[1]
        groups.setdefault(key, []).append((site, relation.points))
    return [_Group([site for site, _ in each], each[0][1]) for each in groups.values()]


def may_be_unordered(sites: Sequence[Site], nests: LoopLevels) -> bool:
    """Whether two of SITES may have no order, by what they are and by the operations around each of them."""
    ops = {site.op for site in sites}
    reading = {site.op for site in sites if not site.is_write}
    writes = [site for site in sites if site.is_write]
    if any(site.access.atomic for site in sites) or any(site.op in reading for site in writes):
        return True
    if any(not _is_apart(site) for site in writes):
        return True
    around = {op for each in ops for op in _above(each, nests.function) if op is not each}
    if any(op in ops or _may_interleave(op, nests) for op in around):
        return bool(writes)
    return False


def _may_interleave(op: Operation, nests: LoopLevels) -> bool:
    """Whether the iterations of OP, or its points, may have no order."""
    levels = nests.of_operation(op)
    is_loop = questions.loop.answers(type(op))
    return not all(level.sequential for level in levels) if is_loop else bool(levels)


def _is_apart(write: Site) -> bool:
    """Whether WRITE shows to go to another element at each point of its own parallel loops."""
    around, index = len(write.levels), write.place.index
    return all(loop(around + k) in index for k in write.access.parallel)


def _pairs(first: _Group, second: _Group, nests: LoopLevels) -> Iterator[tuple[Operation, isl.Map]]:
    """`{ [i, l] -> [i', l'] }` of FIRST and SECOND that have no order, each with the operation around."""
    left, right = (each.points.dim(DIM.in_) for each in (first, second))
    if first.op is second.op:
        both = ((a, b) for a in first.sites for b in second.sites if a.is_write or b.is_write)
        mixed = ((a, b) for a, b in both if not a.writes_one_value(b))
        yield from ((first.op, pairs) for a, b in mixed for pairs in _points(a, b, left, right))
    atomic = first.sites[0].access.atomic and second.sites[0].access.atomic
    for op in _around(first.op, second.op, nests.function):
        around = len(nests.levels(op.parent))
        if op is not first.op and op is not second.op:
            levels = nests.of_operation(op)
            free = [k for k, level in enumerate(levels) if _has_no_order(op, level, atomic=atomic)]
            if free:
                same = _equal(left, right, around)
                yield from ((op, pairs) for pairs in _different(same, free, around))
        elif first.op is not second.op:
            yield op, _equal(left, right, around)


def _because(op: Operation) -> str:
    if not questions.loop.answers(type(op)) and not questions.accesses.answers(type(op)):
        return unknown_effects(op)
    return not_ordered(op)


def _points(first: Site, second: Site, left: int, right: int) -> Iterable[isl.Map]:
    """Points of one operation's own loops that differ in a parallel one; all, if they have other loops."""
    around = len(first.levels)
    same, free = _equal(left, right, around), first.access.parallel & second.access.parallel
    if left != right or any(around + k >= left for k in free):
        return (same,)
    return _different(same, free, around)


def _has_no_order(op: Operation, level: Level, *, atomic: bool) -> bool:
    """Whether the iterations of LEVEL, a loop of OP, have no order.

    A region of which it is unknown how often it runs may be that of points in any order. A loop that is not
    understood may be a parallel one: its atomic updates have none.
    """
    if not questions.loop.answers(type(op)) or not level.sequential:
        return True
    return atomic and level.induction is None and not is_while(op)


def _different(same: isl.Map, positions: Iterable[int], first: int) -> Iterator[isl.Map]:
    """Those in SAME that differ in one of the POSITIONS after the FIRST dimensions."""
    for k in positions:
        at = first + k
        yield same.order_lt(DIM.in_, at, DIM.out, at).union(same.order_gt(DIM.in_, at, DIM.out, at))


def _equal(left: int, right: int, count: int) -> isl.Map:
    """`{ [i, l] -> [i, l'] }`: equal in the first COUNT dimensions."""
    pairs = isl.Map.from_domain_and_range(
        isl.Set.universe(build.space((), left)), isl.Set.universe(build.space((), right))
    )
    for k in range(count):
        pairs = pairs.equate(DIM.in_, k, DIM.out, k)
    return pairs


def _around(first: Operation, second: Operation, function: Operation) -> list[Operation]:
    """The operations of FUNCTION that hold both, or are one of them and hold the other."""
    above = set(_above(second, function))
    return [op for op in _above(first, function) if op in above]


def _above(op: Operation, function: Operation) -> Iterator[Operation]:
    """OP, and the operations of FUNCTION that hold it."""
    current: Operation | None = op
    while current is not None and current is not function:
        yield current
        current = current.parent_op()
