"""Bounds in terms of what is kept: closed forms, sets read back as expressions, and polynomials."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property, reduce

from volcli.language.expressions import Atom, Expression, NotAffine, constant, has_wide_remainder, substitute
from volcli.limits import values as limits
from volcli.limits.presburger import FORM_PIECES
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.store.numeric_bounds import NumericBounds
from volcli.model.values.store.parts import StoreParts
from volcli.model.values.terms.answers import Bound, Bounds, ConstantBounds
from volcli.model.values.terms.constraint_set import Kept, Known, union
from volcli.model.values.terms.ranges import Interval
from volcli.model.values.terms.simplify import simplified
from volcli.model.values.terms.unwrapping import unwrapped
from volcli.model.values.terms.variables import Variable
from volcli.presburger.expressions.by_cases import by_cases
from volcli.presburger.expressions.read_back import extremum, has_bound, is_attained
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.presburger.sets.unwieldy import Allowance, divisions, is_dear

_NOT_ATTAINED = "no formula of minima and maxima is attained for all arguments"


class ClosedForms:
    """The closed forms of one function's variables, each found once."""

    def __init__(self, parts: StoreParts) -> None:
        self._parts = parts
        self._closed: dict[tuple[Hashable, Variable], Expression | None] = {}

    def of(self, expression: Expression, kept: Kept) -> Expression | None:
        """EXPRESSION over what is KEPT only, if the definitions determine it as one expression."""
        replaced: dict[Atom, Expression] = {}
        for variable in self._parts.elimination.all_variables([expression]):
            if kept.contains(variable):
                continue
            form = self._of_variable(variable, kept)
            if form is None:
                return None
            replaced[variable] = form
        try:
            return substitute(expression, replaced.get) if replaced else expression
        except NotAffine:  # it is nested too deeply
            return None

    def _of_variable(self, variable: Variable, kept: Kept) -> Expression | None:
        key = kept.key, variable
        if key not in self._closed:
            inner = self._parts.definitions.definition(variable).expression
            form = None if inner is None else self.of(inner, kept)
            self._closed[key] = None if form is None or len(str(form)) > limits.CLOSED_FORM_TEXT else form
        return self._closed[key]


