"""Whether numbers are made of products that leave 64 bits, although their arguments are of 32 bits.

Whoever multiplies `n * n * n` trusts that it does not wrap around; answers that rest on it name that.
"""

from __future__ import annotations

from collections.abc import Iterable

from volcli.language.expressions import Expression, Value, has_product
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.definitions.overflows import has_64_bits
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.terms.ranges import Interval, range_of
from volcli.model.values.terms.variables import Variable


class ProductGrowth:
    """What the variables of one function lie between if its arguments have 32 bits, each computed once."""

    def __init__(self, elimination: Elimination) -> None:
        self._elimination = elimination
        self._ends: dict[Variable, Interval] = {}
        self._outgrowing: dict[Variable, bool] = {}

    @property
    def _definitions(self) -> Definitions:
        return self._elimination.definitions

    def is_possible(self, expressions: Iterable[Expression]) -> bool:
        """Whether EXPRESSIONS are made of products that leave 64 bits for some arguments of 32 bits."""
        known = list(expressions)
        if not self._definitions.outline.multiplies:
            return self._is_called(known)
        variables = self._elimination.all_variables(known)
        self._extend(variables)
        if any(self._outgrowing[variable] for variable in variables):
            return True
        return any(map(self._leaves_64_bits, known)) or self._is_called(known)

    def _extend(self, variables: Iterable[Variable]) -> None:
        """Know VARIABLES, and all that they are computed from, which is of a lower order."""
        met = self._definitions.slice_of(
            (v for v in variables if v not in self._ends), self._ends.__contains__
        )
        for variable in sorted(met, key=self._definitions.order):
            definition = self._definitions.definition(variable)
            number = definition.expression
            self._ends[variable] = self._definitions.range_of_32_bits(variable)
            outgrows = any(self._outgrowing.get(each, False) for each in definition.references)
            if number is not None:
                outgrows = outgrows or (isinstance(variable, Value) and self._leaves_64_bits(number))
                self._ends[variable] = range_of(number, self._between)
            self._outgrowing[variable] = outgrows

    def _leaves_64_bits(self, expression: Expression) -> bool:
        return has_product(expression) and not has_64_bits(expression, self._between)

    def _between(self, variable: Variable) -> Interval:
        """The ends of VARIABLE; in IR that does not verify, it may be used before it is computed."""
        known = self._ends.get(variable)
        return self._definitions.range(variable) if known is None else known

    def _is_called(self, expressions: Iterable[Expression]) -> bool:
        """Whether EXPRESSIONS are made of what is returned by functions in which something is multiplied."""
        calls = self._definitions.outline.multiplying_calls
        if not calls:
            return False
        met = self._definitions.slice_of(self._elimination.all_variables(expressions))
        return any(isinstance(v, Value) and v.value.owner in calls for v in met)
