"""Bounds that first iterations attain, of loops whose steps are values.

`i = l + s * k` is a product, and what is known of i is no more than l <= i < u: bounds of what is computed
from i hold, but it is not known that they are attained. The first iteration, i = l, is one whatever the
step is. So among the executions there are those in which all such loops are in their first iteration, which
integer sets describe exactly; and what a number is in these, it is.

    for i = 0 to n step s { min(s, n - i) }        at most min(s, n), which it is at i = 0, for all n and s

A bound over parameters is attained if, for all of them for which the place is reached at all, the number is
the bound in first iterations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from volcli.language.expressions import Expression, parameter
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Bound, ConstantBounds
from volcli.model.values.terms.constraint_set import Kept, Known, dimension
from volcli.presburger.limits.budget import BudgetExceeded, budget

_NUMBER = "x"


@dataclass(frozen=True)
class FirstIterations:
    """What first iterations attain of the bounds of ALL; made when first asked for, by MADE."""

    all: BoundsStore
    made: Callable[[], BoundsStore]
    operations: int

    def concern(self, expression: Expression, place: ProgramPoint) -> bool:
        """Whether EXPRESSION at PLACE has to do with a loop whose step is a value."""
        definitions = self.all.definitions
        if not definitions.outline.multiplies:
            return False
        factors = self.all.places.relevant((expression,), (place,))
        variables = self.all.elimination.all_variables([expression])
        variables = [*variables, *(v for factor in factors for v in factor.variables)]
        known = (definitions.definition(v).induction for v in definitions.slice_of(variables))
        return any(each is not None and not each.step.is_constant for each in known)

    def numbers(self, expression: Expression, place: ProgramPoint, found: ConstantBounds) -> ConstantBounds:
        """FOUND, which is not exact; more of it is known to be attained if first iterations do."""
        if not self.concern(expression, place):
            return found
        return found.attained(self.made().numeric.attained(expression, place))

    def side(
        self, expression: Expression, place: ProgramPoint, kept: Kept, found: Bound, known: Known
    ) -> Bound:
        """FOUND, a bound of EXPRESSION of which this is KNOWN; exact if first iterations attain it."""
        if found.exact or found.expression is None or not self.concern(expression, place):
            return found
        try:
            first = self.made().queries.points(expression, place, kept)
            with budget(self.operations):
                equal = self.all.elimination.conjunction((parameter(_NUMBER) - found.expression,), ())
                attained = first.points.intersect(dimension(equal.points, _NUMBER)).params()
                is_exact = first.exact and equal.exact and bool(known.points.params().is_subset(attained))
        except BudgetExceeded:
            return found
        return replace(found, exact=True) if is_exact else found
