"""Dependences: which access to memory needs which one to have run before, at which distances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volcli.facts.ends import End, hull_text, pair_text, witness_json
from volcli.facts.fact import EXACT, Certainty, Fact, json_fields
from volcli.model.memory.dependences.answers import Witness
from volcli.presburger.measures.extremes import Interval
from volcli.presburger.sets.named import NamedSet

DependenceKind = Literal["RAW", "WAR", "WAW"]


@dataclass(frozen=True, repr=False)
class DependenceFact(Fact):
    """That the sink depends on the source at a depth, or may; `where` is the source."""

    question = "dependences"
    columns = ("kind", "source", "sink", "depth", "distances", "first")
    answers = ("RAW", "WAR", "WAW", "RAR")

    kind: DependenceKind
    source: End
    sink: End
    depth: int
    verdict: Literal["dependent", "independent", "unknown"]
    distances: NamedSet | None
    """The sink's iteration minus the source's, in the loops around both; None: they are not known."""
    hull: tuple[Interval, ...]
    witness: Witness | None
    reason: str | None
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return f"{self.kind} {self.source} -> {self.sink} at depth {self.depth}"

    def _fields(self) -> Mapping[str, Any]:
        names = "source sink kind depth verdict distances hull witness exact reason assumptions"
        return json_fields(self, names, witness=witness_json(self.witness), exact=self.reason is None)

    @property
    def certainty(self) -> Certainty:
        if self.verdict == "unknown":
            return Certainty("unknown", self.reason)
        return EXACT if self.reason is None else Certainty("approximate", self.reason)

    @property
    def answer(self) -> str:
        return "unknown" if self.verdict == "unknown" else self.kind

    @property
    def needs_attention(self) -> bool:
        return self.verdict == "unknown"

    def content(self) -> Any:
        return {"kind": self.kind, "depth": self.depth, "hull": hull_text(self.hull)}

    def annotation(self) -> list[str]:
        return []  # the loops say it

    def rows(self) -> list[tuple[str, ...]]:
        source, sink = (f"{end.element} (line {end.place.line})" for end in (self.source, self.sink))
        distances = f"unknown: {self.reason}" if self.distances is None else self.distances.text
        if self.distances is not None and self.reason is not None:
            distances += f" at most: {self.reason}"
        return [(self.kind, source, sink, str(self.depth), distances, pair_text(self.witness))]
