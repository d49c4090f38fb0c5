"""Quotients by numbers, and extrema, as inequalities without them."""

from __future__ import annotations

from volcli.language.expressions import Expression, FloorDiv, Maximum, Minimum, expression_of_atom


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


def parts(form: Expression, kind: type[Minimum] | type[Maximum]) -> tuple[Expression, ...]:
    """What FORM is the extremum of, of this KIND: n + 1 and m + 1 of min(n, m) + 1; or FORM itself."""
    pending, found = [form], list[Expression]()
    while pending:
        each = pending.pop()
        atom = next((a for a, factor in each.terms if isinstance(a, kind) and factor == 1), None)
        if atom is None:
            found.append(each)
        else:
            rest = each - expression_of_atom(atom)
            pending += [operand + rest for operand in reversed(atom.operands)]
    return tuple(found)


DEFINED = FloorDiv | Minimum | Maximum
"""What is a symbol by inequalities that define it."""


def defining(symbol: FloorDiv | Minimum | Maximum) -> list[Expression]:
    """What is known of SYMBOL, each at least 0: of a quotient all, of an extremum one side, and its end."""
    own = expression_of_atom(symbol)
    if isinstance(symbol, FloorDiv):
        rest = symbol.numerator - own * symbol.divisor
        return [rest, symbol.divisor - 1 - rest]
    sign = 1 if isinstance(symbol, Minimum) else -1
    facts = [(operand - own) * sign for operand in symbol.operands]
    end = _least(own * sign)
    return facts if end is None else [*facts, own * sign - end]


def _least(expression: Expression) -> int | None:
    """A number that EXPRESSION, nested extrema, is never below, by its constants: 1 for min(max(b, 1), 8)."""
    if expression.is_constant:
        return expression.constant
    atom, factor = expression.terms[0]
    if len(expression.terms) > 1 or not isinstance(atom, Minimum | Maximum):
        return None
    ends = [_least(operand * factor) for operand in atom.operands]
    known = [each for each in ends if each is not None]
    if isinstance(atom, Minimum) == (factor > 0):
        return min(known) + expression.constant if len(known) == len(ends) else None
    return max(known) + expression.constant if known else None
