"""Bounds of numbers that have to do with products: polynomials over what is kept, and numbers.

Attainment is shown by integer points: a point below a candidate bound refutes it, and a candidate that no
point refutes is proved. That there is no bound is shown by a ray, on which all that is known stays true and
the number grows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

from volcli.language.expressions import (
    Atom,
    Expression,
    Monomial,
    NotAffine,
    expression_of_atom,
    maximum,
    minimum,
    sort_key,
)
from volcli.limits import values as limits
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.products.anonymous import anonymous
from volcli.model.values.products.polynomial_claims import PolynomialClaims, point_of
from volcli.model.values.products.polynomials import PolynomialSystem, value_at
from volcli.model.values.terms.answers import Bound, ConstantBounds
from volcli.model.values.terms.constraint_set import Kept
from volcli.model.values.terms.variables import Variable
from volcli.symbolic.bounding import Bounding, PolynomialBound
from volcli.symbolic.rays import falls_along_some


@dataclass(frozen=True)
class PolynomialBounds:
    """Bounds of the numbers of one function, where products stop integer sets."""

    claims: PolynomialClaims
    _known: dict[tuple[PolynomialSystem, Expression, ConstantBounds], ConstantBounds] = field(
        default_factory=dict[tuple[PolynomialSystem, Expression, ConstantBounds], ConstantBounds]
    )
    _ends: dict[Hashable, _Ends | None] = field(default_factory=dict[Hashable, "_Ends | None"])
    """By systems without names, what is found of numbers; None if nothing is."""
    _sides: dict[Hashable, _Side | None] = field(default_factory=dict[Hashable, "_Side | None"])
    """And of polynomials."""

    # -- numbers ---------------------------------------------------------------------------------------

    def numbers(self, expression: Expression, place: ProgramPoint, found: ConstantBounds) -> ConstantBounds:
        """FOUND, which lies around all numbers that EXPRESSION is at PLACE, as tight as it is known to be."""
        known = self.claims.system((expression,), (place,))
        if known is None or not known.is_small:
            return found
        key = known, expression, found
        if key not in self._known:
            self._known[key] = self._numbers(known, expression, place, found)
        return self._known[key]

    def _numbers(
        self, known: PolynomialSystem, expression: Expression, place: ProgramPoint, found: ConstantBounds
    ) -> ConstantBounds:
        ends = self._searched(known, expression, place, found)
        if ends is None:
            return found
        low, low_exact, high, high_exact = ends
        because = (
            None if low_exact and high_exact else self._obstacle(known, expression, place) or found.because
        )
        return replace(
            found,
            lower=low,
            upper=None if high is None else -high,
            lower_exact=low_exact,
            upper_exact=high_exact,
            because=because,
        )

    def _obstacle(self, known: PolynomialSystem, expression: Expression, place: ProgramPoint) -> str | None:
        with self.claims.polynomials.effort(known, limits.BOUND_EFFORT):
            return self.claims.obstacle(known, (expression,), (place,))

    def _searched(
        self, known: PolynomialSystem, expression: Expression, place: ProgramPoint, found: ConstantBounds
    ) -> _Ends | None:
        """The least number that EXPRESSION is at PLACE, and that its negation is; each may be attained."""
        try:
            asked = anonymous(known, known.form(expression))
            with self.claims.polynomials.effort(known, limits.BOUND_EFFORT):
                are_reached = self.claims.are_reached(known, (expression,), (place,))
            ends = found.lower, found.lower_exact, found.upper, found.upper_exact
            key = asked.key, are_reached, ends
            if key not in self._ends:
                self._ends[key] = None
                with self.claims.polynomials.effort(known, limits.BOUND_EFFORT):
                    self._ends[key] = _ends(asked.system, asked.expressions[0], ends, are_reached=are_reached)
            return self._ends[key]
        except NotAffine:
            return None

    # -- polynomials -----------------------------------------------------------------------------------

    def side(
        self, expression: Expression, place: ProgramPoint, kept: Kept, found: Bound, *, lower: bool
    ) -> Bound:
        """FOUND, a bound of EXPRESSION over what is KEPT, or a polynomial that is better."""
        known = self.claims.system((expression,), (place,))
        if known is None or not known.is_small:
            return found
        other = () if found.expression is None else (found.expression,)
        asked = anonymous(known, known.form(expression), *other)
        spoken = frozenset(
            atom
            for symbol, atom in zip(known.symbols, asked.system.symbols, strict=True)
            if isinstance(symbol, Variable) and kept.contains(symbol)
        )
        key = asked.key, spoken, lower
        if key not in self._sides:
            with self.claims.polynomials.effort(known, limits.BOUND_EFFORT):
                self._sides[key] = _side(asked.system, asked.expressions, spoken, lower=lower)
        side = self._sides[key]
        return found if side is None else replace(found, expression=asked.named(side[0]), exact=side[1])


_Ends = tuple[int | None, bool, int | None, bool]
_Side = tuple[Expression, bool]


def _ends(known: PolynomialSystem, form: Expression, ends: _Ends, *, are_reached: bool) -> _Ends:
    """The least number that FORM is, and that its negation is, each with whether it is attained.

    It is known to lie between the ENDS. Points of KNOWN are executions if they ARE_REACHED.
    """
    low, low_exact, high, high_exact = ends
    search = _Search(known, are_reached and point_of(known, ()) is not None)
    least = search.least(form, low, low_exact)
    return *least, *search.least(-form, None if high is None else -high, high_exact)


def _side(
    known: PolynomialSystem, expressions: Sequence[Expression], kept: frozenset[Atom], *, lower: bool
) -> _Side | None:
    """A polynomial over KEPT symbols that the first of EXPRESSIONS is at least, or at most, and if exactly.

    The second one, if any, is one, too.
    """
    facts = known.alternatives.certain
    if facts is None:
        return None
    others = [atom for atom in dict.fromkeys(known.unknowns) if atom not in kept]
    bounding = Bounding(facts, kept.__contains__, others[::-1])
    form, *other = expressions
    bounds = bounding.below(form) if lower else bounding.above(form)
    if not bounds:
        return None
    is_all = known.because is None and not known.alternatives.is_open
    exact = is_all and all(each.exact for each in bounds)
    if not exact and other:
        bounds = _with(bounds, other[0], facts.proves, lower=lower)
    extremum = maximum if lower else minimum
    try:
        return extremum(*(each.bound for each in bounds)), exact
    except NotAffine:
        return None


def _with(
    bounds: Sequence[PolynomialBound],
    other: Expression,
    proves: Callable[[Expression], bool],
    *,
    lower: bool,
) -> list[PolynomialBound]:
    """BOUNDS and another one, without those that another one makes idle."""
    sign = -1 if lower else 1
    if any(proves((other - each.bound) * sign) for each in bounds):
        return [*bounds]
    left = [each for each in bounds if not proves((each.bound - other) * sign)]
    return [PolynomialBound(other, False), *left]


@dataclass(frozen=True)
class _Search:
    """The least number of a form over the points of KNOWN; attained only if it IS_REACHED."""

    known: PolynomialSystem
    is_reached: bool

    def least(self, form: Expression, low: int | None, exact: bool) -> tuple[int | None, bool]:
        """The least number that FORM is, and whether it is attained, given that it is at least LOW."""
        if exact:
            return low, True
        if not self.is_reached:
            return self._proved(form, low), False
        if low is None and self._falls(form):
            return None, True
        step, best = 1, self._point(form, None if low is None else form * -1 + low)
        if best is not None and best == low:
            return low, True
        best = self._point(form, None) if best is None else best
        for _ in range(limits.BOUND_TRIES):
            if best is None:
                break
            may_be_less = low is None or best - step >= low
            less = self._point(form, best - step - form) if may_be_less else None
            if less is not None:
                best, step = less, 2 * step
            elif step > 1:
                step = 1
            elif self.known.alternatives.proves(form - best):
                return best, True
            else:
                break
        return self._proved(form, low, best), False

    def _point(self, form: Expression, supposed: Expression | None) -> int | None:
        """What FORM is at some point, at which SUPPOSED is not negative."""
        point = point_of(self.known, () if supposed is None else (supposed,))
        return None if point is None else value_at(form, point)

    def _proved(self, form: Expression, low: int | None, best: int | None = None) -> int | None:
        """A small number that FORM is never less than, if one is found that is more than LOW.

        It is no more than BEST, which FORM is at a point.
        """
        for number in (1, 0):
            is_open = (low is None or low < number) and (best is None or number <= best)
            if is_open and self.known.alternatives.proves(form - number):
                return number
        return low

    def _falls(self, form: Expression) -> bool:
        """Whether FORM has no least number: it falls along a ray of points."""
        certain = self.known.alternatives.certain
        if certain is None or self.known.alternatives.is_open:
            return False
        atoms = {atom for each in (form, *certain.facts) for atom in each.atoms()}
        multiplied = {factor for atom in atoms if isinstance(atom, Monomial) for factor in atom.factors}
        small = tuple(1 - expression_of_atom(atom) for atom in sorted(multiplied, key=sort_key))
        for supposed in (small, ()):
            found = point_of(self.known, supposed)
            start = {} if found is None else {atom: n for atom, n in found.items() if atom in atoms}
            if 0 < len(start) <= limits.RAYS and falls_along_some(start, form, certain.facts):
                return True
        return False
