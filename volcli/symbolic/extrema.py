"""Minima and maxima with few operations: the same function over a context, with no operand in vain.

An expression of sums, minima and maxima is a *maximum of minima* of polynomials: its upper set
{ w : w <= e } is a union, over the outer operands, of intersections of half-lines { w : w <= f }. Sums and
multiples by constants are distributed over extrema, as min(a, b) + c = min(a + c, b + c); so are products
with what the context knows the sign of.

    redundant in a minimum:   f, if another operand g <= f in the context (or one of those together)
    redundant in a maximum:   a minimum, if another minimum is at least as large

What is left is written as a maximum of minima or as a minimum of maxima, with operands that all of them share
taken out, min(a, max(b, c)) for max(min(a, b), min(a, c)), and what is added to all operands added once:
whichever costs least. Pieces are kept nested, and each is simplified where its condition holds.

    max(min(p, min(q, min(p - 2, 0))), p - 1 ...)       by f - g >= 0, which the context decides
    max(max(max(a, 1) - 1, 0) * 16 + q + 15, r)         = max(q + 15, q + 16 * a - 1, r)

Sources: P. Suriana (2016), section 5.2, table 5.1 and figures 5-3 to 5-6, with errata E003-5 and E003-7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial, reduce
from itertools import product
from math import prod
from typing import Protocol

from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    Mod,
    Monomial,
    NotAffine,
    Piecewise,
    constant,
    expression_of_atom,
    maximum,
    minimum,
    piecewise,
    substitute,
)
from volcli.symbolic.cost import cost

_MOST = 32
"""A union of more minima than this is left as it is."""
_MOST_PAIRS = 512
_MOST_CHOICES = 16
"""A minimum is compared with others together if these are as few."""


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


def simplified(expression: Expression, context: Knowledge) -> Expression:
    """An expression that is EXPRESSION at all points of CONTEXT, and costs no more.

    >>> from volcli.language.expressions import parameter
    >>> from volcli.symbolic.context import Context
    >>> p, q = parameter("p"), parameter("q")
    >>> simplified(minimum(minimum(p, minimum(q, minimum(p - 2, constant(0)))), p - 1), Context())
    min(p - 2, q, 0)
    """
    expression = _with_simple_parts(expression, context)
    found = [expression]
    with suppress(NotAffine):
        found.append(_written(_needed(_join(expression, context), context), maximum, minimum))
    with suppress(NotAffine):
        dual = _needed(_join(-expression, context), context)
        found.append(_written([frozenset(-f for f in meet) for meet in dual], minimum, maximum))
    return min(map(_folded, found), key=lambda each: (cost(each), str(each)))


def maximum_of_minima(expression: Expression, context: Knowledge) -> tuple[tuple[Expression, ...], ...]:
    """EXPRESSION as the greatest of minima of polynomials, with no operand in vain. Raises NotAffine.

    >>> from volcli.language.expressions import parameter
    >>> from volcli.symbolic.context import Context
    >>> n, m = parameter("n"), parameter("m")
    >>> maximum_of_minima(minimum(maximum(n, m), n + 1), Context())
    ((m, n + 1), (n,))
    """
    return tuple(tuple(_sorted(meet)) for meet in _needed(_join(expression, context), context))


# -- maxima of minima ------------------------------------------------------------------------------------


def _join(expression: Expression, context: Knowledge) -> Join:
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
            parts = [_join(operand * coefficient, context) for operand in operands]
            return _union(parts) if sign > 0 else _intersection(parts)
        case Minimum(operands):
            parts = [_join(operand * coefficient, context) for operand in operands]
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
    parts = [_join(operand * rest, context) for operand in extremum.operands]
    return _union(parts) if is_maximum else _intersection(parts)


def _sum(left: Join, right: Join) -> Join:
    if len(left) * len(right) > _MOST:
        raise NotAffine(f"more than {_MOST} cases")
    return _few(frozenset(a + b for a in x for b in y) for x, y in product(left, right))


def _union(parts: Iterable[Join]) -> Join:
    return _few(meet for part in parts for meet in part)


def _intersection(parts: Sequence[Join]) -> Join:
    if prod(map(len, parts)) > _MOST_PAIRS:
        raise NotAffine(f"more than {_MOST_PAIRS} cases")
    nothing: Meet = frozenset()
    return _few(nothing.union(*choice) for choice in product(*parts))


def _few(meets: Iterable[Meet]) -> Join:
    found: dict[Meet, None] = {}
    for meet in meets:
        found[meet] = None
        if len(found) > _MOST:
            raise NotAffine(f"more than {_MOST} cases")
    return tuple(found)


# -- what is needed --------------------------------------------------------------------------------------


def _needed(join: Join, context: Knowledge) -> Join:
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
    for form in reversed(_sorted(meet)):
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
    if prod(map(len, others)) > _MOST_CHOICES:
        return False
    return all(
        context.assuming(*(g - f - 1 for f in choice for g in meet)).is_empty for choice in product(*others)
    )


# -- writing ---------------------------------------------------------------------------------------------

Combine = Callable[..., Expression]


def _written(join: Sequence[Meet], outer: Combine, inner: Combine) -> Expression:
    """OUTER of INNER of each of JOIN: with what all of them share taken out."""
    shared: Meet = join[0].intersection(*join[1:])
    rests: list[Meet] = [meet - shared for meet in join]
    if not all(rests):  # one of them is the minimum of what is shared, which is the largest
        return inner(*_sorted(shared))
    inside = outer(*(_common(rests, outer, inner)))
    return inner(*_sorted(shared), inside) if shared else inside


def _common(meets: Sequence[Meet], outer: Combine, inner: Combine) -> list[Expression]:
    """MEETS as operands of a maximum: those that share most with each other are one of them."""
    left: list[Meet] = list(meets)
    found: list[Expression] = []
    while left:
        operand = max(_operands(left), key=partial(_uses, left))
        group: list[Meet] = [meet for meet in left if operand in meet]
        if len(group) < 2 or any(len(meet) == 1 for meet in group):
            found += [inner(*_sorted(meet)) for meet in left]
            break
        found.append(_written(tuple(group), outer, inner))
        left = [meet for meet in left if meet not in group]
    return found


def _operands(meets: Iterable[Meet]) -> list[Expression]:
    """What occurs in MEETS, each once."""
    return _sorted({form for meet in meets for form in meet})


def _uses(meets: Iterable[Meet], form: Expression) -> int:
    """How many of MEETS have FORM."""
    return sum(form in meet for meet in meets)


def _sorted(forms: Iterable[Expression]) -> list[Expression]:
    return sorted(forms, key=str)


def _text(meet: Meet) -> str:
    return ", ".join(map(str, _sorted(meet)))


def _folded(expression: Expression) -> Expression:
    """EXPRESSION with what is added to all operands of an extremum added once, where that is less."""
    atom = expression.single_atom
    if not isinstance(atom, Minimum | Maximum):
        total = constant(expression.constant)
        for term, coefficient in expression.terms:
            inner = expression_of_atom(term)
            total += (_folded(inner) if isinstance(term, Minimum | Maximum) else inner) * coefficient
        return total
    operands = [_folded(operand) for operand in atom.operands]
    combine = minimum if isinstance(atom, Minimum) else maximum
    shared = [
        (term, coefficient)
        for term, coefficient in operands[0].terms
        if not isinstance(term, Minimum | Maximum)
        and all(operand.coefficient(term) == coefficient for operand in operands)
    ]
    plain = combine(*operands)
    if not shared:
        return plain
    common = Expression(tuple(shared), 0)
    split = combine(*(operand - common for operand in operands)) + common
    return min(plain, split, key=cost)


# -- parts --------------------------------------------------------------------------------------


def _with_simple_parts(expression: Expression, context: Knowledge) -> Expression:
    """EXPRESSION with what is inside quotients, remainders, pieces, sums and products simplified there."""
    whole = expression.single_atom

    def simple(atom: Atom) -> Expression | None:
        match atom:
            case FloorDiv(numerator, divisor):
                return simplified(numerator, context) // divisor
            case Mod(numerator, divisor):
                return simplified(numerator, context) % divisor
            case Piecewise(pieces):
                return _simple_pieces(pieces, context)
            case Minimum() | Maximum() if atom != whole:
                return simplified(expression_of_atom(atom), context)
            case Monomial(factors=factors):
                parts = (
                    simplified(f, context) if f != expression else f for f in map(expression_of_atom, factors)
                )
                return reduce(lambda a, b: a * b, parts, constant(1))
            case _:
                return None

    return substitute(expression, simple)


def _simple_pieces(
    pieces: Sequence[tuple[tuple[Expression, ...], Expression]], context: Knowledge
) -> Expression:
    """The pieces that may apply, each simplified where it does, without what the context says anyway."""
    kept: list[tuple[tuple[Expression, ...], Expression]] = []
    for where, value in pieces:
        inside = context.assuming(*where)
        if not inside.is_empty:
            needed = tuple(condition for condition in where if not context.proves(condition))
            kept.append((needed, simplified(value, inside)))
    return piecewise(*kept) if kept else constant(0)
