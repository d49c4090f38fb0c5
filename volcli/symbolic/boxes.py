"""Intervals and boxes whose ends are minima and maxima, as unions of domains, merged and intersected.

An interval `lower <= w <= upper` is a union of *domains*: conjunctions of inequalities linear in w. An upper
end that is a maximum is a disjunction, one that is a minimum a conjunction; a lower end the other way round:

    w <= max(min(N, N + 1), N + 2)      { w <= N and w <= N + 1 } or { w <= N + 2 }

Back from a union comes its hull: the least of the lower ends of its domains and the greatest of their upper
ends, where the lower end of a domain is the greatest of its lower bounds. So the hull of two boxes, what
*merging* them gives, has the minimum of both lower ends and the maximum of both upper ones; the intersection
the maximum and the minimum. Each end is as short as the context allows (see `volcli.symbolic.extrema`).

Source: P. Suriana (2016), sections 5.2.1 and 5.2.2, with erratum E003-5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    constant,
    expression_of_atom,
    maximum,
    minimum,
)
from volcli.symbolic.extrema import simplified
from volcli.symbolic.fourier_motzkin import coefficient
from volcli.symbolic.unions import Knowledge, maximum_of_minima

Domain = tuple[Expression, ...]
"""Inequalities f >= 0."""


@dataclass(frozen=True)
class Interval:
    """The numbers w with lower <= w <= upper."""

    lower: Expression
    upper: Expression

    def simplified(self, context: Knowledge) -> Interval:
        """The same interval at all points of CONTEXT, with ends that are as short as that allows."""
        return Interval(simplified(self.lower, context), simplified(self.upper, context))

    def is_empty(self, context: Knowledge) -> bool:
        """Whether it is known to hold no number at any point of CONTEXT."""
        return context.assuming(self.upper - self.lower).is_empty

    def domains(self, variable: Atom, context: Knowledge) -> tuple[Domain, ...]:
        """The interval of VARIABLE as a union of conjunctions. Raises NotAffine if there are too many."""
        number = expression_of_atom(variable)
        above = maximum_of_minima(self.upper, context)
        below = maximum_of_minima(-self.lower, context)
        return tuple(
            (*(number + f for f in low), *(f - number for f in high)) for low, high in product(below, above)
        )


def hull(domains: Sequence[Domain], variable: Atom, context: Knowledge) -> Interval:
    """The least interval of VARIABLE that holds all DOMAINS, of which none is empty.

    Their inequalities have it with the factors 1 or -1. Raises NotAffine for others, and without ends.
    """
    lower = [maximum(*_ends(each, variable, 1)) for each in domains]
    upper = [minimum(*_ends(each, variable, -1)) for each in domains]
    return Interval(minimum(*lower), maximum(*upper)).simplified(context)


def _ends(domain: Domain, variable: Atom, sign: int) -> list[Expression]:
    """What DOMAIN has VARIABLE at least (SIGN 1) or at most (-1)."""
    number = expression_of_atom(variable)
    signs = [(each, coefficient(each, variable)) for each in domain]
    if any(p not in _UNITS for _, p in signs):
        raise NotAffine(f"a bound of {variable} has a factor")
    found = [(each - p * number) * -sign for each, p in signs if p == constant(sign)]
    if not found:
        raise NotAffine(f"{variable} has no {'lower' if sign > 0 else 'upper'} bound")
    return found


_UNITS = (constant(1), constant(-1), constant(0))

Box = tuple[Interval, ...]
"""An interval for each dimension."""


def merged(left: Box, right: Box, context: Knowledge) -> Box:
    """The least box that holds LEFT and RIGHT, none of which is empty.

    >>> from volcli.language.expressions import parameter
    >>> from volcli.symbolic.context import Context
    >>> n = parameter("n")
    >>> (found,) = merged((Interval(n, n + 8),), (Interval(n - 2, n + 3),), Context())
    >>> found.lower, found.upper
    (n - 2, n + 8)
    """
    return tuple(
        Interval(minimum(a.lower, b.lower), maximum(a.upper, b.upper)).simplified(context)
        for a, b in zip(left, right, strict=True)
    )


def intersection(left: Box, right: Box, context: Knowledge) -> Box:
    """What LEFT and RIGHT share; an interval whose lower end is above its upper one is empty."""
    return tuple(
        Interval(maximum(a.lower, b.lower), minimum(a.upper, b.upper)).simplified(context)
        for a, b in zip(left, right, strict=True)
    )


__all__ = ["Box", "Domain", "Interval", "hull", "intersection", "merged"]
