"""What z3 says of polynomial goals over integers: another prover, which shares no code with ours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import z3

from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    Mod,
    Monomial,
    Piecewise,
    expression_of_atom,
)

_MILLISECONDS = 1000


def holds(facts: Sequence[Expression], goal: Expression) -> bool | None:
    """Whether GOAL >= 0 at all integer points at which FACTS are >= 0; None if z3 does not know in its time."""
    solver = z3.Solver()
    solver.set("timeout", _MILLISECONDS)
    solver.add(*(term(fact) >= 0 for fact in facts), term(goal) < 0)
    answer = solver.check()
    return None if answer == z3.unknown else answer == z3.unsat


def term(expression: Expression) -> Any:
    """EXPRESSION in z3's terms; its division by a positive constant rounds down, as ours."""
    return sum((c * _of_atom(atom) for atom, c in expression.terms), z3.IntVal(expression.constant))


def _of_atom(atom: Atom) -> Any:
    match atom:
        case Minimum(operands):
            return reduce(lambda a, b: z3.If(a <= b, a, b), map(term, operands))
        case Maximum(operands):
            return reduce(lambda a, b: z3.If(a >= b, a, b), map(term, operands))
        case FloorDiv(numerator, divisor):
            return term(numerator) / divisor
        case Mod(numerator, divisor):
            return term(numerator) % divisor
        case Monomial(factors=factors):
            return reduce(lambda a, b: a * b, map(_of_atom, factors))
        case Piecewise(pieces):
            return reduce(
                lambda rest, piece: z3.If(z3.And([term(w) >= 0 for w in piece[0]]), term(piece[1]), rest),
                reversed(pieces[:-1]),
                term(pieces[-1][1]),
            )
        case _:
            return z3.Int(str(expression_of_atom(atom)))
