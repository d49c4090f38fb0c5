"""Dependences and loops: which iterations access one element."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from xdsl.ir import Operation

from volcli.api.confirming.runs import Judge, Observed, SampledRun, dimensions, placed
from volcli.execution.runs.recording import (
    LOOPS,
    PARALLEL_LOOPS,
    RecordedAccess,
    iterators_of,
    loops_around,
)
from volcli.facts.dependences import DependenceFact
from volcli.facts.fact import Fact
from volcli.facts.loops import LoopFact
from volcli.limits import execution as limits
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit
from volcli.presburger.sets.points import has_point

_ACCESSES = ("affine.load", "affine.store", "memref.load", "memref.store")
_KINDS = {(True, False): "RAW", (False, True): "WAR", (True, True): "WAW"}


class DependencesJudge(Judge):
    """Two accesses to one element, one of them a write, have one of the distances that are stated.

    If dependences are stated that are not known to be all, none is missing.
    """

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact], *, asked: bool) -> None:
        self._unit = unit
        self._function = model.function
        self._facts: dict[tuple[Any, ...], DependenceFact] = {
            (fact.source.place, fact.sink.place, fact.kind, fact.depth): fact
            for fact in facts
            if isinstance(fact, DependenceFact)
        }
        self._are_all = asked and not any(each.code == "V302" for each in unit.diagnostics)
        self._missing: set[tuple[Any, ...]] = set()

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        if not self._facts and not self._are_all:
            return
        known: dict[tuple[Any, ...], bool] = {}
        for source, sink in pairs(self._function, run.recorder.accesses, LOOPS):
            distance, depth = _distance(source, sink)
            kind = _KINDS[source.is_write, sink.is_write]
            ends = [self._unit.parsed.written_at(each.op) for each in (source, sink)]
            key = (*ends, kind, depth)
            fact = self._facts.get(key)
            if fact is None:
                yield from self._not_stated(key)
            elif fact.verdict != "unknown" and fact.distances is not None and run.fulfils(fact.assumptions):
                if (*key, distance) not in known:
                    known[*key, distance] = _has(fact, distance, run)
                text = f"iteration {source.iteration} and then {sink.iteration} access one element"
                yield Observed(fact, None if known[*key, distance] else text)

    def _not_stated(self, key: tuple[Any, ...]) -> Iterator[Observed]:
        if self._are_all and key not in self._missing:
            self._missing.add(key)
            source, sink, kind, depth = key
            text = (
                f"no {kind} dependence of line {sink.line} on line {source.line} at depth {depth} is stated"
            )
            yield Observed(None, text, source)


def _distance(source: RecordedAccess, sink: RecordedAccess) -> tuple[tuple[int, ...], int]:
    """How many iterations are between SOURCE and SINK, and which loop carries that."""
    count = len(shared_loops(source.op, sink.op))
    ends = zip(source.iteration[:count], sink.iteration[:count], strict=True)
    distance = tuple(b - a for a, b in ends)
    return distance, next((k for k, step in enumerate(distance) if step), count) + 1


def _has(fact: DependenceFact, distance: tuple[int, ...], run: SampledRun) -> bool:
    assert fact.distances is not None
    stated = fact.distances.set
    is_other = dimensions(stated) != len(distance)  # of other loops
    return fact.verdict == "dependent" and (is_other or has_point(run.fixed(stated), distance))


class LoopsJudge(Judge):
    """Iterations of a loop that is parallel share no element that one of them writes, but where all write one
    number there.
    """

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._function = model.function
        self._facts = {op: fact for op, fact in placed(unit, facts, LoopFact) if fact.kind == "parallel"}

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        facts = {op: fact for op, fact in self._facts.items() if run.fulfils(fact.assumptions)}
        for op, fact in facts.items():
            iterators = iterators_of(op) if op.name in LOOPS + PARALLEL_LOOPS else ()
            if any(len(set(run.seen(value))) > 1 for value in iterators):
                yield Observed(fact)
        for source, sink in (
            pairs(self._function, run.recorder.accesses, LOOPS + PARALLEL_LOOPS) if facts else ()
        ):
            loop = _carrying(source, sink)
            if loop is not None and loop in facts and not _write_one_number(source, sink):
                text = f"iteration {source.iteration} and then {sink.iteration} access one element"
                yield Observed(facts[loop], text)


def _write_one_number(one: RecordedAccess, other: RecordedAccess) -> bool:
    return bool(one.stored) and one.is_write and other.is_write and repr(one.stored) == repr(other.stored)


def _carrying(source: RecordedAccess, sink: RecordedAccess) -> Operation | None:
    """The outermost loop around both of which SOURCE and SINK are in other iterations."""
    begin = 0
    for loop in shared_loops(source.op, sink.op):
        end = begin + len(iterators_of(loop))
        if source.iteration[begin:end] != sink.iteration[begin:end]:
            return loop
        begin = end
    return None


def pairs(
    function: Operation, accesses: Sequence[RecordedAccess], loops: Sequence[str]
) -> Iterator[tuple[RecordedAccess, RecordedAccess]]:
    """Two accesses to one element, in LOOPS, one of them a write, in time; not more than limits allow."""
    by_element: dict[tuple[int, int], list[RecordedAccess]] = defaultdict(list)
    left = int(limits.CONFIRMED_PAIRS)
    plain: dict[Operation, bool] = {}
    for access in accesses:
        if access.op not in plain:
            plain[access.op] = is_plain(function, access.op, loops)
        if not plain[access.op]:
            continue
        before = by_element[id(access.memory), access.at]
        for other in before:
            if other.is_write or access.is_write:
                yield other, access
                left -= 1
        if left <= 0:
            return
        before.append(access)


def is_plain(function: Operation, op: Operation, loops: Sequence[str]) -> bool:
    """Whether OP, of FUNCTION, accesses one element, and its iteration is that of the LOOPS around it."""
    if op.name not in _ACCESSES:
        return False
    around: Operation | None = op
    while around is not None and around is not function:
        region = around.parent_region()
        if region is None or len(region.blocks) > 1:  # blocks may be a loop
            return False
        around = region.parent
        if around is not function and (around is None or around.name not in (*loops, "scf.if", "affine.if")):
            return False
    return around is function


def shared_loops(one: Operation, other: Operation) -> list[Operation]:
    """The loops around both."""
    both = zip(loops_around(one), loops_around(other), strict=False)
    return [a for a, b in both if a is b]
