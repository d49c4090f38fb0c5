"""What holds of the results of integer operations whose operands are unknown: signs and sizes.

Each operation is bounded in cases by the signs of its operands, as a disjunction that one case of satisfies:
`a and b` lies between 0 and a if a >= 0, between a + b + 1 and a if both are negative, and so on. Numbers are
signed; the unsigned number of a negative a of w bits is a + 2^w. Divisors are not 0: that is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from xdsl.ir import Operation

from volcli.language.expressions import Expression, constant, maximum, minimum, value_of
from volcli.language.reads import Conjunction, Disjunction
from volcli_dialects.cases.numbers.wrapping import may_wrap, number, unsigned_number, width

_ZERO = constant(0)
Side = Expression | None
Between = Callable[[Expression, Expression, bool, bool], tuple[Side, Side]]
"""The least and the greatest result for operands a and b, of which each may be negative."""


def _in_cases(between: Between, *, divides: bool = False) -> Callable[[Operation], Sequence[Disjunction]]:
    """The facts of an operation that lies BETWEEN two numbers for each sign of its operands."""

    def facts(op: Operation) -> Sequence[Disjunction]:
        if (stated := _stated(op)) is None:
            return [((),)]
        a, b, r, _ = stated
        found: list[Conjunction] = []
        for a_negative, b_negative in product((False, True), repeat=2):
            signs = (_sign(a, a_negative), _sign(b - int(divides and not b_negative), b_negative))
            low, high = between(a, b, a_negative, b_negative)
            found.append((*signs, *_above(r, low), *_below(r, high)))
        return [tuple(found)]

    return facts


def _sign(number: Expression, negative: bool) -> Expression:
    return -number - 1 if negative else number


def _above(result: Expression, low: Side) -> Conjunction:
    return () if low is None else (result - low,)


def _below(result: Expression, high: Side) -> Conjunction:
    return () if high is None else (high - result,)


def _stated(op: Operation) -> tuple[Expression, Expression, Expression, int] | None:
    """The operands, the result and its width; None if they are not scalars of more than one bit."""
    bits = width(op.results[0].type)
    if bits is None or bits == 1:
        return None
    a, b = (number(operand) for operand in op.operands)
    return a, b, value_of(op.results[0]), bits


def _conjunction(a: Expression, b: Expression, a_negative: bool, b_negative: bool) -> tuple[Side, Side]:
    """No bit that one of them lacks: 12 and 9 is at most 9; not(a and b) is at most not a + not b."""
    if a_negative and b_negative:
        return a + b + 1, minimum(a, b)
    return _ZERO, a if b_negative else b if a_negative else minimum(a, b)


def _disjunction(a: Expression, b: Expression, a_negative: bool, b_negative: bool) -> tuple[Side, Side]:
    """All bits of both: 12 or 9 is at least 12, and at most 21; of negative ones, at least the larger."""
    if not a_negative and not b_negative:
        return maximum(a, b), a + b
    return (maximum(a, b) if a_negative and b_negative else a if a_negative else b), constant(-1)


def _difference(a: Expression, b: Expression, a_negative: bool, b_negative: bool) -> tuple[Side, Side]:
    """At most the sum, for exclusive or is the sum without carries; not a is -a - 1."""
    if a_negative == b_negative:
        return _ZERO, (-a - b - 2 if a_negative else a + b)
    return (a - b if a_negative else b - a), constant(-1)


def _quotient(a: Expression, b: Expression, a_negative: bool, b_negative: bool) -> tuple[Side, Side]:
    """Between 0 and a, or -a, for |b| >= 1, whichever way it is rounded."""
    end = -a if b_negative else a
    return (end, _ZERO) if a_negative != b_negative else (_ZERO, end)


def _floor(a: Expression, b: Expression, a_negative: bool, b_negative: bool) -> tuple[Side, Side]:
    """The same, and negative if the quotient is."""
    low, high = _quotient(a, b, a_negative, b_negative)
    return (low, constant(-1)) if a_negative and not b_negative else (low, high)


def _shift(a: Expression, b: Expression, a_negative: bool, b_negative: bool) -> tuple[Side, Side]:
    """a floordiv 2^k is between 0 and a, and negative if a is; by a negative k it is poison."""
    return (a, constant(-1)) if a_negative else (_ZERO, a)


def signed_remainder_facts(op: Operation) -> Sequence[Disjunction]:
    """|r| < |b|, and r is between 0 and a."""
    if (stated := _stated(op)) is None:
        return [((),)]
    a, b, r, _ = stated
    size = maximum(b, -b)
    return [((size - 1 - r, r + size - 1, maximum(a, _ZERO) - r, r - minimum(a, _ZERO)),)]


def unsigned_remainder_facts(op: Operation) -> Sequence[Disjunction]:
    """0 <= r < b for b > 0, and r <= a for a >= 0; if b is negative, r is a or a - b."""
    if (stated := _stated(op)) is None:
        return [((),)]
    a, b, r, _ = stated
    inside = (b - 1, r, b - 1 - r)
    is_a = (r - a, a - r)
    return [(
        (*inside, a, a - r),
        (*inside, -a - 1),
        (-b - 1, a, *is_a),
        (-b - 1, b - a - 1, *is_a),
        (-b - 1, -a - 1, a - b, r - a + b, a - b - r),
    )]  # fmt: skip


def unsigned_quotient_facts(op: Operation) -> Sequence[Disjunction]:
    """0 <= q <= a for a >= 0; half of the largest number at most, unless b is 1; 0 or 1 for a negative b."""
    if (stated := _stated(op)) is None:
        return [((),)]
    a, b, q, bits = stated
    return [(
        (b - 1, a, q, a - q),
        (b - 1, 1 - b, q - a, a - q),
        (b - 2, -a - 1, q, 2 ** (bits - 1) - 1 - q),
        (-b - 1, a, q, -q),
        (-b - 1, -a - 1, q, 1 - q),
    )]  # fmt: skip


def unsigned_upper_quotient_facts(op: Operation) -> Sequence[Disjunction]:
    """The same rounded up: for a negative b, 1 or 2 unless a is 0; half of 2^w is negative."""
    if (stated := _stated(op)) is None:
        return [((),)]
    a, b, q, _ = stated
    return [((b - 1, a, q, a - q), (b - 1, -a - 1), (-b - 1, a, q, 1 - q), (-b - 1, -a - 1, q - 1, 2 - q))]


def unsigned_shift_facts(op: Operation) -> Sequence[Disjunction]:
    """0 <= r <= a for a >= 0; no sign bit remains if it is shifted at all; by a negative k it is poison."""
    if (stated := _stated(op)) is None:
        return [((),)]
    a, k, r, bits = stated
    return [(
        (a, r, a - r),
        (k, -k, r - a, a - r),
        (k - 1, -a - 1, r, 2 ** (bits - 1) - 1 - r),
        (-k - 1,),
    )]  # fmt: skip


FACTS: Mapping[str, Callable[[Operation], Sequence[Disjunction]]] = {
    "and": _in_cases(_conjunction),
    "or": _in_cases(_disjunction),
    "xor": _in_cases(_difference),
    "rems": signed_remainder_facts,
    "remu": unsigned_remainder_facts,
    "divu": unsigned_quotient_facts,
    "ceildivu": unsigned_upper_quotient_facts,
    "shru": unsigned_shift_facts,
    "divs": _in_cases(_quotient, divides=True),
    "floordivs": _in_cases(_floor, divides=True),
    "ceildivs": _in_cases(_quotient, divides=True),
    "shrs": _in_cases(_shift),
}
"""The facts of each operation, by its name in the index dialect."""

DIVISIONS = ("divs", "divu", "ceildivs", "ceildivu", "floordivs", "rems", "remu")
"""The operations whose second operand is a divisor, by their names in the index dialect."""


OVERFLOWING_DIVISIONS = ("divs", "ceildivs", "floordivs")
"""Those of the least number by -1 are undefined, as the quotient does not fit; its remainder is 0."""


def divisor_is_not_zero(op: Operation) -> Sequence[Disjunction]:
    """`b >= 1 or b <= -1`: what has divided by 0 is undefined, and so is all that comes after it."""
    if width(op.results[0].type) is None:
        return []
    divisor = number(op.operands[1])
    return [((divisor - 1,), (-divisor - 1,))]


def quotient_fits(op: Operation) -> Sequence[Disjunction]:
    """That, and `a > -2^(w-1) or b >= 0 or b <= -2`; of 64 bits, a is taken to be small enough.

    The i1 that is true is the least number, and -1: only 0 can be divided by it.
    """
    found, kind = divisor_is_not_zero(op), op.results[0].type
    bits = width(kind)
    if bits is None or not may_wrap(kind):
        return found
    a, b = (number(operand) for operand in op.operands)
    if bits == 1:
        return [*found, ((-a,),)]
    cases = (a + 2 ** (bits - 1) - 1, b, -b - 2)
    if any(each.is_constant and each.constant >= 0 for each in cases):
        return found
    return [*found, tuple((each,) for each in cases if not each.is_constant)]


def shift_has_bits(op: Operation) -> Sequence[Disjunction]:
    """`0 <= k < w`: what is shifted by more is poison."""
    bits = width(op.results[0].type)
    if bits is None:
        return []
    k = unsigned_number(op.operands[1]) if bits == 1 else number(op.operands[1])
    return [((k, bits - 1 - k),)]


DEMANDS: Mapping[str, Callable[[Operation], Sequence[Disjunction]]] = {
    name: quotient_fits if name in OVERFLOWING_DIVISIONS else divisor_is_not_zero for name in DIVISIONS
}
"""What each division demands of its operands, by its name in the index dialect."""
