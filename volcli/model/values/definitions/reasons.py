"""Why there is no bound: the first value without one that an expression is computed from."""

from __future__ import annotations

from volcli.language.expressions import Expression
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.terms.variables import Variable, variables_of


class Reasons:
    """The reasons for missing bounds, each found once."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._unbounded: dict[Variable, str | None] = {}

    def unbounded(self, expression: Expression, low: int | None, high: int | None) -> str | None:
        """Which variable has no bounds, so that EXPRESSION has none."""
        if low is not None and high is not None:
            return None
        for variable in dict.fromkeys(variables_of(expression)):
            because = self._of(variable)
            if because is not None:
                return because
        return None

    def _of(self, variable: Variable) -> str | None:
        """Why the first leaf without bounds that VARIABLE is computed from has none."""
        pending = [variable]  # and no recursion: chains are long
        entered = {variable}
        while pending:
            each = pending[-1]
            if each not in self._unbounded:
                following = self._follow(each, entered)
                if following is not None:
                    entered.add(following)
                    pending.append(following)
                    continue
            pending.pop()
        return self._unbounded[variable]

    def _follow(self, variable: Variable, entered: set[Variable]) -> Variable | None:
        """Note why VARIABLE has no bounds, or tell what is to be asked before, if not ENTERED already."""
        definition = self._definitions.definition(variable)
        because: str | None = None
        if None not in self._definitions.range(variable):
            because = None
        elif definition.is_leaf:
            because = definition.because
        else:
            for reference in definition.references:
                if reference not in self._unbounded and reference not in entered:
                    return reference
                because = self._unbounded.get(reference)
                if because is not None:
                    break
        self._unbounded[variable] = because
        return None
