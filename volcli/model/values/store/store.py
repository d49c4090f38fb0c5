"""The bounds of one function's index values and sizes: all queries share what is known of the variables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import BlockArgument, Operation, SSAValue

from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    Value,
    constant,
    dim_of,
    has_product,
    substitute,
    value_of,
)
from volcli.language.programs.blocks import home
from volcli.language.unchanged import operations_in
from volcli.limits import values as limits
from volcli.limits.presburger import FORM_PIECES
from volcli.model.entry import entry_of
from volcli.model.values.contexts.completed_events import History
from volcli.model.values.contexts.contexts import Contexts, ProgramPoint
from volcli.model.values.contexts.demands import Agreement
from volcli.model.values.contexts.factors import Factor, Factors
from volcli.model.values.contexts.renaming import Alike
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.definitions.overflows import has_64_bits, of_32_bits
from volcli.model.values.definitions.reasons import Reasons
from volcli.model.values.definitions.tightness import Tightness
from volcli.model.values.elimination.chains import Chains
from volcli.model.values.elimination.elimination import TOO_MUCH_EFFORT, Elimination
from volcli.model.values.elimination.recurrences import Recurrences
from volcli.model.values.elimination.texts import Texts
from volcli.model.values.outline.calls import Calls
from volcli.model.values.outline.segments import Segments
from volcli.model.values.queries.in_terms import InTermsOf
from volcli.model.values.queries.queries import Queries, Reached
from volcli.model.values.store.claims import Claims
from volcli.model.values.store.comparisons import Comparisons
from volcli.model.values.terms.answers import NEVER, Bound, Bounds, Comparison, ConstantBounds, Verdict
from volcli.model.values.terms.constraint_set import NOTHING, Kept, Known
from volcli.model.values.terms.executions import NORMAL, Executions
from volcli.model.values.terms.ranges import Interval, range_of, tightest
from volcli.model.values.terms.simplify import simplified
from volcli.model.values.terms.unwrapping import is_wide, unwrapped
from volcli.model.values.terms.variables import Variable, own, variable_of
from volcli.presburger.expressions.read_back import extremum, has_bound
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.sets.unwieldy import Allowance, divides_large

if TYPE_CHECKING:  # polynomials are imported where something has to do with products
    import islpy as isl

    from volcli.model.values.products.polynomial_bounds import PolynomialBounds
    from volcli.model.values.products.polynomial_claims import PolynomialClaims
    from volcli.model.values.why.derivation import Derivation


class Attained(Protocol):
    """What some executions attain of bounds that hold in all (see `first_iterations.py`)."""

    def numbers(self, expression: Expression, place: ProgramPoint, found: ConstantBounds) -> ConstantBounds:
        """FOUND, of which more is known to be attained."""
        ...

    def side(
        self, expression: Expression, place: ProgramPoint, kept: Kept, found: Bound, known: Known
    ) -> Bound:
        """FOUND, a bound of EXPRESSION of which this is KNOWN; exact if it is attained."""
        ...


class BoundsStore:
    """What is known of the index values and sizes of one function.

    `name_of` gives the text of an SSA value, with its %. A place is an operation or a value: what is stated
    of it holds whenever the program gets there. The store speaks of some EXECUTIONS. A store LIKE another one
    of the same function shares its outline. Each part is made when it is asked.
    """

    def __init__(
        self,
        function: Operation,
        name_of: Callable[[SSAValue], str],
        executions: Executions = NORMAL,
        *,
        operations: int = DEFAULT_OPERATIONS,
        like: BoundsStore | None = None,
        callers: tuple[Operation, ...] = (),
    ) -> None:
        self.function = function
        self.name_of = name_of
        self._executions = executions
        self._operations = operations
        self._like = like
        self._callers = callers
        self._simple = Allowance(operations // 2)
        self._others = Allowance(operations // limits.INEXACT_SHARE)
        self._closed: dict[tuple[Hashable, Variable], Expression | None] = {}
        self._first: Attained | None = None

    # -- parts -----------------------------------------------------------------------------------------

    @cached_property
    def definitions(self) -> Definitions:
        """What each variable is."""
        return Definitions(
            self.function,
            self.name_of,
            self._executions,
            None if self._like is None else self._like.definitions.outline,
            recurrence=lambda: Recurrences(self.elimination),
            calls=self._calls,
            ends=lambda variable: self.elimination.ends(variable),
        )

    def _calls(self) -> Calls:
        """What called functions return, by stores of theirs."""
        inner = (*self._callers, self.function)

        def store_of(function: Operation) -> BoundsStore:
            return BoundsStore(
                function,
                self.name_of,
                self._executions.of_callees,
                operations=self._operations // 4,
                callers=inner,
            )

        return Calls(inner, store_of)

    @cached_property
    def elimination(self) -> Elimination:
        """The definitions as sets over few variables."""
        named = self._like.elimination if self._like and self._executions.shares_names else None
        return Elimination(self.definitions, named)

    @cached_property
    def factors(self) -> Factors:
        """Conditions that hold at places."""
        return Factors(self.elimination)

    @cached_property
    def segments(self) -> Segments:
        """The parts of the function between operations that may end the execution."""
        return Segments(self.definitions.outline)

    @cached_property
    def places(self) -> Contexts:
        """What holds at each place."""
        history = History(self.factors, self._operations)
        return Contexts(self.factors, history, Agreement(self.factors, self.segments))

    @cached_property
    def alike(self) -> Alike:
        """Questions that differ in the names of loops alone."""
        return Alike(self.factors, self.places)

    @cached_property
    def texts(self) -> Texts:
        """Expressions and sets as people write them."""
        return Texts(self.elimination, self.name_of)

    @cached_property
    def claims(self) -> Claims:
        """Claims about several numbers."""
        return Claims(self._queries, self.texts, self.leaves(), self.parameters(), lambda: self._polynomials)

    @cached_property
    def _comparisons(self) -> Comparisons:
        return Comparisons(self.claims, self.attained_bounds)

    @cached_property
    def _tightness(self) -> Tightness:
        return Tightness(self.definitions)

    @cached_property
    def _reasons(self) -> Reasons:
        return Reasons(self.definitions)

    @cached_property
    def _chains(self) -> Chains:
        return Chains(self.elimination, self._tightness)

    @cached_property
    def _queries(self) -> Queries:
        return Queries(
            self.elimination,
            self.places,
            self.factors,
            self._tightness,
            self._operations,
            lambda c: self._polynomials.satisfied(c),
        )

    def look_at_first(self, first: Attained) -> None:
        """Ask FIRST which bounds are attained, where sets do not tell."""
        self._first = first

    def ignoring(self, names: frozenset[str]) -> AbstractContextManager[None]:
        """Within the block, what has one of NAMES is not known."""
        return self.places.ignoring(names) if names or self._states else nullcontext()

    def assumed(self) -> list[Factor]:
        """The conditions that hold at all places."""
        return self.places.assumed() if self._states else []

    def stated_in(self, segment: int) -> list[Factor]:
        """What is assumed, asserted in the first block before SEGMENT, or demanded of several variables."""
        return self.places.stated_in(segment) if self._states else []

    @property
    def _states(self) -> bool:
        """Whether something is assumed, or an operation asserts or demands something."""
        # what is assumed, `places` are told
        return "places" in self.__dict__ or any(True for _ in self.definitions.outline.demanding())

    @cached_property
    def _polynomials(self) -> PolynomialClaims:
        """What is decided where products stop sets."""
        from volcli.model.values.products.polynomial_claims import PolynomialClaims
        from volcli.model.values.products.polynomials import Polynomials

        polynomials = Polynomials(self.elimination, self.factors)
        return PolynomialClaims(polynomials, self.places, self._queries, self.texts)

    @cached_property
    def _polynomial_bounds(self) -> PolynomialBounds:
        from volcli.model.values.products.polynomial_bounds import PolynomialBounds

        return PolynomialBounds(self._polynomials)

    # -- what may be spoken of -------------------------------------------------------------------------

    def leaves(self) -> Kept:
        """What nothing determines: arguments, loaded values, results of unknown operations."""
        return self.elimination.leaves

    def is_free(self, expression: Expression) -> bool:
        """Whether each leaf of EXPRESSION takes every value of its range in some execution."""
        known = map(self.definitions.definition, self.elimination.all_variables([expression]))
        return all(each.is_free or not each.is_leaf for each in known)

    def parameters(self) -> Kept:
        """The leaves that are one number in each run of the function: arguments, and what its body makes."""
        entry = entry_of(self.function)
        return Kept("parameters", lambda v: home(v.value) is entry and self.elimination.is_leaf(v))

    def outgrows(self, expressions: Iterable[Expression]) -> bool:
        """Whether EXPRESSIONS are made of products that leave 64 bits for some arguments of 32 bits."""
        known = list(expressions)
        definitions = self.definitions
        if not definitions.outline.multiplies:
            return self._is_called(known)
        ends: dict[Variable, Interval] = {}

        def between(variable: Variable) -> Interval:
            """The ends of VARIABLE; in IR that does not verify, it may be used before it is computed."""
            return ends[variable] if variable in ends else definitions.range(variable)

        met = definitions.slice_of(self.elimination.all_variables(known))
        for variable in sorted(met, key=definitions.order):
            definition = definitions.definition(variable)
            ends[variable] = of_32_bits(definitions.range(variable))
            if definition.expression is not None:
                if has_product(definition.expression) and isinstance(variable, Value):
                    known.append(definition.expression)
                ends[variable] = range_of(definition.expression, between)
        products = (expression for expression in known if has_product(expression))
        return not all(has_64_bits(each, between) for each in products) or self._is_called(known)

    def _is_called(self, expressions: Iterable[Expression]) -> bool:
        """Whether EXPRESSIONS are made of what is returned by functions in which something is multiplied."""
        calls = self.definitions.outline.multiplying_calls
        if not calls:
            return False
        met = self.definitions.slice_of(self.elimination.all_variables(expressions))
        return any(isinstance(v, Value) and v.value.owner in calls for v in met)

    def assumed_of(self, points: isl.Set) -> isl.Set:
        """What is assumed of arguments, and that the sizes are not negative of which POINTS speaks."""
        return self._queries.assumed().intersect(self._queries.facts(points))

    def demanded_of_arguments(self, place: ProgramPoint) -> isl.Set:
        """What operations that have run when PLACE is reached demand of arguments."""
        return self._queries.demanded((place,), self.arguments())

    def arguments(self) -> Kept:
        """The function's arguments and their sizes."""
        entry = entry_of(self.function)
        return Kept(
            "arguments",
            lambda v: isinstance(v.value, BlockArgument) and v.value.block is entry,
        )

    @staticmethod
    def these(variables: Iterable[Variable]) -> Kept:
        """Just these VARIABLES."""
        chosen = frozenset(variables)
        return Kept(chosen, chosen.__contains__)

    def reached(self, places: Sequence[ProgramPoint]) -> Reached:
        """Whether some execution gets to all PLACES."""
        return self._queries.reached(places)

    def is_doubtful(self, expression: Expression, place: ProgramPoint, factors: Sequence[Factor]) -> bool:
        """Whether what holds at PLACE, beside FACTORS, may decide which bounds EXPRESSION attains there."""
        if any(factor.sufficient is not None for factor in factors):
            return True
        return self._queries.correlated(expression, (place,)) is not None

    # -- bounds ----------------------------------------------------------------------------------------

    def value(self, value: SSAValue, dim: int | None = None) -> Expression:
        """The number VALUE, or the size of its dimension DIM, over variables."""
        self._chains.value(value)
        return self.definitions.resolve(value_of(value) if dim is None else dim_of(value, dim))

    def over_arguments(self, value: SSAValue, dimension: int | None = None) -> Expression | None:
        """VALUE, or a size of it, over the function's arguments; None if they do not determine it."""
        try:
            return self.closed_form(self.value(value, dimension), self.arguments())
        except BudgetExceeded:
            return None

    def constant_bounds(
        self, value: SSAValue, dim: int | None = None, *, at: Operation | None = None
    ) -> ConstantBounds:
        """The least and the greatest number that VALUE, or its size DIM, can be when its place is reached."""
        found = self.constant_bounds_of(self.value(value, dim), self._place(value, at))
        return found if dim is None else found.of_size()

    def constant_bounds_of(self, expression: Expression, place: ProgramPoint) -> ConstantBounds:
        """The same for an EXPRESSION over variables."""
        if self._has_no_set(expression, NOTHING):
            return self._by_ranges(expression).of_width()
        found = self.attained_bounds(expression, place)
        if self._first is not None:
            found = self._first.numbers(expression, place, found)
        if not found.exact and not found.never:
            found = self._polynomial_bounds.numbers(expression, place, found)
        return found.of_width()

    def _has_no_set(self, expression: Expression, kept: Kept) -> bool:
        return self.elimination.has_no_set(self.elimination.all_variables([expression]), kept)

    def _by_ranges(self, expression: Expression) -> ConstantBounds:
        self._chains.ranges(self.elimination.all_variables([expression]))
        low, high = self._tightness.range(expression)
        return ConstantBounds.of(low, high, exact=False, because=TOO_MUCH_EFFORT)

    def attained_bounds(self, expression: Expression, place: ProgramPoint) -> ConstantBounds:
        """The same by integer sets."""
        found = self._constant_bounds(expression, place)
        if found.exact or found.never or not self.places.can_be_restricted(place):
            return found
        with self.places.restricted():
            if self.reached((place,)).verdict is not Verdict.PROVED:
                return found
            return found.attained(self._constant_bounds(expression, place))

    def _constant_bounds(self, expression: Expression, place: ProgramPoint) -> ConstantBounds:
        self._chains.variables(self.elimination.all_variables([expression]), NOTHING)
        reached = self.reached((place,))
        if reached.never:
            return ConstantBounds(None, None, never=True, because=reached.because)
        correlated = self._queries.correlated(expression, (place,))
        guards = self.places.relevant((expression,), (place,))
        if not guards and self._tightness.of(expression):
            low, high = self._tightness.range(expression)
            because = correlated or self._reasons.unbounded(expression, low, high)
            return ConstantBounds.of(low, high, correlated is None or low == high is not None, because)
        try:
            known = self._queries.points(expression, place, NOTHING)
            ends = self._queries.ends(known)
        except BudgetExceeded as error:
            low, high = self._tightness.range(expression)
            return ConstantBounds.of(low, high, exact=False, because=error.reason)
        if ends is None:
            return ConstantBounds(None, None, never=True, because=NEVER)
        lower, upper = ends
        if not known.exact:
            low, high = self._tightness.range(expression)
            lower, upper = tightest(lower, low, max), tightest(upper, high, min)
        because = known.because or correlated or self._reasons.unbounded(expression, lower, upper)
        # A single number is attained, if any is.
        if lower is not None and lower == upper:
            return ConstantBounds(lower, upper)
        return ConstantBounds.of(lower, upper, known.exact and correlated is None, because)

    def bounds(
        self,
        value: SSAValue,
        dim: int | None = None,
        *,
        kept: Kept | None = None,
        at: Operation | None = None,
    ) -> Bounds:
        """Both sides of VALUE, or of its size DIM, in terms of what is KEPT (else: the leaves)."""
        place = self._place(value, at)
        return self.bounds_of(self.value(value, dim), place, kept or self.leaves(), is_size=dim is not None)

    def bounds_in_terms(
        self, value: SSAValue, dim: int | None, chosen: Sequence[Variable], at: Operation | None = None
    ) -> Bounds:
        """Both sides of VALUE, or of its size DIM, over CHOSEN variables alone.

        They hold in all executions in which all of these values are there.
        """
        expression, place = self.value(value, dim), self._place(value, at)
        numbers = self.constant_bounds_of(expression, place)
        numbers = numbers.of_size() if dim is not None else numbers
        equal = self.closed_form(expression, self.these(chosen))
        if equal is not None and not numbers.never:
            return Bounds(self._side(equal, numbers, 0), self._side(equal, numbers, 1), equal)
        stated = {variable: self.definitions.resolve(own(variable)) for variable in chosen}
        places = dict.fromkeys((place, *(variable.value for variable in chosen)))
        query = InTermsOf(self.elimination, self._queries, self.texts, self._operations)
        return query.bounds(expression, stated, tuple(places), numbers)

    def bounds_of(
        self, expression: Expression, place: ProgramPoint, kept: Kept, *, is_size: bool = False
    ) -> Bounds:
        """The same for an EXPRESSION over variables."""
        numbers = self.constant_bounds_of(expression, place)
        numbers = numbers.of_size() if is_size else numbers
        if numbers.never:
            nothing = Bound(exact=numbers.exact, because=numbers.because)
            return Bounds(nothing, nothing, never=True)
        if numbers.lower is not None and numbers.lower == numbers.upper:
            equal = constant(numbers.lower)
            return Bounds(self._side(equal, numbers, 0), self._side(equal, numbers, 1), equal)
        if numbers.because == TOO_MUCH_EFFORT:
            return _without_expressions(numbers, TOO_MUCH_EFFORT)
        equal = self.closed_form(expression, kept)
        if equal is not None:
            equal = unwrapped(equal, lambda inner: self._ends(inner, place))
            return Bounds(self._side(equal, numbers, 0), self._side(equal, numbers, 1), equal)
        if self._goes_through_constant_loop(expression, place, kept):
            ends = (None if n is None else constant(n) for n in (numbers.lower, numbers.upper))
            lower, upper = (self._side(end, numbers, side) for side, end in enumerate(ends))
            return Bounds(lower, upper)
        return self._symbolic(expression, place, kept, numbers)

    def _goes_through_constant_loop(self, expression: Expression, place: ProgramPoint, kept: Kept) -> bool:
        """Whether EXPRESSION is the variable of a loop with constant ends, of whose iterations none is left
        out at PLACE: a set would say the same as its range.
        """
        variable = expression.single_atom
        if not isinstance(variable, Variable) or kept.contains(variable):
            return False
        guards = self.places.relevant((expression,), (place,))
        return not guards and self._tightness.is_of_constant_loop(variable)

    @staticmethod
    def _side(
        expression: Expression | None,
        numbers: ConstantBounds,
        side: int,
        *,
        exact: bool = True,
        because: str | None = None,
    ) -> Bound:
        number, attained = (
            (numbers.lower, numbers.lower_exact),
            (numbers.upper, numbers.upper_exact),
        )[side]
        return Bound(expression, number, exact, attained, numbers.because or because)

    def _ends(self, expression: Expression, place: ProgramPoint) -> Interval:
        found = self.constant_bounds_of(self.definitions.resolve(expression), place)
        return found.lower, found.upper

    def _symbolic(
        self, expression: Expression, place: ProgramPoint, kept: Kept, numbers: ConstantBounds
    ) -> Bounds:
        if self._is_too_wide(expression, kept):
            because = f"it depends on more than {limits.KEPT_VARIABLES} variables"
            return _without_expressions(numbers, because)
        try:
            self._chains.variables(self.elimination.all_variables([expression]), kept)
            known = self._queries.points(expression, place, kept)
            is_simple = known.exact and known.points.n_basic_set() <= FORM_PIECES
            with (self._simple if is_simple else self._others).of(is_large=divides_large(known.points)):
                found = [self._read_back(known, lower=lower) for lower in (True, False)]
        except BudgetExceeded as error:
            return _without_expressions(numbers, error.reason)
        sides = [
            self._side(bound[0], numbers, side, exact=bound[1] and known.exact, because=known.because)
            for side, bound in enumerate(found)
        ]
        if not known.exact:
            sides = [
                side
                if side.exact
                else self._polynomial_bounds.side(expression, place, kept, side, lower=position == 0)
                for position, side in enumerate(sides)
            ]
        if self._first is not None and not known.exact:
            sides = [self._first.side(expression, place, kept, side, known) for side in sides]
        lower, upper = (side.expression for side in sides)
        is_exact = known.exact or (sides[0].exact and sides[1].exact)
        equal = lower if lower is not None and lower == upper and is_exact else None
        return Bounds(sides[0], sides[1], equal)

    def derivation(self, value: SSAValue, dim: int | None, found: Bounds) -> Derivation:
        """Why VALUE, or its size DIM, lies between the bounds over leaves that were FOUND."""
        from volcli.model.values.why.collecting import Collection
        from volcli.model.values.why.derivation import Deriving

        variable, expression, kept = variable_of(value, dim), self.value(value, dim), self.leaves()
        held = self.places.relevant((expression,), (value,))
        collection = Collection(self.elimination, variable, held)
        try:
            left: Known | str = self._queries.points(expression, value, kept)
        except BudgetExceeded as error:
            left = error.reason
        return Deriving(self.elimination, self._operations).derive(variable, collection, left, kept, found)

    def points_of(self, expression: Expression, place: ProgramPoint, kept: Kept) -> Known:
        """`{ [x] : x = expression }` whenever PLACE is reached, over what is KEPT. Raises BudgetExceeded."""
        return self._queries.points(expression, place, kept)

    def _read_back(self, known: Known, *, lower: bool) -> tuple[Expression | None, bool]:
        found = extremum(known.points, lower=lower, is_exact=known.exact)
        if found is None:
            return None, not has_bound(known.points, lower=lower)
        possible = known.points.params()
        return self.elimination.unnamed(simplified(found.expression, possible)), found.exact

    def is_as_without(self, names: frozenset[str], expression: Expression, place: ProgramPoint) -> bool:
        """Whether what EXPRESSION can be at PLACE is the same if what has NAMES is not known: by its sets."""
        leaves = self.leaves()
        closed = self.closed_form(expression, leaves)
        # What is known of a place may show that a remainder does nothing: then the closed form rests on it.
        known = [NOTHING] if closed is not None and not is_wide(closed) else [NOTHING, leaves]
        try:
            for kept in known:
                within = self._queries.points(expression, place, kept)
                with self.places.ignoring(names):
                    without = self._queries.points(expression, place, kept)
                with budget(self._operations):
                    if not without.points.is_subset(within.points):
                        return False
        except BudgetExceeded:
            return False
        return True

    def closed_form(self, expression: Expression, kept: Kept) -> Expression | None:
        """EXPRESSION over what is KEPT only, if the definitions determine it as one expression."""
        replaced: dict[Atom, Expression] = {}
        for variable in self.elimination.all_variables([expression]):
            if kept.contains(variable):
                continue
            form = self._closed_variable(variable, kept)
            if form is None:
                return None
            replaced[variable] = form
        try:
            return substitute(expression, replaced.get) if replaced else expression
        except NotAffine:  # it is nested too deeply
            return None

    def _closed_variable(self, variable: Variable, kept: Kept) -> Expression | None:
        key = kept.key, variable
        if key not in self._closed:
            inner = self.definitions.definition(variable).expression
            form = None if inner is None else self.closed_form(inner, kept)
            self._closed[key] = None if form is None or len(str(form)) > limits.CLOSED_FORM_TEXT else form
        return self._closed[key]

    def _is_too_wide(self, expression: Expression, kept: Kept) -> bool:
        """Whether a bound of EXPRESSION could speak of more variables than anyone wants to read."""
        mask = 0
        for variable in self.elimination.all_variables([expression]):
            mask |= self.elimination.kept_mask(variable, kept)
        return mask.bit_count() > limits.KEPT_VARIABLES

    # -- comparisons -----------------------------------------------------------------------------------

    def compare(
        self, left: SSAValue | Expression | int, relation: str, right: SSAValue | Expression | int,
        *, at: Operation | None = None,
    ) -> Comparison:  # fmt: skip
        """Whether `left RELATION right` holds in all executions that reach the place."""
        difference = self._number(left) - self._number(right)
        place = at if at is not None else self._later(left, right)
        return self.compare_to_zero(difference, relation, place)

    def _number(self, side: SSAValue | Expression | int) -> Expression:
        if isinstance(side, int):
            return constant(side)
        return self.value(side) if isinstance(side, SSAValue) else self.definitions.resolve(side)

    def _later(self, *sides: SSAValue | Expression | int) -> ProgramPoint:
        values = [side for side in sides if isinstance(side, SSAValue)]
        if not values:
            return None
        return max(values, key=self.definitions.position)

    def compare_to_zero(self, difference: Expression, relation: str, place: ProgramPoint) -> Comparison:
        """Whether `difference RELATION 0` holds in all executions that reach PLACE."""
        return self._comparisons.to_zero(difference, relation, place)

    # -- texts -----------------------------------------------------------------------------------------

    def text_of(self, variable: Variable) -> str:
        """A variable as people write it: `%n`, or `dim(%t, 0)`."""
        return self.texts.of_variable(variable)

    def text(self, expression: Expression) -> str:
        """An expression over variables as people write it: `min(%n - 1, dim(%t, 0))`."""
        return self.texts.of(expression)

    @staticmethod
    def _place(value: SSAValue, at: Operation | None) -> ProgramPoint:
        return at if at is not None else value

    # -- everything ------------------------------------------------------------------------------------

    def variables(self) -> Iterator[tuple[SSAValue, int | None]]:
        """All index values and all dynamic dimensions of the function, in the order of the text."""
        from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType

        for value in self._values():
            if isinstance(value.type, IndexType):
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


def _without_expressions(numbers: ConstantBounds, because: str) -> Bounds:
    return Bounds(
        Bound(None, numbers.lower, False, numbers.lower_exact, because),
        Bound(None, numbers.upper, False, numbers.upper_exact, because),
    )


__all__ = ["BoundsStore", "ProgramPoint"]
