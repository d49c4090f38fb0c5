"""Levels: in which sense two functions are shown to be equal, and in which sense they are to be.

    operations    the same operations on the same operands, constants taken for the numbers that they are
    exact sums    the terms of a sum, product or extremum in another order, which is exact: of integers, say
    sums          the same of floats, whose sums round
    arithmetic    the same results for all arguments, by other operations
    sources       results are computed from the same elements: x + y and x * y are equal at this level

Operations imply all others. Sums in another order imply sources, and so do not results that are equal as
functions: x + y - x is y as an integer, and depends on x.
"""

from __future__ import annotations

from dataclasses import dataclass

SOURCES, OPERATIONS, ARITHMETIC = "sources", "operations", "arithmetic"
EXACT_SUMS, SUMS = "exact sums", "sums"

COMPARED = (SOURCES, OPERATIONS, ARITHMETIC)
"""The levels that can be asked for."""
STRENGTH = (SOURCES, SUMS, ARITHMETIC, EXACT_SUMS, OPERATIONS)
"""All levels, those that say less first."""

TEXTS = {
    OPERATIONS: "the same operations",
    EXACT_SUMS: "the same sums in another order",
    SUMS: "the same sums in another order",
    ARITHMETIC: "the same function, by other operations",
    SOURCES: "the same sources",
}


@dataclass(frozen=True)
class Comparing:
    """What is asked: the level at which functions are to be equal; REASSOCIATE allows sums in another order.

    >>> Comparing().accepts(SUMS), Comparing(reassociate=True).accepts(SUMS), Comparing().accepts(EXACT_SUMS)
    (False, True, True)
    """

    level: str = OPERATIONS
    reassociate: bool = False

    def accepts(self, shown: str) -> bool:
        """Whether outputs that are equal at the level SHOWN are equal as asked."""
        if shown == ARITHMETIC:
            return self.level == ARITHMETIC
        if shown == SUMS:
            return self.reassociate or self.level == SOURCES
        return shown in (OPERATIONS, EXACT_SUMS) or self.level == SOURCES


BY_OPERATIONS = Comparing()
BY_SOURCES = Comparing(SOURCES)
"""What a rewrite of this project shows of itself: it moves operations, and makes no other ones."""


def weakest(levels: list[str]) -> str:
    """The one of LEVELS that says least."""
    return min(levels, key=STRENGTH.index)
