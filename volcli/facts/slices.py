"""Pairs of slices as facts: disjoint, overlapping or equal, for machines and for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.facts.comparisons import comparison_json, condition, condition_set
from volcli.facts.fact import EXACT, Certainty, Fact, assumed, json_fields
from volcli.model.values.slices.slices import Overlap
from volcli.model.values.terms.answers import Comparison, Verdict
from volcli.presburger.sets.conditions import ParsedCondition


@dataclass(frozen=True, repr=False)
class SlicesFact(Fact):
    """Whether two slices of the same tensor or buffer share elements; it stands at the later one.

    What is said of all executions holds if the `assumptions` do.
    """

    question = "slices"
    columns = ("slices", "of", "are", "shared element")

    left: str
    right: str
    source: str
    overlap: Overlap
    equivalent: Comparison
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return f"{self.left}, {self.right} of {self.source}"

    @property
    def precondition(self) -> ParsedCondition | None:
        """Where both share elements, as far as that is known: a set over its names; None if nothing is."""
        return condition_set(self.overlap.precondition)

    @property
    def relation(self) -> str:
        """One word: never, equal, disjoint, overlap, sometimes (it depends on the values), unknown."""
        verdict = self.overlap.verdict
        if verdict is Verdict.PROVED and self.overlap.never:
            return "never"
        if self.equivalent.verdict is Verdict.PROVED:
            return "equal"
        if verdict is Verdict.UNKNOWN:
            return "unknown"
        if verdict is Verdict.PROVED:
            return "overlap"
        return "disjoint" if self.overlap.never else "sometimes"

    def _fields(self) -> Mapping[str, Any]:
        shared = self.overlap.shared
        element = None if shared is None else json_fields(shared, "element values")
        overlap = {**comparison_json(self.overlap), "shared": element}
        names = "left right value relation overlap equivalent assumptions"
        equivalent = comparison_json(self.equivalent)
        return json_fields(self, names, value=self.source, overlap=overlap, equivalent=equivalent)

    @property
    def certainty(self) -> Certainty:
        return Certainty("unknown", self.overlap.because) if self.relation == "unknown" else EXACT

    def content(self) -> Any:
        return {"left": self.left, "right": self.right, "relation": self.relation}

    def annotation(self) -> list[str]:
        return [
            f"slices {self.left} and {self.right} of {self.source} {self._said()}{assumed(self.assumptions)}"
        ]

    def _said(self) -> str:
        shared = self._shared()
        match self.relation:
            case "never":
                return "never exist together"
            case "equal":
                return "are equal"
            case "disjoint":
                return "are disjoint"
            case "overlap":
                return f"overlap: both have {shared}" if shared else "overlap"
            case "sometimes":
                when = condition(self.overlap)
                when = f" {when}" if when else " for some values"
                return f"overlap{when}" + (f": both have {shared}" if shared else "")
            case _:
                return f"may overlap: {self.overlap.because}"

    def _shared(self) -> str:
        shared = self.overlap.shared
        if shared is None:
            return ""
        values = ", ".join(f"{name} = {number}" for name, number in shared.values.items())
        return str(list(shared.element)) + (f" at {values}" if values else "")

    def rows(self) -> list[tuple[str, ...]]:
        words = {"sometimes": "overlapping for some values", "overlap": "overlapping"}
        said = words.get(self.relation, self.relation)
        if self.overlap.precondition and self.relation == "sometimes":
            said = f"overlapping {condition(self.overlap)}"
        if self.relation == "unknown":
            said = f"unknown: {self.overlap.because}"
        said += assumed(self.assumptions)
        return [(f"{self.left}, {self.right}", self.source, said, self._shared())]
