"""volcli's answers about a program, and what the oracle thinks of them; the rest knows no volcli."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

import volcli
from tests.oracles.bounds.programs import Comparison, Program, Query
from tests.oracles.interpreter.judgement import Judgement, crash
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Comparison as Verdict
from volcli.model.values.terms.answers import ConstantBounds
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS


@dataclass(frozen=True)
class Engine:
    """The bounds of one loaded program: its function's store, values by name, places by number."""

    bounds: BoundsStore
    values: Mapping[str, SSAValue]
    places: Mapping[int, Operation]

    def constant_bounds(self, query: Query) -> ConstantBounds:
        """volcli's answer to QUERY."""
        at = self.places.get(query.number)
        return self.bounds.constant_bounds(self.values[query.place], query.dim, at=at)

    def compare(self, query: Comparison) -> Verdict:
        """volcli's answer to QUERY."""
        lhs, rhs = self.values[query.lhs], self.values[query.rhs]
        return self.bounds.compare(lhs, query.cmp, rhs, at=self.places.get(query.at))


def engine(program: Program, operations: int = DEFAULT_OPERATIONS) -> Engine:
    """PROGRAM as volcli reads it, with so many OPERATIONS of isl for each question."""
    (unit,) = volcli.load(program.with_places()).units
    model = next(iter(unit.models()))
    values: dict[str, SSAValue] = {}
    places: dict[int, Operation] = {}
    for op in model.function.walk():
        arguments = [argument for region in op.regions for block in region.blocks for argument in block.args]
        values.update({model.name_of(value): value for value in [*op.results, *arguments]})
        number = op.attributes.get("number")
        if isinstance(number, IntegerAttr):
            places[number.value.data] = op
    return Engine(BoundsStore(model.function, model.name_of, operations=operations), values, places)


def judged(program: Program, operations: int = DEFAULT_OPERATIONS) -> Iterator[Judgement]:
    """What volcli's answers about PROGRAM are worth; a bound counts once for each side."""
    try:
        asked = engine(program, operations)
    except Exception as error:  # whatever it is, it belongs in the campaign's report
        yield crash("program", "load", error)
        return
    for query in program.queries:
        try:
            yield from judge_bounds(query, asked.constant_bounds(query))
        except Exception as error:
            yield crash("bound", str(query), error)
    for comparison in program.comparisons:
        try:
            yield judge_comparison(comparison, asked.compare(comparison))
        except Exception as error:
            yield crash("comparison", str(comparison), error)


def judge_bounds(query: Query, said: ConstantBounds) -> Iterator[Judgement]:
    """One judgement for each side of the bounds SAID."""
    if query.never or said.never:
        worth = "exact" if query.never and said.never else "wrong" if said.never else "vacuous"
        yield Judgement("bound", worth, str(query), str(said), said.because)
        return
    sides = ((said.lower, query.minimum, 1), (said.upper, query.maximum, -1))
    for bound, truth, direction in sides:
        assert truth is not None, "only a query that is never reached has no bounds"
        if bound == truth:
            worth = "exact"
        elif bound is not None and (bound - truth) * direction > 0:
            worth = "wrong"
        elif said.exact:
            worth = "overclaimed"
        else:
            worth = "unknown" if bound is None else "sound"
        yield Judgement("bound", worth, str(query), str(said), said.because)


def judge_comparison(query: Comparison, said: Verdict) -> Judgement:
    """What the verdict SAID is worth: `refuted` says that there is a counterexample, `never` that all are."""
    claims = {"proved": {"always"}, "refuted": {"never", "sometimes"}, "unknown": {query.truth}}
    verdict = said.verdict.value
    never_holds = verdict == "refuted" and said.never
    if query.truth not in claims[verdict] or (never_holds and query.truth != "never"):
        worth = "wrong"
    elif verdict == "unknown":
        worth = "unknown"
    else:
        worth = "exact" if never_holds == (query.truth == "never") else "sound"
    return Judgement("comparison", worth, str(query), str(said), said.because)
