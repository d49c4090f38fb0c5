"""The constraints on a variable, as value bounds collect them (EuroLLVM 2024).

A worklist begins with the variable and follows what the operations say, one variable at a time:

    %0 = arith.addi %arg0, %arg1        %0 - %arg0 - %arg1 = 0
    %1 = arith.addi %0, %arg2           %1 - %0 - %arg2 = 0

Columns are the variables in the order in which they are met, %1 %0 %arg2 %arg0 %arg1; constants are numbers.
A minimum is at most each of its operands, and equal to one of them: the latter is not a row of a matrix, and
neither are the choices of a branch, but both are constraints. Behind them comes what holds at the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import BlockArgument, Operation, OpResult

from volcli.language.expressions import (
    Atom,
    Expression,
    Maximum,
    Minimum,
    Mod,
    NotAffine,
    constant,
    has_product,
    substitute,
)
from volcli.limits import values as limits
from volcli.limits.widths import LARGE
from volcli.model.values.contexts.factors import Factor
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.terms.constraint_set import Known
from volcli.model.values.terms.quotients import quotient_cases
from volcli.model.values.terms.variables import Dim, Disjunct, Variable, own, variables_of
from volcli.model.values.why.systems import with_equalities


@dataclass(frozen=True, eq=False)
class Constraint:
    """One of `alternatives` holds; if there is none, what is `known`, a set.

    It is said by the definition of `variable`, or holds at the place by `factor`.
    """

    alternatives: tuple[Disjunct, ...]
    variable: Variable | None = None
    factor: Factor | None = None
    known: Known | None = None

    @property
    def row(self) -> tuple[Expression, bool] | None:
        """The expression that is 0 (True), or at least 0 (False), if that is all that it says."""
        if len(self.alternatives) != 1:
            return None
        (only,) = self.alternatives
        both = [(e, True) for e in only.zero] + [(e, False) for e in only.nonnegative]
        return both[0] if len(both) == 1 else None

    @cached_property
    def equality(self) -> Expression | None:
        """What `variable` is, if that is all that it says."""
        row, of = self.row, self.variable
        is_equality = row is not None and row[1] and of is not None and dict(row[0].terms).get(of) == 1
        return own(of) - row[0] if is_equality and row is not None and of is not None else None

    @cached_property
    def has_products(self) -> bool:
        """Whether it speaks of products, which a set over variables only knows the ranges of."""
        return any(has_product(e) for each in self.alternatives for e in each.expressions())

    @property
    def op(self) -> Operation | None:
        """The operation that says so."""
        if self.factor is not None:
            return self.factor.demanded_by
        value = None if self.variable is None else self.variable.value
        if isinstance(value, OpResult):
            return value.op
        return value.block.parent_op() if isinstance(value, BlockArgument) else None


class Collection:
    """The constraints on VARIABLE, and the FACTORS that hold at its place; `columns` are all variables.

    It is not `complete` if there are too many.
    """

    def __init__(self, elimination: Elimination, variable: Variable, held: Iterable[Factor]) -> None:
        self._elimination = elimination
        self._definitions = elimination.definitions
        self.columns: dict[Variable, None] = {variable: None}
        self.constraints: list[Constraint] = []
        self.complete = True
        self._follow(variable)
        conditions = [c for factor in held for c in self._of_factor(factor)]
        self._follow_all()
        self.constraints += conditions

    def points(self, constraint: Constraint) -> Known:
        """CONSTRAINT as a set over the names of variables."""
        return constraint.known or self._elimination.union(constraint.alternatives)

    # -- the worklist ----------------------------------------------------------------------------------

    def _follow(self, variable: Variable) -> None:
        """Collect the constraints of VARIABLE, and of all that they speak of."""
        self._pending = [variable]
        self._follow_all()

    def _follow_all(self) -> None:
        while self._pending and self.complete:
            variable = self._pending.pop(0)
            made = list(self._of(variable))
            for constraint in made:
                self._meet(constraint)
            self.constraints += made
            self.complete = len(self.constraints) <= limits.REASON_CONSTRAINTS

    def _meet(self, constraint: Constraint) -> None:
        spoken = [v for a in constraint.alternatives for e in a.expressions() for v in variables_of(e)]
        if constraint.known is not None:
            spoken += self._elimination.variables_of(constraint.known.points)
        operands = [] if constraint.op is None else list(constraint.op.operands)
        order = {operand: position for position, operand in reversed(list(enumerate(operands)))}
        for variable in sorted(spoken, key=lambda v: order.get(v.value, len(order))):
            if variable not in self.columns:
                self.columns[variable] = None
                self._pending.append(variable)

    # -- what is said ----------------------------------------------------------------------------------

    def _of(self, variable: Variable) -> Iterator[Constraint]:
        """What the definition of VARIABLE says."""
        equal = self._equal(variable)
        if equal is not None:
            yield from self._equality(variable, equal)
            return
        definition = self._definitions.definition(variable)
        if definition.points is not None or (
            not definition.is_leaf and self._elimination.may_not_run(variable.value)
        ):
            yield Constraint((), variable, known=self._elimination.defined(variable))
        else:
            yield from self._rows(definition.alternatives, variable)
        if definition.is_leaf and not self._definitions.stops(variable):
            cases = quotient_cases(variable)
            resolved = [tuple(map(self._definitions.resolve, each)) for each in cases]
            if resolved:
                yield from self._rows([Disjunct((), each) for each in resolved], variable)

    def _equal(self, variable: Variable) -> Expression | None:
        """What VARIABLE equals: in the words of its operation, if that is all that is known of it."""
        linear = self._definitions.linear(variable)
        known = None if linear == own(variable) else linear
        if known is None:
            known = self._definitions.definition(variable).expression
        stated = self._stated(variable)
        if known is not None and stated is not None and not _wraps(stated):
            try:
                same = self._definitions.resolve(stated)
            except NotAffine:
                return known
            return self._without_constants(stated) if same == known else known
        return known

    def _stated(self, variable: Variable) -> Expression | None:
        """What the operation of VARIABLE says of it, over its operands."""
        value, outline = variable.value, self._definitions.outline
        if not isinstance(value, OpResult):
            return None
        try:
            if not isinstance(variable, Dim):
                return outline.value(value)
            sizes = outline.sizes(value.op)[value.index]
            return sizes[variable.dimension] if variable.dimension < len(sizes) else None
        except NotAffine:
            return None

    def _without_constants(self, stated: Expression) -> Expression:
        """STATED with numbers in the place of the constants that it speaks of."""

        def number(atom: Atom) -> Expression | None:
            if not isinstance(atom, Variable):
                return None
            form = self._definitions.linear(atom)
            return form if form.is_constant else None

        return substitute(stated, number)

    def _equality(self, variable: Variable, equal: Expression) -> Iterator[Constraint]:
        """VARIABLE is EQUAL; an extremum is at most (or at least) each of its operands, and one of them."""
        extremum = equal.single_atom
        if isinstance(extremum, Minimum | Maximum):
            sign = constant(1 if isinstance(extremum, Minimum) else -1)
            sides = tuple(sign * (operand - own(variable)) for operand in extremum.operands)
            yield from (Constraint((Disjunct((), (side,)),), variable) for side in sides)
            yield Constraint(tuple(Disjunct((own(variable) - o,)) for o in extremum.operands), variable)
        else:
            yield Constraint((Disjunct((own(variable) - equal,)),), variable)

    def _of_factor(self, factor: Factor) -> Iterator[Constraint]:
        """What holds at the place by FACTOR; that a loop runs is said by the definition of its variable."""
        if factor.known is not None:
            made = [Constraint((), factor=factor, known=factor.known)]
        elif factor.is_induction:
            made = []
        else:
            made = list(self._rows([Disjunct((), c) for c in factor.condition], None, factor))
        for constraint in made:
            self._meet(constraint)
        for variable in factor.variables:
            if variable not in self.columns:
                self.columns[variable] = None
                self._pending.append(variable)
        yield from made

    @staticmethod
    def _rows(
        alternatives: Iterable[Disjunct], variable: Variable | None, factor: Factor | None = None
    ) -> Iterator[Constraint]:
        """ALTERNATIVES, if there is only one, row by row."""
        found = tuple(map(_without_numbers, filter(_is_possible, alternatives)))
        if len(found) != 1:
            yield Constraint(found, variable, factor)
            return
        only = with_equalities(found[0])
        rows = [Disjunct((e,)) for e in only.zero] + [Disjunct((), (e,)) for e in only.nonnegative]
        yield from (Constraint((row,), variable, factor) for row in rows)


def _wraps(stated: Expression) -> bool:
    return any(isinstance(atom, Mod) and atom.divisor >= LARGE for atom in stated.atoms())


def _is_possible(alternative: Disjunct) -> bool:
    """Whether no number that ALTERNATIVE speaks of makes it false by itself."""
    zero = all(not e.is_constant or e.constant == 0 for e in alternative.zero)
    return zero and all(not e.is_constant or e.constant >= 0 for e in alternative.nonnegative)


def _without_numbers(alternative: Disjunct) -> Disjunct:
    """ALTERNATIVE without what is true of numbers alone."""
    zero, nonnegative = (
        tuple(e for e in side if not e.is_constant) for side in (alternative.zero, alternative.nonnegative)
    )
    return Disjunct(zero, nonnegative)
