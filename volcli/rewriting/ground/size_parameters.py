"""Parameters for numbers that loops do not change, such as sizes of tiles that are at least 1 and bounded."""

from __future__ import annotations

from collections.abc import Collection

from volcli.language.expressions import (
    Atom,
    Expression,
    Maximum,
    Minimum,
    Parameter,
    Value,
    expression_of_atom,
    substitute,
)
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.ranges import range_of
from volcli.symbolic.fourier_motzkin import is_over


class SizeParameters:
    """Parameters for minima and maxima that do not depend on VARIABLES of loops: sizes that are bounded.

    To look at each of the numbers that these may be would take longer than all else.
    """

    def __init__(self, bounds: BoundsStore, variables: Collection[Value]) -> None:
        self._bounds = bounds
        self._variables = variables
        self._parameters: dict[Atom, Expression] = {}
        self._atoms: dict[Atom, Expression] = {}
        self._facts: list[Expression] = []

    @property
    def facts(self) -> tuple[Expression, ...]:
        """What is known of the parameters."""
        return tuple(self._facts)

    def stands_for(self, expression: Expression) -> Expression:
        """EXPRESSION over parameters."""
        return substitute(expression, self._parameter)

    def written(self, expression: Expression) -> Expression:
        """EXPRESSION over what the parameters stand for."""
        return substitute(expression, self._atoms.get)

    def _parameter(self, atom: Atom) -> Expression | None:
        if not isinstance(atom, Minimum | Maximum) or is_over(expression_of_atom(atom), self._variables):
            return None
        if atom not in self._parameters:
            made = Parameter(f"extremum{len(self._parameters)}")
            number = self._parameters[atom] = expression_of_atom(made)
            self._atoms[made] = expression_of_atom(atom)
            sign = 1 if isinstance(atom, Maximum) else -1
            low, high = range_of(expression_of_atom(atom), self._bounds.definitions.range)
            self._facts += [sign * (number - self.stands_for(each)) for each in atom.operands]
            self._facts += [number - low] if low is not None else []
            self._facts += [high - number] if high is not None else []
        return self._parameters[atom]
