"""Quotients and remainders by values, in cases by the signs of their operands, over quotients rounded down.

    a / b for b >= 1                       q,     q = floor(a / b)
    rounded up                             q + 1, q = floor((a - 1) / b)
    rounded towards zero, for a < 0        the same
    the remainder                          a - b * (a / b)

For a negative divisor, both numbers change their signs. A division by a constant is an expression, and needs
none of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.ir import Operation

from volcli.language.expressions import Expression, value_of
from volcli.language.questions import FloorQuotients, ResultCases
from volcli.language.reads import Conjunction
from volcli_dialects.cases.numbers.wrapping import may_wrap, number, width

Case = tuple[Conjunction, Expression]
"""Where some expressions are at least 0, what the result is."""
Cases = Callable[[FloorQuotients, Expression, Expression], Iterator[Case]]


def _down(quotients: FloorQuotients, a: Expression, b: Expression) -> Iterator[Case]:
    """floor(a / b)."""
    yield (b - 1,), quotients.down(a, b)
    yield (-b - 1,), quotients.down(-a, -b)


def _up(quotients: FloorQuotients, a: Expression, b: Expression) -> Iterator[Case]:
    """ceil(a / b)."""
    yield (b - 1,), quotients.up(a, b)
    yield (-b - 1,), quotients.up(-a, -b)


def _truncated(quotients: FloorQuotients, a: Expression, b: Expression) -> Iterator[Case]:
    """a / b rounded towards zero: down where the signs agree."""
    yield (a, b - 1), quotients.down(a, b)
    yield (-a - 1, b - 1), quotients.up(a, b)
    yield (a, -b - 1), quotients.up(-a, -b)
    yield (-a - 1, -b - 1), quotients.down(-a, -b)


def _remainder(quotients: FloorQuotients, a: Expression, b: Expression) -> Iterator[Case]:
    """a - b * (a / b), which has the sign of a."""
    for where, quotient in _truncated(quotients, a, b):
        yield where, a - b * quotient


def _signed(cases: Cases) -> Callable[[Operation], Sequence[ResultCases | None]]:
    def determined(op: Operation) -> Sequence[ResultCases | None]:
        if not _is_determined(op):
            return [None]
        a, b = (number(operand) for operand in op.operands)
        quotients, result = FloorQuotients(), value_of(op.results[0])
        found = [(*where, result - e, e - result, *_fits(op)) for where, e in cases(quotients, a, b)]
        return [ResultCases(tuple(found), quotients.floors, undefined=((b, -b),))]

    return determined


def _is_determined(op: Operation) -> bool:
    """Whether the operands determine the result; under `exact`, it is poison for some of them."""
    return width(op.results[0].type) not in (None, 1) and "isExact" not in op.properties


def _fits(op: Operation) -> Conjunction:
    """The result is no larger than its type: that of the least number by -1 would be, if not of 64 bits."""
    kind, result = op.results[0].type, value_of(op.results[0])
    bits = width(kind)
    return () if bits is None or not may_wrap(kind) else (2 ** (bits - 1) - 1 - result,)


def _unsigned(cases: Cases) -> Callable[[Operation], Sequence[ResultCases | None]]:
    """As the signed operation, if both operands are not negative."""

    def determined(op: Operation) -> Sequence[ResultCases | None]:
        if not _is_determined(op):
            return [None]
        a, b = (number(operand) for operand in op.operands)
        quotients, result = FloorQuotients(), value_of(op.results[0])
        where, found = next(cases(quotients, a, b))
        natural = (a, *where, result - found, found - result)
        return [ResultCases((natural,), quotients.floors, ((-a - 1,), (-b - 1,)), ((b, -b),))]

    return determined


QUOTIENTS: Mapping[str, Callable[[Operation], Sequence[ResultCases | None]]] = {
    "floordivs": _signed(_down),
    "ceildivs": _signed(_up),
    "divs": _signed(_truncated),
    "rems": _signed(_remainder),
    "divu": _unsigned(_down),
    "ceildivu": _unsigned(_up),
    "remu": _unsigned(_remainder),
}
"""What determines the result of each division, by its name in the index dialect."""
