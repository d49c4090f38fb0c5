"""Comparisons: whether a relation holds in all executions, with a witness where it does not."""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl

from volcli.language.expressions import Expression
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.store.claims import Claims
from volcli.model.values.terms.answers import Comparison, ConstantBounds, Verdict

_NUMBER = "x"


class Comparisons:
    """Comparisons of expressions to 0: by their bounds, or by the set of what they can be, with its gaps."""

    def __init__(
        self, claims: Claims, constant_bounds: Callable[[Expression, ProgramPoint], ConstantBounds]
    ) -> None:
        self._claims = claims
        self._constant_bounds = constant_bounds

    def to_zero(self, difference: Expression, relation: str, place: ProgramPoint) -> Comparison:
        """Whether `difference RELATION 0` holds in all executions that reach PLACE."""
        numbers = self._constant_bounds(difference, place)
        if numbers.never:
            return Comparison(Verdict.PROVED, never=True, because=numbers.because)
        holds, fails = _decided(numbers.lower, numbers.upper, relation)
        if holds:
            return Comparison(Verdict.PROVED)
        has_number = numbers.exact or not self._claims.queries.may_be_poison([difference])
        if fails and has_number and self._claims.is_reached(place):
            return Comparison(Verdict.REFUTED, never=True)
        true, false = _where(relation, negated=False), _where(relation, negated=True)
        return self._claims.decide({_NUMBER: difference}, true, false, (place,))


def _decided(low: int | None, high: int | None, relation: str) -> tuple[bool, bool]:
    """Whether all numbers from LOW to HIGH satisfy RELATION to 0, and whether none does."""
    negative, positive = high is not None and high < 0, low is not None and low > 0
    not_positive, not_negative = high is not None and high <= 0, low is not None and low >= 0
    zero = low == high == 0
    table = {
        "==": (zero, negative or positive),
        "!=": (negative or positive, zero),
        "<": (negative, not_negative),
        "<=": (not_positive, positive),
        ">": (positive, not_positive),
        ">=": (not_negative, negative),
    }
    return table[relation]


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _where(relation: str, *, negated: bool) -> isl.Set:
    relation = _OPPOSITE[relation] if negated else relation
    return isl.Set(f"[{_NUMBER}] -> {{ : {_NUMBER} {relation.replace('==', '=')} 0 }}")
