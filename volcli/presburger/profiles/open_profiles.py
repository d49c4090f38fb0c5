"""How the live points of a loop nest vary along a parallel loop of unknown length.

Near its first and its last index a loop's live points may be others than between, as at the edges of what is
padded. With n steps, those before `a` and those from `n - b` on are looked at one by one, by their distance
from the end; between, all are alike:

    [0, a)    [a, n - b)    [n - b, n)        if n >= a + b

What is live in a run is what may be live there for some n.

    Padding by 1 on each side and a kernel of 3:  [0, 1): 1 to 2, [1, n - 1): 0 to 2, [n - 1, n): 0 to 1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import islpy as isl

from volcli.language.expressions import Expression, constant, loop
from volcli.limits import presburger as limits
from volcli.presburger.measures.extremes import greatest
from volcli.presburger.profiles.profiles import Lines, Progression, Run, lines_by_step, whole
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced

_AtEdge = list[tuple[tuple[int, Progression], ...] | None]
"""The live indices at each step of an edge, the outermost first."""


def open_profile(
    live: isl.Set,
    along: int,
    extent: Expression,
    reductions: Sequence[int],
    step: int,
    residue: int,
    typical: int,
) -> list[Run]:
    """The runs of the indices `residue + step * t` of loop ALONG, with EXTENT indices, TYPICAL perhaps."""
    count = (extent - residue + step - 1) // step
    steps = max(typical // step, 1)
    every = whole(live, along, steps, reductions, step, residue)
    if every.lines is None:
        return [Run(residue, steps, step, None, ends=(constant(0), count))]
    from_start, from_end = (residue + t * step for t in (loop(0), count - 1 - loop(0)))
    left, right = (_edge(live, along, index, every.lines) for index in (from_start, from_end))
    if left is None or right is None:
        return [Run(residue, steps, step, every.lines, exact=False, ends=(constant(0), count))]
    groups = [(lines, constant(first), length) for lines, first, length in _groups(left)]
    beyond = count - len(right)
    inner = max(steps - len(left) - len(right), 1)
    groups.append((every.lines, constant(len(left)), inner))
    groups += [(lines, beyond + first, length) for lines, first, length in _groups(right[::-1])]
    runs: list[Run] = []
    position = 0
    for (lines, begin, length), end in zip(groups, [*(g[1] for g in groups[1:]), count], strict=True):
        runs.append(Run(residue + step * position, length, step, lines, ends=(begin, end)))
        position += length
    return runs


def _groups(edge: _AtEdge) -> Iterator[tuple[Lines | None, int, int]]:
    """What is live at steps that are alike, the first of them, and how many they are."""
    position = 0
    for lines, group in groupby(edge):
        length = len(list(group))
        yield None if lines is None else dict(lines), position, length
        position += length


def _edge(live: isl.Set, along: int, index: Expression, lines: Lines) -> _AtEdge | None:
    """What is live at the steps before all of LINES is, from there on; INDEX is that of a step.

    None if there is no such step, or too late.
    """
    pairs = {r: _by_step(live, along, (r,), index) for r in lines}
    some = _by_step(live, along, (), index)
    missing = build.nonnegative(1, (loop(0),)).subtract(some)
    for r, line in lines.items():
        numbers = build.box((constant(len(line)),)).apply(
            build.relation(1, (line.low + loop(0) * line.stride,))
        )
        all_ = build.nonnegative(1, (loop(0),)).flat_product(numbers)
        missing = missing.union(all_.subtract(pairs[r]).project_out(DIM.set, 1, 1))
    missing = coalesced(missing)
    if missing.is_empty():
        return []
    last = greatest(missing, 0)
    if last is None or last >= limits.EDGE_STEPS:
        return None
    return list(map(lines_by_step(pairs, some), range(last + 1)))


def _by_step(live: isl.Set, along: int, others: Sequence[int], index: Expression) -> isl.Set:
    """LIVE as a set over a step along a loop, whose INDEX it has, and loops OTHERS, for any parameters."""
    rank = len(others) + 1
    kept = live.apply(build.relation(live.dim(DIM.set), tuple(map(loop, (along, *others)))))
    to_kept = build.relation(rank, (index, *map(loop, range(1, rank))))
    found = kept.apply(to_kept.reverse())
    return coalesced(found.project_out(DIM.param, 0, found.dim(DIM.param)))
