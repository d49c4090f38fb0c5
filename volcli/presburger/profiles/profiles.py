"""How the live points of a loop nest vary along one of its parallel loops.

Of a set L of live points over loops, the *profile* along a parallel loop x says, for each of its indices,
which indices of each reduction loop r are live for it, whatever the other loops are:

    { r : some point of L has this x and this r },   between `low` and `high`, in steps of `stride`

or that there is none. Indices of x that are alike follow each other as *runs*. Where L has a period p along
x, as an input spread with zeros has, the indices `residue + p * t` of each residue have one of their own.

    Padding by 1 below and above 8 indices, a kernel of 3:  x = 0: 1 to 2, x = 1 to 6: 0 to 2, x = 7: 0 to 1
    A kernel of 4 over zeros between all elements, p = 2:   even x: 0 and 2, odd x: 1 and 3
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import islpy as isl

from volcli.language.expressions import Expression, loop
from volcli.limits import presburger as limits
from volcli.presburger.measures.box import strides
from volcli.presburger.measures.extremes import greatest, least
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True)
class Progression:
    """The numbers from `low` to `high` in steps of `stride`; the first and the last one are among them."""

    low: int
    high: int
    stride: int = 1

    def __len__(self) -> int:
        return (self.high - self.low) // self.stride + 1

    def hull(self, other: Progression) -> Progression:
        """The least line that has both."""
        stride = math.gcd(self.stride, other.stride, abs(self.low - other.low)) or 1
        return Progression(min(self.low, other.low), max(self.high, other.high), stride)

    def meet(self, other: Progression) -> Progression | None:
        """A line that has what is in both, perhaps more; None if nothing is."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        finer = self if self.stride >= other.stride else other
        low += (finer.low - low) % finer.stride
        high -= (high - finer.low) % finer.stride
        return Progression(low, high, finer.stride) if low <= high else None


Lines = Mapping[int, Progression]
"""The live indices of each reduction loop that they depend on."""


@dataclass(frozen=True)
class Run:
    """`count` indices from `first` on, in steps of `step`, with their live indices; None: they have none.

    `exact` says that all of these are live for each of the indices. Of a loop of unknown length, `ends` are
    the steps where the run begins and ends, if it is long enough for all runs; `first` and `count` are those
    of a typical length.
    """

    first: int
    count: int
    step: int
    lines: Lines | None
    exact: bool = True
    ends: tuple[Expression, Expression] | None = None

    @property
    def live(self) -> int:
        """How many points the lines have for each index."""
        return 0 if self.lines is None else math.prod(map(len, self.lines.values()))


def joined(runs: Sequence[Run]) -> Run:
    """RUNS next to each other as one."""
    first, count = runs[0], sum(run.count for run in runs)
    begin, end = first.ends, runs[-1].ends
    ends = None if begin is None or end is None else (begin[0], end[1])
    known = [run.lines for run in runs if run.lines is not None]
    if not known:
        return Run(first.first, count, first.step, None, ends=ends)
    lines = dict(known[0])
    for other in known[1:]:
        lines = {loop_: line.hull(other[loop_]) for loop_, line in lines.items()}
    exact = all(run.exact and run.lines == lines for run in runs)
    return Run(first.first, count, first.step, lines, exact, ends)


def period(live: isl.Set, along: int) -> int:
    """A number p such that L may repeat itself along a loop after p indices: 1, or what its divisions say."""
    found = 1
    for other in range(live.dim(DIM.set)):
        pair = _pair(live, along, () if other == along else (other,)).compute_divs()
        for each in pair.get_basic_sets():
            for position in range(each.dim(DIM.div)):
                found = math.lcm(found, int(each.get_div(position).get_denominator_val().to_python()))
    return found if found <= limits.PERIOD else 1


