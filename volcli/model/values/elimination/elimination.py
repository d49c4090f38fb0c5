"""Elimination: what the definitions say of some variables once all the others are projected out.

Definitions form a graph. To relate a value to the variables that are *kept*, the engine goes backwards from
it: it conjoins the definition of the latest variable, and projects that variable out, for nothing else
refers to it any more. A variable whose slice shares nothing with the slices of the others (but what is kept)
can be replaced at once by what is known of it alone, and that is computed once for all queries. So a chain
of n definitions costs n steps for all n queries together (MLIR builds a new constraint set for each query).

Projections are exact: isl's sets hold integers, and quantified ones where that is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

import islpy as isl

from volcli.language.expressions import Expression
from volcli.limits import values as limits
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.elimination.closure import ReachableStates
from volcli.model.values.elimination.defined import DefinedSets
from volcli.model.values.terms.argument_elements import conflicts
from volcli.model.values.terms.constraint_set import (
    NOTHING,
    Kept,
    Known,
    always,
    dimension,
    intersection,
    simple,
)
from volcli.model.values.terms.ranges import Interval
from volcli.model.values.terms.tables import Table
from volcli.model.values.terms.variables import Disjunct, Variable, variables_of
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.extremes import interval
from volcli.presburger.sets import build
from volcli.presburger.sets.names import without

_NO_FACTS = (Disjunct(),)


class Elimination(DefinedSets):
    """The definitions of one function as integer sets, and what they say of few variables.

    One that is NAMED as another one gives the same names to variables.
    """

    def __init__(self, definitions: Definitions, named: Elimination | None = None) -> None:
        super().__init__(definitions, named)
        self._joint: Table[tuple[Hashable, frozenset[Variable]], Known] = Table()
        self._masks: Table[tuple[Hashable, Variable], int] = Table()
        self._kept_masks: Table[tuple[Hashable, Variable], int] = Table()
        self._lone: Table[Variable, bool] = Table()
        self.reachable = ReachableStates()
        self.leaves = Kept("leaves", self.is_leaf)
        self.begin: Callable[[Iterable[Variable], Kept], None] = lambda _, __: None
        """Lets what long chains behind variables are, over what is kept, be known from their beginning."""

    def mask(self, variable: Variable, kept: Kept) -> int:
        """One bit for each variable in the slice of VARIABLE that is not kept, and not behind one that is."""
        key = kept.key, variable
        known = self._masks.complete.get(key)
        return self._solver.answer(self._masks, key, self._mask, variable, kept) if known is None else known

    def _mask(self, variable: Variable, kept: Kept) -> int:
        if kept.contains(variable):
            return 0
        definition = self.definitions.definition(variable)
        found = self.definitions.bit(variable) | self.definitions.token_mask(definition)
        for reference in definition.references:
            found |= self.mask(reference, kept)
        return found

    def kept_mask(self, variable: Variable, kept: Kept) -> int:
        """One bit for each variable that is kept and that VARIABLE depends on."""
        key = kept.key, variable
        known = self._kept_masks.complete.get(key)
        if known is None:
            known = self._solver.answer(self._kept_masks, key, self._kept_mask, variable, kept)
        return known

    def _kept_mask(self, variable: Variable, kept: Kept) -> int:
        if kept.contains(variable):
            return self.definitions.bit(variable)
        found = 0
        for reference in self.definitions.definition(variable).references:
            found |= self.kept_mask(reference, kept)
        return found

    def joint(self, variables: frozenset[Variable], kept: Kept) -> Known:
        """What is known of VARIABLES together, in terms of what is KEPT; computed once."""
        key = kept.key, variables
        known = self._joint.complete.get(key)
        if known is None:
            if self.definitions.effort.is_spent:
                return self._within_ranges(variables)
            known = self._solver.answer(self._joint, key, self._together, variables, kept)
        return known

    def _together(self, variables: frozenset[Variable], kept: Kept) -> Known:
        known = self._joined(variables, kept)
        alone = next(iter(variables)) if len(variables) == 1 and kept is NOTHING else None
        self.definitions.effort.add(_size(known.points), of=alone)
        return known

    def has_no_set(self, variables: Iterable[Variable], kept: Kept) -> bool:
        """Whether of one of VARIABLES, in terms of what is KEPT, only its range will be known.

        The sets that were made have been so large together that no more are made, for this function.
        """
        effort, known = self.definitions.effort, self._joint.complete
        if not effort.is_spent:
            return False
        return any((kept.key, frozenset((v,))) not in known for v in variables if not kept.contains(v))

    def _within_ranges(self, variables: Iterable[Variable]) -> Known:
        known = Known(always().points, False, self.definitions.effort.because)
        for variable in sorted(variables, key=self.definitions.order):
            known = intersection(known, self._within_range(variable))
        return known

    def _joined(self, variables: frozenset[Variable], kept: Kept) -> Known:
        if kept is NOTHING and (shared := self._of_leaves(variables)) is not None:
            return shared
        last = max(variables, key=self.definitions.order)
        others = dict.fromkeys(v for v in sorted(variables, key=self.definitions.order) if v != last)
        others.update(dict.fromkeys(self.definitions.definition(last).references))
        defined = self.defined(last)
        if self._solver.is_open:  # the definition may be another one than the round's before, and the set not
            others.update(dict.fromkeys(v for v in self.variables_of(defined.points) if v != last))
        known = self._meet(defined, others, variables, kept)
        tokens = self.definitions.definition(last).tokens
        if tokens and conflicts(tokens, self.tokens(others, kept)):
            known = Known(known.points, False, self._of_the_same(last))
        if len(variables) == 1 and self.definitions.takes_all(last) and not self._speaks_of(last, kept):
            known = self._within_range(last)
        return simple(known)

    def _of_leaves(self, variables: frozenset[Variable]) -> Known | None:
        """What is known of VARIABLES where nothing is kept, by what is known in terms of leaves.

        Of free leaves l that nothing else has to do with, with facts F, and v that are defined by them:

            { v, some l : exists all other l : (v, l) in joint(v, leaves) and l in F }

        So one set serves the questions for x and m, for x and p, and for x, m and p. None if there are other
        leaves, and where each v may be exact without them: sets of few variables have fewer pieces. Numbers
        that are not exact are kept within their ranges, which a hull may have lost.
        """
        inner = frozenset(v for v in variables if not self.is_leaf(v))
        if not inner or inner == variables or not all(map(self.rests_on_lone_leaves, variables)):
            return None
        if self._may_be_exact(inner):
            return None
        self._begin_behind(inner)
        known = self.joint(inner, self.leaves)
        for variable in sorted(variables - inner, key=self.definitions.order):
            known = intersection(known, self.defined(variable))
        for variable in sorted(self.variables_of(known.points), key=self.definitions.order, reverse=True):
            if variable not in variables:
                known = self._project(known, variable)
        known = simple(known)
        for variable in sorted(inner, key=self.definitions.order):
            known = intersection(known, self._within_range(variable))
        return known

    def _begin_behind(self, variables: frozenset[Variable]) -> None:
        """Let what long chains behind VARIABLES are over leaves be known from their beginning."""
        leaves = self.leaves

        def is_known(variable: Variable) -> bool:
            return leaves.contains(variable) or (leaves.key, frozenset((variable,))) in self._joint.complete

        behind = self.definitions.slice_of(variables, is_known)
        if len(behind) >= limits.RECURSION:
            for variable in sorted(behind, key=self.definitions.order):
                self.joint(frozenset((variable,)), leaves)

    def rests_on_lone_leaves(self, variable: Variable) -> bool:
        """Whether each leaf that VARIABLE is computed from is free, and nothing else has to do with it."""
        known = self._lone.complete.get(variable)
        if known is None:
            known = self._solver.answer(self._lone, variable, self._is_on_lone, variable)
        return known

    def _is_on_lone(self, variable: Variable) -> bool:
        if self.is_leaf(variable):
            return self.definitions.definition(variable).is_lone
        return all(map(self.rests_on_lone_leaves, self.definitions.definition(variable).references))

    def _may_be_exact(self, variables: frozenset[Variable]) -> bool:
        """Whether nothing that VARIABLES refer to shows that what is known of them is not exact."""
        references = dict.fromkeys(r for v in variables for r in self.definitions.definition(v).references)
        return all(self.joint(frozenset((r,)), NOTHING).exact for r in references)

    def _speaks_of(self, variable: Variable, kept: Kept) -> bool:
        """Whether the definition of VARIABLE, which is not kept itself, depends on what is."""
        return any(self.kept_mask(r, kept) for r in self.definitions.definition(variable).references)

    def ends(self, variable: Variable) -> Interval:
        """The least and the greatest number that VARIABLE may be; None where there is none that is found."""
        try:
            with budget(limits.END_OPERATIONS):
                known = self.joint(frozenset((variable,)), NOTHING)
                return interval(dimension(known.points, self.name(variable)), 0)
        except BudgetExceeded:
            return None, None

    def onto(self, kept: Kept, known: Known, variables: Iterable[Variable]) -> Known:
        """KNOWN, about VARIABLES and others, with all that the definitions say of VARIABLES.

        Of these only what is KEPT remains; what KNOWN says of others, too.
        """
        met = dict.fromkeys(variables)
        self.begin(met, kept)
        return self._meet(known, met, frozenset(), kept)

    def _meet(
        self, known: Known, variables: Iterable[Variable], remaining: frozenset[Variable], kept: Kept
    ) -> Known:
        """KNOWN with what is known of VARIABLES, of which those in REMAINING and what is KEPT remain."""
        met: list[Variable] = []
        for component in self._components(variables, kept, met):
            known = intersection(known, self.joint(component, kept))
            for variable in sorted(component - remaining, key=self.definitions.order, reverse=True):
                known = self._project(known, variable)
        return self._with_facts(known, met)

    def _components(
        self, variables: Iterable[Variable], kept: Kept, met: list[Variable]
    ) -> list[frozenset[Variable]]:
        """VARIABLES in groups whose slices share nothing; those that are KEPT are put into MET."""
        groups: list[tuple[int, frozenset[Variable]]] = []
        for variable in variables:
            mask = self.mask(variable, kept)
            if not mask:
                met.append(variable)
                continue
            apart: list[tuple[int, frozenset[Variable]]] = []
            group = frozenset((variable,))
            for other, members in groups:
                if other & mask:
                    mask, group = mask | other, group | members
                else:
                    apart.append((other, members))
            groups = [*apart, (mask, group)]
        return [members for _, members in groups]

    def _with_facts(self, known: Known, kept: Iterable[Variable]) -> Known:
        """KNOWN with what is known of leaves that are kept: that sizes are not negative, for example.

        An answer over them is as exact as it was, whichever of their values occur.
        """
        for variable in kept:
            definition = self.definitions.definition(variable)
            if definition.is_leaf and definition.alternatives != _NO_FACTS and not definition.references:
                known = intersection(known, Known(self.defined(variable).points))
        return known

    def _project(self, known: Known, variable: Variable) -> Known:
        return simple(Known(without(known.points, self.name(variable)), known.exact, known.because))

    def all_variables(self, expressions: Iterable[Expression]) -> list[Variable]:
        """The variables in EXPRESSIONS, each once."""
        return list(dict.fromkeys(v for e in expressions for v in variables_of(e)))


def _size(points: isl.Set) -> int:
    """The constraints of POINTS, each as often as its piece has divisions, and once more."""
    return sum(piece.n_constraint() * (1 + piece.dim(build.DIM.div)) for piece in points.get_basic_sets())


__all__ = ["NOTHING", "Elimination", "Kept", "Known"]
