"""Where an assertion C(x) in a region may be violated, which runs where P(x) holds, for x of an iteration.

    violated = exists x: P(x) and not C(x)

Who gets past the region is outside of that. Where it is not known exactly, two things help:

* What is *sufficient*: outside of all that may be violated, whatever the values inside are. A region without
  iterations asserts nothing: behind `for %i = 0 to %n { assert %unknown < 64 }`, %n <= 0 is sufficient.
* A *choice* of elements. If C is about free elements of an argument, and holds where all of them are v, then
  it excludes no value of anything else: `assert %t[%i] < 64` holds with v = 0. Two assertions about elements
  of one argument have to hold with one v (`%t[%i] < 64` and `%t[%i] > 99` do not).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import islpy as isl
from xdsl.ir import BlockArgument, Operation, SSAValue

from volcli.language.expressions import value_of
from volcli.language.programs.blocks import is_inside
from volcli.model.values.contexts.factors import Factor, Factors, SufficientNumbers
from volcli.model.values.terms.constraint_set import (
    Kept,
    Known,
    always,
    complement,
    dimension,
    intersection,
    never,
    surely_outside,
)
from volcli.model.values.terms.variables import Variable, own, variables_of
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import without

_BEFORE = "before"


class Violations:
    """What the assertions in regions exclude, of one function."""

    def __init__(self, factors: Factors) -> None:
        self._factors = factors
        self._elimination = factors.elimination
        self._definitions = factors.definitions

    def of(
        self, op: Operation, path: Sequence[Factor], holds: Known, variable: SSAValue | None = None
    ) -> Known:
        """`exists x: P(x) and not C(x)` of OP, where C HOLDS and P is PATH; or more, if it is not exact.

        Of all iterations, or of those before that of VARIABLE.
        """
        taken = Known(always().points)
        for factor in path:
            taken = intersection(taken, self._factors.condition(factor))
        bad = Known(complement(holds.points).intersect(taken.points), taken.exact, taken.because)
        iterator = (
            () if variable is None else tuple(variables_of(self._definitions.resolve(value_of(variable))))
        )
        inside = [
            *self._elimination.variables_of(bad.points),
            *(v for f in path for v in f.variables),
            *iterator,
        ]
        bad = self.outside(op, bad, inside, iterator)
        for each in iterator:
            bad = self._earlier(bad, each)
        return bad

    def sufficient(
        self, op: Operation, path: Sequence[Factor], stated: Factor, variable: SSAValue | None = None
    ) -> Known:
        """Where no x is with P(x) and not C(x), whatever the values inside of OP are; C is STATED."""
        holds = self._factors.condition(stated)
        bad = self.of(op, path, holds if holds.exact else never(), variable)
        return Known(surely_outside(bad.points).drop_unused_params())

    def choice(self, stated: Factor, leaves: Sequence[Variable]) -> SufficientNumbers | None:
        """The numbers v with which STATED holds if the LEAVES are v, whatever else it is about.

        None if the leaves are not free elements of one argument.
        """
        roots = {self._root(leaf) for leaf in leaves}
        holds = self._factors.condition(stated)
        if None in roots or len(roots) > 1 or not holds.exact:
            return None
        chosen, first = frozenset(leaves), leaves[0]
        same = self._elimination.conjunction([own(leaf) - own(first) for leaf in leaves[1:]], ())
        bad = intersection(Known(complement(holds.points)), same)
        bad = self._elimination.onto(Kept(("chosen", chosen), chosen.__contains__), bad, stated.variables)
        points = self._elimination.defined(first).points.subtract(bad.points)
        for leaf in leaves[1:]:
            points = without(points, self._elimination.name(leaf))
        return SufficientNumbers(next(iter(roots)), dimension(points, self._elimination.name(first)))

    def _root(self, leaf: Variable) -> Hashable | None:
        """The argument that LEAF, if it is free, is an element of, and the element's type."""
        definition, token = self._definitions.definition(leaf), self._definitions.elements.token(leaf.value)
        if token is None or not definition.is_free or definition.references:
            return None
        root: Hashable = token.root
        return (root, leaf.value.type) if isinstance(token.root, BlockArgument) else None

    def outside(
        self, op: Operation, known: Known, variables: Iterable[Variable], inside: Sequence[Variable] = ()
    ) -> Known:
        """KNOWN about VARIABLES, in terms of what is outside of OP, and of variables INSIDE."""
        chosen = frozenset(inside)
        kept = Kept(("outside", id(op), chosen), lambda v: v in chosen or not is_inside(v.value, op))
        found = self._elimination.onto(kept, known, dict.fromkeys(variables))
        for variable in inside:
            found = intersection(found, self._elimination.defined(variable))
        return found

    def _earlier(self, known: Known, variable: Variable) -> Known:
        """What KNOWN says of an iteration before that of VARIABLE."""
        name = self._elimination.name(variable)
        position = known.points.find_dim_by_name(DIM.param, name)
        points = known.points if position < 0 else known.points.set_dim_name(DIM.param, position, _BEFORE)
        order = isl.Set(f"[{name}, {_BEFORE}] -> {{ : {_BEFORE} < {name} }}").params()
        return Known(without(points.intersect(order), _BEFORE), known.exact, known.because)
