"""The value of an expression at a point, by Python's own arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    Mod,
    Monomial,
    Piecewise,
)


def value(expression: Expression, point: Mapping[Atom, int]) -> int:
    """EXPRESSION where symbols are as POINT says."""
    return expression.constant + sum(c * _of_atom(atom, point) for atom, c in expression.terms)


def _of_atom(atom: Atom, point: Mapping[Atom, int]) -> int:
    match atom:
        case Minimum(operands):
            return min(value(operand, point) for operand in operands)
        case Maximum(operands):
            return max(value(operand, point) for operand in operands)
        case FloorDiv(numerator, divisor):
            assert divisor >= 2
            return value(numerator, point) // divisor
        case Mod(numerator, divisor):
            assert divisor >= 2
            return value(numerator, point) % divisor
        case Monomial():
            return prod(_of_atom(factor, point) for factor in atom.factors)
        case Piecewise(pieces):
            return next(value(e, point) for where, e in pieces if all(value(w, point) >= 0 for w in where))
        case _:
            return point[atom]
