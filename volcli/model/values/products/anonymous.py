"""Polynomial systems without names: what is found of one is found of all that differ in names alone.

    0 <= i <= n - 1,  n * n >= 1     of the variable %i of one loop
    0 <= j <= n - 1,  n * n >= 1     of the variable %j of the next one

are both `0 <= x1 <= x0 - 1, x0 * x0 >= 1`. The symbols x0, x1, ... are numbered in the order by which terms
are sorted, so that renaming keeps the order of all terms.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from volcli.language.atoms import WHOLE
from volcli.language.expressions import (
    Atom,
    Expression,
    Parameter,
    expression_of_atom,
    parameter,
    sort_key,
    substitute,
)
from volcli.model.values.products.polynomials import PolynomialSystem


@dataclass(frozen=True)
class Anonymous:
    """A system over numbered symbols, further EXPRESSIONS, and how these symbols are CALLED."""

    system: PolynomialSystem
    expressions: tuple[Expression, ...]
    called: Mapping[Atom, Expression]

    @property
    def key(self) -> Hashable:
        """What two of them have in common of which the same is true."""
        system = self.system
        forms = tuple(system.forms.values())
        return system.facts, system.choices, forms, system.symbols, system.because is None, self.expressions

    def named(self, expression: Expression) -> Expression:
        """An EXPRESSION over numbered symbols as it is called."""
        return substitute(expression, self.called.get)


def anonymous(system: PolynomialSystem, *further: Expression) -> Anonymous:
    """SYSTEM and FURTHER expressions over numbered symbols."""
    conditions = (e for choice in system.choices for each in choice for e in each)
    every = (*system.facts, *conditions, *system.forms.values(), *further)
    met = {atom for each in every for atom in each.atoms() if isinstance(atom, WHOLE)}
    ordered = sorted(met.union(system.symbols), key=sort_key)
    width = len(str(len(ordered)))
    numbers = {atom: parameter(f"x{rank:0{width}}") for rank, atom in enumerate(ordered)}

    rebuilt: dict[Atom, Expression] = {}

    def numbered(expression: Expression) -> Expression:
        return substitute(expression, numbers.get, rebuilt)

    without_names = PolynomialSystem(
        tuple(map(numbered, system.facts)),
        tuple(tuple(tuple(map(numbered, each)) for each in choice) for choice in system.choices),
        {_form(k): numbered(form) for k, form in enumerate(system.forms.values())},
        tuple(numbers[symbol].terms[0][0] for symbol in system.symbols),
        (),
        system.because,
    )
    called = {number.terms[0][0]: expression_of_atom(atom) for atom, number in numbers.items()}
    return Anonymous(without_names, tuple(map(numbered, further)), called)


def _form(position: int) -> Atom:
    """What the form at POSITION is the form of: nothing asks for it."""
    return Parameter(f"form{position}")
