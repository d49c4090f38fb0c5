"""Rules of floats that are exact in IEEE 754, the sign of zeros included; the bits of NaN are not compared.

x * 1, x / 1, x + -0, x - 0         x; but x + 0 is 0 for x = -0
x * -1                              -x
x - y                               x + -y
x * -y, -x / y                      -(x * y), -(x / y)
x * 2                               x + x
x + NaN, x * NaN                    NaN
|-x|, ||x||                         |x|
x / 2^k                             x * 2^-k, if that is a normal number of the format
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from volcli.equivalence.terms.folding import rounded
from volcli.equivalence.terms.terms import Operator, ScalarTerm, ScalarTerms

_NEUTRAL = {"mulf": 1.0, "addf": -0.0}
_NEUTRAL_RIGHT = {"subf": 0.0, "divf": 1.0}
_LEAST = {"f16": 2.0**-14, "f32": 2.0**-126, "f64": 2.0**-1022}
"""The least normal number of a format."""


_PROPAGATES_NAN = frozenset(
    ("addf", "subf", "mulf", "divf", "remf", "negf", "maximumf", "minimumf", "extf", "truncf")
)
"""Operations that are NaN where an operand is."""


def _is(term: ScalarTerm, number: float | None) -> bool:
    """Whether TERM is the constant NUMBER, with its sign."""
    known = term.number
    return known is not None and number is not None and repr(float(known)) == repr(number)


def identity(term: ScalarTerm, operands: Sequence[ScalarTerm]) -> ScalarTerm | None:
    """The operand that `x * 1`, `x + -0`, `x - 0` or `x / 1` is."""
    if len(operands) != 2:
        return None
    one, other = operands
    if _is(other, _NEUTRAL.get(term.name, _NEUTRAL_RIGHT.get(term.name))):
        return one
    if _is(one, _NEUTRAL.get(term.name)):
        return other
    return None


def exact(terms: ScalarTerms, term: ScalarTerm, operands: Sequence[ScalarTerm]) -> ScalarTerm | None:
    """TERM as the operation that it is exactly; None if it stays as it is."""
    kind = term.kind
    if term.name in _PROPAGATES_NAN and any(
        each.number is not None and each.number != each.number for each in operands
    ):
        return terms.constant(math.nan, kind)
    match term.name, operands:
        case "subf", (one, other) if _is(one, -0.0):
            return _negated(terms, other)
        case "subf", (one, other):
            return _ordered(terms, "addf", kind, one, _negated(terms, other))
        case (("maximumf" | "minimumf"), (one, other)) if one is other:
            return one
        case "mulf" | "divf", (one, other):
            return _scaled(terms, term, one, other)
        case (("absf" | "math.absf"), (one,)) if one.name == "negf":
            return terms.of(Operator(term.name), kind, one.operands)
        case (("absf" | "math.absf"), (one,)) if one.name == term.name:
            return one
        case "negf", (one,) if one.number is not None or one.name == "negf":
            return _negated(terms, one)
        case "extf", (one,) if one.name == "extf":
            return terms.of(Operator("extf"), kind, one.operands)
        case "truncf", (one,) if one.name == "extf" and one.operands[0].kind == kind:
            return one.operands[0]
        case _:
            return None


def _scaled(terms: ScalarTerms, term: ScalarTerm, one: ScalarTerm, other: ScalarTerm) -> ScalarTerm | None:
    """A product or quotient without negations of its operands, or by a constant."""
    name, kind = term.name, term.kind
    sides = ((one, other), (other, one)) if name == "mulf" else ((one, other),)
    for left, right in sides:
        if _is(right, -1.0):
            return _negated(terms, left)
        if name == "mulf" and _is(right, 2.0):
            return _ordered(terms, "addf", kind, left, left)
        if name == "divf" and (inverse := _inverse(right, str(kind))) is not None:
            return exact(terms, terms.of(Operator("mulf"), kind), (left, terms.constant(inverse, kind))) or (
                _ordered(terms, "mulf", kind, left, terms.constant(inverse, kind))
            )
    plain = [_without_sign(terms, each) for each in (one, other)]
    if all(is_same for _, is_same in plain):
        return None
    inner = (
        _ordered(terms, name, kind, plain[0][0], plain[1][0])
        if name == "mulf"
        else terms.of(Operator(name), kind, [each for each, _ in plain])
    )
    return inner if plain[0][1] is plain[1][1] else _negated(terms, inner)


def _without_sign(terms: ScalarTerms, term: ScalarTerm) -> tuple[ScalarTerm, bool]:
    """What TERM is the negation of, and False; or itself, and True. Constants are positive."""
    if term.name == "negf":
        return term.operands[0], False
    number = term.number
    if number is not None and math.copysign(1.0, number) < 0 and not math.isnan(number):
        return terms.constant(-number, term.kind), False
    return term, True


def _negated(terms: ScalarTerms, term: ScalarTerm) -> ScalarTerm:
    if term.name == "negf":
        return term.operands[0]
    if term.number is not None:
        return terms.constant(-term.number, term.kind)
    return terms.of(Operator("negf"), term.kind, [term])


def _ordered(
    terms: ScalarTerms, name: str, kind: int | str, one: ScalarTerm, other: ScalarTerm
) -> ScalarTerm:
    return terms.of(Operator(name), kind, sorted((one, other), key=lambda each: each.serial))


def _inverse(divisor: ScalarTerm, kind: str) -> float | None:
    """1 / DIVISOR, if that is a power of two, and it and the inverse are normal numbers of the format."""
    number = divisor.number
    if number is None or kind not in _LEAST or not number or not math.isfinite(number):
        return None
    mantissa, _ = math.frexp(abs(number))
    inverse = 1 / number
    is_normal = min(abs(number), abs(inverse)) >= _LEAST[kind] and rounded(inverse, kind) == inverse
    return inverse if mantissa == 0.5 and is_normal and number not in (1.0, -1.0) else None
