"""A form: what a value or a size is written as, and what that rests on."""

from __future__ import annotations

from dataclasses import dataclass

from volcli.language.expressions import Expression, LoopIndex, Monomial


@dataclass(frozen=True)
class Form:
    """An expression, and the names of the assumptions that it rests on."""

    expression: Expression
    assumptions: tuple[str, ...] = ()


def is_affine(expression: Expression) -> bool:
    """Whether EXPRESSION has no products and speaks of no loop of an operation."""
    return not any(isinstance(atom, Monomial | LoopIndex) for atom in expression.atoms())
