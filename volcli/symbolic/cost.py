"""What it costs to compute an expression: operations, and the instructions of table 5.2.

`max(a * 16 + q, r)` is a product, a sum and a comparison: 3 operations, 6 cycles. A product with a constant
is a product; x - y is one operation, as is -x.
"""

from __future__ import annotations

from collections import Counter

from volcli.language.expressions import Atom, Expression, FloorDiv, Maximum, Minimum, Mod, Monomial, Piecewise
from volcli.language.instructions import Instruction, Instructions


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


def instructions(expression: Expression) -> Instructions:
    """What EXPRESSION takes, as it is written."""
    found: Instructions = Counter()
    for atom, coefficient in expression.terms:
        found += _of_atom(atom)
        if abs(coefficient) != 1:
            found[Instruction.MUL] += 1
    signs = [coefficient < 0 for _, coefficient in expression.terms]
    signs += [expression.constant < 0] if expression.constant else []
    subtractions = sum(signs)
    if len(signs) > 1:
        # Where all are negative, the first is subtracted, too: -x - 1.
        found[Instruction.ADD] += len(signs) - 1 - min(subtractions, len(signs) - 1)
        found[Instruction.SUB] += min(subtractions, len(signs) - 1)
    elif expression.terms and subtractions and expression.terms[0][1] == -1:
        found[Instruction.SUB] += 1
    return +found


def _of_atom(atom: Atom) -> Instructions:
    match atom:
        case Minimum(operands) | Maximum(operands):
            found = _of_all(operands)
            found[Instruction.COMPARE] += len(operands) - 1
        case FloorDiv(numerator, _):
            found = instructions(numerator) + Counter((Instruction.DIV,))
        case Mod(numerator, _):
            found = instructions(numerator) + Counter((Instruction.MOD,))
        case Monomial(factors=factors):
            found = sum(map(_of_atom, factors), Instructions())
            found[Instruction.MUL] += len(factors) - 1
        case Piecewise(pieces):
            found = sum((_of_all((*where, value)) for where, value in pieces), Instructions())
            conditions = [len(where) for where, _ in pieces[:-1]]
            found[Instruction.COMPARE] += sum(conditions)
            found[Instruction.AND] += sum(max(count - 1, 0) for count in conditions)
        case _:
            found = Instructions()
    return found


def _of_all(expressions: tuple[Expression, ...]) -> Instructions:
    return sum(map(instructions, expressions), Instructions())
