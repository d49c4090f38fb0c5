"""All runs of a small integer program side by side, step by step: with branches and loops.

The results of a step are a table over its operands, computed once (`execute.perform`): a program of two arguments
of 8 bits has 65,536 runs, and takes as many look-ups for each step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress, product

from tests.oracles.arith.execute import POISON, Number, Step, Undefined, perform


@dataclass(frozen=True)
class Region:
    """Steps, and what they yield."""

    steps: tuple[Statement, ...]
    yields: tuple[str, ...]


@dataclass(frozen=True)
class Branch:
    """scf.if: RESULTS of WIDTH bits each are what the region yields that runs."""

    results: tuple[str, ...]
    condition: str
    then: Region
    otherwise: Region
    width: int


@dataclass(frozen=True)
class Loop:
    """scf.for, its COUNTER of so many bits: what it has CARRIED, of WIDTH bits each, are its RESULTS."""

    results: tuple[str, ...]
    counter: str
    low: str
    high: str
    step: str
    carried: tuple[str, ...]
    initial: tuple[str, ...]
    body: Region
    width: int
    counter_width: int = 0


Statement = Step | Branch | Loop

Rows = dict[str, list[Number]]
"""Runs side by side: of each value its numbers, one for each run, in one order."""


def run(steps: Sequence[Statement], rows: Rows, seen: dict[str, list[Rows]]) -> Rows:
    """ROWS after STEPS: without the runs that are undefined, with what was computed.

    SEEN receives, for each value, all that was known whenever it was computed: what is undefined later
    had a number before.
    """
    for step in steps:
        if isinstance(step, Branch):
            rows = _branched(step, rows, seen)
        elif isinstance(step, Loop):
            rows = _looped(step, rows, seen)
        else:
            rows = _computed(step, rows)
        for name in step.results:
            seen.setdefault(name, []).append(rows)
    return rows


def count(rows: Rows) -> int:
    """How many runs they are."""
    return len(next(iter(rows.values())))


def chosen(rows: Rows, kept: Sequence[bool]) -> Rows:
    """Those of ROWS that are KEPT."""
    if all(kept):
        return rows
    return {name: list(compress(column, kept)) for name, column in rows.items()}


def _computed(step: Step, rows: Rows) -> Rows:
    if not step.operands:
        return {**rows, step.results[0]: list(perform(step, ())) * count(rows)}
    table = _table(replace(step, results=("",) * len(step.results), operands=()))
    found = [table[each] for each in zip(*(rows[name] for name in step.operands), strict=True)]
    rows = chosen(rows, [each is not None for each in found])
    columns = zip(*(each for each in found if each is not None), strict=True)
    empty: list[tuple[Number, ...]] = [()] * len(step.results)
    return {**rows, **dict(zip(step.results, map(list, [*columns] or empty), strict=True))}


class Table(dict[tuple[Number, ...], "tuple[Number, ...] | None"]):
    """The results of a step for operands, computed once; None where it is undefined."""

    def __init__(self, step: Step) -> None:
        super().__init__()
        self._step = step

    def __missing__(self, operands: tuple[Number, ...]) -> tuple[Number, ...] | None:
        try:
            self[operands] = perform(self._step, operands)
        except Undefined:
            self[operands] = None
        return self[operands]


_table = lru_cache(maxsize=6)(Table)
"""Few are kept: that of two operands of 8 bits has 65,536 entries."""


def _branched(step: Branch, rows: Rows, seen: dict[str, list[Rows]]) -> Rows:
    """What scf.if gives: a branch on poison is undefined."""
    parts: list[Rows] = []
    for truth, region in ((1, step.then), (0, step.otherwise)):
        inside = chosen(rows, [each == truth for each in rows[step.condition]])
        if count(inside):
            inside = run(region.steps, inside, seen)
            parts.append(_left(inside, rows, dict(zip(step.results, region.yields, strict=True))))
    return joined(parts, (*rows, *step.results))


def _looped(step: Loop, rows: Rows, seen: dict[str, list[Rows]]) -> Rows:
    """What scf.for gives: bounds that are poison, or a step below 1, are undefined."""
    low, high, by = (rows[each] for each in (step.low, step.high, step.step))
    defined = [POISON not in each and int(each[2]) > 0 for each in zip(low, high, by, strict=True)]
    now = chosen(rows, defined)
    now = {
        **now,
        step.counter: now[step.low],
        **dict(zip(step.carried, (now[i] for i in step.initial), strict=True)),
    }
    ended: list[Rows] = []
    while True:
        pairs = [*zip(now[step.counter], now[step.high], strict=True)]
        runs = [int(at) < int(end) for at, end in pairs]
        rest = chosen(now, [not each for each in runs])
        ended.append(_left(rest, rows, dict(zip(step.results, step.carried, strict=True))))
        now = chosen(now, runs)
        if not count(now):
            return joined(ended, (*rows, *step.results))
        for name in (step.counter, *step.carried):
            seen.setdefault(name, []).append(now)
        inside = run(step.body.steps, now, seen)
        later = [
            int(at) + int(more) for at, more in zip(inside[step.counter], inside[step.step], strict=True)
        ]
        yielded = dict(zip(step.carried, step.body.yields, strict=True))
        now = {**_left(inside, rows, yielded), step.counter: list(later)}


def _left(inside: Rows, around: Rows, results: Mapping[str, str]) -> Rows:
    """INSIDE without what is local to a region: with what there is AROUND, and RESULTS by their new names."""
    return {**{name: inside[name] for name in around}, **{new: inside[old] for new, old in results.items()}}


def joined(parts: Sequence[Rows], names: Iterable[str]) -> Rows:
    """The runs of all PARTS."""
    return {name: [each for part in parts for each in part[name]] for name in names}


def inputs(domains: Mapping[str, range]) -> Rows:
    """All numbers of arguments in these DOMAINS."""
    columns = zip(*product(*domains.values()), strict=True)
    return {name: list(column) for name, column in zip(domains, columns, strict=True)}
