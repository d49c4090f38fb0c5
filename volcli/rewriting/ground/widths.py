"""How wide numbers of expressions are: MLIR's index values have 64 bits here."""

from __future__ import annotations

from collections.abc import Iterator

from volcli.language.expressions import Expression, FloorDiv, Maximum, Minimum, Mod, Monomial
from volcli.limits.widths import in_64_bits


def fits(expression: Expression) -> bool:
    """Whether each number in EXPRESSION is one of 64 bits with a sign: MLIR has no others."""
    return all(in_64_bits(number) for number in _numbers(expression))


def _numbers(expression: Expression) -> Iterator[int]:
    """The constant, the factors and the divisors, inside and out."""
    yield expression.constant
    for atom, factor in expression.terms:
        yield factor
        match atom:
            case FloorDiv(numerator, divisor) | Mod(numerator, divisor):
                yield divisor
                yield from _numbers(numerator)
            case Minimum(operands) | Maximum(operands):
                for operand in operands:
                    yield from _numbers(operand)
            case Monomial(left, right):
                yield from _numbers(left)
                yield from _numbers(right)
            case _:
                pass
