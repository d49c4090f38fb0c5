"""Remainders by a number's width, where what is known of a place shows that they do nothing.

The unsigned number of %n is `%n mod 2^64`: that is %n wherever %n >= 0, in a loop up to %n, say.

>>> from volcli.language.expressions import parameter
>>> n = parameter("n")
>>> unwrapped((n % 2**64) // 7, lambda _: (0, 99))
n floordiv 7
>>> str(unwrapped((n % 2**64) // 7, lambda _: (-1, 99))) == str((n % 2**64) // 7)
True
"""

from __future__ import annotations

from collections.abc import Callable

from volcli.language.expressions import Atom, Dim, Expression, Mod, Value, substitute
from volcli.model.values.ranges import Interval

_WIDE = 2**31
"""A remainder by less than this is part of the program."""
_ALL_BITS = 2**64


def is_wide(expression: Expression) -> bool:
    """Whether EXPRESSION has a remainder by the width of a number."""
    return any(isinstance(atom, Mod) and atom.divisor > _WIDE for atom in expression.atoms())


def unwrapped(expression: Expression, ends: Callable[[Expression], Interval]) -> Expression:
    """EXPRESSION without the remainders of which the numerator lies between two multiples, by its ENDS."""

    def plain(atom: Atom) -> Expression | None:
        match atom:
            case Mod(numerator, divisor) if divisor > _WIDE:
                inner = unwrapped(numerator, ends)
                low, high = ends(inner)
                if high is None and divisor == _ALL_BITS and isinstance(inner.single_atom, Value | Dim):
                    high = _ALL_BITS // 2 - 1  # of a number with a sign
                if low is None or high is None or low // divisor != high // divisor:
                    return inner % divisor
                return inner - divisor * (low // divisor)
            case _:
                return None

    return substitute(expression, plain) if is_wide(expression) else expression
