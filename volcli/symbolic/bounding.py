"""Polynomials above and below a polynomial, over some of its symbols only: elimination by facts.

To bound e = p * x + s from above without x, a fact r + c * x >= 0 with p = -k * c is added k times, for a
polynomial k that the context knows not to be negative:

    e <= e + k * (r + c * x) = s + k * r

and x is gone; neither the sign of p nor that of c matters. Each such fact gives a bound, and all of them
hold.

    i * b + j  for 0 <= i <= n - 1, 0 <= j <= b - 1      <= (n - 1) * b + j <= n * b - 1
    q * b      for 0 <= n - q * b <= b - 1                <= n,  by n - q * b >= 0 once

The bound is attained where all facts that were added are equalities: if they determine the symbols as
polynomials x*, and x* satisfies all facts, whatever the other symbols are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    NotAffine,
    expression_of_atom,
    substitute,
)
from volcli.language.unchanged import cached_method
from volcli.limits import symbolic as limits
from volcli.symbolic.context import Context
from volcli.symbolic.fourier_motzkin import coefficient
from volcli.symbolic.polynomials import exact_quotient


@dataclass(frozen=True)
class PolynomialBound:
    """A polynomial that is never exceeded, or never fallen below; `exact` if it is attained always."""

    bound: Expression
    exact: bool


_Values = Mapping[Atom, Expression]
_Chosen = tuple[tuple[Atom, Expression | None], ...]


@dataclass(frozen=True)
class _Found:
    bound: Expression
    chosen: _Chosen
    """What the eliminated symbols are where the bound is attained, each over those that came later."""


class Bounding:
    """Bounds in CONTEXT, over symbols that are KEPT; ORDER are the others, the first to go first."""

    def __init__(self, context: Context, kept: Callable[[Atom], bool], order: Sequence[Atom]) -> None:
        self._context = context
        self._kept = kept
        self._order = {atom: position for position, atom in enumerate(order)}
        self._steps = 0
        self._seen: set[Expression] = set()

    def above(self, form: Expression) -> list[PolynomialBound]:
        """Polynomials that FORM never exceeds, none of them in vain; their minimum is exact if all are."""
        self._steps = 0
        self._seen = set()
        found: dict[Expression, _Found] = {}
        with suppress(NotAffine):
            for each in self._above(form, ()):
                found.setdefault(each.bound, each)
                if len(found) == limits.BOUNDS:
                    break
        kept = self._needed(list(found))
        ways = [values for each in found.values() if (values := _solved(each)) is not None]
        return [
            PolynomialBound(
                bound,
                self._is_attained(form, found[bound], [other for other in kept if other != bound], ways),
            )
            for bound in kept
        ]

    def below(self, form: Expression) -> list[PolynomialBound]:
        """Polynomials that FORM never falls below."""
        return [PolynomialBound(-each.bound, each.exact) for each in self.above(-form)]

    def _needed(self, bounds: list[Expression]) -> list[Expression]:
        kept = bounds
        for bound in sorted(bounds, key=lambda each: (-len(each.terms), str(each))):
            if any(other != bound and self._context.proves(bound - other) for other in kept):
                kept = [other for other in kept if other != bound]
        return kept

    # -- elimination -----------------------------------------------------------------------------------

    def _above(
        self, form: Expression, chosen: tuple[tuple[Atom, Expression | None], ...]
    ) -> Iterator[_Found]:
        """Bounds of FORM, over what is kept; CHOSEN are eliminated already.

        What a form leads to does not depend on the facts that led to it: it is followed once.
        """
        if form in self._seen:
            return
        self._seen.add(form)
        self._steps += 1
        if self._steps > limits.BOUND_STEPS:
            return
        extremum = next((each for each in form.terms if isinstance(each[0], Minimum | Maximum)), None)
        if extremum is not None:
            atom, factor = extremum
            if isinstance(atom, Minimum | Maximum) and isinstance(atom, Minimum) == (factor > 0):
                rest = form - expression_of_atom(atom) * factor
                for operand in atom.operands:
                    yield from self._above(rest + operand * factor, chosen)
            return
        symbol = self._next(form)
        if symbol is None:
            yield _Found(form, chosen)
            return
        p = coefficient(form, symbol)
        for fact, c in self._facts(symbol):
            k = None if c.is_constant and c.constant == 0 else exact_quotient(-p, c)
            if k is None or not self._context.proves(k):
                continue
            value = None
            if c.is_constant and abs(c.constant) == 1:
                value = (expression_of_atom(symbol) * c - fact) * c
            yield from self._above(form + k * fact, (*chosen, (symbol, value)))

    def _next(self, form: Expression) -> Atom | None:
        """The symbol of FORM that is to go first; None if all are kept. Raises NotAffine if none can."""
        quotient = next(
            (a for a in form.atoms() if isinstance(a, FloorDiv) and self._is_over_others(a)), None
        )
        if quotient is not None:
            return quotient
        others = [atom for atom in form.atoms() if atom in self._order]
        return min(others, key=self._order.__getitem__, default=None)

    def _is_over_others(self, atom: Atom) -> bool:
        return any(inner in self._order for inner in expression_of_atom(atom).atoms())

    @cached_method
    def _facts(self, symbol: Atom) -> Sequence[tuple[Expression, Expression]]:
        """The facts that are linear in SYMBOL, each with its coefficient."""
        facts: Sequence[Expression] = self._context.facts
        if isinstance(symbol, FloorDiv):
            left = symbol.numerator - expression_of_atom(symbol) * symbol.divisor
            facts = (left, symbol.divisor - 1 - left)
        found: list[tuple[Expression, Expression]] = []
        for fact in facts:
            if any(atom == symbol for atom in fact.atoms()):
                with suppress(NotAffine):
                    found.append((fact, coefficient(fact, symbol)))
        return found

    # -- exactness -------------------------------------------------------------------------------------

    def _is_attained(
        self, form: Expression, found: _Found, others: Sequence[Expression], ways: Sequence[_Values]
    ) -> bool:
        """Whether the bound is attained wherever it is the least of all: on its own way, or on one of WAYS.

        Where OTHERS are no less, the symbols may be those, and FORM is the bound then.
        """
        values = _solved(found)
        if values is None:
            return False
        context = self._context.assuming(*(other - found.bound for other in others))
        for way in (values, *({**each, **values} for each in ways)):
            reached = (_at(form, way) - found.bound, *(_at(fact, way) for fact in self._context.facts))
            if all(map(context.proves, reached)):
                return True
        return False


def _solved(found: _Found) -> _Values | None:
    """The symbols where the bound is attained, over those that are kept or free; None if it is not known."""
    values: dict[Atom, Expression] = {}
    for symbol, value in reversed(found.chosen):
        if value is None or isinstance(symbol, FloorDiv):
            return None
        values[symbol] = substitute(value, values.get)
    return values


def _at(fact: Expression, values: Mapping[Atom, Expression]) -> Expression:
    return substitute(fact, values.get)
