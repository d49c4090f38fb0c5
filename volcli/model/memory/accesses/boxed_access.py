"""An access whose iterations are a box: numbers in constant ranges, and where conditions on them hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from volcli.language.expressions import Atom, Expression
from volcli.model.memory.boxes.boxes import Box

Row = tuple[int, Sequence[tuple[int, int]]]
"""A constant, and coefficients of numbers by their positions."""


@dataclass(frozen=True)
class BoxedAccess:
    """An access in n loops, of which the k-th is in iteration `values[k]` over the numbers 0 .. trips - 1.

    It runs where `conditions` are not negative, and goes to `elements`, but for the constants that are added:
    its offset. So all those are equal that differ by their offsets alone.
    """

    numbers: tuple[Atom, ...]
    trips: tuple[int, ...]
    values: tuple[Expression, ...]
    elements: tuple[Expression, ...]
    conditions: tuple[Expression, ...]

    @classmethod
    def of(cls, box: Box, elements: Sequence[Expression]) -> BoxedAccess:
        """An access to ELEMENTS, but for their offset, in BOX."""
        linear = tuple(each - each.constant for each in elements)
        numbers, trips = tuple(box.trips), tuple(box.trips.values())
        return cls(numbers, trips, tuple(box.values.values()), linear, box.conditions)

    @property
    def ranges(self) -> tuple[range, ...] | None:
        """The values of each loop's variable, if they have nothing to do with each other."""
        found: list[range] = []
        for k, (trips, (first, terms)) in enumerate(zip(self.trips, self.rows_of_values, strict=False)):
            if len(terms) != 1 or terms[0][0] != k:
                return None
            step = terms[0][1]
            found.append(range(first, first + trips * step, step))
        return None if self.conditions or len(found) < len(self.trips) else tuple(found)

    @cached_property
    def rows_of_values(self) -> Sequence[Row]:
        """The values of the loops' variables as constants, and coefficients of numbers by their positions."""
        return self._rows(self.values)

    @cached_property
    def rows_of_elements(self) -> Sequence[Row]:
        """The elements, but for the offset, in the same way: all constants are 0."""
        return self._rows(self.elements)

    @cached_property
    def rows_of_conditions(self) -> Sequence[Row]:
        """The conditions in the same way."""
        return self._rows(self.conditions)

    def _rows(self, expressions: Sequence[Expression]) -> Sequence[Row]:
        """EXPRESSIONS as constants and coefficients of numbers, by their positions."""
        position = {atom: k for k, atom in enumerate(self.numbers)}
        return [(e.constant, [(position[atom], c) for atom, c in e.terms]) for e in expressions]
