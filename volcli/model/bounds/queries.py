"""The set of a query: all numbers that an expression can be at a place, over the variables that are kept."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import islpy as isl
from xdsl.ir import Block

from volcli.expressions import Expression, parameter
from volcli.model.bounds.elimination import Elimination
from volcli.model.bounds.known import NOTHING, Kept, Known, always, intersection
from volcli.model.bounds.places import MOST_GUARDS, Factor, Place, Places
from volcli.model.bounds.variables import Alternative, own
from volcli.presburger.budget import BudgetExceeded, budget
from volcli.presburger.build import DIM
from volcli.presburger.extremes import interval

_QUERY = "q"


class Queries:
    """Sets of numbers, within a budget of isl OPERATIONS each."""

    def __init__(self, elimination: Elimination, places: Places, operations: int) -> None:
        self.operations = operations
        self._elimination = elimination
        self._places = places
        self._entered: dict[tuple[Block, frozenset[str]], bool] = {}
        self._conditions: dict[Factor, Known] = {}
        self._points: dict[tuple[Expression, tuple[Factor, ...], Hashable], Known] = {}

    def is_reached(self, place: Place) -> bool:
        """Whether some execution may get to PLACE: what is said of it otherwise is said of nothing."""
        return all(self._is_entered(block) for block in self._places.around(place))

    def _is_entered(self, block: Block) -> bool:
        """Whether the conditions of BLOCK can hold, with those around it that they have to do with."""
        key = block, self._places.ignored
        known = self._entered.get(key)
        if known is None:
            factors = self._places.of_block(block)
            expressions = [own(v) for factor in factors for v in factor.variables]
            expressions += [e for factor in factors for c in factor.condition for e in c]
            try:
                guards = self._places.relevant(expressions, (block.first_op,))
                with budget(self.operations):
                    known = not self._given({}, [*factors, *guards], NOTHING).points.is_empty()
            except BudgetExceeded:
                known = True
            self._entered[key] = known
        return known

    def points(self, expression: Expression, place: Place, kept: Kept) -> Known:
        """`{ [x] : x = expression }` whenever PLACE is reached, over what is KEPT."""
        guards = self._places.relevant((expression,), (place,))
        key = expression, tuple(guards), kept.key
        known = self._points.get(key)
        if known is None:
            known = self._found(expression, guards, kept)
            if self._elimination.definitions.is_settled:
                self._points[key] = known
        return known

    def ends(self, known: Known) -> tuple[int | None, int | None] | None:
        """The least and the greatest of a set of numbers, each None without one; None if it is empty."""
        with budget(self.operations):
            if known.points.is_empty():
                return None
            return interval(known.points, 0)

    def _found(self, expression: Expression, guards: Sequence[Factor], kept: Kept) -> Known:
        with budget(self.operations):
            variables = self._elimination.all_variables([expression])
            if expression.single_atom is not None and not guards and not kept.contains(variables[0]):
                variable = variables[0]
                alone = self._elimination.joint(frozenset((variable,)), kept)
                return Known(
                    _dimension(alone.points, self._elimination.name(variable)), alone.exact, alone.because
                )
            known = self._given({_QUERY: expression}, guards, kept)
            return Known(_dimension(known.points, _QUERY), known.exact, known.because)

    def parameters(self, numbers: Mapping[str, Expression], places: Sequence[Place], kept: Kept) -> Known:
        """What the NUMBERS, each under its name, are when all PLACES are reached, over what is KEPT."""
        guards = self._places.relevant(tuple(numbers.values()), places)
        with budget(self.operations):
            return self._given(numbers, guards, kept)

    def executions(self, numbers: Mapping[str, Expression], places: Sequence[Place], leaves: Kept) -> Known:
        """As `parameters`, over all that an execution is made of: LEAVES and induction variables."""
        guards = self._places.relevant(tuple(numbers.values()), places)
        with budget(self.operations):
            first = [
                *self._elimination.all_variables(numbers.values()),
                *(v for f in guards for v in f.variables),
            ]
            met = self._elimination.definitions.slice_of(first)
            iterations = [v for v in met if self._elimination.definitions.definition(v).induction is not None]
            chosen = frozenset(iterations)
            kept = Kept((leaves.key, chosen), lambda v: v in chosen or leaves.contains(v))
            known = self._given(numbers, guards, kept)
            for variable in iterations:
                known = intersection(known, self._elimination.defined(variable))
            bounds = [r for v in iterations for r in self._elimination.definitions.definition(v).references]
            return self._elimination.free(self._elimination.onto(kept, known, bounds), met)

    def facts(self, points: isl.Set) -> isl.Set:
        """What is known of the leaves that POINTS speaks of, each alone: that sizes are not negative."""
        known = always().points
        for variable in self._elimination.variables_of(points):
            if not self._elimination.definitions.definition(variable).references:
                known = known.intersect(self._elimination.defined(variable).points)
        return known

    def assumed(self) -> isl.Set:
        """What is assumed of arguments."""
        known = always()
        for factor in self._places.assumed():
            known = intersection(known, self._condition(factor))
        return known.points

    def _condition(self, factor: Factor) -> Known:
        known = self._conditions.get(factor)
        if known is None:
            known = self._elimination.union([Alternative((), c) for c in factor.condition])
            if self._elimination.definitions.is_settled:
                self._conditions[factor] = known
        return known

    def _given(self, numbers: Mapping[str, Expression], guards: Sequence[Factor], kept: Kept) -> Known:
        known = always()
        variables = dict.fromkeys(self._elimination.all_variables(numbers.values()))
        for factor in dict.fromkeys(guards):
            known = intersection(known, self._condition(factor))
            variables.update(dict.fromkeys(factor.variables))
        named = [parameter(name) - self._elimination.named(e) for name, e in numbers.items()]
        known = intersection(known, self._elimination.conjunction(named, ()))
        known = self._elimination.onto(kept, known, variables)
        if len(guards) >= MOST_GUARDS:
            return Known(known.points, False, f"more than {MOST_GUARDS} conditions have to do with it")
        return known


def _dimension(points: isl.Set, name: str) -> isl.Set:
    """The parameter NAME as the only dimension of a set."""
    position = points.find_dim_by_name(DIM.param, name)
    result = isl.Set.from_params(points)
    if position < 0:
        return result.add_dims(DIM.set, 1)
    return result.move_dims(DIM.set, 0, DIM.param, position, 1)
