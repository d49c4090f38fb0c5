"""Elimination: what the definitions say of some variables once all the others are projected out.

Definitions form a graph. To relate a value to the variables that are *kept*, the engine goes backwards from
it: it conjoins the definition of the latest variable, and projects that variable out, for nothing else
refers to it any more. A variable whose slice shares nothing with the slices of the others (but what is kept)
can be replaced at once by what is known of it alone, and that is computed once for all queries. So a chain
of n definitions costs n steps for all n queries together (MLIR builds a new constraint set for each query).

Projections are exact: isl's sets hold integers, and quantified ones where that is needed. What is not exact
(a product of two unknowns, a step that is not constant, too many alternatives) says so.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property, reduce

import islpy as isl
from xdsl.dialects.builtin import i1
from xdsl.ir import OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Expression, Parameter, over_names, substitute
from volcli.limits import values as limits
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.elimination.products import Products, without_helpers
from volcli.model.values.terms.argument_elements import Token, conflicts
from volcli.model.values.terms.constraint_set import (
    NOTHING,
    Kept,
    Known,
    always,
    dimension,
    intersection,
    never,
    simple,
    union,
    without,
)
from volcli.model.values.terms.ranges import Interval
from volcli.model.values.terms.tables import Table
from volcli.model.values.terms.variables import Disjunct, Variable, own, variables_of
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.extremes import interval
from volcli.presburger.sets import build

_NO_FACTS = (Disjunct(),)
TOO_MUCH_EFFORT = f"budget: the sets of this function's values have more than {limits.EFFORT} constraints"


class Elimination:
    """The definitions of one function as integer sets, and what they say of few variables.

    One that is NAMED as another one gives the same names to variables.
    """

    def __init__(self, definitions: Definitions, named: Elimination | None = None) -> None:
        self.definitions = definitions
        self._names: dict[Variable, str] = {} if named is None else named._names
        self._variables: dict[str, Variable] = {} if named is None else named._variables
        self._solver = definitions.solver
        self._defined: Table[Variable, Known] = Table()
        self._joint: Table[tuple[Hashable, frozenset[Variable]], Known] = Table()
        self._masks: Table[tuple[Hashable, Variable], int] = Table()
        self._kept_masks: Table[tuple[Hashable, Variable], int] = Table()
        self._lone: Table[Variable, bool] = Table()
        self._effort = 0
        self.leaves = Kept("leaves", self.is_leaf)

    @cached_property
    def _products(self) -> Products:
        return Products(self.definitions)

    # -- names -----------------------------------------------------------------------------------------

    def name(self, variable: Variable) -> str:
        """The name of VARIABLE as a parameter of sets."""
        known = self._names.get(variable)
        if known is None:
            known = self._names[variable] = self._new_name(variable)
            self._variables[known] = variable
        return known

    def _new_name(self, variable: Variable) -> str:
        """By its place in the program, not by when it is asked for: isl's results depend on their order."""
        position, dimension = self.definitions.order(variable)
        name = f"v{position}" if dimension < 0 else f"v{position}_{dimension}"
        return f"{name}_of_{len(self._names)}" if position < 0 or name in self._variables else name

    def variable(self, name: str) -> Variable:
        """The variable that has NAME in sets."""
        return self._variables[name]

    def find(self, name: str) -> Variable | None:
        """The variable that has NAME in sets, if one has."""
        return self._variables.get(name)

    def variables_of(self, points: isl.Set) -> list[Variable]:
        """The variables that POINTS speaks of."""
        names = (points.get_dim_name(build.DIM.param, p) for p in range(points.dim(build.DIM.param)))
        return [self._variables[name] for name in names if name in self._variables]

    def named(self, expression: Expression) -> Expression:
        """EXPRESSION over parameters that stand for its variables."""
        return over_names(expression, self.name)

    def unnamed(self, expression: Expression) -> Expression:
        """EXPRESSION over variables, from one over their names."""

        def leaf(atom: Atom) -> Expression | None:
            if not isinstance(atom, Parameter):
                return None
            return own(self._variables[atom.name])

        return substitute(expression, leaf)

    # -- sets ------------------------------------------------------------------------------------------

    def conjunction(self, zero: Iterable[Expression], nonnegative: Iterable[Expression]) -> Known:
        """The variables at which expressions are 0, and others at least 0."""
        both = [(e, True) for e in zero] + [(e, False) for e in nonnegative]
        result: Known | None = None
        for expression, is_zero in both:
            factor = self._constraint(expression, is_zero=is_zero)
            result = factor if result is None else intersection(result, factor)
        return always() if result is None else result

    def union(self, alternatives: Sequence[Disjunct]) -> Known:
        """The variables at which one of ALTERNATIVES holds."""
        parts = [self.conjunction(a.zero, a.nonnegative) for a in alternatives]
        return reduce(union, parts) if parts else never()

    def _constraint(self, expression: Expression, *, is_zero: bool) -> Known:
        result: Known | None = None
        for case in self._products.cases(expression):
            named = self.named(case.form)
            over = build.space(build.parameters_of((named,)), 0)
            holds = build.zero(named, over) if is_zero else build.at_least_zero(named, over)
            part = Known(holds.params())
            if case.zero or case.facts:
                part = intersection(part, self.conjunction(case.zero, case.facts))
            if case.because is not None:
                # Not before: a fact alone says nothing once its helper is gone.
                part = Known(without_helpers(part.points))
            part = Known(part.points, case.because is None, case.because)
            result = part if result is None else union(result, part)
        return never() if result is None else result  # a factor that no execution computes has no values

    # -- leaves ----------------------------------------------------------------------------------------

    def is_leaf(self, variable: Variable) -> bool:
        """Whether nothing determines VARIABLE, and it is a number, not a truth value."""
        return self.definitions.definition(variable).is_leaf and variable.value.type != i1

    def free(self, known: Known, variables: Iterable[Variable]) -> Known:
        """KNOWN, over leaves among VARIABLES: exact only if these are free, and independent of each other."""
        met: set[Token] = set()
        for variable in variables:
            definition = self.definitions.definition(variable)
            if definition.is_leaf and not definition.is_free:
                return Known(known.points, False, known.because or definition.because)
            if conflicts(definition.tokens, met):
                return Known(known.points, False, known.because or self._of_the_same(variable))
            met |= definition.tokens
        return known

    def tokens(self, variables: Iterable[Variable], kept: Kept) -> set[Token]:
        """The elements of arguments that VARIABLES are computed from, but for those behind what is KEPT."""
        first = [v for v in variables if not kept.contains(v)]
        met = self.definitions.slice_of(first, kept.contains)
        return {token for v in met for token in self.definitions.definition(v).tokens}

    def _of_the_same(self, variable: Variable) -> str:
        """Why VARIABLE is not independent of others."""
        name = self.definitions.name_of(variable.value)
        return f"{name} and another value may be computed from one element"

    # -- definitions -----------------------------------------------------------------------------------

    def defined(self, variable: Variable) -> Known:
        """What the definition of VARIABLE says of it and of the variables that it refers to."""
        known = self._defined.complete.get(variable)
        return self._solver.answer(self._defined, variable, self._set, variable) if known is None else known

    def _set(self, variable: Variable) -> Known:
        definition = self.definitions.definition(variable)
        if definition.points is not None:
            known = Known(definition.points.points, definition.exact, definition.because)
        else:
            known = self.union(definition.alternatives)
            known = known if definition.exact else Known(known.points, False, definition.because)
        if definition.is_partial:
            return self._in_any_case(known, variable)
        if (definition.points is None and not definition.is_leaf) or not self.may_not_run(variable.value):
            return known
        return self._in_any_case(known, variable)

    def may_not_run(self, value: SSAValue) -> bool:
        """Whether VALUE is computed in a branch: what is chosen behind it may be there without it."""
        op = value.owner.parent_op() if isinstance(value, OpResult) else None
        while op is not None and op is not self.definitions.function:
            if questions.choices.answers(type(op)):
                return True
            op = op.parent_op()
        return False

    def _in_any_case(self, known: Known, variable: Variable) -> Known:
        """KNOWN of VARIABLE, which is any number of its range where there is none that it can be.

        `remui %a, %b` is computed for no %b = 0; but what chooses between it and something else is also there
        for %b = 0. Where it runs, its place excludes these cases.
        """
        missing = without(known.points, self.name(variable)).complement()
        if missing.is_empty():
            return known
        within = missing.intersect(self._within_range(variable).points)
        anything = missing if within.is_empty() else within
        return simple(Known(known.points.union(anything), known.exact, known.because))

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
            if self._effort > limits.EFFORT:
                return self._within_ranges(variables)
            known = self._solver.answer(self._joint, key, self._together, variables, kept)
        return known

    def _together(self, variables: frozenset[Variable], kept: Kept) -> Known:
        known = self._joined(variables, kept)
        self._effort += max(0, _size(known.points) - limits.FREE_CONSTRAINTS)
        return known

    def has_no_set(self, variables: Iterable[Variable], kept: Kept) -> bool:
        """Whether of one of VARIABLES, in terms of what is KEPT, only its range will be known.

        The sets that were made have been so large together that no more are made, for this function.
        """
        if self._effort <= limits.EFFORT:
            return False
        known = self._joint.complete
        return any((kept.key, frozenset((v,))) not in known for v in variables if not kept.contains(v))

    def _within_ranges(self, variables: Iterable[Variable]) -> Known:
        known = Known(always().points, False, TOO_MUCH_EFFORT)
        for variable in sorted(variables, key=self.definitions.order):
            known = intersection(known, self._within_range(variable))
        return known

    def _joined(self, variables: frozenset[Variable], kept: Kept) -> Known:
        if kept is NOTHING and (shared := self._of_leaves(variables)) is not None:
            return shared
        last = max(variables, key=self.definitions.order)
        others = dict.fromkeys(v for v in sorted(variables, key=self.definitions.order) if v != last)
        others.update(dict.fromkeys(self.definitions.definition(last).references))
        known = self._meet(self.defined(last), others, variables, kept)
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

    def _within_range(self, variable: Variable) -> Known:
        """VARIABLE is in its range."""
        low, high = self.definitions.range(variable)
        facts = [own(variable) - low] if low is not None else []
        facts += [high - own(variable)] if high is not None else []
        return self.conjunction((), facts)

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
        return self._meet(known, dict.fromkeys(variables), frozenset(), kept)

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
