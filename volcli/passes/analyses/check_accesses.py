"""check-accesses: whether each access and each slice stays inside the memref or tensor that it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volcli.diagnostics import Diagnostic
from volcli.facts.access import AccessFact, AccessKind
from volcli.language.memory import Effect
from volcli.language.questions import slice_of
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.accesses import AccessAnswer, AccessChecks, AccessVerdict
from volcli.model.memory.naming import slice_text, window_text
from volcli.passes.base import Pass, Unit
from volcli.passes.limits import report
from volcli.presburger.budget import DEFAULT_OPERATIONS


@dataclass(frozen=True)
class CheckAccesses(Pass):
    """Prove each access in bounds, or find an iteration in which it is not.

    Checked are the elements that operations on memrefs read and write, in the memref that they name (a view
    has its own shape), and the first and the last elements of the slices of `tensor.extract_slice`,
    `tensor.insert_slice`, `tensor.parallel_insert_slice` and `memref.subview`; static sizes and dynamic
    ones. An empty slice has no elements. So is what `memref.reinterpret_cast` and `memref.view` show of a
    buffer whose size is known.

    Findings: out of bounds in some iteration, whatever the arguments of the function are (V203); out of
    bounds for some arguments (V204, a warning, one for each condition under which it is not). What depends on
    unknown values (loaded ones, say) is unknown.
    """

    name = "check-accesses"
    summary = "each access and slice: in bounds, or out of bounds with an example"
    by_function = True

    def apply(self, unit: Unit) -> None:
        """A fact for each access and slice, and a finding for each that is out of bounds."""
        for model in unit.models():
            checks = AccessChecks(model.memory, operations=unit.budget or DEFAULT_OPERATIONS)
            facts = [_fact(unit, model, answer) for answer in checks.all()]
            unit.facts.extend(facts)
            for fact, others in _findings(facts):
                verb = _VERBS[fact.kind]
                message = f"'{fact.op}' op {verb} {fact.element} out of bounds: {fact.because}"
                more = f"; so are {others} more" if others else ""
                report(unit, Diagnostic("V203" if fact.always else "V204", message + more, fact.place))


def _findings(facts: Sequence[AccessFact]) -> Iterator[tuple[AccessFact, int]]:
    """What is out of bounds: if that depends on a condition, the first one, and how many more have it."""
    outside = [fact for fact in facts if fact.verdict == AccessVerdict.OUT_OF_BOUNDS.value]
    counts = Counter(fact.condition for fact in outside)
    said: set[str] = set()
    for fact in outside:
        if fact.condition is None:
            yield fact, 0
        elif fact.condition not in said:
            said.add(fact.condition)
            yield fact, counts[fact.condition] - 1


def _fact(unit: Unit, model: FunctionModel, answer: AccessAnswer) -> AccessFact:
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
    return model.memory.access_text(answer.site)
