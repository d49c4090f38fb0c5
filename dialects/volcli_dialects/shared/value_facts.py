"""What holds of the results of integer operations whose operands are unknown: signs and sizes.

Facts that need a sign are stated so that they hold without it: `r >= 0 if b >= 0` is `r - 2^w * min(b, 0)
>= 0`, for r >= -2^w. Where b is known not to be negative, the minimum is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import Operation

from volcli.expressions import Expression, constant, maximum, minimum, value_of
from volcli.reads import Conjunction
from volcli_dialects.shared.wrapping import number, width

_ZERO = constant(0)


def _provided(fact: Expression, premise: Expression, bits: int) -> Expression:
    """FACT >= 0 provided that PREMISE >= 0; FACT is more than -2^(bits + 2) in any case."""
    return fact - minimum(premise, _ZERO) * 2 ** (bits + 2)


def _between_zero_and(bound: Expression, result: Expression, bits: int) -> Conjunction:
    """0 <= RESULT <= BOUND, provided that BOUND is not negative."""
    return _provided(result, bound, bits), _provided(bound - result, bound, bits)


def _stated(op: Operation) -> tuple[Expression, Expression, Expression, int] | None:
    """The operands, the result and its width; None if they are not scalars of more than one bit."""
    bits = width(op.results[0].type)
    if bits is None or bits == 1:
        return None
    a, b = (number(operand) for operand in op.operands)
    return a, b, value_of(op.results[0]), bits


def conjunction_facts(op: Operation) -> Sequence[Conjunction]:
    """0 <= a and b <= a if a >= 0, and likewise for b."""
    if (stated := _stated(op)) is None:
        return [()]
    a, b, r, bits = stated
    return [(*_between_zero_and(a, r, bits), *_between_zero_and(b, r, bits))]


def signed_remainder_facts(op: Operation) -> Sequence[Conjunction]:
    """|r| < |b|, and r is between 0 and a."""
    if (stated := _stated(op)) is None:
        return [()]
    a, b, r, _ = stated
    size = maximum(b, -b)
    return [(size - 1 - r, r + size - 1, maximum(a, _ZERO) - r, r - minimum(a, _ZERO))]


def unsigned_remainder_facts(op: Operation) -> Sequence[Conjunction]:
    """0 <= r < b if b > 0, and 0 <= r <= a if a >= 0."""
    if (stated := _stated(op)) is None:
        return [()]
    a, b, r, bits = stated
    return [(*_between_zero_and(b - 1, r, bits), *_between_zero_and(a, r, bits))]


def unsigned_quotient_facts(op: Operation) -> Sequence[Conjunction]:
    """0 <= q <= a if a >= 0: also of a shift to the right, which is a division."""
    if (stated := _stated(op)) is None:
        return [()]
    a, _, q, bits = stated
    return [_between_zero_and(a, q, bits)]


def signed_quotient_facts(op: Operation) -> Sequence[Conjunction]:
    """q is between 0 and a if b > 0, whichever way it is rounded."""
    if (stated := _stated(op)) is None:
        return [()]
    a, b, q, bits = stated
    above, below = maximum(a, _ZERO) - q, q - minimum(a, _ZERO)
    return [(_provided(above, b - 1, bits), _provided(below, b - 1, bits))]


def signed_shift_facts(op: Operation) -> Sequence[Conjunction]:
    """a floordiv 2^k is between 0 and a, and negative if a is."""
    if (stated := _stated(op)) is None:
        return [()]
    a, _, r, _ = stated
    return [(maximum(a, constant(-1)) - r, r - minimum(a, _ZERO))]


FACTS: Mapping[str, Callable[[Operation], Sequence[Conjunction]]] = {
    "and": conjunction_facts,
    "rems": signed_remainder_facts,
    "remu": unsigned_remainder_facts,
    "divu": unsigned_quotient_facts,
    "ceildivu": unsigned_quotient_facts,
    "shru": unsigned_quotient_facts,
    "divs": signed_quotient_facts,
    "floordivs": signed_quotient_facts,
    "ceildivs": signed_quotient_facts,
    "shrs": signed_shift_facts,
}
"""The facts of each operation, by its name in the index dialect."""
