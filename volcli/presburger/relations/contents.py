"""Relations by content: those that hold the same pairs over the same parameters have one number.

A network of equal layers, or a loop that was unrolled, has thousands of accesses and few different relations.
What is asked of two accesses is asked of their contents, and so answered once:

    affine.for %i = 0 to 9 { load %a[%i] }   affine.for %j = 0 to 9 { store %b[%j] }      one content
"""

from __future__ import annotations

from collections.abc import Hashable

import islpy as isl

from volcli.presburger.relations.relation import Relation


class Contents:
    """The contents of one function's relations, numbered as they are first met."""

    def __init__(self) -> None:
        self._alike: dict[tuple[int, Hashable], list[tuple[isl.Map, int]]] = {}
        self._numbers: dict[Hashable, int] = {}
        self._count = 0

    def of(self, points: isl.Map, beside: Hashable) -> tuple[isl.Map, int]:
        """The first relation that is written as POINTS is, with the same BESIDE it; and its number.

        Equal relations that isl has in different forms may have two numbers; different ones never have one.
        """
        alike = self._alike.setdefault((hash(points), beside), [])
        for known, number in alike:
            if known.plain_is_equal(points):
                return known, number
        alike.append((points, self._next()))
        return alike[-1]

    def number(self, key: Hashable) -> int:
        """The number of relations that are equal, as KEY says, whose points are not computed yet."""
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = self._next()
        return known

    def key(self, relation: Relation) -> Hashable:
        """The same for relations that are equal, whatever they are worth."""
        return self.of(relation.points, None)[1] if relation.key is None else self.number(relation.key)

    def _next(self) -> int:
        self._count += 1
        return self._count - 1
