"""Accesses that nothing but one unknown size of an argument keeps in bounds, in plain integers.

Where iterations are numbers in a box, or in the part of it in which linear conditions hold, an index over
them has a greatest value g, which is attained. If the other indices are inside and the size d is any number
that is not negative, the access is out of bounds in some iteration for d <= g, and in bounds for d > g:

    affine.for %i = 0 to 16 { affine.load %m[%i + 2, 0] : memref<?x18xf32> }     in bounds if dim(%m, 0) >= 18

An example is the first iteration in which the index is d for the least d > 0 for which there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Value,
    constant,
    loop,
    parameter,
    substitute,
)
from volcli.language.unchanged import cached_method
from volcli.model.memory.boxes.boxes import Box
from volcli.model.memory.checks.stated.stated import StatedAccess
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.occurrence.certainty import CallArguments
from volcli.presburger.measures.first_solution import TooLong
from volcli.presburger.sets import build


@dataclass(frozen=True, eq=False)
class Overrun:
    """The `calls` in which the index in `dimension` gets as large as the size; `outside` finds when.

    The first time that it does for a size of `size`: in the `iteration` at the `index`.
    """

    calls: CallArguments
    outside: Callable[[], isl.Set]
    dimension: int
    size: int
    iteration: tuple[int, ...]
    index: tuple[int, ...]
    parameters: Mapping[str, int]


class UnknownSizes:
    """The accesses of one function whose bounds are up to one unknown size."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def overrun(self, stated: StatedAccess, box: Box, elements: list[Expression]) -> Overrun | None:
        """When STATED, of ELEMENTS over a BOX, is out of bounds because of a size that the caller chooses.

        None if more decides it.
        """
        if len(stated.indices) != 1 or stated.extents or stated.where or stated.partial is not None:
            return None
        unknown = self._unknown(stated, box, elements)
        if unknown is None:
            return None
        dimension, size = unknown
        try:
            greatest = _greatest(box, elements[dimension])
            if greatest is None:
                return None
            example = min(1, greatest)
            first = box.first(elements[dimension] - example)
        except TooLong:
            return None
        assert first is not None, "it gets as large as that"
        return Overrun(
            self._calls_below(size, greatest),
            partial(self._outside, stated, dimension, size),
            dimension,
            example,
            tuple(_at(box.values[variable], first) for variable in _variables(stated)),
            tuple(_at(each, first) for each in elements),
            {self._memory.bounds.texts.of_variable(size): example},
        )

    def _unknown(self, stated: StatedAccess, box: Box, elements: list[Expression]) -> tuple[int, Dim] | None:
        """The one dimension whose size is not known, and that; None unless all else is in bounds."""
        found: list[tuple[int, Dim]] = []
        if 0 in box.trips.values():
            return None
        for dimension, (element, stated_size) in enumerate(zip(elements, stated.sizes, strict=True)):
            size = self._memory.instances.resolved(stated_size)
            if not isinstance(size, Expression) or not box.is_nonnegative(element):
                return None
            atom = size.single_atom
            if isinstance(atom, Dim) and self._is_any(atom):
                found.append((dimension, atom))
            elif not size.is_constant or not box.is_nonnegative(size - element - 1):
                return None
        return found[0] if len(found) == 1 else None

    @cached_method
    def _is_any(self, size: Dim) -> bool:
        """Whether SIZE is any number that is not negative, as the caller chooses."""
        bounds = self._memory.bounds
        definition = bounds.definitions.definition(size)
        is_free = definition.is_free and not definition.references and not definition.tokens
        return (
            is_free
            and bounds.arguments().contains(size)
            and bool(bounds.elimination.defined(size).points.is_equal(self._between(size, None)))
        )

    @cached_method
    def _calls_below(self, size: Dim, greatest: int) -> CallArguments:
        """The calls in which SIZE is at most GREATEST."""
        below = self._between(size, greatest)
        return CallArguments(below, below, self._between(size, None))

    def _between(self, size: Dim, greatest: int | None) -> isl.Set:
        """SIZE, which is not negative, is at most GREATEST."""
        name = self._memory.bounds.elimination.name(size)
        over = build.space((name,), 0)
        points = build.at_least_zero(parameter(name), over)
        if greatest is not None:
            points = points.intersect(build.at_least_zero(greatest - parameter(name), over))
        return points.params()

    def _outside(self, stated: StatedAccess, dimension: int, size: Dim) -> isl.Set:
        """`{ [i] : index[dimension] >= size >= 0 }`"""
        name = self._memory.bounds.elimination.name(size)
        over = build.space((name,), len(stated.site.levels))
        numbers = {variable: loop(position) for position, variable in enumerate(_variables(stated))}
        index = self._memory.instances.resolved(stated.indices[0][dimension])
        assert isinstance(index, Expression)
        index = substitute(index, lambda atom: numbers.get(atom) if isinstance(atom, Value) else None)
        beyond = build.at_least_zero(index - parameter(name), over)
        iterations = self._memory.instances.domains.of(stated.site.op).points
        return iterations.intersect(beyond).intersect(build.at_least_zero(parameter(name), over))


def _variables(stated: StatedAccess) -> list[Value]:
    """The variables of the loops around."""
    return [Value(v) for level in stated.site.levels if (v := level.variable) is not None]


def _greatest(box: Box, element: Expression) -> int | None:
    """The greatest value of ELEMENT over BOX; None if there is no iteration. Raises TooLong."""
    low, high = box.interval(element)
    if not box.conditions or box.first(element - high) is not None:
        return high
    if box.first(element - low) is None:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if box.first(element - middle) is None else (middle, high)
    return low


def _at(placed: Expression, numbers: Mapping[Atom, int]) -> int:
    """What is PLACED at some NUMBERS."""
    return substitute(placed, lambda atom: constant(numbers[atom])).constant
