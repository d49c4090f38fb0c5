"""What it costs to compute an expression, in operations."""

from __future__ import annotations

from volcli.language.expressions import Atom, Expression, FloorDiv, Maximum, Minimum, Mod, Monomial, Piecewise


def cost(expression: Expression) -> int:
    """How many operations EXPRESSION takes: additions, multiplications, divisions, extrema, choices."""
    terms = sum(_cost(atom) + (abs(coefficient) != 1) for atom, coefficient in expression.terms)
    return terms + max(len(expression.terms) + (expression.constant != 0) - 1, 0)


def _cost(atom: Atom) -> int:
    match atom:
        case Minimum(operands) | Maximum(operands):
            return sum(map(cost, operands)) + len(operands) - 1
        case FloorDiv(numerator, _) | Mod(numerator, _):
            return cost(numerator) + 1
        case Monomial(factors=factors):
            return sum(map(_cost, factors)) + len(factors) - 1
        case Piecewise(pieces):
            return sum(cost(value) + 1 + sum(map(cost, where)) for where, value in pieces) - 1
        case _:
            return 0
