"""Facts compared with executions: `--confirm` samples small instances of each function.

A bound holds of what the value was each time that it was computed. A dependence is a pair of accesses to one
element, one of them a write: the distance between their iterations is one of the distances of a fact about
them. What an execution contradicts is an internal error, and not a fact: one of the two engines is wrong.

What rests on more than the function's text is not compared: on what callers pass, or on assumptions.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from volcli.api.execution import command
from volcli.diagnostics import Diagnostic
from volcli.execution.engine import execute
from volcli.execution.inputs import Inputs
from volcli.execution.instances import small
from volcli.execution.machine import Options
from volcli.execution.outcomes import Defect, Stopped, Undefined
from volcli.execution.recording import LOOPS, RecordedAccess, Recorder, loops_around
from volcli.execution.structured import shape_of
from volcli.facts.bounds import BoundsFact, Side
from volcli.facts.confirmation import Confirmation
from volcli.facts.dependences import DependenceFact
from volcli.facts.fact import Fact
from volcli.language.expressions import constant, renamed
from volcli.limits import execution as limits
from volcli.model.symbols import is_private, symbol_of
from volcli.passes.base import Unit
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.points import has_point

_ACCESSES = ("affine.load", "affine.store", "memref.load", "memref.store")


@dataclass(frozen=True)
class SampledRun:
    """One execution: its inputs, what was recorded, and what the names of numbers stand for."""

    inputs: Inputs
    recorder: Recorder
    numbers: Mapping[str, int]


@dataclass
class ComparedFacts:
    """The facts that no execution contradicts, and the errors in the place of those that one does."""

    facts: list[Fact] = field(default_factory=list[Fact])
    errors: list[Diagnostic] = field(default_factory=list[Diagnostic])
    executions: int = 0


def compared(unit: Unit, facts: Sequence[Fact]) -> ComparedFacts:
    """FACTS, of UNIT, compared with executions of its functions."""
    found = ComparedFacts()
    by_function: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_function[fact.function].append(fact)
    kept: dict[int, Fact | None] = {}
    for model in unit.models():
        own = by_function[symbol_of(model.function)]
        if not own or not _is_all_known(unit, model.function):
            continue
        runs = list(_runs(unit, model.function))
        found.executions += len(runs)
        kept |= _judged(unit, model.function, own, runs, found)
    found.facts = [each for fact in facts if (each := kept.get(id(fact), fact)) is not None]
    return found


def _is_all_known(unit: Unit, function: Operation) -> bool:
    """Whether facts of FUNCTION hold for all arguments: neither callers nor the user restrict them."""
    if is_private(function) or unit.assume or unit.given or not function.regions[0].blocks:
        return False
    return not any(name.startswith("volcli.") for op in function.walk() for name in op.attributes)


def _runs(unit: Unit, function: Operation) -> Iterator[SampledRun]:
    """Executions of small instances of FUNCTION that end, as far as the steps last.

    Of what is undefined in the end nothing is stated: sizes, for example, are those that operations require.
    """
    block, module = function.regions[0].blocks[0], unit.parsed.module
    assert isinstance(module, ModuleOp)
    names = [unit.parsed.names.of(each).removeprefix("%") for each in block.args]
    steps = int(limits.CONFIRMING_STEPS)
    for inputs in small(names, [each.type for each in block.args], Inputs()):
        options = Options(
            frozenset(Defect) - {Defect.RACE},
            traced=None,
            most_steps=steps,
            most_bytes=limits.CONFIRMING_BYTES,
        )
        recorder = Recorder(module, options)
        try:
            outcome = execute(module, function, names, inputs, options, machine=recorder)
        except Stopped:
            continue  # this instance contradicts a type, or is too large
        steps -= recorder.steps + len(recorder.accesses) + 1
        if outcome.stopped is None:
            yield SampledRun(inputs, recorder, _numbers(unit, function, recorder))
        is_unknown = outcome.stopped is not None and not isinstance(outcome.stopped, Undefined)
        if steps <= 0 or is_unknown:
            return


def _numbers(unit: Unit, function: Operation, recorder: Recorder) -> dict[str, int]:
    """What the names of facts stand for: of the arguments, `%n` and `dim(%a, 0)`."""
    found: dict[str, int] = {}
    for value in function.regions[0].blocks[0].args:
        name = unit.parsed.names.of(value)
        for each in recorder.seen.get(value, []):
            if type(each) is int:
                found[name] = each
            found |= {f"dim({name}, {d})": size for d, size in enumerate(shape_of(each))}
    return found


def _judged(
    unit: Unit, function: Operation, facts: Sequence[Fact], runs: Sequence[SampledRun], found: ComparedFacts
) -> dict[int, Fact | None]:
    """Of each of FACTS, by its id, the fact with its confirmation; None if it is contradicted."""
    observations: Counter[int] = Counter()
    executions: Counter[int] = Counter()
    wrong: dict[int, Diagnostic] = {}
    dependences = _Dependences(unit, facts)
    for run in runs:
        before = Counter(observations)
        for fact in facts:
            if isinstance(fact, BoundsFact) and not fact.assumptions:
                for text in _out_of_bounds(unit, function, fact, run, observations):
                    wrong.setdefault(id(fact), _contradiction(unit, function, fact, text, run))
        for fact, text in dependences.missed(function, run, observations):
            wrong.setdefault(id(fact), _contradiction(unit, function, fact, text, run))
        executions.update(key for key in observations if observations[key] > before[key])
    found.errors += wrong.values()
    kept: dict[int, Fact | None] = dict.fromkeys(wrong)
    for fact in facts:
        if id(fact) not in wrong and (count := observations[id(fact)]):
            kept[id(fact)] = replace(fact, confirmed=Confirmation(executions[id(fact)], count))
    return kept


def _contradiction(unit: Unit, function: Operation, fact: Fact, text: str, run: SampledRun) -> Diagnostic:
    shown = command(symbol_of(function), unit.parsed.source.name, run.inputs)
    said = "; ".join(" ".join(row) for row in fact.rows())
    message = f"{fact.question} of {fact.subject}: {said}; an execution, `{shown}`, contradicts this: {text}"
    return Diagnostic("V900", message, fact.place)


# -- bounds ------------------------------------------------------------------------------------------------


def _out_of_bounds(
    unit: Unit, function: Operation, fact: BoundsFact, run: SampledRun, observations: Counter[int]
) -> Iterator[str]:
    """What of FACT is false in RUN."""
    value = _value(unit, function, fact)
    if value is None or (fact.dim is None and not isinstance(value.type, IndexType | IntegerType)):
        return
    if isinstance(value.type, IntegerType) and value.type.width.data == 1:
        return  # a truth is a number in two ways
    for each in run.recorder.seen.get(value, []):
        sizes = shape_of(each)
        number = each if fact.dim is None else sizes[fact.dim] if fact.dim < len(sizes) else None
        if type(number) is not int:
            continue
        observations[id(fact)] += 1
        low, high = (_side(side, run) for side in (fact.lower, fact.upper))
        if fact.never or any(number < each for each in low) or any(number > each for each in high):
            yield f"it is {number}"


def _side(side: Side, run: SampledRun) -> list[int]:
    """What SIDE is in RUN: its number, and its expression if that is over the arguments."""
    found = [] if side.constant is None else [side.constant]
    if side.expression is not None:
        known = renamed(side.expression, {name: constant(n) for name, n in run.numbers.items()})
        found += [known.constant] if known.is_constant else []
    return found


def _value(unit: Unit, function: Operation, fact: BoundsFact) -> SSAValue | None:
    """The value that FACT is about; None if several with its name are at its place."""
    found: list[SSAValue] = []
    for value in unit.parsed.names.find_all(function, fact.value):
        owner = value.block.parent_op() if isinstance(value, BlockArgument) else value.owner
        if isinstance(owner, Operation) and unit.parsed.written_at(owner) == fact.place:
            found.append(value)
    return found[0] if len(found) == 1 else None


# -- dependences -------------------------------------------------------------------------------------------


class _Dependences:
    """The facts about dependences, by the places of both ends, the kind and the depth."""

    def __init__(self, unit: Unit, facts: Iterable[Fact]) -> None:
        self._unit = unit
        self._facts: dict[tuple[Any, ...], DependenceFact] = {}
        for fact in facts:
            if isinstance(fact, DependenceFact) and not fact.assumptions:
                self._facts[fact.source.place, fact.sink.place, fact.kind, fact.depth] = fact
        self._known: dict[tuple[int, tuple[int, ...]], bool] = {}

    def missed(
        self, function: Operation, run: SampledRun, observations: Counter[int]
    ) -> Iterator[tuple[DependenceFact, str]]:
        """Pairs of accesses of RUN whose distance is none of those that are stated."""
        if not self._facts:
            return
        for source, sink in _pairs(function, run.recorder.accesses):
            count = len(_shared(source.op, sink.op))
            distance = tuple(
                b - a for a, b in zip(source.iteration[:count], sink.iteration[:count], strict=True)
            )
            depth = next((k for k, step in enumerate(distance) if step), count) + 1
            kind = {(True, False): "RAW", (False, True): "WAR", (True, True): "WAW"}[
                source.is_write, sink.is_write
            ]
            ends = [self._unit.parsed.written_at(each.op) for each in (source, sink)]
            fact = self._facts.get((*ends, kind, depth))
            if fact is None or fact.verdict == "unknown" or fact.distances is None:
                continue
            observations[id(fact)] += 1
            if not self._has(fact, distance):
                yield fact, f"iteration {source.iteration} and then {sink.iteration} access one element"

    def _has(self, fact: DependenceFact, distance: tuple[int, ...]) -> bool:
        key = (id(fact), distance)
        if key not in self._known:
            assert fact.distances is not None
            stated = fact.distances.set
            is_other = stated.dim(DIM.set) != len(distance)  # of other loops
            self._known[key] = fact.verdict == "dependent" and (is_other or has_point(stated, distance))
        return self._known[key]


def _pairs(
    function: Operation, accesses: Sequence[RecordedAccess]
) -> Iterator[tuple[RecordedAccess, RecordedAccess]]:
    """Two accesses to one element, one of them a write, in time; not more than limits allow."""
    by_element: dict[tuple[int, int], list[RecordedAccess]] = defaultdict(list)
    left = int(limits.CONFIRMED_PAIRS)
    for access in accesses:
        if not _is_plain(function, access.op):
            continue
        before = by_element[id(access.memory), access.at]
        for other in before:
            if other.is_write or access.is_write:
                yield other, access
                left -= 1
        if left <= 0:
            return
        before.append(access)


def _is_plain(function: Operation, op: Operation) -> bool:
    """Whether OP, of FUNCTION, accesses one element, in loops whose iterations have an order."""
    if op.name not in _ACCESSES:
        return False
    around: Operation | None = op
    while (around := around.parent_op()) is not None and around is not function:
        if around.name not in (*LOOPS, "scf.if", "affine.if"):
            return False
    return around is function


def _shared(one: Operation, other: Operation) -> list[Operation]:
    """The loops around both."""
    pairs = zip(loops_around(one), loops_around(other), strict=False)
    return [a for a, b in pairs if a is b]
