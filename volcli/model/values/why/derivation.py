"""Why a number lies between its bounds: the constraints on it, and which of them a bound needs.

Of the constraints C_1, ..., C_n that were collected, x >= b *needs* some if these and x < b have no integer
solution, which would have one without any of them. Such a set of constraints is minimal; there may be others.

    %3 = affine.min (9, 128 - %5)     1. %3 <= 9    2. %3 <= 128 - %5    3. %3 = 9 or %3 = 128 - %5
                                      %3 <= 9 needs 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import Atom, Expression, constant, substitute
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.terms.answers import Bound, Bounds
from volcli.model.values.terms.constraint_set import Kept, Known
from volcli.model.values.terms.variables import Variable, own, variables_of
from volcli.model.values.why.collecting import Collection
from volcli.model.values.why.product_cores import core_of_products
from volcli.presburger.limits.budget import BudgetExceeded, budget

_MORE = "a fact that is not a constraint, such as the range of a product or of a type"
_TOO_MANY = "more constraints than are collected"


@dataclass(frozen=True, eq=False)
class DerivedBound:
    """`variable RELATION side`, where RELATION is =, >= or <=, and the constraints that it NEEDS, from 1.

    None if constraints do not imply it: `because` says what does.
    """

    relation: str
    side: Expression
    exact: bool
    reason: str | None
    needs: tuple[int, ...] | None
    because: str | None = None


@dataclass(frozen=True, eq=False)
class Derivation:
    """The CONSTRAINTS on a variable, the variables that were projected out, what was LEFT, and bounds.

    `left` is over the names of what is kept and has the variable as its dimension; None: `because`.
    """

    variable: Variable
    collection: Collection
    projected: tuple[Variable, ...]
    left: isl.Set | None
    because: str | None
    bounds: tuple[DerivedBound, ...]


class Deriving:
    """Derivations, within a budget of isl OPERATIONS for each bound."""

    def __init__(self, elimination: Elimination, operations: int) -> None:
        self._elimination = elimination
        self._operations = operations

    def derive(
        self, variable: Variable, collection: Collection, left: Known | str, kept: Kept, found: Bounds
    ) -> Derivation:
        """Why VARIABLE lies between the bounds that were FOUND, over what is KEPT."""
        projected = [v for v in collection.columns if v != variable and not kept.contains(v)]
        bounds = () if found.never else tuple(self._bounds(variable, collection, found))
        points, because = (None, left) if isinstance(left, str) else (left.points, left.because)
        return Derivation(variable, collection, tuple(projected), points, because, bounds)

    def _bounds(self, variable: Variable, collection: Collection, found: Bounds) -> list[DerivedBound]:
        made: list[DerivedBound] = []
        sides = (">=", found.lower), ("<=", found.upper)
        if found.equal is not None and found.equal != own(variable):
            needs = self._needed(variable, collection, "=", found.equal)
            made.append(DerivedBound("=", found.equal, True, None, *needs))
        else:
            made += [
                self._bound(variable, collection, relation, bound.expression, bound)
                for relation, bound in sides
                if bound.expression is not None and not bound.expression.is_constant
                and bound.expression != own(variable)
            ]  # fmt: skip
        if found.equal is None or not found.equal.is_constant:
            made += [
                self._bound(variable, collection, relation, constant(bound.constant), bound)
                for relation, bound in sides
                if bound.constant is not None
            ]
        return made

    def _bound(
        self, variable: Variable, collection: Collection, relation: str, side: Expression, bound: Bound
    ) -> DerivedBound:
        exact = bound.constant_exact if side.is_constant else bound.exact
        reason = None if exact else bound.because
        return DerivedBound(
            relation, side, exact, reason, *self._needed(variable, collection, relation, side)
        )

    def _needed(
        self, variable: Variable, collection: Collection, relation: str, side: Expression
    ) -> tuple[tuple[int, ...] | None, str | None]:
        """The constraints that `VARIABLE RELATION SIDE` needs, from 1; or why they are unknown."""
        above, below = own(variable) - side - 1, side - own(variable) - 1
        failing = {">=": (below,), "<=": (above,), "=": (below, above)}[relation]
        if not collection.complete:
            return None, _TOO_MANY
        found: set[int] = set()
        try:
            for expression in failing:
                with budget(self._operations):
                    needed = self._core(self._elimination.conjunction((), (expression,)).points, collection)
                if needed is None and relation == "=":
                    put_in = self._put_in(variable, collection, side)
                    if put_in is not None:
                        return put_in, None
                needed = core_of_products(expression, collection) if needed is None else needed
                if needed is None:
                    return None, _MORE
                found.update(needed)
        except BudgetExceeded as error:
            return None, error.reason
        return tuple(sorted(number + 1 for number in found)), None

    @staticmethod
    def _put_in(variable: Variable, collection: Collection, side: Expression) -> tuple[int, ...] | None:
        """The equalities that make SIDE of VARIABLE by putting one into the other, products included."""
        equal: dict[Variable, tuple[int, Expression]] = {}
        for number, constraint in enumerate(collection.constraints, 1):
            if constraint.variable is not None and constraint.equality is not None:
                equal[constraint.variable] = number, constraint.equality
        found, used = own(variable), set[int]()
        for _ in equal:
            if found == side:
                return tuple(sorted(used))
            known = [v for v in variables_of(found) if v in equal]
            used.update(equal[v][0] for v in known)
            replaced: dict[Atom, Expression] = {v: equal[v][1] for v in known}
            found = substitute(found, replaced.get)
        return tuple(sorted(used)) if found == side else None

    def _core(self, failing: isl.Set, collection: Collection) -> Sequence[int] | None:
        """Constraints that exclude FAILING together, none of which can be left out; the last go first.

        Not those with products, whose sets know ranges that are not constraints of theirs.
        """
        every = isl.Set.universe(failing.get_space())
        sets = [
            every if each.has_products else collection.points(each).points for each in collection.constraints
        ]
        first = [failing]
        for points in sets:
            first.append(first[-1].intersect(points))
        if not first[-1].is_empty():
            return None
        needed: list[int] = []
        behind = failing
        for number in reversed(range(len(sets))):
            if not first[number].intersect(behind).is_empty():
                needed.append(number)
                behind = behind.intersect(sets[number])
        return needed
