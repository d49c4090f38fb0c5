"""Rules of integers modulo 2^w: identities, and polynomials as normal form of sums, products and shifts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from volcli.equivalence.terms.terms import Operator, ScalarTerm, ScalarTerms
from volcli.limits import equivalence as limits

_POLYNOMIAL = "polynomial"
Monomial = tuple[int, ...]
"""The serials of its factors, in order; none: the constant."""
_NEUTRAL: Mapping[str, int] = {
    "addi": 0, "ori": 0, "xori": 0, "muli": 1, "maxui": 0,
}  # fmt: skip
_IDEMPOTENT = ("andi", "ori", "maxsi", "minsi", "maxui", "minui")
_RIGHT = {
    "subi": 0,
    "shli": 0,
    "shrui": 0,
    "shrsi": 0,
    "divui": 1,
    "divsi": 1,
    "floordivsi": 1,
    "ceildivsi": 1,
}


def identity(term: ScalarTerm, operands: Sequence[ScalarTerm]) -> ScalarTerm | None:
    """The operand that a sum with 0, a product with 1, or `x & -1` is."""
    if term.name in ("index_cast", "extsi", "extui", "trunci", "index_castui") and (
        operands[0].kind == term.kind
    ):
        return operands[0]
    if len(operands) != 2 or not isinstance(term.kind, int):
        return None
    one, other = operands
    width = term.kind
    neutral = _NEUTRAL.get(term.name)
    if term.name == "andi":
        neutral = 2**width - 1
    if neutral is not None and one.number == neutral:
        return other
    right = _RIGHT.get(term.name, neutral)
    is_truth = width == 1 and term.name.endswith("divsi")
    return one if right is not None and other.number == right and not is_truth else None


def polynomial(terms: ScalarTerms, term: ScalarTerm, operands: Sequence[ScalarTerm]) -> ScalarTerm | None:
    """A sum, difference, product, or shift to the left by a constant as a polynomial; None of others."""
    width = term.kind
    if not isinstance(width, int):
        return None
    match term.name:
        case "addi" | "subi":
            sign = 1 if term.name == "addi" else -1
            found = _sum(_of(operands[0]), _of(operands[1]), sign)
        case "muli":
            found = _product(_of(operands[0]), _of(operands[1]))
        case "shli" if isinstance(by := operands[1].number, int) and by < width:
            found = _product(_of(operands[0]), {(): 2**by})
        case "xori" if operands[1].number == 2**width - 1 or operands[0].number == 2**width - 1:
            other = operands[0] if operands[1].number == 2**width - 1 else operands[1]
            found = _sum({(): -1}, _of(other), -1)
        case _:
            return _bits(terms, term, operands)
    return None if found is None else _term(terms, found, width, operands)


def _bits(terms: ScalarTerms, term: ScalarTerm, operands: Sequence[ScalarTerm]) -> ScalarTerm | None:
    """`x & x` is x, `x ^ x` and `x & 0` are 0, and what is extended and truncated again is what it was."""
    if len(operands) == 2 and operands[0] is operands[1]:
        if term.name in _IDEMPOTENT:
            return operands[0]
        return terms.constant(0, term.kind) if term.name == "xori" else None
    numbers = [each.number for each in operands]
    if term.name == "andi" and 0 in numbers:
        return terms.constant(0, term.kind)
    if term.name == "trunci" and operands[0].name in ("extsi", "extui"):
        (inner,) = operands[0].operands
        return inner if inner.kind == term.kind else None
    return None


def _of(term: ScalarTerm) -> Mapping[Monomial, int]:
    """TERM as a polynomial: of itself, or of the factors that it has."""
    if isinstance(term.number, int):
        return {(): term.number}
    if term.name == _POLYNOMIAL:
        places = [each.serial for each in term.operands]
        stated = cast("tuple[tuple[Monomial, int], ...]", term.operator.stated)
        return {tuple(places[k] for k in monomial): number for monomial, number in stated}
    return {(term.serial,): 1}


def _factors(operands: Sequence[ScalarTerm]) -> Mapping[int, ScalarTerm]:
    """The terms that polynomials in OPERANDS are of, by their serials."""
    found: dict[int, ScalarTerm] = {}
    for each in operands:
        for factor in each.operands if each.name == _POLYNOMIAL else (each,):
            found[factor.serial] = factor
    return found


def _sum(one: Mapping[Monomial, int], other: Mapping[Monomial, int], sign: int) -> dict[Monomial, int]:
    found = dict(one)
    for monomial, number in other.items():
        found[monomial] = found.get(monomial, 0) + sign * number
    return found


def _product(one: Mapping[Monomial, int], other: Mapping[Monomial, int]) -> dict[Monomial, int] | None:
    if len(one) * len(other) > limits.MONOMIALS:
        return None
    found: dict[Monomial, int] = {}
    for left, a in one.items():
        for right, b in other.items():
            monomial = tuple(sorted((*left, *right)))
            found[monomial] = found.get(monomial, 0) + a * b
    return found


def _term(
    terms: ScalarTerms, found: Mapping[Monomial, int], width: int, operands: Sequence[ScalarTerm]
) -> ScalarTerm:
    """The polynomial FOUND, modulo 2^WIDTH, as a term."""
    numbers = {monomial: number % 2**width for monomial, number in found.items()}
    numbers = {monomial: number for monomial, number in sorted(numbers.items()) if number}
    known = _factors(operands)
    if not numbers:
        return terms.constant(0, width)
    if list(numbers) == [()]:
        return terms.constant(numbers[()], width)
    factors = sorted({serial for monomial in numbers for serial in monomial})
    if list(numbers.items()) == [((factors[0],), 1)]:
        return known[factors[0]]
    places = {serial: k for k, serial in enumerate(factors)}
    stated = tuple((tuple(places[s] for s in monomial), number) for monomial, number in numbers.items())
    return terms.of(Operator(_POLYNOMIAL, stated), width, [known[serial] for serial in factors])
