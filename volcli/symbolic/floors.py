"""Bounds that are quotients by numbers, as inequalities without division."""

from __future__ import annotations

from volcli.language.expressions import Expression, FloorDiv, expression_of_atom


def at_least(value: Expression, bound: Expression) -> Expression:
    """What is >= 0 where VALUE >= BOUND: c * value >= e - (c - 1) for a bound of e floordiv c."""
    numerator, divisor = _as_quotient(bound)
    return divisor * value - numerator + divisor - 1


def below(value: Expression, bound: Expression) -> Expression:
    """What is >= 0 where VALUE < BOUND: c * value <= e - c for a bound of e floordiv c."""
    numerator, divisor = _as_quotient(bound)
    return numerator - divisor - divisor * value


def _as_quotient(bound: Expression) -> tuple[Expression, int]:
    """`(e, c)` with BOUND = e floordiv c: (i + 8, 2) for i floordiv 2 + 4; c = 1 if it has no division."""
    for atom, coefficient in bound.terms:
        if isinstance(atom, FloorDiv) and coefficient == 1:
            rest = bound - expression_of_atom(atom)
            return atom.numerator + atom.divisor * rest, atom.divisor
    return bound, 1


__all__ = ["at_least", "below"]