def profile(
    live: isl.Set, along: int, extent: int, reductions: Sequence[int], step: int, residue: int
) -> list[Run]:
    """The runs of the indices `residue + step * t` of loop ALONG, which has EXTENT indices."""
    count = (extent - residue + step - 1) // step
    if count > limits.PROFILE_INDICES:
        return [whole(live, along, count, reductions, step, residue)]
    index = residue + loop(0) * step
    pairs = {r: by_step(_pair(live, along, (r,)), index) for r in reductions}
    lines_at = lines_by_step(pairs, by_step(_pair(live, along, ()), index))
    runs: list[Run] = []
    for lines, group in groupby(range(count), lines_at):
        members = list(group)
        known = None if lines is None else dict(lines)
        runs.append(Run(residue + step * members[0], len(members), step, known))
    return list(_at_most(runs, limits.PROFILE_RUNS))


LinesAt = Callable[[int], tuple[tuple[int, Progression], ...] | None]
"""The live indices at a step along a loop; None if there is none at all."""


def lines_by_step(pairs: Mapping[int, isl.Set], some: isl.Set) -> LinesAt:
    """The live indices at each step, of which PAIRS of reductions are over a step and a live index.

    SOME are the steps at which anything is live.
    """
    lengths = {r: strides(pair)[1] for r, pair in pairs.items()}
    ends = {r: (_function(pair, lower=True), _function(pair, lower=False)) for r, pair in pairs.items()}
    alive = _function(some, lower=None)

    def at(t: int) -> tuple[tuple[int, Progression], ...] | None:
        if alive(t) is None:
            return None
        found: list[tuple[int, Progression]] = []
        for r, (lower, upper) in ends.items():
            low, high = lower(t), upper(t)
            assert low is not None
            assert high is not None
            found.append((r, Progression(low, high, lengths[r])))
        return tuple(found)

    return at


def whole(live: isl.Set, along: int, count: int, reductions: Sequence[int], step: int, residue: int) -> Run:
    """One run of all COUNT indices: the least lines for all of them."""
    index = residue + loop(0) * step
    lines: dict[int, Progression] = {}
    for r in reductions:
        pair = by_step(_pair(live, along, (r,)), index)
        low, high = least(pair, 1), greatest(pair, 1)
        if low is None or high is None:
            return Run(residue, count, step, None)
        lines[r] = Progression(low, high, strides(pair)[1])
    return Run(residue, count, step, lines, exact=False)


def _at_most(runs: Sequence[Run], most: int) -> Iterator[Run]:
    """RUNS, or at most so many, each of as many indices as the others."""
    if len(runs) <= most:
        yield from runs
        return
    total, group, taken, number = sum(run.count for run in runs), list[Run](), 0, 1
    for run in runs:
        group.append(run)
        taken += run.count
        if taken * most >= total * number:
            yield joined(group)
            group, number = [], taken * most // total + 1
    if group:
        yield joined(group)


def _pair(live: isl.Set, along: int, others: Sequence[int]) -> isl.Set:
    """LIVE projected to loop ALONG and OTHERS, in this order, for any parameters."""
    kept = (along, *others)
    result = live.project_out(DIM.param, 0, live.dim(DIM.param))
    index: tuple[Expression, ...] = tuple(map(loop, kept))
    return coalesced(result.apply(build.relation(live.dim(DIM.set), index)))


def by_step(pair: isl.Set, index: Expression) -> isl.Set:
    """PAIR over t instead of its first coordinate, which is INDEX of t."""
    rank = pair.dim(DIM.set)
    to_pair = build.relation(rank, (index, *map(loop, range(1, rank))))
    return coalesced(pair.apply(to_pair.reverse()))


def _function(pairs: isl.Set, *, lower: bool | None) -> Callable[[int], int | None]:
    """The least or greatest second coordinate of PAIRS for a first one; None where there is none.

    LOWER None: 0 wherever there is a pair at all.
    """
    if lower is None:
        space = isl.LocalSpace.from_space(pairs.get_space())
        found = isl.PwAff.zero_on_domain(space).intersect_domain(pairs)
    else:
        to_first = build.relation(2, (loop(0),)).intersect_domain(pairs)
        fibers = to_first.reverse().apply_range(build.relation(2, (loop(1),)))
        found = fibers.dim_min(0) if lower else fibers.dim_max(0)
    origin = isl.Point.zero(found.domain().get_space())

    def at(t: int) -> int | None:
        value = found.eval(origin.set_coordinate_val(DIM.set, 0, build.number(t)))
        return None if value.is_nan() else int(value.to_python())

    return at
