"""Accesses in boxes of iterations, by number: those that differ by their offsets alone have the same one.

    affine.for %i = 0 to 9 { load %a[%i + 1] }   affine.for %j = 0 to 9 { load %b[%j] }       one number

A network of equal layers has thousands of such accesses and few numbers. What is asked of them is a matter of
numbers and offsets; it takes no set of isl's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from volcli.language.expressions import Atom, Expression, Index
from volcli.model.memory.boxes.boxes import Box
from volcli.model.memory.buffers.buffers import BufferIndex


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
        for number, trips, value in zip(self.numbers, self.trips, self.values, strict=False):
            if [atom for atom, _ in value.terms] != [number]:
                return None
            step = value.terms[0][1]
            found.append(range(value.constant, value.constant + trips * step, step))
        return None if self.conditions or len(found) < len(self.trips) else tuple(found)


@dataclass(frozen=True, eq=False)
class NumberedAccess:
    """An access in a box: the number of all those that it is equal to, but for its offset there.

    `index` are its elements in terms of the loops' variables; these may have another offset.
    """

    access: BoxedAccess
    number: int
    offset: tuple[int, ...]
    index: tuple[Expression, ...]

    @property
    def key(self) -> Hashable:
        """The same for those with the same relation from iterations to `index`, but for its offset."""
        return (self.number, *(k - e.constant for k, e in zip(self.offset, self.index, strict=True)))


class BoxedAccesses:
    """The accesses of one function that are in boxes, numbered as they are first met.

    BOX says which one, if an operation runs in all of its iterations, and RESOLVED puts an index in terms of
    variables that are not formulas.
    """

    def __init__(self, box: Callable[[Operation], Box | None], resolved: Callable[[Index], Index]) -> None:
        self._box = box
        self._resolved = resolved
        self._at: dict[tuple[BufferIndex, Operation], NumberedAccess | None] = {}
        self._known: dict[Hashable, NumberedAccess | None] = {}
        self._numbers: dict[BoxedAccess, int] = {}

    def at(self, op: Operation, place: BufferIndex) -> NumberedAccess | None:
        """OP's access to PLACE, with one iteration of its loops for each element; None if it is not a box."""
        try:
            return self._at[place, op]
        except KeyError:
            found = self._at[place, op] = self._in_box(op, place)
            return found

    def _in_box(self, op: Operation, place: BufferIndex) -> NumberedAccess | None:
        box = None if place.extents or place.because is not None else self._box(op)
        if box is None:
            return None
        key = box, place.index, place.where
        try:
            return self._known[key]
        except KeyError:
            found = self._known[key] = self._numbered(box, place)
            return found

    def _numbered(self, box: Box, place: BufferIndex) -> NumberedAccess | None:
        placed = placed_in(box, place, self._resolved, divided=True)
        if placed is None:
            return None
        whole, elements, index = placed
        access = BoxedAccess.of(whole, elements)
        number = self._numbers.setdefault(access, len(self._numbers))
        return NumberedAccess(access, number, tuple(each.constant for each in elements), index)


def placed_in(
    box: Box, place: BufferIndex, resolved: Callable[[Index], Index], *, divided: bool
) -> tuple[Box, list[Expression], tuple[Expression, ...]] | None:
    """BOX with the own loops of PLACE, the index of that over the numbers there, and over variables.

    DIVIDED, over numbers that stand for divisions, too. None if something else says where it is accessed.
    """
    extents, where, index = (
        [e for each in stated if isinstance(e := resolved(each), Expression)]
        for stated in (place.extents, place.where, place.index)
    )
    whole = box.with_loops(extents)
    if whole is None or len(extents) < len(place.extents):
        return None
    if len(where) < len(place.where) or len(index) < len(place.index):
        return None
    placed = whole.placed((*where, *index))
    if placed is None and divided:
        whole, placed = whole.with_quotients((*where, *index)) or (whole, None)
    if placed is None:
        return None
    conditions, elements = placed[: len(where)], placed[len(where) :]
    return (whole, elements, tuple(index)) if all(map(whole.is_nonnegative, conditions)) else None
