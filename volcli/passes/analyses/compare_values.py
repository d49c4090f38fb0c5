"""compare-values: whether a claim about index values and sizes holds in all executions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from xdsl.ir import SSAValue

from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.facts.comparisons import ClaimFact
from volcli.language.expressions import Expression
from volcli.limits import passes as limits
from volcli.model.function import FunctionModel
from volcli.model.machine import assumptions
from volcli.model.occurrences import places
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Comparison, Verdict
from volcli.model.values.trust.arithmetic import PRODUCTS
from volcli.passes.base import Pass, Unit, option
from volcli.passes.selection import named_value, named_values, where
from volcli.passes.texts import CLAIM
from volcli.presburger.sets.condition_words import ConditionError
from volcli.presburger.sets.conditions import ParsedCondition, read

_RANKS = {Verdict.PROVED: 0, Verdict.UNKNOWN: 1, Verdict.REFUTED: 2}


@dataclass(frozen=True)
class CompareValues(Pass):
    """Decide a claim about index values and sizes: `%a < %b + 1`, `dim(%t, 0) mod 16 = 0`.

    The claim is a condition in isl's language: relations of affine expressions, joined by and, or and not;
    values may be multiplied, too: `%i * %b + %j < %n * %b`.
    It is proved (it holds in all executions in which all of its values are there), refuted with values for
    which it fails, or unknown with the reason. If it is not proved, its weakest precondition on the
    function's parameters is named. Where regions beside each other use a name twice, it is a claim about each
    of these values. `@f:%a` is the %a of the function @f. A claim about numbers alone, as
    `5 < 7`, is of every function.
    """

    name = "compare-values"
    summary = "whether a claim about index values and sizes holds in all executions"

    claim: str = option("", help="the claim, as '%a < %b + 1 and %a mod 4 = 0'")

    def apply(self, unit: Unit) -> None:
        condition = parse_claim(self.claim)
        _, model = owner(condition, [unit])
        unit.facts.append(_fact(unit, model, condition))


_Owner = tuple[Unit, FunctionModel]


def decide(claim: str, units: Sequence[Unit], line: int = 1) -> ClaimFact:
    """Decide CLAIM, line LINE of all, about the values of one function of UNITS; the fact is added there.

    Raises UsageError: V009 if it cannot be read or several functions have such values, V005 if none has;
    V305 or V900 if there is no answer.
    """
    condition = parse_claim(claim, line)
    unit, _ = owner(condition, units, line)
    unit.run(CompareValues(claim))
    for fact in unit.facts:
        if isinstance(fact, ClaimFact) and fact.claim == condition.text:
            return fact
    raise UsageError(unit.diagnostics[-1])


def owner(condition: ParsedCondition, units: Sequence[Unit], line: int = 1) -> _Owner:
    """The function that has the values of a claim, the first one if it names none.

    Raises UsageError: V009 for several, V005 for none.
    """
    owners = [(unit, model) for unit in units for model in unit.models()]
    if not condition.names and owners:
        return owners[0]
    having = [
        owner for owner in owners if all(named_value(*owner, name) is not None for name in condition.names)
    ]
    if not condition.names:
        raise _error("V005", "there is no function", line, 0)
    first = condition.names[0]
    if len(having) > 1:
        several = ", ".join(f"@{model.name}" for _, model in having)
        name = having[0][1].name
        note = f"write @{name}:{first} for that of @{name}"
        raise _error("V009", f"'{first}' is a value of {several}", line, first.at, note)
    if not having:
        for name in condition.names:
            if not any(named_value(*owner, name) is not None for owner in owners):
                message = f"no index or integer value, or size, {name} in the program"
                raise _error("V005", message, line, name.at)
        names = ", ".join(map(str, condition.names))
        raise _error("V005", f"no function has all of the values {names}", line, first.at)
    return having[0]


def _fact(unit: Unit, model: FunctionModel, condition: ParsedCondition) -> ClaimFact:
    """The answer for all values that are called so; of several the one that is least true."""
    called = [named_values(unit, model, name) for name in condition.names]
    if prod(map(len, called)) > limits.CLAIM_READINGS:
        because = f"its names are those of values in more than {limits.CLAIM_READINGS} ways"
        found = Comparison(Verdict.UNKNOWN, because=because)
        return ClaimFact(unit.where(model, model.function), condition.text, found)
    facts = [_chosen(unit, model, condition, chosen) for chosen in product(*called)]
    fact = max(facts, key=lambda each: (_RANKS[each.found.verdict], not each.found.never))
    if sum(each.found.verdict is not Verdict.PROVED for each in facts) > 1:
        return replace(fact, found=replace(fact.found, precondition=None))  # it is of one choice alone
    return fact


def _chosen(
    unit: Unit, model: FunctionModel, condition: ParsedCondition, values: Sequence[SSAValue]
) -> ClaimFact:
    """The answer for VALUES, one for each name in CONDITION."""
    of = model.form
    readings = None if model.occurrences is None else model.occurrences.readings(values)
    if readings is None:
        answers = [_or_executed(unit, model, condition, values)]
    else:
        answers = [
            _decided(of, condition, [occurrence.value for occurrence in each], list(places(each)))
            for each in readings
        ]
    answer = max(answers, key=lambda each: (_RANKS[each.verdict], not each.never))
    if len(answers) > 1:
        answer = replace(answer, precondition=None)
    last = max(values, key=model.bounds.definitions.position, default=None)
    place = unit.where(model, model.function) if last is None else where(unit, model, last)
    return ClaimFact(place, condition.text, answer)


def _or_executed(
    unit: Unit, model: FunctionModel, condition: ParsedCondition, values: Sequence[SSAValue]
) -> Comparison:
    """The answer for VALUES; where proofs have none, a run in which the claim fails.

    So, too, in the place of a witness whose numbers are so large that products of them may wrap around.
    """
    found = _decided(model, condition, values, values)
    is_small = found.witness and all(abs(number) < 1 << 31 for number in found.witness.values())
    if found.verdict is Verdict.PROVED or is_small or not values:
        return found
    from volcli.passes.analyses.executed_claims import counterexample  # imports numpy

    witness = counterexample(unit, model, condition, values)
    return (
        found if witness is None else replace(found, verdict=Verdict.REFUTED, witness=witness, because=None)
    )


def _decided(
    model: FunctionModel,
    condition: ParsedCondition,
    values: Sequence[SSAValue],
    at: Sequence[ProgramPoint],
) -> Comparison:
    """The answer for VALUES where all places AT are reached; if it is proved, with what it assumes."""
    holds = condition.points.params()
    fails = holds.complement()

    def numbers(store: BoundsStore) -> dict[str, Expression]:
        stated = [store.value(v, name.dim) for v, name in zip(values, condition.names, strict=True)]
        return {f"n{position}": number for position, number in enumerate(condition.numbers(stated))}

    def decided(store: BoundsStore) -> Comparison:
        return store.claims.decide(numbers(store), holds, fails, at, are_values=True)

    def is_proved(other: FunctionModel) -> bool:
        return decided(other.bounds).verdict is Verdict.PROVED

    found = model.assuming.comparison(decided, list(numbers(model.bounds).values()), at)
    if found.verdict is not Verdict.PROVED or PRODUCTS in found.assumptions:
        return found
    needed = dict.fromkeys((*found.assumptions, *assumptions(model, is_proved)))
    return replace(found, assumptions=tuple(needed))


def parse_claim(text: str, line: int = 1) -> ParsedCondition:
    """The claim TEXT; raises UsageError (V009)."""
    try:
        return read(text)
    except ConditionError as error:
        raise _error("V009", error.message, line, error.at) from None


def _error(code: str, message: str, line: int, at: int, note: str | None = None) -> UsageError:
    return UsageError(Diagnostic(code, message, Place(CLAIM, line, at + 1), note))
