"""Accesses that are plainly in bounds: by boxes of iterations, ranges, and bounds of loops, without sets.

    for %i = 0 to 8 { load %m[2 * %i] : memref<16 x f32> }         0 <= 2 * t <= 14 for t in [0, 8)

What is not so plain is left to `accesses.py`, which says the same, and later.
"""

from __future__ import annotations

from volcli.language.expressions import Expression
from volcli.model.memory.boxes.boxes import Box
from volcli.model.memory.buffers.buffers import BufferIndex
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict
from volcli.model.memory.checks.plain.within_loops import WithinLoops
from volcli.model.memory.checks.stated.stated import StatedAccess
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.terms.ranges import is_within, range_of
from volcli.presburger.limits.budget import BudgetExceeded, budget

Placed = tuple[Box, list[Expression]]
"""A box of iterations, and indices in terms of its numbers."""


class PlainAccesses:
    """The accesses of the function of MEMORY, with a budget of isl OPERATIONS for each."""

    def __init__(self, memory: Memory, operations: int) -> None:
        self._memory = memory
        self._operations = operations
        self._within_loops = WithinLoops(memory)

    def placed(self, stated: StatedAccess) -> Placed | None:
        """A box of iterations and the indices in it; None if that, or what ran before, is not so plain."""
        site, indices = stated.site, tuple(each for index in stated.indices for each in index)
        place = BufferIndex(site.place.root, indices, stated.extents, stated.where, stated.partial)
        placed = self._memory.instances.placed(site, place, divided=True)
        if placed is None or not self._memory.instances.domains.reached(site.op).is_everywhere:
            return None
        return placed

    def in_box(self, stated: StatedAccess, placed: Placed | None) -> AccessAnswer | None:
        """That an access is in bounds, where its iterations are numbers in a box and these say so.

        It need not be known which of them are reached: none is out of bounds.
        """
        resolved = [self._memory.instances.resolved(size) for size in stated.sizes]
        numbers = [size for size in resolved if isinstance(size, Expression)]
        if placed is None or len(numbers) < len(resolved):
            return None
        box, indices = placed
        sizes = box.placed(numbers)
        if sizes is None:
            return None
        is_inside = all(
            box.is_nonnegative(within)
            for position, index in enumerate(indices)
            for within in (index, sizes[position % stated.rank] - index - 1)
        )
        total = box.count if is_inside else None
        return None if total is None else _in_bounds(stated, total)

    def in_range(self, stated: StatedAccess) -> AccessAnswer | None:
        """That an access is in bounds by the ranges of its indices alone, as of an i8 in 256 elements.

        What these are computed from need not be known then.
        """
        if stated.extents or stated.where or not all(size.is_constant for size in stated.sizes):
            return None
        for index in stated.indices:
            for number, size in zip(index, stated.sizes, strict=True):
                resolved = self._memory.instances.resolved(number)
                if not isinstance(resolved, Expression):
                    return None
                found = range_of(resolved, self._memory.bounds.definitions.range)
                if not is_within(found, (0, size.constant - 1)):
                    return None
        iterations = BufferIndex(stated.site.place.root, (), (), (), stated.partial)
        placed = self._memory.instances.placed(stated.site, iterations)
        if placed is None or not self._memory.instances.domains.reached(stated.site.op).is_everywhere:
            return None
        return _in_bounds(stated, placed[0].count)

    def in_loops(self, stated: StatedAccess, placed: Placed | None) -> AccessAnswer | None:
        """That an access is in bounds, where loops have unknown bounds and these say so.

        There are iterations, and how many depends on the arguments.
        """
        if placed is not None or stated.where or stated.partial is not None:
            return None
        if not self._memory.instances.domains.reached(stated.site.op).is_everywhere:
            return None
        if not self._within_loops.are_inside(stated) or not self._is_any_number(stated):
            return None
        return _in_bounds(stated, None)

    def _is_any_number(self, stated: StatedAccess) -> bool:
        """Whether there are more or less iterations for other arguments, and some for some."""
        try:
            with budget(self._operations):
                domain = self._memory.instances.domains.of(stated.site.op)
                return domain.is_parametric
        except BudgetExceeded:
            return False


def _in_bounds(stated: StatedAccess, total: int | None) -> AccessAnswer:
    """That none of TOTAL iterations is out of bounds."""
    return AccessAnswer(stated.site, stated.slice, AccessVerdict.IN_BOUNDS, failing=0, total=total)
