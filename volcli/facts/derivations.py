"""Why bounds hold, as facts: the constraints on a number, what is left, and what each bound needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.facts.fact import EXACT, Certainty, Fact, Where, assuming, json_fields
from volcli.model.values.terms.answers import NEVER
from volcli.presburger.tableaus.tableau import Row, Tableau


@dataclass(frozen=True)
class CollectedConstraint:
    """One constraint, as `text`; `rows` over the columns of all constraints, none if it is not a conjunction.

    `where` is the operation that says it; without one, it holds by what `by` names.
    """

    text: str
    by: str
    where: Where | None
    equalities: tuple[Row, ...] = ()
    inequalities: tuple[Row, ...] = ()

    def to_json(self) -> dict[str, Any]:
        place = None if self.where is None else self.where.place
        line, column = (None, None) if place is None else (place.line, place.column)
        return json_fields(self, "text by line column equalities inequalities", line=line, column=column)


@dataclass(frozen=True)
class BoundReason:
    """A bound, as `text`, and the numbers of the constraints that it `needs`; None where `because` says why.

    It is `exact` if it is attained, and else there is a `reason`.
    """

    text: str
    exact: bool
    reason: str | None
    needs: tuple[int, ...] | None
    because: str | None = None

    def to_json(self) -> dict[str, Any]:
        return json_fields(self, "text exact reason needs because")


@dataclass(frozen=True, repr=False)
class DerivationFact(Fact):
    """Why an index value, or the size of one dimension, lies between its bounds.

    `columns_of` names the columns of all rows. What is PROJECTED out is neither the value nor kept; `left` is
    the condition on the rest, in pieces, None if it is not known.
    """

    question = "derivation"
    columns = ("value", "bound", "exact", "needs")

    value: str
    dim: int | None
    columns_of: tuple[str, ...]
    constraints: tuple[CollectedConstraint, ...]
    projected: tuple[str, ...]
    left: str | None
    pieces: tuple[Tableau, ...]
    bounds: tuple[BoundReason, ...]
    never: bool = False
    reason: str | None = None
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return self.value if self.dim is None else f"dim({self.value}, {self.dim})"

    def _fields(self) -> Mapping[str, Any]:
        names = "value dim columns constraints projected left pieces bounds never reason assumptions"
        return json_fields(self, names, columns=self.columns_of, pieces=tuple(map(_json, self.pieces)))

    @property
    def certainty(self) -> Certainty:
        if self.never or all(each.exact for each in self.bounds):
            return EXACT
        return Certainty("approximate", self.reason)

    def content(self) -> Any:
        return {each.text: list(each.needs or ()) for each in self.bounds}

    def annotation(self) -> list[str]:
        if self.never:
            return [f"{self.subject}: {self.reason or NEVER}"]
        return [f"{each.text} needs {_numbers(each)}{assuming(self.assumptions)}" for each in self.bounds]

    def rows(self) -> list[tuple[str, ...]]:
        if self.never:
            return [(self.subject, self.reason or NEVER, "yes", "")]
        return [
            (self.subject, each.text, "yes" if each.exact else f"no: {each.reason}", _numbers(each))
            for each in self.bounds
        ] or [(self.subject, "no bound", f"no: {self.reason}", "")]


def _numbers(bound: BoundReason) -> str:
    """`1, 3`; or what the bound rests on beside constraints."""
    return bound.because or "" if bound.needs is None else ", ".join(map(str, bound.needs)) or "no constraint"


def _json(tableau: Tableau) -> dict[str, Any]:
    return {
        "columns": [column.label for column in tableau.columns],
        "equalities": [list(row) for row in tableau.equalities],
        "inequalities": [list(row) for row in tableau.inequalities],
    }
