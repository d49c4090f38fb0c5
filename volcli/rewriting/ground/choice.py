"""Which of the bounds of a value is written into the program."""

from __future__ import annotations

from collections.abc import Callable

from volcli.language.expressions import (
    Atom,
    Expression,
    Maximum,
    Minimum,
    constant,
    has_cases,
    maximum,
    minimum,
    substitute,
    without_cases,
)
from volcli.limits import rewriting as limits
from volcli.model.values.terms.answers import Bounds, ConstantBounds
from volcli.rewriting.ground.widths import fits

AtMost = Callable[[Expression, Expression], bool]


def chosen_constant(bounds: ConstantBounds, kind: str, *, is_size: bool) -> Expression | None:
    """A size is at least 0, whatever it was computed from."""
    if bounds.never:
        return constant(0)
    if kind == "LB":
        number = 0 if is_size and bounds.lower is None else bounds.lower
    elif kind == "UB" or bounds.lower == bounds.upper:
        number = bounds.upper
    else:
        number = None
    return None if number is None else constant(number)


def chosen(bounds: Bounds, kind: str, at_most: AtMost, *, scalable: bool = False) -> Expression | None:
    """An expression before a constant, but for an extremum of constants; any number, of what never runs.

    Of `min(x, 16)`, which both are at least as large as the value, mlir-opt says 16 (unless it is scalable).
    """
    if bounds.never:
        return constant(0)
    lower, upper, equal = bounds.lower, bounds.upper, bounds.equal
    if equal is None and lower.expression is not None and lower.expression == upper.expression:
        equal = lower.expression
    side = lower if kind == "LB" else upper
    found = side.expression if equal is None and kind in ("LB", "UB") else equal
    if found is not None and has_cases(found):
        found = without_cases(found, lower=kind == "LB") if kind in ("LB", "UB") else None
    if found is not None:
        found = _pruned(found, at_most)
    if side.constant is None or kind not in ("LB", "UB"):
        return found
    if found is None or not fits(found) or (_has_constant(found) and not scalable):
        return constant(side.constant)
    return found


def _pruned(expression: Expression, at_most: AtMost) -> Expression:
    """EXPRESSION without what another operand of the same extremum makes idle: `min(a, a + 4)` is `a`."""

    def shorter(atom: Atom) -> Expression | None:
        if not isinstance(atom, Minimum | Maximum) or len(atom.operands) > limits.COMPARED_OPERANDS:
            return None
        is_minimum = isinstance(atom, Minimum)
        left = list(atom.operands)
        for operand in atom.operands:
            others = [other for other in left if other != operand]
            if any(at_most(other, operand) if is_minimum else at_most(operand, other) for other in others):
                left = others
        return minimum(*left) if is_minimum else maximum(*left)

    return substitute(expression, shorter)


def _has_constant(expression: Expression) -> bool:
    extrema = [atom for atom in expression.atoms() if isinstance(atom, Minimum | Maximum)]
    return any(operand.is_constant for atom in extrema for operand in atom.operands)
