"""Expressions over chosen variables, where the definitions determine them as one expression."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    substitute,
)
from volcli.limits import values as limits
from volcli.model.values.store.parts import StoreParts
from volcli.model.values.terms.constraint_set import Kept
from volcli.model.values.terms.variables import Variable

if TYPE_CHECKING:  # polynomials are imported where something has to do with products
    pass


class ClosedForms:
    """The closed forms of one function's variables, each found once."""

    def __init__(self, parts: StoreParts) -> None:
        self._parts = parts
        self._closed: dict[tuple[Hashable, Variable], Expression | None] = {}

    def of(self, expression: Expression, kept: Kept) -> Expression | None:
        """EXPRESSION over what is KEPT only, if the definitions determine it as one expression."""
        replaced: dict[Atom, Expression] = {}
        for variable in self._parts.elimination.all_variables([expression]):
            if kept.contains(variable):
                continue
            form = self._of_variable(variable, kept)
            if form is None:
                return None
            replaced[variable] = form
        try:
            return substitute(expression, replaced.get) if replaced else expression
        except NotAffine:  # it is nested too deeply
            return None

    def _of_variable(self, variable: Variable, kept: Kept) -> Expression | None:
        key = kept.key, variable
        if key not in self._closed:
            inner = self._parts.definitions.definition(variable).expression
            form = None if inner is None else self.of(inner, kept)
            self._closed[key] = None if form is None or len(str(form)) > limits.CLOSED_FORM_TEXT else form
        return self._closed[key]
