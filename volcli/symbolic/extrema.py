"""Minima and maxima with few operations: the same function over a context, with no operand in vain.

An expression of sums, minima and maxima is a maximum of minima of polynomials (`volcli.symbolic.unions`).
What is needed of it is written as a maximum of minima or as a minimum of maxima, with operands that all of
them share taken out, min(a, max(b, c)) for max(min(a, b), min(a, c)), and what is added to all operands added
once: whichever costs least. Pieces are kept nested, and each is simplified where its condition holds.

    max(min(p, min(q, min(p - 2, 0))), p - 1 ...)       by f - g >= 0, which the context decides
    max(max(max(a, 1) - 1, 0) * 16 + q + 15, r)         = max(q + 15, q + 16 * a - 1, r)

Sources: P. Suriana (2016), section 5.2, table 5.1 and figures 5-3 to 5-6, with errata E003-5 and E003-7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial, reduce

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
from volcli.symbolic.unions import Knowledge, Meet, join, needed, sorted_by_text


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
        found.append(_written(needed(join(expression, context), context), maximum, minimum))
    with suppress(NotAffine):
        dual = needed(join(-expression, context), context)
        found.append(_written([frozenset(-f for f in meet) for meet in dual], minimum, maximum))
    return min(map(_folded, found), key=lambda each: (cost(each), str(each)))


# -- writing ---------------------------------------------------------------------------------------------

Combine = Callable[..., Expression]


def _written(join: Sequence[Meet], outer: Combine, inner: Combine) -> Expression:
    """OUTER of INNER of each of JOIN: with what all of them share taken out."""
    shared: Meet = join[0].intersection(*join[1:])
    rests: list[Meet] = [meet - shared for meet in join]
    if not all(rests):  # one of them is the minimum of what is shared, which is the largest
        return inner(*sorted_by_text(shared))
    inside = outer(*(_common(rests, outer, inner)))
    return inner(*sorted_by_text(shared), inside) if shared else inside


def _common(meets: Sequence[Meet], outer: Combine, inner: Combine) -> list[Expression]:
    """MEETS as operands of a maximum: those that share most with each other are one of them."""
    left: list[Meet] = list(meets)
    found: list[Expression] = []
    while left:
        operand = max(_operands(left), key=partial(_uses, left))
        group: list[Meet] = [meet for meet in left if operand in meet]
        if len(group) < 2 or any(len(meet) == 1 for meet in group):
            found += [inner(*sorted_by_text(meet)) for meet in left]
            break
        found.append(_written(tuple(group), outer, inner))
        left = [meet for meet in left if meet not in group]
    return found


def _operands(meets: Iterable[Meet]) -> list[Expression]:
    """What occurs in MEETS, each once."""
    return sorted_by_text({form for meet in meets for form in meet})


def _uses(meets: Iterable[Meet], form: Expression) -> int:
    """How many of MEETS have FORM."""
    return sum(form in meet for meet in meets)


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
