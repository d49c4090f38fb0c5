"""Allocations as facts: how large each can be, in which loops it is made, and how long it lives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volcli.diagnostics.counted import counted
from volcli.facts.fact import EXACT, Certainty, Fact, json_fields


@dataclass(frozen=True)
class Lifetime:
    """How long memory lives: until operations in these `lines` free it, in each execution that has allocated
    it or perhaps, or until its `scope` is over, as all that is on the stack. Else it escapes, and others may
    free it when the function is over; or nobody does.
    """

    kind: Literal["freed", "may be freed", "escapes", "scope", "never freed"]
    lines: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.lines:
            return f"{self.kind} in line {', '.join(map(str, self.lines))}"
        return "until its scope ends" if self.kind == "scope" else self.kind


@dataclass(frozen=True, repr=False)
class AllocationFact(Fact):
    """How large an allocation can be: at most `elements`, `size` bytes; as many as `expression` says.

    It is made anew in each iteration of LOOPS. Of a tensor, which is a value, there is no lifetime.
    """

    question = "allocations"
    columns = ("value", "elements", "bytes", "exact", "in loops", "lifetime")

    value: str
    elements: int | None
    size: int | None
    exact: bool
    reason: str | None
    assumptions: tuple[str, ...] = ()
    expression: str | None = None
    loops: tuple[str, ...] = ()
    lifetime: Lifetime | None = None
    is_news: bool = True
    """Whether its type leaves open how large it is."""
    largest: bool = False
    """Whether no allocation of the function has more bytes; False if some has no largest size."""

    @property
    def subject(self) -> str:
        return self.value

    def _fields(self) -> Mapping[str, Any]:
        lifetime = None if self.lifetime is None else json_fields(self.lifetime, "kind lines")
        names = "value assumptions elements bytes exact reason expr loops lifetime largest"
        return json_fields(self, names, bytes=self.size, expr=self.expression, lifetime=lifetime)

    @property
    def certainty(self) -> Certainty:
        if self.exact:
            return EXACT
        return Certainty("unknown" if self.elements is None else "approximate", self.reason)

    def content(self) -> Any:
        return {"elements": -1 if self.elements is None else self.elements}

    def annotation(self) -> list[str]:
        return [self._size()] if self.is_news else []

    def statements(self) -> list[str]:
        lifetime = [] if self.lifetime is None else [f"{self.value}: {self.lifetime}"]
        return [self._size(), *lifetime]

    def _size(self) -> str:
        if self.elements is None:
            return f"{self.value} has no largest size: {self.reason}"
        size = "" if self.size is None else f", {counted(self.size, 'byte')}"
        assumed = f" assuming {' and '.join(self.assumptions)}" if self.assumptions else ""
        return (
            f"{self.value} has {'at most ' * self.is_news}{counted(self.elements, 'element')}{size}{assumed}"
        )

    def rows(self) -> list[tuple[str, ...]]:
        because = "" if self.reason is None else f": {self.reason}"
        most = f"no bound{because}" if self.elements is None else f"at most {self.elements}"
        is_constant = self.elements is not None and self.expression == str(self.elements)
        elements = str(self.elements) if is_constant else ", ".join(filter(None, (self.expression, most)))
        size = "" if self.size is None else f"{self.size}{' (largest)' if self.largest else ''}"
        exact = "yes" if self.exact else "no"
        lifetime = "" if self.lifetime is None else str(self.lifetime)
        return [(self.value, elements, size, exact, ", ".join(self.loops), lifetime)]
