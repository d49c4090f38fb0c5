"""The flow of values through memory as facts, for machines and for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.facts.ends import End
from volcli.facts.fact import EXACT, Certainty, Fact, assumed, json_fields
from volcli.presburger.sets.named import NamedMap, NamedSet


@dataclass(frozen=True)
class FlowSource:
    """A write that gives a read its value: in which pairs of iterations, at most if not exact."""

    writer: End
    pairs: NamedMap
    exact: bool
    reason: str | None

    def to_json(self) -> dict[str, Any]:
        return json_fields(self, "source pairs exact reason", source=self.writer)

    @property
    def text(self) -> str:
        at_most = "" if self.exact else "at most "
        return f"access {self.writer.index}, {self.writer.element}: {at_most}{self.pairs}"


@dataclass(frozen=True, repr=False)
class ReadFact(Fact):
    """Where the values that one access reads come from.

    `unwritten` are the iterations that read what nothing in the function has written before (None: there are
    none); that is `before` the function, or fresh memory.
    """

    question = "flow"
    columns = ("access", "is", "where")
    answers = ("uninitialized", "dead")

    end: End
    sources: tuple[FlowSource, ...]
    unwritten: NamedSet | None
    before: bool
    exact: bool
    reason: str | None
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return f"read of {self.end.element}"

    def _fields(self) -> Mapping[str, Any]:
        names = "kind value index element sources unwritten exact reason assumptions"
        index, element = self.end.index, self.end.element
        return json_fields(self, names, kind="read", value=self.subject, index=index, element=element)

    @property
    def certainty(self) -> Certainty:
        if self.exact:
            return EXACT
        return Certainty("approximate" if self.sources else "unknown", self.reason)

    @property
    def answer(self) -> str:
        return "uninitialized" if self.unwritten is not None and not self.before else super().answer

    @property
    def needs_attention(self) -> bool:
        return self.answer != "exact"

    @property
    def headline(self) -> str:
        return f"{self.subject}: {self.answer}: {self.unwritten or self.reason}"

    def content(self) -> Any:
        return [source.text for source in self.sources] + [f"{self._nothing}: {self.unwritten}"] * bool(
            self.unwritten
        )

    @property
    def _nothing(self) -> str:
        return "before the function" if self.before else "by nothing"

    def _lines(self) -> list[str]:
        lines = [f"by {source.text}" for source in self.sources]
        if self.unwritten is not None:
            lines.append(f"{self._nothing}: {self.unwritten}")
        if not self.exact:
            lines.append(f"at most: {self.reason}" if lines else f"unknown: {self.reason}")
        if self.assumptions and lines:
            lines[-1] += assumed(self.assumptions)
        return lines

    def annotation(self) -> list[str]:
        head = f"access {self.end.index} reads {self.end.element}, last written"
        lines = self._lines()
        if not lines:
            return [f"access {self.end.index} reads {self.end.element}, never"]
        return [f"{head} {line}" for line in lines] if len(lines) == 1 else [head, *(f"  {x}" for x in lines)]

    def rows(self) -> list[tuple[str, ...]]:
        first, *others = self._lines() or ["never run"]
        name = f"{self.end.index}: read {self.end.element}"
        return [(name, "last written", first), *(("", "", line) for line in others)]


@dataclass(frozen=True, repr=False)
class WriteFact(Fact):
    """Which iterations of one access write what nothing reads: `dead` (None: there are none)."""

    question = "flow"
    columns = ReadFact.columns
    answers = ReadFact.answers

    end: End
    dead: NamedSet | None
    is_wholly_dead: bool
    exact: bool
    reason: str | None
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return f"write of {self.end.element}"

    def _fields(self) -> Mapping[str, Any]:
        names = "kind value index element dead exact reason assumptions"
        end = self.end
        return json_fields(
            self, names, kind="write", value=self.subject, index=end.index, element=end.element
        )

    @property
    def certainty(self) -> Certainty:
        return EXACT if self.exact else Certainty("approximate", self.reason)

    @property
    def answer(self) -> str:
        return "dead" if self.dead is not None or self.is_wholly_dead else super().answer

    @property
    def needs_attention(self) -> bool:
        return self.answer != "exact"

    @property
    def headline(self) -> str:
        return f"{self.subject}: {self._said}"

    def content(self) -> Any:
        return self._said

    @property
    def _said(self) -> str:
        if self.is_wholly_dead:
            return "dead"
        if self.dead is not None:
            return f"dead: {self.dead}"
        return "read" if self.exact else f"unknown: {self.reason}"

    def annotation(self) -> list[str]:
        said = "" if self._said == "read" else f": {self._said}"
        return [f"access {self.end.index} writes {self.end.element}{said}{assumed(self.assumptions)}"]

    def rows(self) -> list[tuple[str, ...]]:
        kind, _, where = self._said.partition(": ")
        first, *others = [where] * bool(where) + [f"if {text}" for text in self.assumptions] or [""]
        name = f"{self.end.index}: write {self.end.element}"
        return [(name, kind, first), *(("", "", text) for text in others)]


@dataclass(frozen=True, repr=False)
class BufferFact(Fact):
    """What of one buffer is read that was there before the function, and what is left in it that is new."""

    question = "flow"
    columns = ReadFact.columns

    buffer: str
    live_in: NamedSet | None
    live_out: NamedSet | None
    digits: str | None
    """The index that has the digits in these sets: `d0 * %b + d1`; None: they are indices."""
    outlives: bool
    exact: bool
    reason: str | None
    assumptions: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.buffer

    def _fields(self) -> Mapping[str, Any]:
        names = "kind value live_in live_out digits outlives exact reason assumptions"
        return json_fields(self, names, kind="buffer", value=self.subject)

    @property
    def certainty(self) -> Certainty:
        return EXACT if self.exact else Certainty("approximate", self.reason)

    def content(self) -> Any:
        at_most = "" if self.exact else "at most "
        sides = {"live_in": _text(self.live_in, at_most), "live_out": _text(self.live_out, at_most)}
        return sides if self.digits is None else {**sides, "digits": self.digits}

    @property
    def _elements(self) -> str:
        return self.buffer if self.digits is None else f"{self.buffer}[{self.digits}]"

    def annotation(self) -> list[str]:
        sides = (("live in", self.live_in), ("live out", self.live_out))
        said = [f"{name} {points}" for name, points in sides if points is not None]
        if not said:
            return []
        note = "" if self.exact else f" (at most: {self.reason})"
        return [f"{self._elements}: {', '.join(said)}{note}{assumed(self.assumptions)}"]

    def rows(self) -> list[tuple[str, ...]]:
        sides = (("live in", self.live_in), ("live out", self.live_out))
        at_most = "" if self.exact else "at most "
        rows = [(self._elements, name, at_most + points.text) for name, points in sides if points is not None]
        notes = [f"at most: {self.reason}"] * bool(rows and not self.exact)
        rows = rows or [(self.buffer, "local", "")]
        return rows + [("", "", text) for text in (*notes, *(f"if {each}" for each in self.assumptions))]


def _text(points: NamedSet | None, at_most: str) -> str:
    return "{ }" if points is None else at_most + points.text
