"""All facts of a unit compared with executions of its functions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from volcli.api.confirming.checks import (
    AccessesJudge,
    DeadCodeJudge,
    PreconditionsJudge,
    RacesJudge,
    first_operation,
    fulfilling,
)
from volcli.api.confirming.demanded import demanded_runs
from volcli.api.confirming.dependences import DependencesJudge, LoopsJudge
from volcli.api.confirming.elements import MapsJudge, RegionsJudge, VolumesJudge
from volcli.api.confirming.flow import FlowJudge
from volcli.api.confirming.mars import MarsJudge
from volcli.api.confirming.runs import Judge, SampledRun, example
from volcli.api.confirming.slices import SlicesJudge
from volcli.api.confirming.values import BoundsJudge, ClaimsJudge, SizesJudge
from volcli.api.confirming.zeros import ZerosJudge
from volcli.api.execution import command
from volcli.diagnostics import Diagnostic, Place, internal
from volcli.execution.memory.machine import Options
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.runs.inputs import Inputs
from volcli.execution.runs.instances import alike, small, uncommon
from volcli.execution.runs.recording import Recorder
from volcli.execution.runs.sampling import samples
from volcli.facts.comparisons import ClaimFact
from volcli.facts.confirmation import Confirmation
from volcli.facts.dead import DeadFact
from volcli.facts.fact import Fact
from volcli.facts.preconditions import PreconditionFact
from volcli.limits import execution as limits
from volcli.model.function import FunctionModel
from volcli.model.symbols import holds_for_all_arguments, symbol_of
from volcli.passes.base import Unit
from volcli.presburger.limits.budget import BudgetExceeded, budget

_CHECKS = frozenset(Defect) - {Defect.POISON}


@dataclass
class ComparedFacts:
    """The facts that no execution contradicts, and the errors in the place of those that one does."""

    facts: list[Fact] = field(default_factory=list[Fact])
    errors: list[Diagnostic] = field(default_factory=list[Diagnostic])
    executions: int = 0


def compared(unit: Unit, facts: Sequence[Fact], asked: Collection[str] = ()) -> ComparedFacts:
    """FACTS, of UNIT, compared with executions of its functions: all that answers the questions ASKED."""
    found = ComparedFacts()
    by_function: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_function[fact.function].append(fact)
    kept: dict[int, Fact | None] = {}
    for model in unit.models():
        own = by_function[symbol_of(model.function)]
        restricted = bool(unit.assume or unit.given)
        if (
            own
            and model.function.regions[0].blocks
            and holds_for_all_arguments(model.function, restricted=restricted)
        ):
            try:
                kept |= _Comparison(unit, model, own, asked, found).judged()
            except Exception as error:
                found.errors.append(_internal(unit, model.function, error))
    found.facts = [each for fact in facts if (each := kept.get(id(fact), fact)) is not None]
    return found


class _Comparison:
    """The facts about one function, and what executions say of each."""

    def __init__(
        self,
        unit: Unit,
        model: FunctionModel,
        facts: Sequence[Fact],
        asked: Collection[str],
        found: ComparedFacts,
    ) -> None:
        self._unit = unit
        self._model = model
        self._function = model.function
        self._facts = facts
        self._found = found
        of = (
            BoundsJudge,
            SizesJudge,
            ClaimsJudge,
            AccessesJudge,
            RacesJudge,
            PreconditionsJudge,
            DeadCodeJudge,
            LoopsJudge,
            FlowJudge,
            MapsJudge,
            RegionsJudge,
            VolumesJudge,
            ZerosJudge,
            MarsJudge,
            SlicesJudge,
        )
        self._judges: list[Judge] = [made(unit, model, facts) for made in of]
        self._judges.append(DependencesJudge(unit, model, facts, asked="dependences" in asked))
        self._observations: Counter[int] = Counter()
        self._executions: Counter[int] = Counter()
        self._wrong: dict[int, Diagnostic] = {}

    def judged(self) -> Mapping[int, Fact | None]:
        """Of each fact, by its id, the fact with its confirmation; None if it is contradicted."""
        for symbolic in (False, True):
            judges = [each for each in self._judges if each.symbolic in (symbolic, None)]
            if not symbolic or any(fact.question in ("maps", "regions") for fact in self._facts):
                for run in self._runs(symbolic=symbolic):
                    self._compare(judges, run)
        of_elements = [each for each in self._judges if isinstance(each, MapsJudge | RegionsJudge)]
        left = [fact for fact in self._facts if not self._observations[id(fact)]]
        for run in demanded_runs(self._unit, self._model, left):
            self._found.executions += 1
            self._compare(of_elements, run)
        self._found.errors += self._wrong.values()
        kept: dict[int, Fact | None] = dict.fromkeys(self._wrong)
        for fact in self._facts:
            key = id(fact)
            if key not in self._wrong and self._observations[key]:
                confirmed = Confirmation(self._executions[key], self._observations[key])
                kept[key] = replace(fact, confirmed=confirmed)
        return kept

    def _runs(self, *, symbolic: bool) -> Iterator[SampledRun]:
        """Executions that end, or that are undefined: examples of facts first, then small instances."""
        block, module = self._function.regions[0].blocks[0], self._unit.parsed.module
        assert isinstance(module, ModuleOp)
        names = self._unit.parsed.names.of_arguments(self._function)
        kinds, base = [each.type for each in block.args], Inputs()
        first, *others = small(names, kinds, base)
        even = alike(names, kinds, base)
        chosen = (*self._examples(), *even, first, *uncommon(names, kinds, base), *others)
        instances = [replace(each, kind="terms" if symbolic else "random") for each in chosen]
        options = Options(_CHECKS, symbolic=symbolic, traced=None, observed=self._observed())
        for sample in samples(
            module, self._function, names, instances, options, Recorder, steps=limits.COMPARING_STEPS
        ):
            stopped = sample.outcome.stopped
            assert isinstance(sample.machine, Recorder)
            if stopped is None or isinstance(stopped, Undefined):
                self._found.executions += stopped is None
                yield SampledRun(self._unit, self._function, sample.inputs, sample.machine, stopped, symbolic)

    def _examples(self) -> list[Inputs]:
        """The sizes and arguments that witnesses of facts name, each once, and not more than limits allow."""
        found: dict[str, Inputs] = {}
        for fact in self._facts:
            parameters = fulfilling(fact) if isinstance(fact, PreconditionFact) else _parameters(fact)
            inputs = None if parameters is None else example(parameters)
            if inputs is not None and len(found) < limits.CONFIRMING_EXAMPLES:
                found.setdefault(str(inputs), inputs)
        return list(found.values())

    def _observed(self) -> frozenset[Operation]:
        """The operations of which it is to be noted that they ran."""
        found: set[Operation] = set()
        for fact in self._facts:
            op = self._unit.operation(fact.where)
            if op is not None and fact.question in ("access", "races", "dead"):
                first = first_operation(op, fact) if isinstance(fact, DeadFact) else None
                found |= {op} if first is None else {op, first}
        return frozenset(found)

    def _compare(self, judges: Sequence[Judge], run: SampledRun) -> None:
        """Note what RUN shows; what takes isl too long is not compared."""
        before = Counter(self._observations)
        for judge in judges:
            if not judge.wants(run):
                continue
            try:
                with budget():
                    for fact, text, place in judge.observed(run):
                        key = id(fact) if fact is not None else hash(place)
                        self._observations[key] += fact is not None
                        if text is not None:
                            self._wrong.setdefault(key, self._contradiction(fact, text, run, place))
            except BudgetExceeded:
                continue
        self._executions.update(key for key, count in self._observations.items() if count > before[key])

    def _contradiction(
        self, fact: Fact | None, text: str, run: SampledRun, place: Place | None
    ) -> Diagnostic:
        shown = command(symbol_of(self._function), self._unit.parsed.source.name, run.inputs)
        if fact is None:
            return Diagnostic("V900", f"{text}, but in an execution, `{shown}`, there is one", place)
        said = "; ".join(" ".join(row) for row in fact.rows())
        message = (
            f"{fact.question} of {fact.subject}: {said}; an execution, `{shown}`, contradicts this: {text}"
        )
        return Diagnostic("V900", message, fact.place)


def _parameters(fact: Fact) -> Mapping[str, int] | None:
    """The parameters of the witness of FACT, if it has one."""
    found: Any = getattr(fact, "found", fact)
    witness = getattr(found, "witness", None)
    return witness if isinstance(fact, ClaimFact) else getattr(witness, "parameters", None)


def _internal(unit: Unit, function: Operation, error: Exception) -> Diagnostic:
    what, trace = internal.described(error)
    message = f"internal error in an execution of @{symbol_of(function)} ({what})"
    return Diagnostic("V900", message, unit.parsed.written_at(function), trace=trace)
