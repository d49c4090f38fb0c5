"""Bounds in terms of chosen values: the stop condition of value bounds (EuroLLVM 2024).

Of a value x and of chosen values a, b (numbers or sizes), all are expressions over the same variables. Let

    R = { (x, a, b) : some execution has these three numbers }

with every other variable projected out. The bounds of x in terms of a and b are the least and the greatest x
with (x, a, b) in R, as functions of a and b: nothing tighter over these is true. x need not be computed from
what is chosen: with `%a = %n + 1` and `%x = 2 * %n`, x = 2a - 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from volcli.language.expressions import Atom, Expression, Parameter, constant, substitute
from volcli.limits import values as limits
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.elimination.texts import Texts
from volcli.model.values.queries.queries import Queries
from volcli.model.values.terms.answers import NEVER, Bound, Bounds, ConstantBounds
from volcli.model.values.terms.constraint_set import NOTHING, dimension
from volcli.model.values.terms.simplify import simplified
from volcli.model.values.terms.variables import Variable, own
from volcli.presburger.expressions.read_back import extremum, has_bound
from volcli.presburger.limits.budget import BudgetExceeded, budget

_BOUNDED = "x"


@dataclass(frozen=True)
class InTermsOf:
    """Bounds over chosen variables alone, within a budget of isl OPERATIONS each."""

    elimination: Elimination
    queries: Queries
    texts: Texts
    operations: int

    def bounds(
        self,
        expression: Expression,
        chosen: Mapping[Variable, Expression],
        places: Sequence[ProgramPoint],
        numbers: ConstantBounds,
    ) -> Bounds:
        """Both sides of EXPRESSION, which lies between NUMBERS, when all PLACES are reached.

        CHOSEN are the variables that a bound may speak of, each with the expression that it is.
        """
        if numbers.never or self.queries.reached(places).never:
            nothing = Bound(exact=numbers.exact, because=numbers.because or NEVER)
            return Bounds(nothing, nothing, never=True)
        symbols = {f"k{position}": variable for position, variable in enumerate(chosen)}
        related = {_BOUNDED: expression, **{name: chosen[v] for name, v in symbols.items()}}
        try:
            known = self.queries.parameters(related, places, NOTHING)
            with budget(self.operations):
                points = dimension(known.points, _BOUNDED)
                found = [self._end(points, symbols, lower=lower) for lower in (True, False)]
        except BudgetExceeded as error:
            because: str | None = error.reason
            found, exact = [(None, False), (None, False)], False
        else:
            because, exact = known.because, known.exact
        ends = (numbers.lower, numbers.lower_exact), (numbers.upper, numbers.upper_exact)
        lower, upper = (
            self._side(end, is_least and exact, number, attained, because)
            for (end, is_least), (number, attained) in zip(found, ends, strict=True)
        )
        if lower.expression is None or upper.expression is None:
            reason = self._remaining(expression, frozenset(chosen)) or because
            lower, upper = (
                replace(side, because=reason) if side.expression is None else side for side in (lower, upper)
            )
        is_equal = lower.expression is not None and lower.expression == upper.expression
        return Bounds(lower, upper, lower.expression if is_equal else None)

    @staticmethod
    def _side(
        end: Expression | None, exact: bool, number: int | None, attained: bool, because: str | None
    ) -> Bound:
        """One side: its END over what is chosen; else the NUMBER that it never passes."""
        because = None if exact else because or "no one expression of these values is attained"
        if end is None and number is not None:
            return Bound(constant(number), number, False, attained, because)
        return Bound(end, number, exact, attained, because)

    def _end(
        self, points: isl.Set, symbols: Mapping[str, Variable], *, lower: bool
    ) -> tuple[Expression | None, bool]:
        """The least (or greatest) of POINTS over SYMBOLS, and whether it is attained (or there is none)."""
        found = extremum(points, lower=lower)
        if found is None:
            return None, not has_bound(points, lower=lower)

        def variable(atom: Atom) -> Expression | None:
            return own(symbols[atom.name]) if isinstance(atom, Parameter) else None

        return substitute(simplified(found.expression, points.params()), variable), found.exact

    def _remaining(self, expression: Expression, chosen: frozenset[Variable]) -> str | None:
        """What a bound of EXPRESSION would have to speak of beside CHOSEN; None if that is nothing."""
        definitions = self.elimination.definitions
        first = [v for v in self.elimination.all_variables([expression]) if v not in chosen]
        met = definitions.slice_of(first, chosen.__contains__)
        leaves = [v for v in met if definitions.definition(v).is_leaf and v not in chosen]
        if not leaves:
            return None
        texts = [self.texts.of_variable(v) for v in sorted(leaves, key=definitions.order)]
        more = f" and {len(texts) - limits.NAMED_VALUES} more" if len(texts) > limits.NAMED_VALUES else ""
        return f"it depends on {', '.join(texts[: limits.NAMED_VALUES])}{more}"
