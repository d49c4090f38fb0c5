"""Dependences and loops as facts, for machines and for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.diagnostics import Place
from volcli.model.facts import Fact
from volcli.model.memory.answers import Witness
from volcli.presburger.extremes import Interval


@dataclass(frozen=True)
class End:
    """One access of a pair: its operation, place, number in the function, and the element as written."""

    op: str
    place: Place
    index: int
    element: str

    def to_json(self) -> dict[str, Any]:
        return {
            "op": self.op,
            "line": self.place.line,
            "column": self.place.column,
            "index": self.index,
            "element": self.element,
        }


@dataclass(frozen=True)
class DependenceFact(Fact):
    """That the sink depends on the source at a depth, or may; `where` is the source."""

    question = "dependences"
    columns = ("kind", "source", "sink", "depth", "distances", "first")

    kind: str
    source: End
    sink: End
    depth: int
    verdict: str
    distances: str | None
    hull: tuple[Interval, ...]
    witness: Witness | None
    reason: str | None
    assumptions: tuple[str, ...] = ()

    def _fields(self) -> Mapping[str, Any]:
        return {
            "source": self.source.to_json(),
            "sink": self.sink.to_json(),
            "kind": self.kind,
            "depth": self.depth,
            "verdict": self.verdict,
            "distances": self.distances,
            "hull": [list(interval) for interval in self.hull],
            "witness": _witness_json(self.witness),
            "reason": self.reason,
            "assumptions": list(self.assumptions),
        }

    def content(self) -> Any:
        return {"kind": self.kind, "depth": self.depth, "hull": hull_text(self.hull)}

    def annotation(self) -> list[str]:
        return []  # the loops say it

    def rows(self) -> list[tuple[str, ...]]:
        source, sink = (f"{end.element} (line {end.place.line})" for end in (self.source, self.sink))
        distances = self.distances or f"unknown: {self.reason}"
        if self.distances is not None and self.reason is not None:
            distances += f" at most: {self.reason}"
        return [(self.kind, source, sink, str(self.depth), distances, pair_text(self.witness))]


@dataclass(frozen=True)
class LoopFact(Fact):
    """In which order the iterations of a loop may run, and what keeps them in order."""

    question = "loops"
    columns = ("loop", "iterations", "because")

    loop: str
    kind: str
    reductions: tuple[str, ...]
    carried: tuple[str, ...]
    least_distance: int | None
    reason: str | None
    assumptions: tuple[str, ...]

    def _fields(self) -> Mapping[str, Any]:
        return {
            "loop": self.loop,
            "kind": self.kind,
            "reductions": list(self.reductions),
            "carried": list(self.carried),
            "least_distance": self.least_distance,
            "reason": self.reason,
            "assumptions": list(self.assumptions),
        }

    def content(self) -> Any:
        return {"kind": self.kind, "carried": list(self.carried)}

    def _because(self) -> list[str]:
        if self.kind == "reduction":
            return [f"combines {', '.join(self.reductions)}"]
        if self.kind == "unknown" and self.reason is not None:
            return [self.reason]
        return list(self.carried) if self.kind == "carried" else []

    def annotation(self) -> list[str]:
        assumed = f", if {' and '.join(self.assumptions)}" if self.assumptions else ""
        head = f"{self.loop}: {self.kind}"
        because = self._because()
        if self.kind != "carried":
            return [head + "".join(f": {text}" for text in because) + assumed]
        return [f"{self.loop} carries {text}" for text in because]

    def rows(self) -> list[tuple[str, ...]]:
        because = self._because() or [""]
        assumed = [f"if {text}" for text in self.assumptions] if self.kind != "carried" else []
        first, *others = [*because, *assumed] if because != [""] else [*assumed, ""]
        return [(self.loop, self.kind, first), *(("", "", text) for text in others if text)]


def hull_text(hull: tuple[Interval, ...]) -> str:
    """`(2, [-1, 3])`; what has no end says -inf or +inf."""
    return f"({', '.join(map(_interval_text, hull))})"


def _interval_text(interval: Interval) -> str:
    low, high = interval
    if low is not None and low == high:
        return str(low)
    return f"[{'-inf' if low is None else low}, {'+inf' if high is None else high}]"


def pair_text(witness: Witness | None) -> str:
    """`(0, 1) then (2, 1) at [0, 1]`: two iterations and the element that both go to."""
    if witness is None:
        return ""
    source, sink = (f"({', '.join(map(str, each))})" for each in (witness.source, witness.sink))
    text = f"{source} then {sink} at [{', '.join(map(str, witness.element))}]"
    given = [f"{name} = {number}" for name, number in witness.parameters.items()]
    return f"{text} for {', '.join(given)}" if given else text


def _witness_json(witness: Witness | None) -> dict[str, Any] | None:
    if witness is None:
        return None
    return {
        "source": list(witness.source),
        "sink": list(witness.sink),
        "element": list(witness.element),
        "parameters": dict(witness.parameters),
    }


@dataclass(frozen=True)
class NestFact(Fact):
    """What may be done with loops: a band that may be interchanged and tiled, two loops that may be one.

    What may be done may be done if the `assumptions` hold.
    """

    question = "nests"
    columns = ("loops", "may be", "because")

    loops: tuple[str, ...]
    rewriting: str
    legal: str
    reason: str | None
    assumptions: tuple[str, ...] = ()

    def _fields(self) -> Mapping[str, Any]:
        return {
            "loops": list(self.loops),
            "rewriting": self.rewriting,
            "legal": self.legal,
            "reason": self.reason,
            "assumptions": list(self.assumptions),
        }

    def content(self) -> Any:
        return {"loops": list(self.loops), "rewriting": self.rewriting, "legal": self.legal}

    def annotation(self) -> list[str]:
        assumed = f", if {' and '.join(self.assumptions)}" if self.assumptions else ""
        if self.rewriting == "tile":
            return [f"{', '.join(self.loops)} may be interchanged and tiled{assumed}"]
        if self.rewriting == "vectorise":
            return [f"{self.loops[0]} may run {self.reason}{assumed}"]
        text = {"yes": "may be", "no": "may not be", "unknown": "may or may not be"}[self.legal]
        reason = f": {self.reason}" if self.reason is not None else ""
        return [f"{self.loops[0]} {text} fused with the loop before{assumed}{reason}"]

    def rows(self) -> list[tuple[str, ...]]:
        done = {"tile": "interchanged and tiled", "fuse": "fused", "vectorise": "vectorised"}[self.rewriting]
        because = [self.reason] if self.reason is not None else []
        first, *others = [*because, *(f"if {text}" for text in self.assumptions), ""]
        verdict = (", ".join(self.loops), f"{done}: {self.legal}", first)
        return [verdict, *(("", "", text) for text in others if text)]