class SymbolicBounds:
    """Bounds over variables, beside the numbers that the same values lie between."""

    def __init__(self, parts: StoreParts, numeric: NumericBounds, closed: ClosedForms) -> None:
        self._parts = parts
        self._numeric = numeric
        self._closed = closed

    @cached_property
    def _simple(self) -> Allowance:
        return Allowance(self._parts.operations // 2)

    @cached_property
    def _divided(self) -> Allowance:
        operations = self._parts.operations // limits.DIVIDED_SHARE
        return Allowance(operations, operations, "formulas with divisions")

    @cached_property
    def _dear(self) -> Allowance:
        operations = self._parts.operations // limits.DEAR_SHARE
        return Allowance(operations, operations)

    @cached_property
    def _others(self) -> Allowance:
        return Allowance(self._parts.operations // limits.INEXACT_SHARE)

    def _query(self, known: Known) -> AbstractContextManager[None]:
        """What a formula of KNOWN may cost: less where each operation takes long, as nobody reads those."""
        is_simple = known.exact and known.points.n_basic_set() <= FORM_PIECES
        if is_dear(known.points):
            return (self._dear if is_simple else self._others).of(is_dear=True)
        if divisions(known.points):
            return self._divided.of(is_dear=True)
        return (self._simple if is_simple else self._others).of(is_dear=False)

    def of(self, expression: Expression, place: ProgramPoint, kept: Kept, *, is_size: bool = False) -> Bounds:
        """The same for an EXPRESSION over variables."""
        numbers = self._numeric.of(expression, place)
        numbers = numbers.of_size() if is_size else numbers
        if numbers.never:
            nothing = Bound(exact=numbers.exact, because=numbers.because)
            return Bounds(nothing, nothing, never=True)
        if numbers.lower is not None and numbers.lower == numbers.upper:
            equal = constant(numbers.lower)
            return Bounds(side_of(equal, numbers, 0), side_of(equal, numbers, 1), equal)
        if numbers.because is not None and numbers.because == self._parts.definitions.effort.because:
            return _without_expressions(numbers, numbers.because)
        equal = self._closed.of(expression, kept)
        if equal is not None:
            if has_wide_remainder(equal):
                equal = unwrapped(equal, lambda inner: self._ends(inner, place))
            return Bounds(side_of(equal, numbers, 0), side_of(equal, numbers, 1), equal)
        if self._goes_through_constant_loop(expression, place, kept):
            ends = (None if n is None else constant(n) for n in (numbers.lower, numbers.upper))
            lower, upper = (side_of(end, numbers, side) for side, end in enumerate(ends))
            return Bounds(lower, upper)
        return self._symbolic(expression, place, kept, numbers)

    def _goes_through_constant_loop(self, expression: Expression, place: ProgramPoint, kept: Kept) -> bool:
        """Whether EXPRESSION is the variable of a loop with constant ends, of whose iterations none is left
        out at PLACE: a set would say the same as its range.
        """
        variable = expression.single_atom
        if not isinstance(variable, Variable) or kept.contains(variable):
            return False
        guards = self._parts.places.relevant((expression,), (place,))
        return not guards and self._parts.tightness.is_of_constant_loop(variable)

    def _ends(self, expression: Expression, place: ProgramPoint) -> Interval:
        found = self._numeric.of(self._parts.definitions.resolve(expression), place)
        return found.lower, found.upper

    def _symbolic(
        self, expression: Expression, place: ProgramPoint, kept: Kept, numbers: ConstantBounds
    ) -> Bounds:
        if self._is_too_wide(expression, kept):
            because = f"it depends on more than {limits.KEPT_VARIABLES} variables"
            return _without_expressions(numbers, because)
        try:
            elimination = self._parts.elimination
            elimination.begin(elimination.all_variables([expression]), kept)
            known = self._parts.queries.points(expression, place, kept)
            with self._query(known):
                found = [self._read_back(known, lower=lower) for lower in (True, False)]
        except BudgetExceeded as error:
            return _without_expressions(numbers, error.reason)
        found = [self._in_cases(known, bound, lower=k == 0) for k, bound in enumerate(found)]
        sides = [
            side_of(bound[0], numbers, side, exact=bound[1] and known.exact, because=known.because)
            for side, bound in enumerate(found)
        ]
        if known.exact:
            sides = [side if side.exact else replace(side, because=_NOT_ATTAINED) for side in sides]
        else:
            sides = [
                side
                if side.exact
                else self._parts.polynomial_bounds.side(expression, place, kept, side, lower=position == 0)
                for position, side in enumerate(sides)
            ]
        if self._parts.first is not None and not known.exact:
            sides = [self._parts.first.side(expression, place, kept, side, known) for side in sides]
        lower, upper = (side.expression for side in sides)
        is_exact = known.exact or (sides[0].exact and sides[1].exact)
        equal = lower if lower is not None and lower == upper and is_exact else None
        return Bounds(sides[0], sides[1], equal)

    def _read_back(self, known: Known, *, lower: bool) -> tuple[Expression | None, bool]:
        found = extremum(known.points, lower=lower, is_exact=known.exact)
        if found is None:
            return None, not has_bound(known.points, lower=lower)
        possible = known.points.params()
        form = simplified(found.expression, possible)
        exact = found.exact or (known.exact and is_attained(form, known.points, lower=lower))
        return self._parts.elimination.unnamed(form), exact

    def _in_cases(
        self, known: Known, bound: tuple[Expression | None, bool], *, lower: bool
    ) -> tuple[Expression | None, bool]:
        """BOUND, as it is read back; by cases, where no one formula is attained."""
        if bound[1] or not known.exact:
            return bound
        try:
            with self._query(known):
                cases = by_cases(known.points, lower=lower)
        except BudgetExceeded:
            return bound
        return bound if cases is None else (self._parts.elimination.unnamed(cases), True)

    def of_one_of(self, found: Bounds, each: Sequence[tuple[Expression, ProgramPoint]], kept: Kept) -> Bounds:
        """What was FOUND of a number that is EACH of these expressions, where it is reached, at some time.

        A side is exact if it is an element of their union.
        """
        sides = [found.lower, found.upper]
        if all(side.exact or side.expression is None for side in sides):
            return found
        try:
            sets = [self._parts.queries.points(expression, place, kept) for expression, place in each]
            known = reduce(union, sets)
            if known.exact:
                with self._query(known):
                    sides = [self._one_of(side, known, lower=k == 0) for k, side in enumerate(sides)]
        except (BudgetExceeded, NotAffine):
            pass
        return replace(found, lower=sides[0], upper=sides[1])

    def _one_of(self, side: Bound, known: Known, *, lower: bool) -> Bound:
        """SIDE, or an expression for it that is an element of what is KNOWN."""
        if side.exact or side.expression is None:
            return side
        form, exact = self._in_cases(known, self._read_back(known, lower=lower), lower=lower)
        return replace(side, expression=form, exact=True) if exact else replace(side, because=_NOT_ATTAINED)

    def _is_too_wide(self, expression: Expression, kept: Kept) -> bool:
        """Whether a bound of EXPRESSION could speak of more variables than anyone wants to read."""
        mask = 0
        for variable in self._parts.elimination.all_variables([expression]):
            mask |= self._parts.elimination.kept_mask(variable, kept)
        return mask.bit_count() > limits.KEPT_VARIABLES


def side_of(
    expression: Expression | None,
    numbers: ConstantBounds,
    side: int,
    *,
    exact: bool = True,
    because: str | None = None,
) -> Bound:
    """The bound on SIDE, 0 for the lower and 1 for the upper one: EXPRESSION, and the number there."""
    number, attained = (
        (numbers.lower, numbers.lower_exact),
        (numbers.upper, numbers.upper_exact),
    )[side]
    return Bound(expression, number, exact, attained, numbers.because or because)


def _without_expressions(numbers: ConstantBounds, because: str) -> Bounds:
    return Bounds(
        Bound(None, numbers.lower, False, numbers.lower_exact, because),
        Bound(None, numbers.upper, False, numbers.upper_exact, because),
    )
