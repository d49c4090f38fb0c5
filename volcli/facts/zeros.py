"""Structural zeros: how many multiplications of an operation have a factor that is always zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.facts.fact import EXACT, Certainty, Fact, assuming, json_fields
from volcli.facts.names import NO_NAMES, FactNames
from volcli.presburger.sets.named import NamedSet


@dataclass(frozen=True)
class LiveRow:
    """The loop points that contribute if operations carry the flags `assumes`, which they lack."""

    assumes: tuple[str, ...]
    points: NamedSet
    gist: NamedSet
    """The same within the domain, for people."""
    count: int | None
    """How many they are; None if that depends on parameters."""

    def to_json(self) -> dict[str, Any]:
        return {"assumes": list(self.assumes), "set": self.points.text, "count": self.count}


@dataclass(frozen=True, repr=False)
class ZerosFact(Fact):
    """The multiplications of an operation with a body, and the loop points that contribute to its results.

    `loops` are all its loop points (None: they are not known), `count` how many; at each of them it
    multiplies `products` times. `live` are the points that contribute, where others do not: for all numbers
    of IEEE 754, and where that leaves fewer, assuming flags. The other points may be left out.
    """

    question = "zeros"
    columns = ("result", "multiplications", "structurally zero", "share", "loop points that contribute")

    value: str
    loops: NamedSet | None
    count: int | None
    products: int
    live: tuple[LiveRow, ...]
    exact: bool
    reason: str | None
    names: FactNames = NO_NAMES
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return self.value

    @property
    def multiplications(self) -> int | None:
        """How many there are; None if that depends on parameters."""
        return None if self.count is None else self.count * self.products

    def zeros(self, row: LiveRow) -> int | None:
        """How many of them are structurally zero, by ROW."""
        return None if self.count is None or row.count is None else (self.count - row.count) * self.products

    def _fields(self) -> Mapping[str, Any]:
        live = tuple({**row.to_json(), "zeros": self.zeros(row)} for row in self.live)
        known = json_fields(self, "value loops multiplications live exact reason", live=live)
        return {**known, **self.names.to_json(), "assumptions": list(self.assumptions)}

    @property
    def certainty(self) -> Certainty:
        if self.loops is None:
            return Certainty("unknown", self.reason)
        return EXACT if self.exact else Certainty("approximate", self.reason)

    def content(self) -> Any:
        return [{**row.to_json(), "zeros": self.zeros(row)} for row in self.live]

    def annotation(self) -> list[str]:
        if self.loops is None:
            return [f"zeros {self.value}: unknown: {self.reason}"]
        note = "" if self.exact else f" (at least: {self.reason})"
        lines: list[str] = []
        for row in self.live:
            zeros, share = self._cells(row)
            share = f" ({share})" if share else ""
            many = f"{zeros} of {self.multiplications} multiplications" if share else "some multiplications"
            lines.append(f"zeros {self.value}{note}: {many} are structurally zero{share}{self._needed(row)}:")
            lines.append(f"  contributing: {row.gist.text}")
        return lines

    def rows(self) -> list[tuple[str, ...]]:
        if self.loops is None:
            return [(self.value, "unknown", "", "", self.reason or "")]
        total = "parametric" if self.multiplications is None else str(self.multiplications)
        if not self.live:
            return [(self.value, total, "0", "0.0%", "all" + assuming(self.assumptions))]
        found: list[tuple[str, ...]] = []
        for row in self.live:
            zeros, share = self._cells(row)
            at_least = "" if self.exact else ">= "
            found.append((self.value, total, at_least + zeros, share, row.gist.text + self._needed(row)))
        return found

    def _cells(self, row: LiveRow) -> tuple[str, str]:
        """How many are zero, and which share of all that is."""
        zeros = self.zeros(row)
        if zeros is None or not self.multiplications:
            return "parametric", ""
        return str(zeros), f"{100 * zeros / self.multiplications:.1f}%"

    def _needed(self, row: LiveRow) -> str:
        flags = [", ".join(row.assumes)] if row.assumes else []
        return assuming((*flags, *self.assumptions))
