"""The names of variables in sets: isl knows parameters by name only.

A variable is named by its place in the program, so that the same question gives the same set whatever was
asked before: the size of dimension 1 of the value at place 7 is `v7_1`.
"""

from __future__ import annotations

import islpy as isl

from volcli.language.expressions import Atom, Expression, Parameter, over_names, substitute
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.terms.variables import Variable, own
from volcli.presburger.sets import build


class VariableNames:
    """The names of the variables of one function; one that is NAMED as another one gives the same names."""

    def __init__(self, definitions: Definitions, named: VariableNames | None = None) -> None:
        self.definitions = definitions
        self._names: dict[Variable, str] = {} if named is None else named._names
        self._variables: dict[str, Variable] = {} if named is None else named._variables

    def name(self, variable: Variable) -> str:
        """The name of VARIABLE as a parameter of sets."""
        known = self._names.get(variable)
        if known is None:
            known = self._names[variable] = self._new_name(variable)
            self._variables[known] = variable
        return known

    def _new_name(self, variable: Variable) -> str:
        """By its place in the program, not by when it is asked for: isl's results depend on their order."""
        position, dimension = self.definitions.order(variable)
        name = f"v{position}" if dimension < 0 else f"v{position}_{dimension}"
        return f"{name}_of_{len(self._names)}" if position < 0 or name in self._variables else name

    def variable(self, name: str) -> Variable:
        """The variable that has NAME in sets."""
        return self._variables[name]

    def find(self, name: str) -> Variable | None:
        """The variable that has NAME in sets, if one has."""
        return self._variables.get(name)

    def variables_of(self, points: isl.Set) -> list[Variable]:
        """The variables that POINTS speaks of."""
        names = (points.get_dim_name(build.DIM.param, p) for p in range(points.dim(build.DIM.param)))
        return [self._variables[name] for name in names if name in self._variables]

    def named(self, expression: Expression) -> Expression:
        """EXPRESSION over parameters that stand for its variables."""
        return over_names(expression, self.name)

    def unnamed(self, expression: Expression) -> Expression:
        """EXPRESSION over variables, from one over their names."""

        def leaf(atom: Atom) -> Expression | None:
            if not isinstance(atom, Parameter):
                return None
            return own(self._variables[atom.name])

        return substitute(expression, leaf)
