"""What is known of maps that divide by a variable: `1000 mod s0` has no affine form, but bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import Expression, NotAffine, constant, value_of
from volcli.language.questions import value_facts
from volcli.language.reads import Conjunction
from volcli.limits import dialects as limits
from volcli_dialects.affine.index import ApplyOp
from volcli_dialects.affine.operands import dims_and_symbols

Evaluation = Callable[[AffineExpr], Expression]


@dataclass(frozen=True)
class Sides:
    """Expressions that are not above a number, and expressions that are not below it."""

    lower: tuple[Expression, ...] = ()
    upper: tuple[Expression, ...] = ()

    def plus(self, other: Sides) -> Sides:
        """The sum of both numbers."""
        lower = tuple(a + b for a in self.lower for b in other.lower)
        upper = tuple(a + b for a in self.upper for b in other.upper)
        return Sides(lower[: limits.SEMIAFFINE_SIDES], upper[: limits.SEMIAFFINE_SIDES])

    def times(self, factor: int) -> Sides:
        """A multiple of the number; a negative factor exchanges the sides."""
        lower, upper = tuple(a * factor for a in self.lower), tuple(a * factor for a in self.upper)
        return Sides(lower, upper) if factor >= 0 else Sides(upper, lower)

    @property
    def number(self) -> int | None:
        """The one number that is on both sides, if they are known to meet."""
        lows = {a.constant for a in self.lower if a.is_constant}
        highs = {a.constant for a in self.upper if a.is_constant}
        return next(iter(lows & highs), None)

    @property
    def is_never_negative(self) -> bool:
        return any(a.is_constant and a.constant >= 0 for a in self.lower)


def sides(expression: AffineExpr, evaluated: Evaluation) -> Sides:
    """`n mod m` is at least 0 and at most m - 1; if n is not negative, all divisions give 0 to n.

    That a divisor is at least 1 is what a map promises: with another one its value is undefined.
    """
    try:
        known = evaluated(expression)
        return Sides((known,), (known,))
    except NotAffine:
        pass
    if not isinstance(expression, AffineBinaryOpExpr):
        return Sides()
    left, right = sides(expression.lhs, evaluated), sides(expression.rhs, evaluated)
    match expression.kind:
        case AffineBinaryOpKind.Add:
            return left.plus(right)
        case AffineBinaryOpKind.Mul:
            factors = ((a, b.number) for a, b in ((left, right), (right, left)))
            return next((a.times(number) for a, number in factors if number is not None), Sides())
        case AffineBinaryOpKind.Mod:
            largest = left.upper if left.is_never_negative else ()
            return Sides((constant(0),), (*(m - 1 for m in right.upper), *largest))
        case AffineBinaryOpKind.FloorDiv | AffineBinaryOpKind.CeilDiv:
            return Sides((constant(0),), left.upper) if left.is_never_negative else Sides()


@value_facts.case(ApplyOp)
def apply_facts(op: ApplyOp) -> Sequence[Conjunction]:
    """The sides of the map's one result."""
    at = dims_and_symbols(op.map.data, op.operands)
    if len(op.map.data.results) != 1:
        raise NotAffine("the map has not one result")
    found = sides(op.map.data.results[0], lambda e: evaluate(e, *at))
    own = value_of(op.result)
    return [(*(own - low for low in found.lower), *(high - own for high in found.upper))]
