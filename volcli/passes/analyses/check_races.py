"""check-races: iterations of parallel loops that go to the same element, and one of them writes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from volcli.diagnostics import Diagnostic
from volcli.facts.races import RaceFact, RacePair
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.calls.calls import CallAnswer
from volcli.model.memory.checks.calls.preconditions import precondition
from volcli.model.memory.checks.races.race_answers import Race, RaceAnswer
from volcli.model.memory.dependences.naming import buffer_name
from volcli.model.memory.loops.loops import named_assumptions
from volcli.model.memory.loops.marked import marked_and_carrying
from volcli.passes.analyses.check_accesses import violation
from volcli.passes.analyses.function_needs import Checked
from volcli.passes.analyses.race_needs import NO_RACE, RaceNeeds, need_text
from volcli.passes.base import Pass, Unit, option
from volcli.passes.ends import Ends
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS


@dataclass(frozen=True)
class CheckRaces(Pass):
    """Prove parallel loops free of races, or find two iterations that race.

    Two iterations of affine.parallel, scf.parallel, scf.forall or a loop with the attribute
    `volcli.parallel` race if they access the same element, and one of them writes it; so do slices that
    scf.forall inserts in parallel, and the points of linalg operations on buffers that differ in a parallel
    iterator. Atomic updates (memref.atomic_rmw, memref.generic_atomic_rmw) do not race with each other, nor
    do writes of one value: a constant, or what is computed before the loop. Values that a loop reduces are
    not in memory.

    Findings: a race whenever each of the loops around it has two iterations (V207), with two iterations and
    the element. A race for some arguments only is one remark for each function (V215): the weakest
    precondition, without which there is one, or a condition that is marked as only necessary or only
    sufficient. Calls that violate it are warnings (V208), as those of check-accesses are. A loop with the
    attribute that passes a value from iteration to iteration, and does not only combine it, is V213. Two
    arguments are taken to be different memory, as in mlir-opt; what needs that says so.
    """

    name = "check-races"
    summary = "parallel loops: free of races, or two iterations that race"
    by_function = True

    assume_noalias_args: bool = option(
        False, help="assume that arguments are different memory, without stating it"
    )

    def apply(self, unit: Unit) -> None:
        """A fact for each parallel loop and operation, and a finding for each that has a race."""
        functions = unit.shared(RaceNeeds)
        for model in unit.models():
            checked = functions.of(model.function)
            assert checked is not None
            ends = Ends(unit, model)
            free = functions.as_called(model)
            for position, answer in enumerate(checked.own):
                shown = functions.in_calls(model, position, answer)
                fact = self._fact(unit, model, ends, _as_called(model, free.get(position)) or shown)
                unit.facts.append(fact)
                if fact.always:
                    unit.report(Diagnostic("V207", race_text(fact), fact.place))
            for call in checked.calls:
                if functions.is_violated(model, call):
                    unit.report(violation(unit, model, call, NO_RACE))
            for diagnostic in _needed(unit, functions, model, checked):
                unit.report(diagnostic)
            for op, values, computing in marked_and_carrying(model.memory):
                said = f"'{operation_name(op)}' op is marked as parallel and passes on {', '.join(values)}"
                related = tuple((unit.parsed.written_at(each), "passed on from here") for each in computing)
                unit.report(Diagnostic("V213", said, unit.parsed.written_at(op), related=related))

    def _fact(self, unit: Unit, model: FunctionModel, ends: Ends, answer: RaceAnswer) -> RaceFact:
        op = answer.op
        names = [model.name_of(v) for level in model.memory.nests.of_operation(op) if (v := level.variable)]
        return RaceFact(
            unit.where(model, op),
            ", ".join(names) or operation_name(op),
            answer.verdict.value,
            tuple(_pair(model, ends, race) for race in _distinct(answer.races)),
            answer.because,
            named_assumptions(answer.assumptions, noalias=self.assume_noalias_args),
            answer.always,
            _condition(model, answer, unit.budget or DEFAULT_OPERATIONS),
        )


def _as_called(model: FunctionModel, answer: RaceAnswer | None) -> RaceAnswer | None:
    """ANSWER, which holds for what all calls pass, and says so."""
    return answer and replace(answer, assumptions=(*answer.assumptions, model.calls_text))


def _needed(
    unit: Unit, functions: RaceNeeds, model: FunctionModel, checked: Checked[RaceAnswer]
) -> Iterator[Diagnostic]:
    """What is said of a function that has races for some arguments, unless all callers are known."""
    conditional = [each for each in checked.some if isinstance(each, RaceAnswer)]
    ops = [*(each.op for each in conditional), *(c.op for c in checked.some if isinstance(c, CallAnswer))]
    if not ops or functions.is_answered(model.function):
        return
    place = unit.parsed.written_at(min(ops, key=model.memory.bounds.definitions.place))
    others = f" and {len(ops) - 1} more" if len(ops) > 1 else ""
    because = f"because of the operation at {place.line}:{place.column}{others}"
    name, where = f"@{model.name}", unit.parsed.written_at(model.function)
    if checked.needed is not None and checked.needed.never:
        yield Diagnostic("V207", f"{name} has a race whatever its arguments are, {because}", where)
    elif checked.needed is not None:
        yield Diagnostic("V215", f"{need_text(name, checked.needed)}, {because}", where)
    else:
        yield Diagnostic("V215", f"{name} has a race for some arguments, {because}", where)


def _condition(model: FunctionModel, answer: RaceAnswer, operations: int) -> str | None:
    """The weakest condition on the arguments under which ANSWER's loop has no race."""
    if answer.always or answer.calls is None or not answer.known:
        return None
    needed = precondition(model.memory, [answer.calls], operations)
    if needed is None or not (needed.is_necessary and needed.is_sufficient):
        return None
    return needed.text


def race_text(fact: RaceFact) -> str:
    """What is said of a loop that has a race."""
    first, *others = fact.pairs
    more = f"; {len(others)} more" if others else ""
    if not fact.always and fact.condition is not None:
        more += f"; none if {fact.condition}"
    return f"'{fact.op}' op has a race: {first.text}{more}"


def _distinct(races: tuple[Race, ...]) -> list[Race]:
    """One of each two races of the same accesses in one and the other order."""
    found: dict[frozenset[int], Race] = {}
    for race in races:
        found.setdefault(frozenset((id(race.first), id(race.second))), race)
    return list(found.values())


def _pair(model: FunctionModel, ends: Ends, race: Race) -> RacePair:
    first, second = ends.of(race.first), ends.of(race.second)
    verbs = ("writes" if race.first.is_write else "reads", "writes" if race.second.is_write else "reads")
    buffer = buffer_name(model.memory, race.first)
    return RacePair(first, second, verbs, buffer, race.witness, race.because)
