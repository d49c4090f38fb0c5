"""Cost: the instructions that index values, conditions and bounds of loops take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.diagnostics.counted import counted
from volcli.facts.fact import EXACT, Certainty, Fact


@dataclass(frozen=True, repr=False)
class CostFact(Fact):
    """What it takes to compute a number, the bounds of a loop, or all index arithmetic of a function.

    `instructions` are names and how many there are of each; `cycles` is what they take one after the other.
    """

    question = "cost"
    columns = ("of", "cycles", "instructions")

    of: str
    instructions: tuple[tuple[str, int], ...]
    cycles: int

    @property
    def subject(self) -> str:
        return self.of

    def _fields(self) -> Mapping[str, Any]:
        return {"of": self.of, "instructions": dict(self.instructions), "cycles": self.cycles}

    @property
    def certainty(self) -> Certainty:
        return EXACT

    def content(self) -> Any:
        return {"cycles": self.cycles}

    def annotation(self) -> list[str]:
        return [f"cost of {self.of}: {counted(self.cycles, 'cycle')} ({self._text()})"]

    def rows(self) -> list[tuple[str, ...]]:
        return [(self.of, str(self.cycles), self._text())]

    def _text(self) -> str:
        """`2 mul, 1 add`."""
        return ", ".join(f"{count} {name}" for name, count in self.instructions)
