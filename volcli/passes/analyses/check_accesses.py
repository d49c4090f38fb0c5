"""check-accesses: whether each access and each slice stays inside the memref or tensor that it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volcli.diagnostics import Diagnostic
from volcli.facts.access import AccessFact, AccessKind
from volcli.facts.preconditions import PreconditionFact
from volcli.language.interface import operation_name
from volcli.language.memory import Effect
from volcli.language.questions import slice_of
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict
from volcli.model.memory.checks.calls.calls import CallAnswer
from volcli.model.memory.dependences.naming import slice_text, values_text, window_text
from volcli.model.symbols import symbol_of
from volcli.passes.analyses.preconditions import Functions
from volcli.passes.base import Pass, Unit, option


@dataclass(frozen=True)
class CheckAccesses(Pass):
    """Prove each access in bounds, or find an iteration in which it is not.

    Checked are the elements that operations on memrefs read and write, in the memref that they name (a view
    has its own shape), and the first and the last elements of the slices of `tensor.extract_slice`,
    `tensor.insert_slice`, `tensor.parallel_insert_slice` and `memref.subview`; static sizes and dynamic
    ones, and what `memref.reinterpret_cast` and `memref.view` show of a buffer whose size is known. An empty
    slice has no elements, and is in bounds; mlir-opt's runtime verification also asks that its offset is at
    most the end, and `volcli run` calls it a contract if it is not.

    Findings: out of bounds in some iteration, whatever the arguments are for which it runs (V203). What is
    out of bounds for some arguments only is one remark for each function (V204): the weakest precondition,
    with which all of that stays in bounds, or a condition that is marked as only necessary (other accesses
    are unknown) or only sufficient. Calls of functions that are seen are checked against it: a call that
    violates it is a warning (V208); one that does for some arguments of the caller adds to what the caller
    needs. So is a precondition that no arguments fulfil (V209). A private function has no finding if
    what all of its callers pass is known; an access that is in bounds for what they pass, and not for all
    arguments, says so. What depends on unknown values (loaded ones, say) is unknown.

    An access that is in bounds only if sums and products of index values fit in 64 bits says so, where that
    is not proved: `%n + 1 < %size` and `%n >= 0` hold for %n = 2^63 - 1, too, as the sum is negative.
    """

    name = "check-accesses"
    summary = "each access and slice: in bounds, or out of bounds with an example"

    each: bool = option(False, help="a remark for each access that needs a condition of the arguments")
    findings_only: bool = option(False, help="no facts about accesses in bounds")

    def apply(self, unit: Unit) -> None:
        """A fact for each access and slice, and one for each function that needs something."""
        functions = unit.shared(Functions)
        for model in unit.models():
            checked = functions.of(model.function)
            assert checked is not None
            within = functions.in_bounds_as_called(model)
            facts = [
                _fact(unit, model, functions.in_calls(model, position, answer), within.get(position))
                for position, answer in enumerate(checked.own)
                if not (self.findings_only and answer.verdict is AccessVerdict.IN_BOUNDS)
            ]
            needed = functions.fact(model)
            unit.facts.extend([*([] if needed is None else [needed]), *facts])
            said = [
                violation(unit, model, call) for call in checked.calls if functions.is_violated(model, call)
            ]
            said += [Diagnostic("V203", outside_text(fact), fact.place) for fact in facts if fact.always]
            said += [] if needed is None else self._needed(functions, model, needed, facts)
            if (unknown := checked.unknown) is not None:
                where = unit.parsed.written_at(model.function)
                said.append(Diagnostic("V302", f"unknown: {unknown.format(model.name)}", where))
            for diagnostic in said:
                unit.report(diagnostic)

    def _needed(
        self,
        functions: Functions,
        model: FunctionModel,
        needed: PreconditionFact,
        facts: Sequence[AccessFact],
    ) -> Iterator[Diagnostic]:
        said = f"{needed.subject} {needed.text}, {needed.because}"
        if needed.never:
            yield Diagnostic("V209", said, needed.place, assumptions=needed.assumptions)
        elif not functions.is_answered(model.function):
            yield Diagnostic("V204", said, needed.place, assumptions=needed.assumptions)
        if self.each:
            for fact, others in _conditional(facts):
                more = f"; so are {others} more" if others else ""
                yield Diagnostic("V204", outside_text(fact) + more, fact.place)


def outside_text(fact: AccessFact) -> str:
    """What is said of an access that is out of bounds."""
    return f"'{fact.op}' op {did(fact)} out of bounds: {fact.because}"


def did(fact: AccessFact) -> str:
    """`writes %m[%i]`, `takes the slice %t[%i] [4] [1]`."""
    return f"{_VERBS[fact.kind]} {fact.element}"


def violation(unit: Unit, model: FunctionModel, call: CallAnswer, purpose: str = "") -> Diagnostic:
    """`'func.call' op passes %n = 9 at %i = 9, but @f needs %n <= 8`, with the PURPOSE of that."""
    violation = call.violation
    assert violation is not None
    levels = model.memory.nests.levels(call.op.parent)
    names = ["iteration" if (v := level.variable) is None else model.name_of(v) for level in levels]
    passed = values_text(list(violation.values), list(violation.values.values()))
    at = f" at {values_text(names, violation.iteration)}" if names else ""
    given = violation.parameters
    given_text = f" for {values_text(list(given), list(given.values()))}" if given else ""
    called, text = symbol_of(call.called), call.precondition.text
    fails = "has a race" if purpose else "goes out of bounds"
    needs = f"@{called} {fails} with that" if text is None else f"{purpose}@{called} needs {text}"
    message = f"'{operation_name(call.op)}' op passes {passed}{at}{given_text}, but {needs}"
    related = ((unit.parsed.written_at(call.called), "the called function"),)
    return Diagnostic("V208", message, unit.parsed.written_at(call.op), related=related)


def _conditional(facts: Sequence[AccessFact]) -> Iterator[tuple[AccessFact, int]]:
    """What is out of bounds for some arguments: the first for each condition, and how many more have it."""
    outside = [f for f in facts if f.verdict == AccessVerdict.OUT_OF_BOUNDS.value and not f.always]
    counts = Counter(fact.condition for fact in outside)
    said: set[str | None] = set()
    for fact in outside:
        if fact.condition not in said:
            said.add(fact.condition)
            yield fact, counts[fact.condition] - 1


def _fact(
    unit: Unit, model: FunctionModel, answer: AccessAnswer, as_called: AccessAnswer | None
) -> AccessFact:
    """What is answered of an access: for what all calls pass, where it is in bounds AS_CALLED alone."""
    if as_called is not None:
        answer = AccessAnswer(
            answer.site,
            answer.slice,
            AccessVerdict.IN_BOUNDS,
            failing=0,
            assumptions=(*as_called.assumptions, model.calls_text),
        )
    op = answer.site.op
    variables = [level.variable for level in answer.site.levels]
    return AccessFact(
        unit.where(model, op),
        _kind(answer),
        _element(model, answer),
        answer.verdict.value,
        tuple("iteration" if v is None else model.name_of(v) for v in variables),
        answer.witness,
        answer.always,
        answer.condition,
        answer.failing,
        answer.total,
        answer.because,
        answer.assumptions,
    )


_VERBS = {"read": "reads", "write": "writes", "slice": "takes the slice", "view": "shows"}


def _kind(answer: AccessAnswer) -> AccessKind:
    if answer.slice:
        return "slice" if slice_of.answers(type(answer.site.op)) else "view"
    return "write" if answer.site.effect is Effect.WRITE else "read"


def _element(model: FunctionModel, answer: AccessAnswer) -> str:
    """`%m[%i, 2 * %j]`, or `%t[%i] [4] [1]`: offsets, sizes and strides."""
    if _kind(answer) == "view":
        return window_text(model.memory, answer.site)
    if answer.slice:
        return slice_text(model.memory, answer.site.op)
    return model.memory.names.access(answer.site)
