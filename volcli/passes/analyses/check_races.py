"""check-races: iterations of parallel loops that go to the same element, and one of them writes it."""

from __future__ import annotations

from dataclasses import dataclass

from volcli.diagnostics import Diagnostic
from volcli.facts.races import RaceFact, RacePair
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.races import Race, RaceAnswer, Races, RaceVerdict, marked_and_carrying
from volcli.model.memory.loops import named_assumptions
from volcli.model.memory.naming import buffer_name
from volcli.passes.base import Pass, Unit, option
from volcli.passes.ends import Ends
from volcli.presburger.budget import DEFAULT_OPERATIONS


@dataclass(frozen=True)
class CheckRaces(Pass):
    """Prove parallel loops free of races, or find two iterations that race.

    Two iterations of affine.parallel, scf.parallel, scf.forall or a loop with the attribute
    `volcli.parallel` race if they go to the same element, and one of them writes it; so do slices that
    scf.forall inserts in parallel, and the points of linalg operations on buffers that differ in a parallel
    iterator. Atomic updates (memref.atomic_rmw, memref.generic_atomic_rmw) do not race with each other, and
    values that a loop reduces are not in memory.

    Findings: a race, with two iterations and the element (V207); a loop with the attribute that hands a value
    from iteration to iteration, and does not only combine it (V213). Two arguments are taken to be different
    memory, as in mlir-opt; what needs that says so.
    """

    name = "check-races"
    summary = "parallel loops: free of races, or two iterations that race"
    by_function = True

    assume_noalias_args: bool = option(
        False, help="arguments are different memory; do not say that it is assumed"
    )

    def apply(self, unit: Unit) -> None:
        """A fact for each parallel loop and operation, and a finding for each that has a race."""
        for model in unit.models():
            ends = Ends(unit, model)
            for answer in Races(model.memory, operations=unit.budget or DEFAULT_OPERATIONS).all():
                fact = self._fact(unit, model, ends, answer)
                unit.facts.append(fact)
                if answer.verdict is RaceVerdict.RACE:
                    unit.report(Diagnostic("V207", race_text(fact), fact.place))
            for op, values in marked_and_carrying(model.memory):
                said = f"'{operation_name(op)}' op is marked as parallel and hands on {', '.join(values)}"
                unit.report(Diagnostic("V213", said, unit.parsed.written_at(op)))

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
        )


def race_text(fact: RaceFact) -> str:
    """What is said of a loop that has a race."""
    first, *others = fact.pairs
    more = f"; {len(others)} more" if others else ""
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
