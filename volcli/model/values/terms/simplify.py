"""Simplification of minima and maxima by what is known of the parameters.

`arith.divsi` rounds towards zero: `n / 2` is `max(n floordiv 2, 0) + min(n ceildiv 2, 0)`. If n is known not
to be negative, that is `n floordiv 2`: an operand that another one always exceeds leaves the maximum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Expression,
    Maximum,
    Minimum,
    Mod,
    constant,
    maximum,
    minimum,
    substitute,
)
from volcli.limits.widths import ALL_BITS, GREATEST, HALF, LARGE
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


def simplified(expression: Expression, context: isl.Set) -> Expression:
    """EXPRESSION without the operands of minima and maxima that never decide, for points of CONTEXT.

    A remainder by a divisor that the numerator never reaches is the numerator: `d0 mod 2^64` is `d0` where
    `0 <= d0 < 8`. The context is a set of loop points, or of parameters alone.

    >>> from volcli.language.expressions import constant, parameter
    >>> n, sizes = parameter("n"), isl.Set("[n] -> { : n >= 0 }")
    >>> simplified(maximum(n, constant(-1)) + minimum(n, 2 * n, constant(4)), sizes)
    n + min(n, 4)
    """

    def simpler(atom: Atom) -> Expression | None:
        match atom:
            case Maximum(operands):
                return maximum(*_deciding([simplified(o, context) for o in operands], context, sign=1))
            case Minimum(operands):
                return minimum(*_deciding([simplified(o, context) for o in operands], context, sign=-1))
            case Mod(numerator, divisor):
                inner = simplified(numerator, context)
                for shift in (0, divisor):
                    within = (inner + shift, constant(divisor - 1 - shift) - inner)
                    if all(_never_negative(e, context) for e in within):
                        return inner + shift
                return _of_signed(inner, divisor, context) or inner % divisor
            case _:
                return None

    return substitute(expression, simpler)


def _of_signed(numerator: Expression, divisor: int, context: isl.Set) -> Expression | None:
    """`(x mod 2^64) mod d` as `(x + k [x < 0]) mod d`, k = 2^64 mod d, for a NUMERATOR x mod 2^64."""
    match numerator.single_atom:
        case Mod(x, whole) if whole == ALL_BITS and all(
            _never_negative(e, context) for e in (x + HALF, constant(GREATEST) - x)
        ):
            return (x + minimum(maximum(-x, constant(0)), constant(1)) * (ALL_BITS % divisor)) % divisor
        case _:
            return None


def unwrapped(domain: isl.Set) -> Callable[[Expression], Expression]:
    """What takes remainders by 2^w out of an expression that do nothing at the loop points of DOMAIN.

    Loops and parameters are numbers of 64 bits that do not overflow.
    """

    @cache
    def points(parameters: tuple[str, ...]) -> isl.Set:
        space = isl.Space.create_from_names(isl.DEFAULT_CONTEXT, set=[], params=parameters)
        result = domain.align_params(space)
        for kind in (DIM.set, DIM.param):
            for position in range(result.dim(kind)):
                result = result.upper_bound_val(kind, position, build.number(GREATEST))
                result = result.lower_bound_val(kind, position, build.number(-HALF))
        return result

    def plain(expression: Expression) -> Expression:
        is_wide = any(isinstance(a, Mod) and a.divisor >= LARGE for a in expression.atoms())
        return simplified(expression, points(build.parameters_of((expression,)))) if is_wide else expression

    return plain


def _deciding(operands: Sequence[Expression], context: isl.Set, *, sign: int) -> list[Expression]:
    """The operands that no other remaining one exceeds everywhere (times SIGN)."""
    kept = list(operands)
    for candidate in operands:
        others = [o for o in kept if o is not candidate]
        if any(_never_negative((o - candidate) * sign, context) for o in others):
            kept = others
    return kept


def _never_negative(difference: Expression, context: isl.Set) -> bool:
    loops = 0 if context.is_params() else context.dim(isl.dim_type.set)
    points = build.nonnegative(loops, (difference,))
    return bool(context.is_subset(points.params() if context.is_params() else points))
