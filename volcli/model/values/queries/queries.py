"""The set of a query: all numbers that an expression can be at a place, over the variables that are kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce

import islpy as isl

from volcli.language.expressions import Expression, maximum, parameter
from volcli.limits.values import ENDS_SHARE, GUARDS, GUARDS_OF_A_PLACE
from volcli.model.values.contexts.contexts import Contexts, ProgramPoint
from volcli.model.values.contexts.factors import Factor, Factors, Reached
from volcli.model.values.definitions.tightness import Tightness
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.elimination.iterations import Iterations
from volcli.model.values.terms.answers import CONTRADICTION, NEVER, Verdict
from volcli.model.values.terms.constraint_set import (
    NOTHING,
    TOO_MANY,
    Kept,
    Known,
    always,
    conjunction,
    dimension,
    intersection,
)
from volcli.model.values.terms.variables import own
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.extremes import interval
from volcli.presburger.sets.unwieldy import Allowance, is_dear

_QUERY = "q"


class Queries:
    """Sets of numbers, within a budget of isl OPERATIONS each.

    Whether factors can hold together, where products leave that open, is known BY_POLYNOMIALS.
    """

    def __init__(
        self,
        elimination: Elimination,
        places: Contexts,
        factors: Factors,
        tightness: Tightness,
        operations: int,
        by_polynomials: Callable[[Sequence[Factor]], Verdict],
    ) -> None:
        self.operations = operations
        self._tightness = tightness
        self._by_polynomials = by_polynomials
        self._elimination = elimination
        self._places = places
        self._factors = factors
        self._satisfiable: dict[tuple[Factor, ...], Reached] = {}
        self._points: dict[tuple[Expression, tuple[Factor, ...], Hashable], Known] = {}
        self._conjunctions: dict[tuple[Factor, ...], Known] = {}
        self._too_much: dict[frozenset[Factor], str] = {}
        self._refuted: dict[frozenset[Factor], Reached] = {}
        self._last_conjunction: tuple[tuple[Factor, ...], Known] = (), always()
        self._ends: dict[Known, tuple[tuple[int | None, int | None] | None] | BudgetExceeded] = {}

    @cached_property
    def _allowance(self) -> Allowance:
        return Allowance(self.operations, self.operations // ENDS_SHARE)

    @cached_property
    def _iterations(self) -> Iterations:
        return Iterations(self._elimination)

    def reached(self, places: Sequence[ProgramPoint]) -> Reached:
        """Whether some execution gets to all PLACES: whether each component of their context can hold."""
        if all(map(self._is_constant_loop, self._places.context(places))):
            return Reached(Verdict.PROVED)  # each is about its own variable
        found = [self.is_satisfiable(component) for component in self._places.components(places)]
        never = next((each for each in found if each.never), None)
        if never is not None:
            return never
        return next((each for each in found if each.verdict is Verdict.UNKNOWN), Reached(Verdict.PROVED))

    def may_be_poison(self, expressions: Iterable[Expression]) -> bool:
        """Whether EXPRESSIONS are made of something that has no number in some executions, or in all."""
        definitions = self._elimination.definitions
        variables = definitions.slice_of(self._elimination.all_variables(expressions))
        return any(definitions.definition(variable).may_be_poison for variable in variables)

    def correlated(self, expression: Expression, places: Sequence[ProgramPoint]) -> str | None:
        """Why what is reached with PLACES may be related to EXPRESSION, which shares no variable with it.

        `if %loaded < %called` may let pass what was computed from the same data. None if nothing is.
        """
        for component in self._places.components(places):
            found = self.is_satisfiable(component)
            if found.verdict is not Verdict.UNKNOWN or not any(factor.variables for factor in component):
                continue
            if any(self._places.may_vary((expression,), factor) for factor in component):
                return found.because or "the conditions at its location are not known exactly"
        return None

    def is_satisfiable(self, component: tuple[Factor, ...]) -> Reached:
        """Whether some execution gets to where all of COMPONENT holds."""
        known = self._satisfiable.get(component)
        if known is None:
            known = self._refuted_part(component) or self._satisfied(component)
            if known.verdict is Verdict.UNKNOWN and len(component) <= GUARDS_OF_A_PLACE:
                verdict = self._by_polynomials(component)
                if verdict is Verdict.REFUTED:
                    known = Reached(verdict, NEVER, component)
                elif verdict is Verdict.PROVED:
                    known = Reached(verdict)
            self._satisfiable[component] = known
            if known.never:
                self._refuted[frozenset(component)] = known
        return known

    def _refuted_part(self, component: tuple[Factor, ...]) -> Reached | None:
        """What is known of factors in COMPONENT that cannot hold together."""
        part = self._part_in(self._refuted, component)
        return None if part is None else self._refuted[part]

    def _satisfied(self, component: tuple[Factor, ...]) -> Reached:
        if len(component) == 1 and self._is_constant_loop(component[0]):
            return Reached(Verdict.PROVED)
        if len(component) > GUARDS_OF_A_PLACE:
            return Reached(Verdict.UNKNOWN, f"more than {GUARDS_OF_A_PLACE} conditions have to do with it")
        if (part := self._part_in(self._too_much, component)) is not None:
            rest = self.is_satisfiable(tuple(factor for factor in component if factor not in part))
            return rest if rest.never else Reached(Verdict.UNKNOWN, self._too_much[part])
        try:
            with budget(self.operations):
                found = self._given({}, component, NOTHING)
                if found.points.is_empty():
                    return Reached(Verdict.REFUTED, self._conflict(component), component)
                if not found.exact and (_is_chosen(component) or self._is_first(component)):
                    return Reached(Verdict.PROVED)
        except BudgetExceeded as error:
            self._too_much[frozenset(component)] = error.reason
            return Reached(Verdict.UNKNOWN, error.reason)
        if found.exact:
            return Reached(Verdict.PROVED)
        if found.because == TOO_MANY:
            self._too_much[frozenset(component)] = TOO_MANY
        return Reached(
            Verdict.UNKNOWN, found.because or "the conditions at its location are not known exactly"
        )

    @staticmethod
    def _part_in(
        known: Iterable[frozenset[Factor]], component: tuple[Factor, ...]
    ) -> frozenset[Factor] | None:
        """The first that is KNOWN of those that are a part of COMPONENT.

        Where each operation of a chain demands something, a component grows with each place.
        """
        stated = frozenset(component)
        return next((part for part in known if part <= stated), None)

    def _is_constant_loop(self, factor: Factor) -> bool:
        """Whether FACTOR is that a loop with constant ends runs, which has an iteration."""
        variables = factor.variables if factor.is_induction else ()
        return len(variables) == 1 and self._tightness.is_of_constant_loop(variables[0])

    def _is_first(self, component: tuple[Factor, ...]) -> bool:
        """Whether a COMPONENT holds in the first iterations of loops whose steps are not constant.

        These run, whatever the step is (if it is positive), and are all that is not exact.
        """
        definitions = self._elimination.definitions
        variables = [v for factor in component for v in self._factors.constrained(factor)]
        first: list[Factor] = []
        for variable in definitions.slice_of(variables):
            definition = definitions.definition(variable)
            induction = definition.induction
            if induction is not None and not induction.step.is_constant:
                start = own(variable) - maximum(*induction.lower)
                first.append(self._factors.of(((start, -start, induction.step - 1),)))
            elif definition.tokens or not self._elimination.defined(variable).exact:
                return False
        if not first or not all(self._factors.condition(factor).exact for factor in component):
            return False
        return not self._given({}, [*component, *first], NOTHING).points.is_empty()

    def _conflict(self, component: tuple[Factor, ...]) -> str:
        """Why a COMPONENT cannot hold: because of assumptions alone, or of the program, too."""
        assumed = frozenset(self._places.assumed())
        chosen = [factor for factor in component if factor in assumed]
        if chosen and (len(chosen) == len(component) or self._given({}, chosen, NOTHING).points.is_empty()):
            return CONTRADICTION
        return NEVER

    def points(self, expression: Expression, place: ProgramPoint, kept: Kept) -> Known:
        """`{ [x] : x = expression }` whenever PLACE is reached, over what is KEPT."""
        guards = self._places.relevant((expression,), (place,))
        key = expression, tuple(guards), kept.key
        known = self._points.get(key)
        if known is None:
            known = self._points[key] = self._found(expression, guards, kept)
        return known

    def ends(self, known: Known) -> tuple[int | None, int | None] | None:
        """The least and the greatest of a set of numbers, each None without one; None if it is empty.

        Each operation of a chain asks for those before it again.
        """
        found = self._ends.get(known)
        if found is None:
            found = self._ends[known] = self._found_ends(known)
        if isinstance(found, BudgetExceeded):
            raise found
        return found[0]

    def _found_ends(self, known: Known) -> tuple[tuple[int | None, int | None] | None] | BudgetExceeded:
        try:
            with self._allowance.of(is_dear=is_dear(known.points)):
                return (None if known.points.is_empty() else interval(known.points, 0),)
        except BudgetExceeded as error:
            return error

    def _found(self, expression: Expression, guards: Sequence[Factor], kept: Kept) -> Known:
        with budget(self.operations):
            variables = self._elimination.all_variables([expression])
            if expression.single_atom is not None and not guards and not kept.contains(variables[0]):
                variable = variables[0]
                alone = self._elimination.joint(frozenset((variable,)), kept)
                return Known(
                    dimension(alone.points, self._elimination.name(variable)), alone.exact, alone.because
                )
            known = self._given({_QUERY: expression}, guards, kept)
            return Known(dimension(known.points, _QUERY), known.exact, known.because)

    def parameters(
        self, numbers: Mapping[str, Expression], places: Sequence[ProgramPoint], kept: Kept
    ) -> Known:
        """What the NUMBERS, each under its name, are when all PLACES are reached, over what is KEPT.

        What holds there and has nothing to do with the numbers is left out.
        """
        guards = self._places.relevant(tuple(numbers.values()), places)
        with budget(self.operations):
            return self._given(numbers, guards, kept)

    def unrelated(
        self, numbers: Mapping[str, Expression], places: Sequence[ProgramPoint], kept: Kept
    ) -> list[Known]:
        """What else holds when all PLACES are reached, over what is KEPT: what NUMBERS do not depend on."""
        components = self._places.unrelated(tuple(numbers.values()), places)
        with budget(self.operations):
            return [self._given({}, component, kept) for component in components]

    def executions(
        self, numbers: Mapping[str, Expression], places: Sequence[ProgramPoint], leaves: Kept
    ) -> Iterator[Known]:
        """As `parameters`, over all that an execution is made of: LEAVES and induction variables.

        First what has to do with the NUMBERS, then the rest, in sets that share no variables.
        """
        yield self._execution(numbers, self._places.relevant(tuple(numbers.values()), places), leaves)
        for component in self._places.unrelated(tuple(numbers.values()), places):
            yield self._execution({}, component, leaves)

    def _execution(self, numbers: Mapping[str, Expression], guards: Sequence[Factor], leaves: Kept) -> Known:
        with budget(self.operations):
            first = [
                *self._elimination.all_variables(numbers.values()),
                *(v for f in guards for v in self._factors.constrained(f)),
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

    def demanded(self, places: Sequence[ProgramPoint], kept: Kept) -> isl.Set:
        """What operations that have run when PLACES are reached demand of what is KEPT."""
        known = always()
        for factor in self._places.context(places):
            if factor.demanded_by is not None and all(map(kept.contains, factor.variables)):
                known = intersection(known, self._factors.condition(factor))
        return known.points

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
            known = intersection(known, self._factors.condition(factor))
        return known.points

    def _given(self, numbers: Mapping[str, Expression], guards: Sequence[Factor], kept: Kept) -> Known:
        variables = dict.fromkeys(self._elimination.all_variables(numbers.values()))
        for factor in dict.fromkeys(guards):
            variables.update(dict.fromkeys(self._factors.constrained(factor)))
        known = self._together(tuple(f for f in dict.fromkeys(guards) if not f.is_induction))
        defined = [parameter(name) - e for name, e in numbers.items()]
        known = intersection(known, self._elimination.conjunction(defined, ()))
        known = self._elimination.onto(kept, known, variables)
        if (because := self._iterations.mixed(variables)) is not None:
            known = Known(known.points, False, because)
        if len(guards) >= GUARDS:
            return Known(known.points, False, f"more than {GUARDS} conditions have to do with it")
        return known

    def _together(self, stated: tuple[Factor, ...]) -> Known:
        """What factors say together that are STATED: at many places the same, but for the loops around.

        Where each operation of a chain demands something, the next place states one more than the last.
        """
        known = self._conjunctions.get(stated)
        if known is None:
            before, start = self._last_conjunction
            if stated[: len(before)] != before:
                before, start = (), always()
            known = reduce(conjunction, map(self._factors.condition, stated[len(before) :]), start)
            self._conjunctions[stated] = known
            self._last_conjunction = stated, known
        return known


def _is_chosen(component: tuple[Factor, ...]) -> bool:
    """Whether elements of arguments can be chosen for which a COMPONENT holds, whatever all else is.

    All elements of an argument are one number then, with which each of the factors holds.
    """
    numbers: dict[Hashable, isl.Set] = {}
    for factor in component:
        if factor.choice is None:
            return False
        root, chosen = factor.choice.root, factor.choice.numbers
        numbers[root] = chosen.intersect(numbers.get(root, chosen))
    return all(not each.is_empty() for each in numbers.values())
