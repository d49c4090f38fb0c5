"""Races as facts, for machines and for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volcli.facts.ends import End, witness_json
from volcli.facts.fact import EXACT, Certainty, Fact, json_fields
from volcli.model.memory.dependences.answers import Witness


@dataclass(frozen=True)
class RacePair:
    """Two accesses to a buffer that race: an example, or why it is unknown. `verbs` is what they do."""

    first: End
    second: End
    verbs: tuple[str, str]
    buffer: str
    witness: Witness | None
    reason: str | None

    def to_json(self) -> dict[str, Any]:
        return json_fields(self, "first second witness reason", witness=witness_json(self.witness))

    @property
    def text(self) -> str:
        """`(0, 1) writes %m[%i] and (1, 0) reads %m[%j], element [0] of %m`."""
        if self.witness is None:
            verbs = self.verbs[0].rstrip("s"), self.verbs[1].rstrip("s")
            return f"may {verbs[0]} {self.first.element} and {verbs[1]} {self.second.element}: {self.reason}"
        source, sink = (f"({', '.join(map(str, each))})" for each in (self.witness.source, self.witness.sink))
        done = (
            f"{source} {self.verbs[0]} {self.first.element} and {sink} {self.verbs[1]} {self.second.element}"
        )
        given = ", ".join(f"{name} = {number}" for name, number in self.witness.parameters.items())
        element = ", ".join(map(str, self.witness.element))
        return f"{done}, element [{element}] of {self.buffer}" + (f", for {given}" if given else "")


@dataclass(frozen=True, repr=False)
class RaceFact(Fact):
    """Whether iterations of one parallel loop, or points of one operation, race.

    They do so `always` if there is a race whenever each of the loops around it has two iterations. If not,
    there is none if the `condition` on the arguments holds, where that is known.
    """

    question = "races"
    columns = ("operation", "verdict", "because")
    answers = ("race-free", "race")

    value: str
    verdict: Literal["race-free", "race", "unknown"]
    pairs: tuple[RacePair, ...]
    reason: str | None
    assumptions: tuple[str, ...]
    always: bool = False
    condition: str | None = None

    @property
    def subject(self) -> str:
        return self.value

    def _fields(self) -> Mapping[str, Any]:
        names = "value verdict races reason assumptions always condition"
        return json_fields(self, names, races=self.pairs)

    @property
    def certainty(self) -> Certainty:
        if self.verdict != "unknown":
            return EXACT
        reasons = [pair.reason for pair in self.pairs if pair.reason is not None]
        return Certainty("unknown", self.reason or next(iter(reasons), None))

    @property
    def answer(self) -> str:
        return self.verdict

    @property
    def needs_attention(self) -> bool:
        return self.verdict != "race-free"

    @property
    def headline(self) -> str:
        return self.annotation()[0]

    def content(self) -> Any:
        return self.verdict if self.verdict == "race-free" else f"{self.verdict}: {self._because()[0]}"

    def _because(self) -> list[str]:
        if self.pairs:
            none = f"; none if {self.condition}" if self.condition else ""
            return [pair.text + none for pair in self.pairs]
        return [self.reason] if self.reason else [f"if {text}" for text in self.assumptions] or [""]

    def annotation(self) -> list[str]:
        said = [text for text in self._because() if text]
        head = f"{self.value}: {self.verdict}"
        if self.verdict == "race-free":
            return [f"{head} {' and '.join(said)}".rstrip()]
        return [f"{head}: {said[0]}"] if len(said) == 1 else [head, *(f"  {text}" for text in said)]

    def rows(self) -> list[tuple[str, ...]]:
        first, *others = self._because()
        is_for_some = self.verdict == "race" and not self.always
        verdict = f"{self.verdict} for some arguments" if is_for_some else self.verdict
        return [(self.value, verdict, first), *(("", "", text) for text in others)]
