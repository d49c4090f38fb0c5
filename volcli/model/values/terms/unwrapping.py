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

from volcli.language.expressions import Atom, Dim, Expression, FloorDiv, Mod, Value, substitute
from volcli.model.values.terms.ranges import Interval

_WIDE = 2**31
"""A remainder by less than this is part of the program."""
_ALL_BITS = 2**64
_MOST_DIVISIONS = 16
"""No ends are asked for of a number with more quotients and remainders than this."""
_MOST_WITH_WIDE = 4
"""Nor with more than this if one of them is by the width of a number."""


def is_wide(expression: Expression) -> bool:
    """Whether EXPRESSION has a remainder by the width of a number."""
    return any(isinstance(atom, Mod) and atom.divisor > _WIDE for atom in expression.atoms())


def _has_many_divisions(expression: Expression) -> bool:
    """Whether EXPRESSION has more quotients and remainders than a set of its numbers is to have."""
    divisions = {atom for atom in expression.atoms() if isinstance(atom, FloorDiv | Mod)}
    return len(divisions) > (_MOST_WITH_WIDE if is_wide(expression) else _MOST_DIVISIONS)


def unwrapped(expression: Expression, ends: Callable[[Expression], Interval]) -> Expression:
    """EXPRESSION without the remainders of which the numerator lies between two multiples, by its ENDS."""

    def plain(atom: Atom) -> Expression | None:
        match atom:
            case Mod(numerator, divisor) if divisor > _WIDE:
                inner = unwrapped(numerator, ends)
                if _has_many_divisions(inner):
                    return inner % divisor
                low, high = ends(inner)
                if high is None and divisor == _ALL_BITS and isinstance(inner.single_atom, Value | Dim):
                    high = _ALL_BITS // 2 - 1  # of a number with a sign
                if low is None or high is None or low // divisor != high // divisor:
                    return inner % divisor
                return inner - divisor * (low // divisor)
            case _:
                return None

    return substitute(expression, plain) if is_wide(expression) else expression
