"""For each element of a result the first alternative applies that reaches it: what is left to the next ones.

What an alternative is left with is mostly all that it reaches, as for the parts of a concatenation. Then its
sets stay as they are, which is cheaper than to intersect them with all that no earlier part has taken.
"""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl

from volcli.limits import volumes as limits
from volcli.model.volumes.domains.parts import Part, as_set, intersection
from volcli.model.volumes.relations.statements import Statement
from volcli.presburger.sets.shared import once


class Remaining:
    """The elements that the statements so far have left of a result's DOMAIN."""

    def __init__(self, domain: Callable[[], isl.Set]) -> None:
        self.rest: Part = True
        self._domain = domain
        self._taken: list[isl.Set] = []
        self._is_free = True
        self._image: isl.Set | None = None
        self._takes = True

    def enter(self, statement: Statement) -> None:
        """STATEMENT comes next."""
        self._image = None if statement.covers else statement.elements(statement.domain)
        self._is_free = self.rest is True
        self._takes = statement.complete
        if self._image is not None and not self._is_free:
            self._is_free = once("subset", isl.Set.is_subset, self._image, self._rest_set())

    def leave(self) -> None:
        """The statement has taken what it reaches; nothing, where that is not certain."""
        if not self._takes:
            return
        if self._image is None:
            self.rest = False
            return
        self.rest = once("left", _left, self._rest_set(), self._image)
        self._taken.append(self._image)

    def of(self, part: Part) -> Part:
        """Those of PART that are left to the statement that was entered."""
        if self._is_free or part is False:
            return part
        few = len(self._taken) <= limits.COMPARED_REMAINDERS
        if part is not True and few and all(_is_disjoint(part, taken) for taken in self._taken):
            return part
        return intersection(part, self.rest)

    def of_map(self, relation: isl.Map) -> isl.Map:
        """The same of a relation from elements."""
        return relation if self._is_free else relation.intersect_domain(self._rest_set())

    def _rest_set(self) -> isl.Set:
        return as_set(self.rest, self._domain())


def _is_disjoint(part: isl.Set, taken: isl.Set) -> bool:
    return once("disjoint", isl.Set.is_disjoint, part, taken)


def _left(elements: isl.Set, taken: isl.Set) -> isl.Set:
    return elements.subtract(taken).coalesce()
