"""Maxima of minima of polynomials: what sums, products and extrema are, and which operands are needed.

The upper set { w : w <= e } of an expression of sums, minima and maxima is a union, over the outer operands,
of intersections of half-lines { w : w <= f }: e is a maximum (`Join`) of minima (`Meet`) of polynomials f.
Sums and multiples by constants are distributed over extrema, as min(a, b) + c = min(a + c, b + c); so are
products with what the context knows the sign of.

    redundant in a minimum:   f, if another operand, or all others together, are never above it
    redundant in a maximum:   a minimum, if others are never below it; an operand that is its least only there

Source: P. Suriana (2016), section 5.2.1, with erratum E003-5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import Protocol

from volcli.language.expressions import (
    Atom,
    Expression,
    Maximum,
    Minimum,
    Monomial,
    NotAffine,
    constant,
    expression_of_atom,
)
from volcli.limits import symbolic as limits
from volcli.symbolic.cost import cost


class Knowledge(Protocol):
    """What holds wherever an expression is computed: a `Context`, or a place of a program."""

    def proves(self, goal: Expression) -> bool:
        """Whether it is known that GOAL >= 0."""
        ...

    def assuming(self, *facts: Expression) -> Knowledge:
        """What holds where FACTS are at least 0, too."""
        ...

    @property
    def is_empty(self) -> bool:
        """Whether it is known that there is no such point."""
        ...


Meet = frozenset[Expression]
"""The minimum of polynomials."""
Join = tuple[Meet, ...]
"""The maximum of minima."""


def maximum_of_minima(expression: Expression, context: Knowledge) -> tuple[tuple[Expression, ...], ...]:
    """EXPRESSION as the greatest of minima of polynomials, with no operand in vain. Raises NotAffine.

    >>> from volcli.language.expressions import maximum, minimum, parameter
    >>> from volcli.symbolic.context import Context
    >>> n, m = parameter("n"), parameter("m")
    >>> maximum_of_minima(minimum(maximum(n, m), n + 1), Context())
    ((m, n + 1), (n,))
    """
    return tuple(tuple(sorted_by_text(meet)) for meet in needed(join(expression, context), context))


def join(expression: Expression, context: Knowledge) -> Join:
    """EXPRESSION as a maximum of minima. Raises NotAffine if there are too many."""
    total: Join = (frozenset((constant(expression.constant),)),)
    for atom, coefficient in expression.terms:
        total = _sum(total, _multiple(atom, coefficient, context))
    return total


def _multiple(atom: Atom, coefficient: int, context: Knowledge) -> Join:
    """COEFFICIENT * ATOM."""
    sign = 1 if coefficient > 0 else -1
    match atom:
        case Maximum(operands):
            parts = [join(operand * coefficient, context) for operand in operands]
            return _union(parts) if sign > 0 else _intersection(parts)
        case Minimum(operands):
            parts = [join(operand * coefficient, context) for operand in operands]
            return _intersection(parts) if sign > 0 else _union(parts)
        case Monomial() if any(isinstance(factor, Minimum | Maximum) for factor in atom.factors):
            return _scaled(atom, coefficient, context)
        case _:
            return (frozenset((expression_of_atom(atom) * coefficient,)),)


def _scaled(monomial: Monomial, coefficient: int, context: Knowledge) -> Join:
    """A product with an extremum, if the sign of the other factors is known."""
    factors = list(monomial.factors)
    extremum = next(factor for factor in factors if isinstance(factor, Minimum | Maximum))
    factors.remove(extremum)
    rest = reduce(lambda a, b: a * b, map(expression_of_atom, factors), constant(coefficient))
    if context.proves(rest):
        is_maximum = isinstance(extremum, Maximum)
    elif context.proves(-rest):
        is_maximum = isinstance(extremum, Minimum)
    else:
        return (frozenset((expression_of_atom(monomial) * coefficient,)),)
    parts = [join(operand * rest, context) for operand in extremum.operands]
    return _union(parts) if is_maximum else _intersection(parts)


def _sum(left: Join, right: Join) -> Join:
    if len(left) * len(right) > limits.MINIMA:
        raise NotAffine(f"more than {limits.MINIMA} cases")
    return _few(frozenset(a + b for a in x for b in y) for x, y in product(left, right))


def _union(parts: Iterable[Join]) -> Join:
    return _few(meet for part in parts for meet in part)


def _intersection(parts: Sequence[Join]) -> Join:
    if prod(map(len, parts)) > limits.PAIRED_MINIMA:
        raise NotAffine(f"more than {limits.PAIRED_MINIMA} cases")
    nothing: Meet = frozenset()
    return _few(nothing.union(*choice) for choice in product(*parts))


def _few(meets: Iterable[Meet]) -> Join:
    found: dict[Meet, None] = {}
    for meet in meets:
        found[meet] = None
        if len(found) > limits.MINIMA:
            raise NotAffine(f"more than {limits.MINIMA} cases")
    return tuple(found)


# -- what is needed --------------------------------------------------------------------------------------


def needed(join: Join, context: Knowledge) -> Join:
    """JOIN without operands that are never alone the least or the greatest."""
    kept = list(dict.fromkeys(_needed_in_meet(meet, context) for meet in join))
    for meet in sorted(kept, key=lambda each: (-len(each), _text(each))):
        others = [other for other in kept if other != meet]
        if others and _is_at_most(meet, others, context):
            kept = others
    for meet in sorted(kept, key=lambda each: (-len(each), _text(each))) if len(kept) > 1 else ():
        others = [other for other in kept if other != meet]
        kept = [*others, _needed_beside(meet, others, context)]
    return tuple(dict.fromkeys(kept))


def _needed_in_meet(meet: Meet, context: Knowledge) -> Meet:
    kept = sorted(meet, key=lambda each: (cost(each), str(each)))
    for form in reversed(list(kept)):
        others = [other for other in kept if other != form]
        if others and any(context.proves(form - other) for other in others):
            kept = others
    for form in reversed(list(kept)) if len(kept) > 2 else ():
        others = [other for other in kept if other != form]
        if context.assuming(*(other - form - 1 for other in others)).is_empty:
            kept = others
    return frozenset(kept)


def _needed_beside(meet: Meet, others: Sequence[Meet], context: Knowledge) -> Meet:
    """MEET without operands that are its least only where one of OTHERS is at least the rest of it.

    max(min(a, b), a - 1): where b is the least, the rest, a, may be more than a - 1; b stays. In
    max(min(a, b), a), which is a, it would not.
    """
    kept = meet
    for form in reversed(sorted_by_text(meet)):
        rest = kept - {form}
        if rest and _is_covered(rest, others, context.assuming(*(other - form - 1 for other in rest))):
            kept = rest
    return kept


def _is_at_most(meet: Meet, others: Sequence[Meet], context: Knowledge) -> bool:
    """Whether the minimum MEET is at most the maximum of OTHERS: at most one, or wherever it is larger.

    min(a, b) <= min(c, d) if each of c and d is at least a or b.
    """
    for other in others:
        if all(any(context.proves(f - g) for g in meet) for f in other):
            return True
    return len(others) > 1 and _is_covered(meet, others, context)


def _is_covered(meet: Meet, others: Sequence[Meet], context: Knowledge) -> bool:
    """Whether no point has MEET above all OTHERS: some operand of each would be below all of MEET."""
    if prod(map(len, others)) > limits.COMPARED_CHOICES:
        return False
    return all(
        context.assuming(*(g - f - 1 for f in choice for g in meet)).is_empty for choice in product(*others)
    )


def sorted_by_text(forms: Iterable[Expression]) -> list[Expression]:
    """FORMS in the order of their texts."""
    return sorted(forms, key=str)


def _text(meet: Meet) -> str:
    return ", ".join(map(str, sorted_by_text(meet)))
