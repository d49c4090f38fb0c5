"""Code that never runs as facts: loops without iterations, branches not taken, padding of nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volcli.facts.fact import EXACT, Certainty, Fact, assumed, json_fields


@dataclass(frozen=True, repr=False)
class DeadFact(Fact):
    """A region of an operation, or a block after it, that no execution enters, if the `assumptions` hold.

    `region` is the number of the region or of the successor, `kind` what the operation would do there.
    """

    question = "dead"
    columns = ("operation", "never runs", "because")
    answers = ("dead loop", "dead branch", "dead padding", "dead block")

    name: str
    kind: Literal["loop", "branch", "padding", "block"]
    region: int
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return f"{self.name} region {self.region}" if self.region else self.name

    @property
    def text(self) -> str:
        """`has no iteration`, after the name of the operation."""
        match self.kind:
            case "loop":
                said = "has no iteration"
            case "padding":
                said = "adds no element"
            case "branch":
                said = f"never enters its {_ordinal(self.region)} region"
            case "block":
                said = f"never goes to its {_ordinal(self.region)} block"
        return said + assumed(self.assumptions)

    def _fields(self) -> Mapping[str, Any]:
        return json_fields(self, "value kind region assumptions", value=self.name)

    @property
    def certainty(self) -> Certainty:
        return EXACT

    @property
    def answer(self) -> str:
        return f"dead {self.kind}"

    @property
    def needs_attention(self) -> bool:
        return True

    @property
    def headline(self) -> str:
        return self.annotation()[0]

    def content(self) -> Any:
        return self.text

    def annotation(self) -> list[str]:
        return [f"{self.name} {self.text}"]

    def rows(self) -> list[tuple[str, ...]]:
        part = "successor" if self.kind == "block" else "region"
        return [(self.name, f"{self.kind}, {part} {self.region}", " and ".join(self.assumptions))]


def _ordinal(position: int) -> str:
    """`first` for 0, and `4th` for 3."""
    words = ("first", "second", "third")
    return words[position] if position < len(words) else f"{position + 1}th"
