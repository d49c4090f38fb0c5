"""Element maps: which elements of other values each element of a value depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import islpy as isl

from volcli.facts.fact import EXACT, Certainty, Fact, assuming, json_fields
from volcli.facts.names import NO_NAMES, FactNames
from volcli.presburger.sets.named import NamedMap, NamedUnionMap

_NO_ELEMENT = "depends on no element"
"""What is said of a value that is computed from sizes alone."""


@dataclass(frozen=True, repr=False)
class MapFact(Fact):
    """The element map from a value to the function's inputs, or to the operands of its operation.

    `{ value[i] -> input[j] : value[i] depends on input[j] }`, at most if it is not exact. `to` is "inputs",
    "operands", or the value that it leads to.
    """

    question = "maps"
    columns = ("value", "map", "exact")

    value: str
    relation: NamedUnionMap | None
    """The whole map; None if it could not be computed."""
    pieces: tuple[NamedMap, ...]
    """One relation per volume, without what the index domains imply."""
    exact: bool
    reason: str | None
    names: FactNames = NO_NAMES
    to: str = "inputs"
    assumptions: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    """The fastmath flags that operations lack for what is multiplied by zero to make no difference."""

    @property
    def subject(self) -> str:
        return self.value if self.to == "inputs" else f"{self.value} to {self.to}"

    @property
    def map(self) -> isl.UnionMap | None:
        """The whole map as isl has it; None if it could not be computed."""
        return None if self.relation is None else self.relation.map

    def _fields(self) -> Mapping[str, Any]:
        known = json_fields(self, "value to map exact reason assumes", map=self.relation)
        return {**known, **self.names.to_json(), "assumptions": list(self.assumptions)}

    def _needed(self) -> str:
        flags = [", ".join(self.assumes)] if self.assumes else []
        return assuming((*flags, *self.assumptions))

    @property
    def certainty(self) -> Certainty:
        if self.relation is None:
            return Certainty("unknown", self.reason)
        return EXACT if self.exact else Certainty("approximate", self.reason)

    def content(self) -> Any:
        return f"unknown: {self.reason}" if self.relation is None else self.relation.text

    def annotation(self) -> list[str]:
        note = "" if self.exact else f" (over-approximate: {self.reason})"
        note += self._needed()
        if self.relation is None:
            return [f"map {self._ends()}: unknown: {self.reason}"]
        if not self.pieces:
            return [f"map {self._ends()}{note}: {self._empty()}"]
        return [f"map {self._ends()}{note}:", *(f"  {piece}" for piece in self.pieces)]

    def _ends(self) -> str:
        """`%act0`, and `%act0 to %pad0` if it leads to one value."""
        return f"{self.value} to {self.to}" if self.to.startswith("%") else self.value

    def rows(self) -> list[tuple[str, ...]]:
        exact = ("yes" if self.exact else f"no: {self.reason}") + self._needed()
        pieces = [piece.text for piece in self.pieces] or [self._empty()]
        return [(self._ends(), piece, exact) for piece in pieces]

    def _empty(self) -> str:
        if self.relation is None:
            return "unknown"
        return f"depends on no element of {self.to}" if self.to.startswith("%") else _NO_ELEMENT
