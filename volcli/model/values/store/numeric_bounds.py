"""The least and the greatest number that an expression can be when a place is reached."""

from __future__ import annotations

from volcli.language.expressions import (
    Expression,
)
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.store.parts import StoreParts
from volcli.model.values.terms.answers import NEVER, ConstantBounds, Verdict
from volcli.model.values.terms.constraint_set import NOTHING
from volcli.model.values.terms.ranges import tightest
from volcli.presburger.limits.budget import BudgetExceeded


class NumericBounds:
    """Bounds that are numbers, by ranges, sets, first iterations and polynomials, the cheapest first."""

    def __init__(self, parts: StoreParts) -> None:
        self._parts = parts

    def of(self, expression: Expression, place: ProgramPoint) -> ConstantBounds:
        """The same for an EXPRESSION over variables."""
        elimination = self._parts.elimination
        if elimination.has_no_set(elimination.all_variables([expression]), NOTHING):
            return self._by_ranges(expression, place).of_width()
        found = self.attained(expression, place)
        if not found.exact and not found.never and self._parts.first is not None:
            found = self._parts.first.numbers(expression, place, found)
        if not found.exact and not found.never:
            found = self._parts.polynomial_bounds.numbers(expression, place, found)
        return found.of_width()

    def _by_ranges(self, expression: Expression, place: ProgramPoint) -> ConstantBounds:
        reached = self._parts.queries.reached((place,))
        if reached.never:
            return ConstantBounds(None, None, never=True, because=reached.because)
        self._parts.chains.ranges(self._parts.elimination.all_variables([expression]))
        low, high = self._parts.tightness.range(expression)
        return ConstantBounds.of(low, high, exact=False, because=self._parts.definitions.effort.because)

    def attained(self, expression: Expression, place: ProgramPoint) -> ConstantBounds:
        """The same by integer sets."""
        found = self._by_sets(expression, place)
        if found.exact or found.never or not self._parts.places.can_be_restricted(place):
            return found
        with self._parts.places.restricted():
            if self._parts.queries.reached((place,)).verdict is not Verdict.PROVED:
                return found
            return found.attained(self._by_sets(expression, place))

    def _by_sets(self, expression: Expression, place: ProgramPoint) -> ConstantBounds:
        reached = self._parts.queries.reached((place,))
        if reached.never:
            return ConstantBounds(None, None, never=True, because=reached.because)
        elimination = self._parts.elimination
        elimination.begin(elimination.all_variables([expression]), NOTHING)
        correlated = self._parts.queries.correlated(expression, (place,))
        guards = self._parts.places.relevant((expression,), (place,))
        if not guards and self._parts.tightness.of(expression):
            low, high = self._parts.tightness.range(expression)
            because = correlated or self._parts.tightness.unbounded(expression, low, high)
            return ConstantBounds.of(low, high, correlated is None or low == high is not None, because)
        try:
            known = self._parts.queries.points(expression, place, NOTHING)
            ends = self._parts.queries.ends(known)
        except BudgetExceeded as error:
            low, high = self._parts.tightness.range(expression)
            return ConstantBounds.of(low, high, exact=False, because=error.reason)
        if ends is None:
            return ConstantBounds(None, None, never=True, because=NEVER)
        lower, upper = ends
        if not known.exact:
            low, high = self._parts.tightness.range(expression)
            lower, upper = tightest(lower, low, max), tightest(upper, high, min)
        because = known.because or correlated or self._parts.tightness.unbounded(expression, lower, upper)
        # A single number is attained, if any is.
        if lower is not None and lower == upper:
            return ConstantBounds(lower, upper)
        return ConstantBounds.of(lower, upper, known.exact and correlated is None, because)
