"""Numbers that each variable lies between, by interval arithmetic along the definitions.

A long chain is known exactly at its beginning. In a chain in which each operation uses several of those
before, each set is made of larger ones. Once the sets that were made have more constraints together than a
limit (limits.LONG_EFFORT), no more are made. What is computed from something that has none is *given up*: an
interval of its own is all that is known of it (`intervals.py`), and each further operation costs the same.

    %v999 = arith.remsi %v998, %c16                           -15 <= v999 <= 15, given up
    %v1000 = affine.min (d0, d1 + 4, 1000)(%v999, %n)         v1000 <= 15, and nothing of %n

Functions of fewer than limits.CHAIN_FUNCTION values and operations lose their sets alone (limits.EFFORT).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import islpy as isl

from volcli.language.expressions import Expression
from volcli.language.loops import Induction
from volcli.limits import values as limits
from volcli.limits.widths import GREATEST, HALF
from volcli.model.values.definitions.resolver import Resolver, is_positive
from volcli.model.values.terms.ranges import Interval, hull, range_of, range_of_multiple, tightest
from volcli.model.values.terms.tables import Table
from volcli.model.values.terms.variables import (
    Definition,
    Disjunct,
    PointSet,
    Variable,
    natural_range,
    own,
    variables_of,
)
from volcli.presburger.measures.extremes import interval
from volcli.presburger.sets.build import DIM, number


@dataclass
class Effort:
    """The constraints of all sets that were made, of which MOST may be, and what has an interval alone.

    `because` says why there are no more sets, where it is spent.
    """

    most: int
    because: str
    is_spent: bool = False
    _constraints: int = 0
    _known: set[Variable] = field(default_factory=set[Variable])
    _given_up: set[Variable] = field(default_factory=set[Variable])

    def add(self, constraints: int, *, of: Variable | None) -> None:
        """A set of so many CONSTRAINTS was made, of one variable alone (`of`) or of several."""
        self._constraints += max(0, constraints - limits.FREE_CONSTRAINTS)
        self.is_spent = self._constraints > self.most
        if of is not None:
            self._known.add(of)

    def has_set(self, variable: Variable) -> bool:
        """Whether a set of VARIABLE was made."""
        return variable in self._known

    def give_up(self, variable: Variable) -> None:
        """Of VARIABLE an interval is all that will be known."""
        self._given_up.add(variable)

    def is_given_up(self, variable: Variable) -> bool:
        """Whether an interval is all that is known of VARIABLE."""
        return variable in self._given_up


class RangesByFacts(ABC):
    """What facts say of a variable, by the ranges of others."""

    @abstractmethod
    def of(self, variable: Variable) -> Interval:
        """A least and a greatest number that VARIABLE lies between; None where there is none."""

    def range_of_facts(self, variable: Variable, definition: Definition) -> Interval:
        """The range around those of all alternatives that are not impossible by their ranges alone."""
        found = [
            self._range_of_alternative(variable, alternative)
            for alternative in definition.alternatives
            if all(not self._is_negative(e, variable) for e in alternative.nonnegative)
        ]
        return hull(found)

    def _is_negative(self, expression: Expression, variable: Variable) -> bool:
        """Whether EXPRESSION, which does not speak of VARIABLE, is negative by its range."""
        if variable in variables_of(expression):
            return False
        high = range_of(expression, self.of)[1]
        return high is not None and high < 0

    def _range_of_alternative(self, variable: Variable, alternative: Disjunct) -> Interval:
        """By facts of the form `x - e >= 0` and `e - x >= 0`; by `x - e = 0` as by both."""
        low: int | None = None
        high: int | None = None
        both = [fact * sign for fact in alternative.zero for sign in (1, -1)]
        for fact in (*both, *alternative.nonnegative):
            factor = fact.coefficient(variable)
            end = fact - own(variable) * factor
            if abs(factor) != 1 or variable in variables_of(end):
                continue
            if factor == 1:
                low = tightest(low, range_of(-end, self.of)[0], max)
            else:
                high = tightest(high, range_of(end, self.of)[1], min)
        return low, high


class VariableRanges(RangesByFacts):
    """The range of each variable of DEFINITIONS, worked out once."""

    def __init__(self, definitions: Resolver) -> None:
        self._definitions = definitions
        self._known: Table[Variable, Interval] = Table()

    def suppose(self, variable: Variable, ends: Interval) -> None:
        """VARIABLE lies between ENDS, and no more is to be found out."""
        self._known.complete[variable] = ends

    def of(self, variable: Variable) -> Interval:
        """A least and a greatest number that VARIABLE lies between; None where there is none."""
        known = self._known.complete.get(variable)
        if known is None:
            form = self._definitions.linear(variable)
            if form.single_atom != variable:
                return range_of(form, self.of)
            known = self._definitions.solver.answer(self._known, variable, self._range, variable)
        return known

    def _range(self, variable: Variable) -> Interval:
        return self.by(self._definitions.definition(variable), variable)

    def by(self, definition: Definition, variable: Variable) -> Interval:
        """The range of VARIABLE if this is its DEFINITION."""
        low, high = natural_range(variable)
        found: Interval = (None, None)
        if definition.expression is not None:
            known = range_of_multiple(definition.expression, self._definitions.resolve, self.of)
            found = range_of(definition.expression, self.of)
            found = tightest(found[0], known[0], max), tightest(found[1], known[1], min)
        elif definition.choices:
            found = hull([range_of(chosen, self.of) for when, chosen in definition.choices if when])
        elif definition.induction is not None:
            found = self._range_of_induction(definition.induction)
        elif definition.points is not None:
            found = self._range_of_points(variable, definition.points)
        else:
            found = beside_width(self.range_of_facts(variable, definition))
        return tightest(low, found[0], max), tightest(high, found[1], min)

    def _range_of_induction(self, induction: Induction) -> Interval:
        lows = [low for e in induction.lower if (low := range_of(e, self.of)[0]) is not None]
        highs = [high - 1 for e in induction.upper if (high := range_of(e, self.of)[1]) is not None]
        low, high = max(lows, default=None), min(highs, default=None)
        step = induction.step
        single = len(induction.lower) == 1 and induction.lower[0].is_constant
        if low is not None and high is not None and high >= low and single and is_positive(step):
            high -= (high - low) % step.constant
        return low, high

    def _range_of_points(self, variable: Variable, known: PointSet) -> Interval:
        """The ends of a set, for all other variables in their ranges."""
        points = known.points
        for other, name in known.names.items():
            if other != variable:
                low, high = self.of(other)
                position = points.find_dim_by_name(DIM.param, name)
                if low is not None:
                    points = points.lower_bound_val(DIM.param, position, number(low))
                if high is not None:
                    points = points.upper_bound_val(DIM.param, position, number(high))
                points = points.project_out(DIM.param, position, 1)
        if not points.dim(DIM.param):
            return None, None
        line = isl.Set.from_params(points).move_dims(DIM.set, 0, DIM.param, 0, 1)
        return interval(line, 0)


def beside_width(ends: Interval) -> Interval:
    """ENDS, as far as they say more than that a number has 64 bits: it is still taken to be small enough."""
    low, high = ends
    return None if low == -HALF else low, None if high == GREATEST else high
