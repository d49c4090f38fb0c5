"""What is undefined, and what never runs: accesses, races, preconditions, dead code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import islpy as isl
from xdsl.ir import Operation

from volcli.api.confirming.runs import Judge, Observed, SampledRun, dimensions, placed
from volcli.execution.outcomes import Defect, Undefined
from volcli.facts.access import AccessFact
from volcli.facts.dead import DeadFact
from volcli.facts.fact import Fact
from volcli.facts.preconditions import PreconditionFact
from volcli.facts.races import RaceFact
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit
from volcli.presburger.measures.points import coordinates, least_point
from volcli.presburger.sets.build import DIM, number, parameter_space

_LEAST, _GREATEST = (3, 1), 100
"""What sizes of examples are at least, if they can be, and at most."""


def first_operation(op: Operation, fact: DeadFact) -> Operation | None:
    """The first operation of what no execution enters of OP, which FACT is about."""
    if fact.kind == "padding":
        return None
    block = op.successors[fact.region] if fact.kind == "block" else op.regions[fact.region].first_block
    return None if block is None else block.first_op


def fulfilling(fact: PreconditionFact) -> dict[str, int] | None:
    """Small sizes and arguments that fulfil what FACT says is needed; None if that is not known."""
    condition = fact.precondition
    if condition is None or condition.products or not fact.sufficient:
        return None
    points = isl.Set.from_params(condition.points)
    names = [f"n{k}" for k in range(len(condition.names))]
    for name in names:
        points = points.align_params(parameter_space(name))
        points = points.move_dims(
            DIM.set, dimensions(points), DIM.param, points.find_dim_by_name(DIM.param, name), 1
        )
    for least in _LEAST:
        inside = points
        for position in range(dimensions(points)):
            inside = inside.lower_bound_val(DIM.set, position, number(least))
            inside = inside.upper_bound_val(DIM.set, position, number(_GREATEST))
        if not inside.is_empty():
            found = coordinates(least_point(inside))
            return dict(zip(map(str, condition.names), found, strict=True))
    return None


class AccessesJudge(Judge):
    """An access in bounds is never out of bounds; one that always leaves them ends each execution."""

    only_ended = False
    symbolic = None

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._facts = [each for each in placed(unit, facts, AccessFact) if each[1].verdict != "unknown"]
        self._of = Counter(op for op, _ in self._facts)

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for op, fact in self._facts:
            if not run.fulfils(fact.assumptions):
                continue
            out = _stops(run, op, Defect.BOUNDS)
            is_out = fact.verdict == "out-of-bounds"
            if out and (is_out or self._of[op] == 1):
                yield Observed(fact, None if is_out else out.message)
            elif not out and op in run.recorder.observed and not (is_out and not fact.always):
                is_wrong = is_out and run.stopped is None
                yield Observed(fact, "it runs to its end" if is_wrong else None)


class RacesJudge(Judge):
    """Iterations of a loop that is race-free do not race."""

    only_ended = False
    symbolic = None

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._facts = [each for each in placed(unit, facts, RaceFact) if each[1].verdict != "unknown"]

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for op, fact in self._facts:
            if not run.fulfils(fact.assumptions):
                continue
            race = _stops(run, op, Defect.RACE)
            if race is not None:
                yield Observed(fact, race.message if fact.verdict == "race-free" else None)
            elif fact.verdict == "race-free" and op in run.recorder.observed:
                yield Observed(fact)


def _stops(run: SampledRun, op: Operation, kind: Defect) -> Undefined | None:
    """How RUN stops at OP, or in it where it is a loop; None if it does not."""
    stopped = run.stopped
    if stopped is None or stopped.kind is not kind:
        return None
    around = [each for each, _ in stopped.trail]
    is_there = stopped.operation is op or (kind is Defect.RACE and op in around)
    return stopped if is_there else None


class PreconditionsJudge(Judge):
    """Accesses stay in bounds where a sufficient precondition holds, and only where a necessary one does."""

    only_ended = False
    symbolic = None

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._facts = [fact for fact in facts if isinstance(fact, PreconditionFact)]

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for fact in self._facts:
            condition = fact.precondition
            holds = None if condition is None else run.holds(condition)
            if holds is None:
                continue
            is_out = run.stopped is not None and run.stopped.kind is Defect.BOUNDS
            if run.stopped is None and fact.necessary:
                yield Observed(fact, None if holds else "all accesses are in bounds")
            elif is_out and fact.sufficient:
                yield Observed(fact, f"{run.stopped}" if holds else None)


class DeadCodeJudge(Judge):
    """What no execution enters does not run."""

    only_ended = False
    symbolic = None

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._facts = [
            (fact, op, first)
            for op, fact in placed(unit, facts, DeadFact)
            if (first := first_operation(op, fact)) is not None
        ]

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for fact, op, first in self._facts:
            if run.fulfils(fact.assumptions):
                if first in run.recorder.observed:
                    yield Observed(fact, "it runs")
                elif op in run.recorder.observed:
                    yield Observed(fact)
