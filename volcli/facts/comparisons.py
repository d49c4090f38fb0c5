"""Claims about values as facts: proved, refuted with a witness, or unknown with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.facts.fact import EXACT, Certainty, Fact, json_fields
from volcli.model.values.terms.answers import NEVER, Comparison, Verdict
from volcli.presburger.sets.condition_words import ConditionError
from volcli.presburger.sets.conditions import ParsedCondition, read


@dataclass(frozen=True, repr=False)
class ClaimFact(Fact):
    """Whether a claim about values holds whenever all of them are there."""

    question = "comparisons"
    columns = ("claim", "is", "because")
    answers = ("proved", "refuted", "never reached", "never true")

    claim: str
    found: Comparison

    @property
    def subject(self) -> str:
        return self.claim

    @property
    def precondition(self) -> ParsedCondition | None:
        """Where the claim holds, as far as that is known: a set over its names; None if nothing is."""
        return condition_set(self.found.precondition)

    def _fields(self) -> Mapping[str, Any]:
        return {"claim": self.claim, **comparison_json(self.found)}

    @property
    def certainty(self) -> Certainty:
        is_unknown = self.found.verdict is Verdict.UNKNOWN
        return Certainty("unknown", self.found.because) if is_unknown else EXACT

    @property
    def answer(self) -> str:
        return self._verdict()

    @property
    def needs_attention(self) -> bool:
        return False  # claims stay in the order in which they are asked

    def content(self) -> Any:
        return {"claim": self.claim, "verdict": self.found.verdict.value}

    def annotation(self) -> list[str]:
        because = self.because
        return [f"claim {self.claim}: {self._verdict()}" + (f": {because}" if because else "")]

    def rows(self) -> list[tuple[str, ...]]:
        return [(self.claim, self._verdict(), self.because)]

    def _verdict(self) -> str:
        if self.found.never:
            return "never reached" if self.found.verdict is Verdict.PROVED else "never true"
        return self.found.verdict.value

    @property
    def because(self) -> str:
        """The witness, the reason or the condition under which it holds."""
        found = self.found
        pieces = [f"assuming {' and '.join(found.assumptions)}"] if found.assumptions else []
        if found.witness and found.verdict is Verdict.REFUTED:
            values = ", ".join(f"{name} = {number}" for name, number in found.witness.items())
            pieces.append(f"it fails at {values}")
        is_reason = found.never and found.because != NEVER
        if found.because and (is_reason or found.verdict is Verdict.UNKNOWN):
            pieces.append(found.because)
        if found.precondition:
            pieces.append(f"it holds {condition(found)}")
        return "; ".join(pieces)


def condition(found: Comparison) -> str:
    """When it holds: `if %n >= 1`; "" if that is not known."""
    if not found.precondition:
        return ""
    if found.precondition == "true":
        return "in some iterations"
    return f"if {found.precondition}" + ("" if found.weakest else " (sufficient, perhaps not necessary)")


def condition_set(text: str | None) -> ParsedCondition | None:
    """A condition as the set of values for which it holds, over parameters n0, n1, ... for its names.

    >>> found = condition_set("%n >= 1 and %m mod 4 = 0")
    >>> [str(name) for name in found.names]
    ['%n', '%m']
    >>> "n0 > 0" in str(found.points)
    True
    """
    try:
        return None if text is None else read(text)
    except ConditionError:  # a value that the program does not name
        return None


def comparison_json(found: Comparison) -> dict[str, Any]:
    """A comparison as docs/facts.schema.json describes it."""
    names = "verdict never witness precondition weakest reason assumptions"
    weakest = found.weakest if found.precondition else None
    return json_fields(found, names, verdict=found.verdict.value, weakest=weakest, reason=found.because)
