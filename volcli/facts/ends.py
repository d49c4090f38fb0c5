"""The ends of pairs of accesses, and iterations in which they share an element, for several questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from volcli.diagnostics import Place
from volcli.facts.fact import json_fields
from volcli.model.memory.dependences.answers import Witness
from volcli.presburger.measures.extremes import Interval
from volcli.presburger.sets.named import NamedMap


@dataclass(frozen=True)
class End:
    """One access of a pair: its operation, place, number in the function, and the element as written.

    `relation` is the access relation, from the iterations of the loops around it to elements of the buffer
    behind all views; None where that is not known exactly.
    """

    op: str
    place: Place
    index: int
    element: str
    relation: NamedMap | None = None

    def __str__(self) -> str:
        return f"{self.op} {self.element}"

    def to_json(self) -> dict[str, Any]:
        return json_fields(
            self, "op line column index element", line=self.place.line, column=self.place.column
        )


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


def witness_json(witness: Witness | None) -> dict[str, Any] | None:
    """A pair of iterations as docs/facts.schema.json describes it."""
    if witness is None:
        return None
    return json_fields(witness, "source sink element parameters")
