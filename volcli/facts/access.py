"""Accesses and slices as facts: in bounds, out of bounds with an example, or unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volcli.facts.comparisons import condition_set
from volcli.facts.fact import EXACT, Certainty, Fact, assumed, json_fields
from volcli.model.memory.checks.answers.access_answers import Outside
from volcli.presburger.sets.conditions import ParsedCondition

AccessKind = Literal["read", "write", "slice", "view"]


@dataclass(frozen=True, repr=False)
class AccessFact(Fact):
    """Whether one access (or slice) stays inside the memref or tensor that it names.

    `names` are those of the loops around it. The `condition` is that on the arguments under which it does.
    It is in bounds if the `assumptions` hold. If it is out of bounds, but not `always`, it is conditional:
    the function needs something of its arguments, and no mistake is proved.
    """

    question = "access"
    columns = ("access", "verdict", "because")
    answers = ("in-bounds", "out-of-bounds", "conditional")

    kind: AccessKind
    element: str
    verdict: Literal["in-bounds", "out-of-bounds", "unknown"]
    names: tuple[str, ...]
    witness: Outside | None
    always: bool
    condition: str | None
    failing: int | None
    total: int | None
    reason: str | None
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return f"{self.kind} of {self.element}"

    @property
    def precondition(self) -> ParsedCondition | None:
        """Where it stays inside, as far as that is known: a set over its names; None if nothing is."""
        return condition_set(self.condition)

    def _fields(self) -> Mapping[str, Any]:
        witness = None if self.witness is None else self._witness(self.witness)
        names = "value kind element verdict witness always condition failing total reason assumptions"
        return json_fields(self, names, value=self.subject, witness=witness)

    @staticmethod
    def _witness(outside: Outside) -> Mapping[str, Any]:
        return json_fields(outside, "iteration index dimension size parameters")

    @property
    def certainty(self) -> Certainty:
        return Certainty("unknown", self.reason) if self.verdict == "unknown" else EXACT

    @property
    def answer(self) -> str:
        is_for_some = self.verdict == "out-of-bounds" and not self.always
        return "conditional" if is_for_some else self.verdict

    @property
    def needs_attention(self) -> bool:
        return self.answer in ("out-of-bounds", "unknown")

    @property
    def headline(self) -> str:
        return self.annotation()[0]

    def content(self) -> Any:
        return self.verdict if self.verdict == "in-bounds" else f"{self.verdict}: {self.because}"

    @property
    def because(self) -> str:
        """The example, or the reason."""
        if self.witness is None:
            needed = f"if {' and '.join(self.assumptions)}" if self.assumptions else ""
            return self.reason or needed
        dimension = self.witness.dimension
        text = f"index {self.witness.index[dimension]} in dimension {dimension} of size {self.witness.size}"
        given = dict(zip(self.names, self.witness.iteration, strict=True))
        for word, numbers in (("at", given), ("for", self.witness.parameters)):
            if numbers:
                text += f", {word} {', '.join(f'{name} = {number}' for name, number in numbers.items())}"
        if self.failing is not None and self.total is not None and self.total > 1:
            text += f" ({self.failing} of {self.total})"
        return text + (f"; in bounds if {self.condition}" if self.condition else "")

    def annotation(self) -> list[str]:
        if self.verdict == "in-bounds":
            return [f"{self.kind} {self.element} in bounds{assumed(self.assumptions)}"]
        if self.verdict == "unknown":
            return [f"{self.kind} {self.element} may be out of bounds: {self.because}"]
        return [f"{self.kind} {self.element} out of bounds: {self.because}"]

    def rows(self) -> list[tuple[str, ...]]:
        return [(f"{self.kind} {self.element}", self.answer, self.because)]
