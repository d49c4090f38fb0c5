"""Bounds as facts: a value or a size and what it lies between, for machines and for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.facts.fact import EXACT, Certainty, Fact
from volcli.language.expressions import Expression
from volcli.model.values.terms.answers import NEVER


@dataclass(frozen=True)
class Side:
    """One side of a bound, closed: as an expression over the values of the program, and as a number.

    The expression is over parameters that are called as the program calls its values: `%n`, `dim(%t, 0)`.
    """

    expression: Expression | None
    constant: int | None
    exact: bool
    """Whether it is attained: the number, or the expression where there is no number.

    An expression over values of which more is true than volcli knows is not, though it is a true formula.
    """
    expression_exact: bool = True

    @property
    def text(self) -> str | None:
        """The expression as text."""
        return None if self.expression is None else str(self.expression)

    def to_json(self) -> dict[str, Any] | None:
        if self.expression is None and self.constant is None:
            return None
        return {
            "expr": str(self.constant) if self.expression is None else str(self.expression),
            "constant": self.constant,
            "exact": self.exact,
            "expr_exact": self.expression_exact,
        }

    def __str__(self) -> str:
        """The number where there is one; else the expression."""
        if self.constant is not None:
            return str(self.constant)
        return "?" if self.expression is None else str(self.expression)


@dataclass(frozen=True, repr=False)
class BoundsFact(Fact):
    """What an index value, or the size of one dimension, lies between."""

    question = "bounds"
    columns = ("value", "bound", "in terms of the program", "exact")

    value: str
    dim: int | None
    lower: Side
    upper: Side
    equal: Expression | None
    is_news: bool
    never: bool = False
    reason: str | None = None
    assumptions: tuple[str, ...] = ()
    in_terms_of: tuple[str, ...] = ()
    """The values that the expressions may speak of, where somebody chose them."""

    @property
    def subject(self) -> str:
        return self.value if self.dim is None else f"dim({self.value}, {self.dim})"

    def _fields(self) -> Mapping[str, Any]:
        lower, upper = self.lower.to_json(), self.upper.to_json()
        equal = None
        if self.equal is not None:
            number = self.lower.constant if self.lower.constant == self.upper.constant else None
            equal = {"expr": str(self.equal), "constant": number, "exact": True, "expr_exact": True}
        return {
            "value": self.value,
            "dim": self.dim,
            "lb": lower,
            "ub": upper,
            "eq": equal,
            "never": self.never,
            "reason": self.reason,
            "assumptions": list(self.assumptions),
            **({"in_terms_of": list(self.in_terms_of)} if self.in_terms_of else {}),
        }

    @property
    def certainty(self) -> Certainty:
        if self.never or (self.lower.exact and self.upper.exact):
            return EXACT
        is_known = self.lower.to_json() is not None or self.upper.to_json() is not None
        return Certainty("approximate" if is_known else "unknown", self.reason)

    def content(self) -> Any:
        return {"lb": self.lower.to_json() or "none", "ub": self.upper.to_json() or "none"}

    def annotation(self) -> list[str]:
        return [self._line()] if self.is_news else []

    def _line(self) -> str:
        assumed = f" assuming {' and '.join(self.assumptions)}" if self.assumptions else ""
        if self.never:
            return f"{self.subject}: {self._never()}{assumed}"
        if self.in_terms_of:
            return self._chosen() + assumed
        text = f"{self.subject} {self._relation()}"
        is_formula = self.equal is not None and self.lower.constant is None and self.upper.constant is None
        note = "" if is_formula or (self.lower.exact and self.upper.exact) else " (not exact)"
        return text + note + assumed

    @property
    def _is_not_expressible(self) -> bool:
        """Whether neither side is a function of the values that somebody chose."""
        return bool(self.in_terms_of) and self.lower.expression is None and self.upper.expression is None

    def _chosen(self) -> str:
        """The bounds over chosen values: of each side its expression, or why there is none."""
        reason = f": {self.reason}" if self.reason else ""
        if self._is_not_expressible:
            return f"{self.subject} is not expressible in terms of {', '.join(self.in_terms_of)}{reason}"
        is_exact = self.lower.expression_exact and self.upper.expression_exact
        note = "" if is_exact else f" (not exact{reason})"
        return f"{self.subject} {self._terms('in ', '-inf', '+inf')}{note}"

    def _terms(self, word: str = "", low: str = "?", high: str = "?") -> str:
        """The expressions; LOW and HIGH where there is none."""
        if self.equal is not None:
            return f"= {self.equal}"
        lower, upper = (side.expression for side in (self.lower, self.upper))
        return f"{word}[{low if lower is None else lower}, {high if upper is None else upper}]"

    def _never(self) -> str:
        other = self.reason if self.reason and self.reason != NEVER else ""
        return f"{NEVER}: {other}" if other else NEVER

    def _relation(self) -> str:
        lower, upper = str(self.lower), str(self.upper)
        if self.equal is not None and lower == upper == str(self.equal):
            return f"= {self.equal}"
        if self.equal is None:
            return f"in [{_or(lower, '-inf')}, {_or(upper, '+inf')}]"
        low, high = self.lower.constant, self.upper.constant
        if low is None and high is None:
            return f"= {self.equal}"
        return f"= {self.equal}, in [{'-inf' if low is None else low}, {'+inf' if high is None else high}]"

    def rows(self) -> list[tuple[str, ...]]:
        assumed = f", assuming {' and '.join(self.assumptions)}" if self.assumptions else ""
        if self.never:
            return [(self.subject, self._never(), "", f"yes{assumed}")]
        terms = f"not expressible: {self.reason}" if self._is_not_expressible else self._terms()
        exact = "yes" if self.lower.exact and self.upper.exact else f"no: {self.reason}"
        low = "-inf" if self.lower.constant is None else str(self.lower.constant)
        high = "+inf" if self.upper.constant is None else str(self.upper.constant)
        return [(self.subject, f"[{low}, {high}]", terms, exact + assumed)]


def _or(text: str, otherwise: str) -> str:
    return otherwise if text == "?" else text
