"""Nests: which loops may be interchanged and tiled, fused, or run several iterations at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volcli.diagnostics.counted import counted
from volcli.facts.fact import EXACT, Certainty, Fact, assumed, json_fields


@dataclass(frozen=True, repr=False)
class NestFact(Fact):
    """What may be done with loops: a band that may be interchanged and tiled, two loops that may be one.

    What may be done may be done if the `assumptions` hold. A loop that may be vectorised may run so many
    iterations `at_a_time`.
    """

    question = "nests"
    columns = ("loops", "may be", "because")
    answers = ("legal", "illegal")

    loops: tuple[str, ...]
    rewriting: Literal["tile", "fuse", "vectorise"]
    legal: Literal["yes", "no", "unknown"]
    because: str | None
    assumptions: tuple[str, ...] = ()
    at_a_time: int | None = None

    @property
    def reason(self) -> str | None:
        """How many iterations at a time, or why it is not legal or not known."""
        return self.because if self.at_a_time is None else f"{counted(self.at_a_time, 'iteration')} at a time"

    @property
    def subject(self) -> str:
        return f"{self.rewriting} {', '.join(self.loops)}"

    def _fields(self) -> Mapping[str, Any]:
        return json_fields(self, "loops rewriting legal reason assumptions")

    @property
    def certainty(self) -> Certainty:
        return Certainty("unknown", self.because) if self.legal == "unknown" else EXACT

    @property
    def answer(self) -> str:
        return {"yes": "legal", "no": "illegal"}.get(self.legal, self.legal)

    def content(self) -> Any:
        return {"loops": list(self.loops), "rewriting": self.rewriting, "legal": self.legal}

    def annotation(self) -> list[str]:
        needed = assumed(self.assumptions)
        if self.rewriting == "tile":
            return [f"{', '.join(self.loops)} may be interchanged and tiled{needed}"]
        if self.rewriting == "vectorise":
            return [f"{self.loops[0]} may run {self.reason}{needed}"]
        text = {"yes": "may be", "no": "may not be", "unknown": "may or may not be"}[self.legal]
        reason = f": {self.reason}" if self.reason is not None else ""
        return [f"{self.loops[0]} {text} fused with the loop before{needed}{reason}"]

    def rows(self) -> list[tuple[str, ...]]:
        done = {"tile": "interchanged and tiled", "fuse": "fused", "vectorise": "vectorised"}[self.rewriting]
        because = [self.reason] if self.reason is not None else []
        first, *others = [*because, *(f"if {text}" for text in self.assumptions), ""]
        verdict = (", ".join(self.loops), f"{done}: {self.legal}", first)
        return [verdict, *(("", "", text) for text in others if text)]
