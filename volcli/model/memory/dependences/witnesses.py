"""One concrete pair of iterations for each dependence."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from operator import add

import islpy as isl

from volcli.language.expressions import Atom, Expression, Value, constant, substitute
from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.comparable_indices import ComparableIndices
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.dependences.answers import Witness
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.variables import Variable
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.first_solution import TooLong
from volcli.presburger.measures.points import least_point
from volcli.presburger.relations.numbers import NumberedPair
from volcli.presburger.relations.relation import Relation


class Witnesses:
    """The witnesses of one function's dependences: one for all pairs that differ by the same offset."""

    def __init__(self, texts: Callable[[isl.Point], Mapping[str, int]], operations: int) -> None:
        self._texts = texts
        self._operations = operations
        self._found: dict[Hashable, Witness | None] = {}

    def of(self, source: Relation, sink: Relation, common: int, depth: int) -> Witness | None:
        """Iterations in which SOURCE and SINK go to one element at DEPTH; None if that costs too much."""
        key = source.beside(sink), common, depth
        if key not in self._found:
            self._found[key] = self._within_budget(source, sink, common, depth)
        known = self._found[key]
        if known is None or not any(sink.offset):
            return known
        return replace(known, element=tuple(map(add, known.element, sink.offset)))

    @cached_method
    def of_numbers(self, numbers: NumberedPair, depth: int, offset: tuple[int, ...]) -> Witness | None:
        """The first iterations of two accesses at DEPTH, as NUMBERS show them; the sink has this OFFSET.

        None if they do not show it.
        """
        try:
            pair = numbers.first(depth)
        except TooLong:
            return None
        return pair and Witness(pair.source, pair.sink, tuple(map(add, pair.element, offset)), {})

    def _within_budget(self, source: Relation, sink: Relation, common: int, depth: int) -> Witness | None:
        """The witness, with its element less the offset of SINK."""
        try:
            with budget(self._operations):
                later = depth - 1 if depth <= common else None
                found = source.meeting(sink, min(depth - 1, common), later)
                point = _first(found.points)
        except BudgetExceeded:
            return None
        assert not point.is_void()
        return Witness(*found.split(point), self._texts(point))


def with_element(
    found: Witness, digits: ComparableIndices, source: Site, bounds: BoundsStore
) -> Witness | None:
    """What was FOUND of relations to DIGITS, with the element, and the numbers of what that depends on.

    None if there are no such numbers, or they are not found.
    """
    element = digits.element([constant(number) for number in found.element], source.place.index)
    # after the loops around an operation are its own points, which are not values
    iteration = zip(source.levels, found.source[: len(source.levels)], strict=True)
    given: dict[Variable, int] = {Value(v): n for level, n in iteration if (v := level.variable) is not None}
    for variable in bounds.elimination.all_variables((*element, *digits.sizes)):
        number = found.parameters.get(bounds.texts.of_variable(variable))
        if number is not None:
            given[variable] = number
    numbers = bounds.claims.completed(element, given, source.op)
    if numbers is None:
        return None
    others = {bounds.texts.of_variable(v): n for v, n in numbers.items() if v not in given}
    known: dict[Atom, Expression] = {v: constant(n) for v, n in {**given, **numbers}.items()}
    index = tuple(substitute(each, known.get).constant for each in element)
    return replace(found, element=index, parameters={**found.parameters, **others})


def _first(points: isl.Set) -> isl.Point:
    """The lexicographically first point of POINTS for some parameters, if there is a first one."""
    parameters = points.params().sample_point()
    if parameters.is_void():
        return parameters
    return least_point(points.intersect_params(isl.Set.from_point(parameters)))
