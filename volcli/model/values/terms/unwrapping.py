"""Remainders by a number's width, where what is known of a place shows that they do nothing.

The unsigned number of %n is `%n mod 2^64`: that is %n wherever %n >= 0, in a loop up to %n, say.

>>> from volcli.language.expressions import parameter
>>> n = parameter("n")
>>> unwrapped((n % 2**64) // 7, lambda _: (0, 99))
n floordiv 7
>>> str(unwrapped((n % 2**64) // 7, lambda _: (-1, 99))) == str((n % 2**64) // 7)
True

A remainder that does something stays, and those around it are of a number that it is part of. The set of such
numbers has a division for each quotient and remainder: of more than a few of them, and one of large numbers,
no ends are asked for.
"""

from __future__ import annotations

from collections.abc import Callable

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    FloorDiv,
    Mod,
    Value,
    has_wide_remainder,
    substitute,
)
from volcli.limits import values as limits
from volcli.limits.widths import ALL_BITS, LARGE
from volcli.model.values.terms.ranges import Interval


def _has_many_divisions(expression: Expression) -> bool:
    """Whether EXPRESSION has more quotients and remainders than a set of its numbers is to have."""
    divisions = {atom for atom in expression.atoms() if isinstance(atom, FloorDiv | Mod)}
    return len(divisions) > (
        limits.WIDE_END_DIVISIONS if has_wide_remainder(expression) else limits.END_DIVISIONS
    )


def unwrapped(expression: Expression, ends: Callable[[Expression], Interval]) -> Expression:
    """EXPRESSION without the remainders of which the numerator lies between two multiples, by its ENDS."""

    def plain(atom: Atom) -> Expression | None:
        match atom:
            case Mod(numerator, divisor) if divisor > LARGE:
                inner = unwrapped(numerator, ends)
                if _has_many_divisions(inner):
                    return inner % divisor
                low, high = ends(inner)
                if high is None and divisor == ALL_BITS and isinstance(inner.single_atom, Value | Dim):
                    high = ALL_BITS // 2 - 1  # of a number with a sign
                if low is None or high is None or low // divisor != high // divisor:
                    return inner % divisor
                return inner - divisor * (low // divisor)
            case _:
                return None

    return substitute(expression, plain) if has_wide_remainder(expression) else expression
