"""A loop nest, of which some points contribute nothing, as few boxes that have all others.

Of the points D of a loop nest those in L contribute. The parallel loops' domain is split into boxes, products
of lattices `{ first + step * k : 0 <= k < count }`; within each, a reduction loop needs to run from its least
to its greatest index in L only. Among the products of runs along the parallel loops (`profiles`) that one is
taken which costs least:

    cost = weight * loop points + COPY * copied elements + part cost * parts

where the weight is the number of operations at a loop point, the part cost what one more part must save, and
an element of a result counts as copied if its part has points that contribute nothing: of padding, a copy is
made for it. Parts without a point that contributes cost nothing, and need no code; but where these elements
are not the initial ones, all elements are set to 0 at first, which is a copy.

    4 taps, 16x16 channels, 64x64 elements, stride 2 between zeros: 16.8 million points in one part, a fourth
    of that in four of 2x2 taps each.

IMPACT 2023, algorithm 1, where a part is a region of a volume; regions that are not boxes are split here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import Expression, constant, loop
from volcli.limits import presburger as limits
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.presburger.measures.box import along, strides
from volcli.presburger.measures.extremes import greatest, least
from volcli.presburger.profiles.open_profiles import open_profile
from volcli.presburger.profiles.profiles import Lines, Progression, Run, joined, period, profile
from volcli.presburger.sets import build
from volcli.presburger.sets.coalescing import coalesced

PART_COST = 4096
"""What one more part must save, in operations: about a microsecond, for its code, and for shorter loops."""
COPY = 4
"""What it costs to copy an element."""

_TYPICAL = 32
"""How many indices a loop is taken to have if that is not known."""


@dataclass(frozen=True)
class LiveNest:
    """The points of a nest that contribute, `live`, of all in `domain`.

    `extents` are how far each loop runs, `split` the parallel loops that may be split, `reductions` those
    that may be shortened. A loop point has `weight` operations; with `fills`, elements without a point that
    contributes are to be set to 0.
    """

    domain: isl.Set
    live: isl.Set
    extents: tuple[Expression, ...]
    split: tuple[int, ...]
    reductions: tuple[int, ...]
    weight: int = 1
    fills: bool = False
    part_cost: int = PART_COST


def partitioned(nest: LiveNest, most: int, *, shorten: bool = True) -> list[SliceParameters]:
    """The boxes of loop points of at most MOST parts, in the order of the loops.

    They have all that are live for parameters for which none of their sizes is negative. Not to SHORTEN
    reductions leaves all points in: then parts only save copies of what is padded.
    """
    coupled = {j: _coupled(nest, j) for j in nest.split}
    loops = [j for j in nest.split if coupled[j] or _may_be_empty(nest, j)]
    choices = [list(_choices(nest, j, coupled[j], most)) for j in loops]
    tangled = any(_are_tangled(nest, *pair) for pair in itertools.combinations(loops, 2))
    best: tuple[int, int, tuple[tuple[Run, ...], ...]] | None = None
    shortened = {r for found in coupled.values() for r in found}
    others = _size(nest, [r for r in nest.reductions if r not in shortened])
    beside = _size(nest, [k for k in range(len(nest.extents)) if k not in (*loops, *nest.reductions)])
    for choice in itertools.product(*choices):
        if math.prod(map(len, choice)) > limits.CELLS * most:
            continue
        cost, parts = _cost(nest, choice, (beside, others), shorten=shorten, exact=not tangled)
        if parts <= most and (best is None or (cost, parts) < best[:2]):
            best = cost, parts, choice
    if best is None:
        return [_everything(nest)]
    boxes = (_box(nest, dict(zip(loops, cell, strict=True)), shorten) for cell in itertools.product(*best[2]))
    return [box for box in boxes if box is not None]


def _size(nest: LiveNest, loops: Sequence[int]) -> int:
    """How many points LOOPS have, about."""
    sizes = (nest.extents[k] for k in loops)
    return math.prod(e.constant if e.is_constant else _TYPICAL for e in sizes)


def _coupled(nest: LiveNest, parallel: int) -> tuple[int, ...]:
    """The reductions of which the live indices depend on a PARALLEL loop."""
    found: list[int] = []
    line = along(nest.live, parallel)
    for r in nest.reductions:
        pair = nest.live.apply(build.relation(len(nest.extents), (loop(parallel), loop(r))))
        product = line.flat_product(along(nest.live, r))
        if not product.is_subset(pair) and nest.extents[r].is_constant:
            found.append(r)
    return tuple(found)


def _are_tangled(nest: LiveNest, first: int, second: int) -> bool:
    """Whether it depends on both of two parallel loops together where there are live points."""
    pair = nest.live.apply(build.relation(len(nest.extents), (loop(first), loop(second))))
    product = along(nest.live, first).flat_product(along(nest.live, second))
    return not product.is_subset(pair)


def _may_be_empty(nest: LiveNest, parallel: int) -> bool:
    """Whether some indices of a PARALLEL loop have no live point."""
    return not along(nest.domain, parallel).is_subset(along(nest.live, parallel))


def _choices(
    nest: LiveNest, parallel: int, reductions: Sequence[int], most: int
) -> Iterator[tuple[Run, ...]]:
    """Ways to split a PARALLEL loop into runs, at first into one."""
    extent = nest.extents[parallel]
    known = extent.constant if extent.is_constant else None
    steps = dict.fromkeys((1, period(nest.live, parallel)))
    seen: set[tuple[tuple[int, int], ...]] = set()
    for step in steps:
        if known is None:
            every = [
                open_profile(nest.live, parallel, extent, reductions, step, k, _TYPICAL) for k in range(step)
            ]
        else:
            residues = range(min(step, known))
            every = [profile(nest.live, parallel, known, reductions, step, k) for k in residues]
        tables = [_split(runs, most) for runs in every]
        for number in range(1, most + 1):
            choice = tuple(run for table in tables for run in table[min(number, len(table)) - 1])
            key = tuple((run.first, run.count) for run in choice)
            if choice and key not in seen and len(choice) <= most:
                seen.add(key)
                yield choice


def _split(runs: Sequence[Run], most: int) -> list[list[Run]]:
    """For 1, 2, ... up to MOST the cheapest way to join RUNS to so many, by dynamic programming."""
    count = len(runs)
    if count == 0:
        return [[]]
    spans = {(a, b): joined(runs[a:b]) for a in range(count) for b in range(a + 1, count + 1)}
    prices = {span: _price(run) for span, run in spans.items()}
    best = {(1, b): (prices[0, b], 0) for b in range(1, count + 1)}
    tables = [[spans[0, count]]]
    for number in range(2, min(most, count) + 1):
        for b in range(number, count + 1):
            best[number, b] = min((best[number - 1, a][0] + prices[a, b], a) for a in range(number - 1, b))
        cuts, b = list[tuple[int, int]](), count
        for k in range(number, 0, -1):
            a = best[k, b][1]
            cuts.append((a, b))
            b = a
        tables.append([spans[cut] for cut in reversed(cuts)])
    return tables


def _price(run: Run) -> int:
    return 0 if run.lines is None else run.count * (run.live * COPY + (0 if run.exact else 1))


def _cost(
    nest: LiveNest, choice: Sequence[Sequence[Run]], sizes: tuple[int, int], *, shorten: bool, exact: bool
) -> tuple[int, int]:
    """What the parts of the product of CHOICE cost, and how many they are.

    Each point of the split loops stands for as many elements of the other parallel loops, and each point of
    the reductions that are shortened for as many of the other reductions, as SIZES say. Not EXACT: what is
    live along one parallel loop depends on another one.
    """
    beside, others = sizes
    total, parts, lost = 0, 0, False
    for cell in itertools.product(*choice):
        lines = _met(cell)
        if lines is None and shorten:
            lost = True
            continue
        parts += 1
        elements = beside * math.prod(run.count for run in cell)
        if shorten and lines is not None:
            total += elements * math.prod(map(len, lines.values())) * others * nest.weight
        if not exact or lines is None or not _is_exact(nest, cell, lines, shorten=shorten):
            total += elements * COPY
    if lost and nest.fills:
        total += COPY * beside * math.prod(sum(run.count for run in runs) for runs in choice)
    return total + nest.part_cost * parts, parts


def _is_exact(nest: LiveNest, cell: Sequence[Run], lines: Lines, *, shorten: bool) -> bool:
    """Whether all points of a CELL are live; as if a run said for all loops what it says for one."""
    if not all(run.exact and (run.lines or {}).items() <= lines.items() for run in cell):
        return False
    return shorten or all(len(line) == nest.extents[r].constant for r, line in lines.items())


def _met(cell: Sequence[Run]) -> Lines | None:
    """The live indices of the reductions in all runs of a CELL; None if there are none."""
    lines: dict[int, Progression] = {}
    for run in cell:
        if run.lines is None:
            return None
        for r, line in run.lines.items():
            both = line.meet(lines[r]) if r in lines else line
            if both is None:
                return None
            lines[r] = both
    return lines


def _everything(nest: LiveNest) -> SliceParameters:
    zeros, ones = (constant(0),) * len(nest.extents), (constant(1),) * len(nest.extents)
    return SliceParameters(zeros, nest.extents, ones)


def _box(nest: LiveNest, runs: dict[int, Run], shorten: bool) -> SliceParameters | None:
    """The points of RUNS, with reductions no longer than is needed; None if no point is live."""
    offsets, counts, steps = (list(each) for each in _dimensions(_everything(nest)))
    for j, run in runs.items():
        offsets[j], steps[j], counts[j] = constant(run.first), constant(run.step), constant(run.count)
        if run.ends is not None:
            begin, end = run.ends
            offsets[j], counts[j] = run.first % run.step + begin * run.step, end - begin
    everything = SliceParameters(tuple(offsets), tuple(counts), tuple(steps))
    if not shorten:
        return everything
    live = coalesced(nest.live.intersect(points_of(everything)))
    if live.is_empty():
        return None
    for r in nest.reductions:
        line = along(live, r)
        if not nest.extents[r].is_constant or along(nest.domain, r).is_subset(line):
            continue
        low, high = least(line, 0), greatest(line, 0)
        assert low is not None
        assert high is not None
        stride = strides(line)[0]
        offsets[r], counts[r], steps[r] = (
            constant(low),
            constant((high - low) // stride + 1),
            constant(stride),
        )
    box = SliceParameters(tuple(offsets), tuple(counts), tuple(steps))
    return box if live.is_subset(points_of(box)) else everything


def _dimensions(
    box: SliceParameters,
) -> tuple[tuple[Expression, ...], tuple[Expression, ...], tuple[Expression, ...]]:
    return box.offsets, box.sizes, box.strides


def points_of(box: SliceParameters) -> isl.Set:
    """`{ [o + s * k] : 0 <= k < n }`."""
    index = tuple(o + loop(d) * s for d, (o, s) in enumerate(zip(box.offsets, box.strides, strict=True)))
    return build.box(box.sizes).apply(build.relation(len(index), index))
