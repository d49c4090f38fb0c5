"""What polynomials become along rays: `start + t * direction`, for all large t.

A form of symbols that move along a ray is a polynomial in t, where its quotients are of symbols that stand;
an extremum is the operand that is the extreme one for large t. So a form has no least number over the points
of some facts if along one ray all facts become true and the form falls below all numbers.

    x >= 0, y >= 0,  x * y - 3 * x     falls along (x, y) = (t, 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product, zip_longest

from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    Mod,
    Monomial,
)

Polynomial = tuple[int, ...]
"""The coefficients of 1, t, t^2, ...; the last one is not 0, but for the polynomial 0."""


def falls_along_some(start: Mapping[Atom, int], form: Expression, facts: Iterable[Expression]) -> bool:
    """Whether along a ray from START, a step of at most 1 in each symbol, FACTS become true and FORM falls.

    >>> from volcli.language.expressions import parameter
    >>> x, y = parameter("x"), parameter("y")
    >>> start = {x.single_atom: 0, y.single_atom: 1}
    >>> falls_along_some(start, x * y - x * 3, (x, y)), falls_along_some(start, x * y, (x, y))
    (True, False)
    """
    facts = tuple(facts)
    for direction in product((0, 1, -1), repeat=len(start)):
        at = {
            atom: (first, step) if step else (first,)
            for (atom, first), step in zip(start.items(), direction, strict=True)
        }
        falling = along(form, at)
        if falling is None or len(falling) == 1 or falling[-1] > 0:
            continue
        ends = (along(fact, at) for fact in facts)
        if all(end is not None and end[-1] >= 0 for end in ends):
            return True
    return False


def along(form: Expression, at: Mapping[Atom, Polynomial]) -> Polynomial | None:
    """What FORM is for large t where its symbols are AT these polynomials; None if it is not a polynomial."""
    total: Polynomial = (form.constant,)
    for atom, factor in form.terms:
        found = _of_atom(atom, at)
        if found is None:
            return None
        total = _sum(total, found, factor)
    return total


def _of_atom(atom: Atom, at: Mapping[Atom, Polynomial]) -> Polynomial | None:
    if atom in at:
        return at[atom]
    match atom:
        case Monomial():
            result: Polynomial = (1,)
            for each in atom.factors:
                found = _of_atom(each, at)
                if found is None:
                    return None
                result = _product(result, found)
            return result
        case Minimum(operands) | Maximum(operands):
            known = [found for each in operands if (found := along(each, at)) is not None]
            if len(known) < len(operands):
                return None
            return (min if isinstance(atom, Minimum) else max)(known, key=_at_last)
        case FloorDiv(numerator, divisor) | Mod(numerator, divisor):
            found = along(numerator, at)
            if found is None or len(found) != 1:
                return None
            (standing,) = found
            return (standing // divisor if isinstance(atom, FloorDiv) else standing % divisor,)
        case _:
            return None


def _sum(left: Polynomial, right: Polynomial, factor: int) -> Polynomial:
    if len(left) == len(right) == 1:
        return (left[0] + factor * right[0],)
    return _trimmed([a + factor * b for a, b in zip_longest(left, right, fillvalue=0)])


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    found = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            found[i + j] += a * b
    return _trimmed(found)


def _trimmed(coefficients: list[int]) -> Polynomial:
    while len(coefficients) > 1 and not coefficients[-1]:
        coefficients.pop()
    return tuple(coefficients)


def _at_last(polynomial: Polynomial) -> tuple[int, ...]:
    """What orders polynomials as they are for large t."""
    sign = 1 if polynomial[-1] > 0 else -1
    return sign * len(polynomial) if len(polynomial) > 1 else 0, *reversed(polynomial)
