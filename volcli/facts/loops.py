"""Loops: which of them are parallel or reductions, and what the others carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volcli.facts.dependences import DependenceKind
from volcli.facts.ends import hull_text, pair_text
from volcli.facts.fact import EXACT, Certainty, Fact, assumed, json_fields
from volcli.limits import printing as limits
from volcli.model.memory.dependences.answers import Witness
from volcli.presburger.measures.extremes import Interval
from volcli.presburger.sets.named import NamedSet


@dataclass(frozen=True)
class CarriedDependence:
    """A dependence from one iteration of a loop to a later one, of accesses as the program writes them.

    `vectors` are all `distances`, if they are few and do not depend on parameters. With a `reason` for it,
    there may be fewer distances than these.
    """

    kind: DependenceKind
    source: str
    sink: str
    distances: NamedSet | None
    vectors: tuple[tuple[int, ...], ...] | None
    hull: tuple[Interval, ...]
    witness: Witness | None
    reason: str | None = None

    def __str__(self) -> str:
        """`RAW %m[%i] -> %m[%i - 2], distance (2, 0): (0, 0) then (2, 0) at [0, 0]`."""
        return f"{self.kind} {self.source} -> {self.sink}, {self._distances()}: {pair_text(self.witness)}"

    def _distances(self) -> str:
        """All distances, if they are few or a short set; else what they lie between."""
        at_most, because = ("", "") if self.reason is None else ("at most ", f" ({self.reason})")
        if self.vectors is not None:
            texts = ", ".join(f"({', '.join(map(str, vector))})" for vector in self.vectors)
            return f"distance{'s' * (len(self.vectors) > 1)} {at_most}{texts}{because}"
        if self.distances is not None and len(self.distances.text) <= limits.SET_TEXT:
            return f"distances {at_most}{self.distances}{because}"
        return f"distances {at_most}in {hull_text(self.hull)}{because}"


@dataclass(frozen=True, repr=False)
class LoopFact(Fact):
    """In which order the iterations of a loop may run, and what keeps them in order.

    A loop carries the `values` that go around it, and the dependences `carried`, of which `more` of each kind
    are left out. Of a loop that carries dependences, a `reason` is why there may be fewer distances than are
    said.
    """

    question = "loops"
    columns = ("loop", "iterations", "because")
    answers = ("parallel", "reduction", "carried")

    loop: str
    kind: Literal["parallel", "reduction", "carried", "unknown"]
    reductions: tuple[str, ...]
    values: tuple[str, ...]
    carried: tuple[CarriedDependence, ...]
    more: tuple[tuple[str, int], ...]
    least_distance: int | None
    reason: str | None
    assumptions: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.loop

    def _carried(self) -> list[str]:
        return [
            *(f"{name} from iteration to iteration" for name in self.values),
            *map(str, self.carried),
            *[f"{sum(count for _, count in self.more)} more ({self._more()})"] * bool(self.more),
        ]

    def _more(self) -> str:
        return ", ".join(f"{count} {kind}" for kind, count in self.more)

    def _fields(self) -> Mapping[str, Any]:
        names = "loop kind reductions carried least_distance exact reason assumptions"
        return json_fields(self, names, carried=tuple(self._carried()), exact=self.reason is None)

    @property
    def certainty(self) -> Certainty:
        if self.kind == "unknown":
            return Certainty("unknown", self.reason)
        return EXACT if self.reason is None else Certainty("approximate", self.reason)

    @property
    def answer(self) -> str:
        return self.kind

    @property
    def needs_attention(self) -> bool:
        return self.kind in ("carried", "unknown")

    @property
    def headline(self) -> str:
        return self.annotation()[0]

    def content(self) -> Any:
        return {"kind": self.kind, "carried": self._carried()}

    def _because(self) -> list[str]:
        if self.kind == "reduction":
            return [f"combines {', '.join(self.reductions)}"]
        if self.kind == "unknown" and self.reason is not None:
            return [self.reason]
        return self._carried() if self.kind == "carried" else []

    def annotation(self) -> list[str]:
        head = f"{self.loop}: {self.kind}"
        because = self._because()
        if self.kind != "carried":
            return [head + "".join(f": {text}" for text in because) + assumed(self.assumptions)]
        return [f"{self.loop} carries {text}" for text in because]

    def rows(self) -> list[tuple[str, ...]]:
        because = self._because() or [""]
        needed = [f"if {text}" for text in self.assumptions] if self.kind != "carried" else []
        first, *others = [*because, *needed] if because != [""] else [*needed, ""]
        return [(self.loop, self.kind, first), *(("", "", text) for text in others if text)]
