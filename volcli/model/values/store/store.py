"""The bounds of one function's index values and sizes: all queries share what is known of the variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import (
    Expression,
    constant,
    dim_of,
    has_wide_remainder,
    value_of,
)
from volcli.language.unchanged import operations_in
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.contexts.factors import Factor
from volcli.model.values.outline.calls import Calls
from volcli.model.values.queries.in_terms import InTermsOf
from volcli.model.values.store.comparisons import Comparisons
from volcli.model.values.store.growth import ProductGrowth
from volcli.model.values.store.numeric_bounds import NumericBounds
from volcli.model.values.store.parts import StoreParts
from volcli.model.values.store.symbolic_bounds import ClosedForms, SymbolicBounds, side_of
from volcli.model.values.terms.answers import Bounds, Comparison, ConstantBounds, Verdict
from volcli.model.values.terms.constraint_set import NOTHING, Kept, Known
from volcli.model.values.terms.variables import Variable, own, variable_of
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.unwieldy import is_subset, price

if TYPE_CHECKING:  # polynomials are imported where something has to do with products
    import islpy as isl

    from volcli.model.values.why.derivation import Derivation


class BoundsStore(StoreParts):
    """What is known of the index values and sizes of one function.

    `name_of` gives the text of an SSA value, with its %. A place is an operation or a value: what is stated
    of it holds whenever the program gets there. The store speaks of some EXECUTIONS. A store LIKE another one
    of the same function shares its outline. Each part is made when it is asked.
    """

    # -- what may be spoken of -------------------------------------------------------------------------

    def _calls(self) -> Calls:
        """What called functions return, by stores of theirs."""
        inner = (*self._callers, self.function)

        def store_of(function: Operation) -> BoundsStore:
            return BoundsStore(
                function,
                self.name_of,
                self._executions.of_callees,
                operations=self.operations // 4,
                callers=inner,
            )

        return Calls(inner, store_of)

    # -- answers ---------------------------------------------------------------------------------------

    @cached_property
    def numeric(self) -> NumericBounds:
        return NumericBounds(self)

    @cached_property
    def closed(self) -> ClosedForms:
        return ClosedForms(self)

    @cached_property
    def _symbolic(self) -> SymbolicBounds:
        return SymbolicBounds(self, self.numeric, self.closed)

    @cached_property
    def comparisons(self) -> Comparisons:
        return Comparisons(self.claims, self.numeric.attained)

    def bounds_of(
        self, expression: Expression, place: ProgramPoint, kept: Kept, *, is_size: bool = False
    ) -> Bounds:
        """Both sides of EXPRESSION, over variables, in terms of what is KEPT."""
        return self._symbolic.of(expression, place, kept, is_size=is_size)

    def is_free(self, expression: Expression) -> bool:
        """Whether each leaf of EXPRESSION takes every value of its range in some execution."""
        known = map(self.definitions.definition, self.elimination.all_variables([expression]))
        return all(each.is_free or not each.is_leaf for each in known)

    def is_given_up(self, expression: Expression) -> bool:
        """Whether EXPRESSION is a number of which an interval is all that is known."""
        variable = expression.single_atom
        return isinstance(variable, Variable) and self.definitions.effort.is_given_up(variable)

    def outgrows(self, expressions: Iterable[Expression]) -> bool:
        """Whether EXPRESSIONS are made of products that leave 64 bits for some arguments of 32 bits."""
        outline = self.definitions.outline
        return bool(outline.multiplies or outline.multiplying_calls) and self._growth.is_possible(expressions)

    @cached_property
    def _growth(self) -> ProductGrowth:
        return ProductGrowth(self.elimination)

    def assumed_of(self, points: isl.Set) -> isl.Set:
        """What is assumed of arguments, and that the sizes are not negative of which POINTS speaks."""
        return self.queries.assumed().intersect(self.queries.facts(points))

    def demanded_of_arguments(self, place: ProgramPoint) -> isl.Set:
        """What operations that have run when PLACE is reached demand of arguments."""
        return self.queries.demanded((place,), self.arguments())

    def is_doubtful(self, expression: Expression, place: ProgramPoint, factors: Sequence[Factor]) -> bool:
        """Whether what holds at PLACE, beside FACTORS, may decide which bounds EXPRESSION attains there."""
        if any(factor.sufficient is not None for factor in factors):
            return True
        return self.queries.correlated(expression, (place,)) is not None

    # -- bounds ----------------------------------------------------------------------------------------

    def value(self, value: SSAValue, dim: int | None = None) -> Expression:
        """The number VALUE, or the size of its dimension DIM, over variables."""
        if self.has_long_chains:
            self.chains.value(value)
        return self.definitions.resolve(value_of(value) if dim is None else dim_of(value, dim))

    def over_arguments(self, value: SSAValue, dimension: int | None = None) -> Expression | None:
        """VALUE, or a size of it, over the function's arguments; None if they do not determine it."""
        try:
            return self.closed.of(self.value(value, dimension), self.arguments())
        except BudgetExceeded:
            return None

    def constant_bounds(
        self, value: SSAValue, dim: int | None = None, *, at: Operation | None = None
    ) -> ConstantBounds:
        """The least and the greatest number that VALUE, or its size DIM, can be when its place is reached."""
        found = self.numeric.of(self.value(value, dim), at or value)
        return found if dim is None else found.of_size()

    def bounds(
        self,
        value: SSAValue,
        dim: int | None = None,
        *,
        kept: Kept | None = None,
        at: Operation | None = None,
    ) -> Bounds:
        """Both sides of VALUE, or of its size DIM, in terms of what is KEPT (else: the leaves)."""
        place = at or value
        return self.bounds_of(self.value(value, dim), place, kept or self.leaves(), is_size=dim is not None)

    def bounds_of_one_of(
        self, found: Bounds, each: Sequence[tuple[SSAValue, ProgramPoint]], dim: int | None
    ) -> Bounds:
        """What was FOUND of a value that is EACH of these at some time, with which sides are attained."""
        expressions = [(self.value(value, dim), place) for value, place in each]
        return self._symbolic.of_one_of(found, expressions, self.leaves())

    def bounds_in_terms(
        self, value: SSAValue, dim: int | None, chosen: Sequence[Variable], places: Sequence[ProgramPoint]
    ) -> Bounds:
        """Both sides of VALUE, or of its size DIM, over CHOSEN variables alone.

        They hold in all executions in which all of these values are there: at PLACES, that of VALUE first.
        """
        expression = self.value(value, dim)
        numbers = self.numeric.of(expression, places[0])
        numbers = numbers.of_size() if dim is not None else numbers
        equal = self.closed.of(expression, self.these(chosen))
        if equal is not None and not numbers.never:
            return Bounds(side_of(equal, numbers, 0), side_of(equal, numbers, 1), equal)
        stated = {variable: self.definitions.resolve(own(variable)) for variable in chosen}
        query = InTermsOf(self.elimination, self.queries, self.texts, self.operations)
        return query.bounds(expression, stated, tuple(dict.fromkeys(places)), numbers)

    def derivation(self, value: SSAValue, dim: int | None, found: Bounds) -> Derivation:
        """Why VALUE, or its size DIM, lies between the bounds over leaves that were FOUND."""
        from volcli.model.values.why.collecting import Collection
        from volcli.model.values.why.derivation import Deriving

        variable, expression, kept = variable_of(value, dim), self.value(value, dim), self.leaves()
        held = self.places.relevant((expression,), (value,))
        collection = Collection(self.elimination, variable, held)
        try:
            left: Known | str = self.queries.points(expression, value, kept)
        except BudgetExceeded as error:
            left = error.reason
        return Deriving(self.elimination, self.operations).derive(variable, collection, left, kept, found)

    def is_as_without(self, names: frozenset[str], expression: Expression, place: ProgramPoint) -> bool:
        """Whether what EXPRESSION can be at PLACE is the same if what has NAMES is not known: by its sets."""
        leaves = self.leaves()
        closed = self.closed.of(expression, leaves)
        # What is known of a place may show that a remainder does nothing: then the closed form rests on it.
        known = [NOTHING] if closed is not None and not has_wide_remainder(closed) else [NOTHING, leaves]
        try:
            for kept in known:
                within = self.queries.points(expression, place, kept)
                with self.places.ignoring(names):
                    without = self.queries.points(expression, place, kept)
                times = price(without.points, within.points)
                with budget(self.operations // times, times=times):  # it only tells what to name
                    if not is_subset(without.points, within.points):
                        return False
        except BudgetExceeded:
            return False
        return True

    # -- comparisons -----------------------------------------------------------------------------------

    def compare(
        self, left: SSAValue | Expression | int, relation: str, right: SSAValue | Expression | int,
        *, at: Operation | None = None,
    ) -> Comparison:  # fmt: skip
        """Whether `left RELATION right` holds in all executions that reach the place."""
        difference = self._number(left) - self._number(right)
        place = at if at is not None else self._later(left, right)
        return self.comparisons.to_zero(difference, relation, place)

    def proves(
        self, left: Expression, relation: str, right: Expression | int, *, at: Operation | None
    ) -> bool:
        """Whether that holds in all executions that reach the place, and nothing needs to be assumed."""
        found = self.compare(left, relation, right, at=at)
        return found.verdict is Verdict.PROVED and not found.assumptions

    def _number(self, side: SSAValue | Expression | int) -> Expression:
        if isinstance(side, int):
            return constant(side)
        return self.value(side) if isinstance(side, SSAValue) else self.definitions.resolve(side)

    def _later(self, *sides: SSAValue | Expression | int) -> ProgramPoint:
        values = [side for side in sides if isinstance(side, SSAValue)]
        if not values:
            return None
        return max(values, key=self.definitions.position)

    # -- texts -----------------------------------------------------------------------------------------

    # -- everything ------------------------------------------------------------------------------------

    def variables(self, *, integers: bool = False) -> Iterator[tuple[SSAValue, int | None]]:
        """All index values and dynamic dimensions of the function, in the order of the text; and INTEGERS."""
        from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType

        kinds = (IndexType, IntegerType) if integers else (IndexType,)
        for value in self._values():
            if isinstance(value.type, kinds):
                yield value, None
            elif isinstance(value.type, ShapedType):
                for position, size in enumerate(value.type.get_shape()):
                    if size == DYNAMIC_INDEX:
                        yield value, position

    def _values(self) -> Iterator[SSAValue]:
        for op in operations_in(self.function):
            if op is not self.function:
                yield from op.results
            for region in op.regions:
                for block in region.blocks:
                    yield from block.args


__all__ = ["BoundsStore", "ProgramPoint"]
