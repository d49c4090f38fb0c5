"""The definition of each variable as an integer set, over it and the variables that it refers to.

    %q = arith.divsi %a, %c4    gives    { (q, a) : 4q <= a <= 4q + 3 or ... }

A variable is named by its place in the program, so that the same question gives the same set whatever was
asked before: isl knows parameters by name only. The size of dimension 1 of the value at place 7 is `v7_1`.

What is not exact (a product of two unknowns, a step that is not constant, too many alternatives) says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, reduce

import islpy as isl
from xdsl.dialects.builtin import i1
from xdsl.ir import OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Expression, Parameter, over_names, substitute
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.elimination.products import Products, without_helpers
from volcli.model.values.terms.argument_elements import Token, conflicts
from volcli.model.values.terms.constraint_set import (
    Kept,
    Known,
    always,
    intersection,
    never,
    simple,
    union,
)
from volcli.model.values.terms.tables import Table
from volcli.model.values.terms.variables import Disjunct, Variable, own
from volcli.presburger.sets import build
from volcli.presburger.sets.names import without


class VariableNames:
    """The names of the variables of one function; one that is NAMED as another one gives the same names."""

    def __init__(self, definitions: Definitions, named: VariableNames | None = None) -> None:
        self.definitions = definitions
        self._names: dict[Variable, str] = {} if named is None else named._names
        self._variables: dict[str, Variable] = {} if named is None else named._variables

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


class DefinedSets(VariableNames):
    """What each definition of one function states alone."""

    def __init__(self, definitions: Definitions, named: VariableNames | None = None) -> None:
        super().__init__(definitions, named)
        self._solver = definitions.solver
        self._defined: Table[Variable, Known] = Table()

    @cached_property
    def _products(self) -> Products:
        return Products(self.definitions)

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
        """The elements of arguments that VARIABLES are computed from, but for those after what is KEPT."""
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

    def _within_range(self, variable: Variable) -> Known:
        """VARIABLE is in its range."""
        low, high = self.definitions.range(variable)
        facts = [own(variable) - low] if low is not None else []
        facts += [high - own(variable)] if high is not None else []
        return self.conjunction((), facts)
