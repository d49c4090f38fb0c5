"""Whether conditions may make a number of a size: a cheap test, before bounds are asked for it.

A size is an affine expression over variables. It is not a number if they are free and nothing else is known
of them, or if two of their values, found by trying a few, fulfil all that has to do with them and give the
size two values. Otherwise it may be one, and bounds tell. With %n that is asserted to be at least 4, for
example, %n + 1 is 65 for 64 and 1001 for 1000.

A wrong "it may be" costs time only; a wrong "no" would leave a size open that bounds know.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import SSAValue

from volcli.language.expressions import Atom, Dim, Expression, Value, constant, expression_of_atom, substitute
from volcli.language.reads import Disjunction
from volcli.language.unchanged import cached_method
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.sizes.equalities import Equalities, Solution
from volcli.model.values.sizes.resolved_forms import Forms
from volcli.model.values.terms.ranges import range_of
from volcli.model.values.terms.variables import Variable, own, variables_of

_TRIED = (1, 2, 3, 5, 64, 1000)


@dataclass(frozen=True)
class _Condition:
    """DISJUNCTION holds after TIME, in segments from SINCE on; MASK has the variables after it."""

    disjunction: Disjunction
    time: int
    since: int
    mask: int


@dataclass
class Conditions:
    """What is known of the variables of FORMS beside their definitions and solved EQUALITIES."""

    forms: Forms
    equalities: Equalities

    def may_fix(self, size: Expression, value: SSAValue, segment: int) -> bool:
        """Whether SIZE may be a number where VALUE is made, which is in SEGMENT."""
        if any(not isinstance(atom, Value | Dim) for atom, _ in size.terms):
            return True
        definitions = self.forms.store.definitions
        known = [definitions.definition(variable) for variable in variables_of(size)]
        if any(not each.is_free or each.references for each in known):
            return True
        time, mask = definitions.position(value), definitions.mask(list(variables_of(size)))
        if any(behind < time and about & mask for behind, about in self._left_behind):
            return True
        if not any(condition.mask & mask for condition in self._all):
            return False
        trials = self._trials(segment)
        if _has_two_values(size, (trial for trial in trials if trial.holds_until >= time)):
            return False
        chosen = self._connected(mask, time, segment)
        tells = any(each.disjunction != ((),) for each in chosen)
        fulfilling = (t for t in trials if all(t.holds(each.disjunction) for each in chosen))
        return tells and not _has_two_values(size, fulfilling)

    def _connected(self, mask: int, time: int, segment: int) -> list[_Condition]:
        """What holds after TIME of the variables in MASK, of others that it relates them to, and so on."""
        chosen = list[_Condition]()
        rest = [c for c in self._all if c.time < time and c.since <= segment]
        while found := [c for c in rest if c.mask & mask]:
            chosen += found
            rest = [c for c in rest if not c.mask & mask]
            for each in found:
                mask |= each.mask
        return chosen

    @cached_method
    def _trials(self, segment: int) -> list[_Trial]:
        """The values that are tried in SEGMENT."""
        conditions = sorted((c for c in self._all if c.since <= segment), key=lambda c: c.time)
        definitions = self.forms.store.definitions
        return [_Trial(definitions, self.equalities, segment, number, conditions) for number in _TRIED]

    def count(self, value: SSAValue) -> int:
        """How many conditions hold where VALUE is made that did not from the beginning."""
        return bisect_left(self._times, self.forms.store.definitions.position(value))

    # -- conditions ------------------------------------------------------------------------------------

    @cached_property
    def _times(self) -> list[int]:
        """When conditions begin to hold, in order."""
        return sorted([*(each.time for each in self._all), *(time for time, _ in self._left_behind)])

    @cached_property
    def _left_behind(self) -> list[tuple[int, int]]:
        return self.forms.store.places.left_behind()

    @cached_property
    def _all(self) -> list[_Condition]:
        definitions = self.forms.store.definitions
        found: list[_Condition] = []
        for time, factor in self.forms.store.places.told():
            found.append(_Condition(factor.condition, time, 0, definitions.mask(factor.variables)))
        for fact in (*self.equalities.facts, *self.equalities.implied):
            difference = fact.left - fact.right
            found.append(self._of((difference, -difference), fact.since))
        for variable, solution in self.equalities.solutions.items():
            found.append(
                self._of(tuple(self._told_by(variable, solution)), solution.since, variable, solution)
            )
        return found

    def _told_by(self, variable: Variable, solution: Solution) -> Iterator[Expression]:
        """What it tells of other variables that VARIABLE has this SOLUTION: that a size is not negative.

        Of what is computed from them, as the result of a branch is, it tells all.
        """
        definitions = self.forms.store.definitions
        if not definitions.definition(variable).is_leaf:
            yield own(variable) - solution.expression
            yield solution.expression - own(variable)
        low, _ = range_of(solution.expression, definitions.range)
        if isinstance(variable, Dim) and (low is None or low < 0):
            yield solution.expression

    def _of(
        self,
        conjunction: tuple[Expression, ...],
        since: int,
        solved: Variable | None = None,
        solution: Solution | None = None,
    ) -> _Condition:
        """CONJUNCTION, about its variables; or about one that is SOLVED, and those of its SOLUTION."""
        about = conjunction if solution is None else (solution.expression,)
        variables = [v for e in about for v in variables_of(e)]
        variables += [] if solved is None else [solved]
        return _Condition((conjunction,), -1, since, self.forms.store.definitions.mask(variables))


class _Trial:
    """The values of variables where each one that is free, and not solved in SEGMENT, is NUMBER."""

    def __init__(
        self,
        definitions: Definitions,
        equalities: Equalities,
        segment: int,
        number: int,
        conditions: Sequence[_Condition],
    ) -> None:
        self._definitions = definitions
        self._solutions = equalities.solutions
        self._segment = segment
        self._number = number
        self._known: dict[Variable, int | None] = {}
        self._conditions = conditions

    @cached_property
    def holds_until(self) -> int:
        """The time until when these values fulfil all conditions."""
        failing = (each.time for each in self._conditions if not self.holds(each.disjunction))
        return next(failing, len(self._definitions.numbering))

    def holds(self, disjunction: Disjunction) -> bool:
        """Whether DISJUNCTION holds, as far as that is known."""
        return any(
            all((value := self.value(e)) is not None and value >= 0 for e in conjunction)
            for conjunction in disjunction
        )

    def value(self, expression: Expression) -> int | None:
        """The value of EXPRESSION; None if it is not known."""
        new = [variable for variable in variables_of(expression) if variable not in self._known]
        if new:
            found = self._definitions.slice_of(new, self._known.__contains__)
            for variable in sorted(found, key=self._definitions.order):
                self._of(variable)
        return self._combined(expression)

    def _combined(self, expression: Expression) -> int | None:
        total = expression.constant
        for atom, factor in expression.terms:
            number = self._of(atom) if isinstance(atom, Value | Dim) else self._composed(atom)
            if number is None:
                return None
            total += factor * number
        return total

    def _composed(self, atom: Atom) -> int | None:
        """The value of ATOM, which is made of expressions."""
        expression = expression_of_atom(atom)
        if any(self._of(variable) is None for variable in variables_of(expression)):
            return None

        def leaf(inner: Atom) -> Expression | None:
            return constant(self._known[inner] or 0) if isinstance(inner, Value | Dim) else None

        return substitute(expression, leaf).constant

    def _of(self, variable: Variable) -> int | None:
        if variable not in self._known:
            self._known[variable] = None  # until it is known
            self._known[variable] = self._worked_out(variable)
        return self._known[variable]

    def _worked_out(self, variable: Variable) -> int | None:
        definition, solution = self._definitions.definition(variable), self._solutions.get(variable)
        if solution is not None and solution.since <= self._segment and definition.is_leaf:
            return self._combined(solution.expression)
        if definition.expression is not None:
            return self._combined(definition.expression)
        if definition.choices:
            chosen = (each for when, each in definition.choices if self.holds(when))
            each = next(chosen, None)
            return None if each is None else self._combined(each)
        low, high = self._definitions.range(variable)
        is_possible = (low is None or low <= self._number) and (high is None or self._number <= high)
        return self._number if definition.is_free and not definition.references and is_possible else None


def _has_two_values(size: Expression, trials: Iterable[_Trial]) -> bool:
    """Whether SIZE has two values in TRIALS; those after the second are not looked at."""
    found: set[int] = set()
    for trial in trials:
        value = trial.value(size)
        if value is not None:
            found.add(value)
            if len(found) > 1:
                return True
    return False
