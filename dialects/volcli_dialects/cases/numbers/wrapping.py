"""Integer arithmetic modulo 2^w, in mathematical integers: unsigned, bitwise and resizing operations.

The number of an integer of w > 1 bits is its signed one, in [-2^(w-1), 2^(w-1)); an i1 is 0 or 1; an index
has 64 bits. The unsigned number is the signed one modulo 2^w. So `divui %x, 3` on i8 is (x mod 256)
floordiv 3, which is 85 for x = -1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import IndexType, IntegerType, i1, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from volcli.language.expressions import Expression, constant, maximum, minimum, value_of
from volcli.language.questions import index_value
from volcli.limits import dialects as limits


def width(kind: Attribute) -> int | None:
    """The number of bits of a scalar integer type; None for other types."""
    if isinstance(kind, IndexType):
        return 64
    return kind.bitwidth if isinstance(kind, IntegerType) else None


def may_wrap(kind: Attribute) -> bool:
    """Whether arithmetic on KIND may overflow; on index and i64 it is taken not to."""
    return not isinstance(kind, IndexType) and kind != i64


def unsigned(number: Expression, bits: int) -> Expression:
    """The unsigned number of BITS bits that is congruent to NUMBER: `number mod 2^bits`."""
    return number % 2**bits


def signed(number: Expression, bits: int) -> Expression:
    """The signed number of BITS bits that is congruent to NUMBER: signed(200, 8) = -56."""
    half: int = 2 ** (bits - 1)
    return (number + half) % (2 * half) - half


def wrapped(number: Expression, kind: Attribute) -> Expression:
    """The number of the integer type KIND that is congruent to NUMBER."""
    bits = width(kind)
    assert bits is not None, "not an integer type"
    return number % 2 if bits == 1 else signed(number, bits)


def number(value: SSAValue) -> Expression:
    """VALUE, as a constant if it is one: divisors must be."""
    made = value.op if isinstance(value, OpResult) and not value.op.operands else None
    known = index_value(made) if made is not None else None
    return known if known is not None and known.is_constant else value_of(value)


def unsigned_number(value: SSAValue) -> Expression:
    """The unsigned number of VALUE."""
    bits = width(value.type)
    assert bits is not None, "not an integer"
    return number(value) if bits == 1 else unsigned(number(value), bits)


def signed_number(value: SSAValue) -> Expression:
    """The signed number of VALUE: -1 for the i1 that is true."""
    return -number(value) if value.type == i1 else number(value)


def resized(
    value: SSAValue, kind: Attribute, extended: Callable[[SSAValue], Expression]
) -> Expression | None:
    """VALUE in the type KIND: EXTENDED to more bits, or its lowest bits."""
    old, new = width(value.type), width(kind)
    if old is None or new is None:
        return None
    if new > old:
        return extended(value)
    return value_of(value) if new == old else wrapped(value_of(value), kind)


def truncating(numerator: Expression, divisor: Expression) -> Expression:
    """Division towards zero: `max(floor(n/d), 0) + min(ceil(n/d), 0)` for a positive d; n/n is 1."""
    if numerator == divisor:
        return constant(1)
    return maximum(numerator // divisor, constant(0)) + minimum(numerator.ceildiv(divisor), constant(0))


def rounded_down(numerator: Expression, divisor: Expression) -> Expression:
    """floor(n/d); n/n is 1, for a division by 0 is undefined."""
    return constant(1) if numerator == divisor else numerator // divisor


def rounded_up(numerator: Expression, divisor: Expression) -> Expression:
    """ceil(n/d); n/n is 1."""
    return constant(1) if numerator == divisor else numerator.ceildiv(divisor)


# -- unsigned operations -------------------------------------------------------------------------------


def is_of_itself(op: Operation) -> bool:
    """Whether both operands are one value: then the result is often known, whatever that is."""
    return op.operands[0] is op.operands[1]


def divided(op: Operation) -> Expression | None:
    """floor(a / d), both unsigned, d a constant; half of the largest number has no sign bit. a / a is 1."""
    if is_of_itself(op):
        return constant(1)
    d = unsigned_number(op.operands[1])
    if not d.is_constant or d.constant == 0:
        return None
    return value_of(op.operands[0]) if d.constant == 1 else unsigned_number(op.operands[0]) // d


def divided_up(op: Operation) -> Expression | None:
    """ceil(a / d), both unsigned, d a constant; ceil(255 / 2) = 128 is the i8 -128."""
    if is_of_itself(op):
        return constant(1)
    d = unsigned_number(op.operands[1])
    if not d.is_constant or d.constant == 0:
        return None
    if d.constant == 1:
        return value_of(op.operands[0])
    quotient = unsigned_number(op.operands[0]).ceildiv(d)
    return wrapped(quotient, op.results[0].type) if d.constant == 2 else quotient


def remainder(op: Operation) -> Expression | None:
    """a mod d, both unsigned, d a constant; if d divides 2^w, the sign of a does not matter."""
    if is_of_itself(op):
        return constant(0)
    d, bits = unsigned_number(op.operands[1]), width(op.results[0].type)
    if not d.is_constant or d.constant == 0 or bits is None:
        return None
    if 2**bits % d.constant == 0:
        return value_of(op.operands[0]) % d
    rest = unsigned_number(op.operands[0]) % d
    return rest if d.constant <= 2 ** (bits - 1) else wrapped(rest, op.results[0].type)


def shifted_right(op: Operation) -> Expression | None:
    """a floordiv 2^k for the unsigned a; what is shifted by nothing keeps its sign."""
    k, bits = number(op.operands[1]), width(op.results[0].type)
    if not k.is_constant or bits is None or not 0 <= k.constant < bits:
        return None
    return unsigned_number(op.operands[0]) // 2**k.constant if k.constant else value_of(op.operands[0])


def least(op: Operation) -> Expression | None:
    """min(a, b) of the unsigned numbers."""
    return _extremum(op, minimum)


def largest(op: Operation) -> Expression | None:
    """max(a, b) of the unsigned numbers."""
    return _extremum(op, maximum)


def _extremum(op: Operation, choose: Callable[..., Expression]) -> Expression | None:
    kind = op.results[0].type
    if is_of_itself(op):
        return value_of(op.operands[0])
    a, b = (unsigned_number(operand) for operand in op.operands)
    return choose(a, b) if kind == i1 else wrapped(choose(a, b), kind)


# -- bitwise operations --------------------------------------------------------------------------------


def masked(a: Expression, mask: int) -> Expression | None:
    """`a and mask`: each run of ones, from bit i up to bit j, gives `a mod 2^j - a mod 2^i`.

    a and 6 = a mod 8 - a mod 2; a and -4 = a - a mod 4, for the ones of a negative number go on forever.
    """
    result, low, runs = constant(0), 0, 0
    while mask not in (0, -1):
        skipped = (mask & -mask).bit_length() - 1
        mask, low = mask >> skipped, low + skipped
        if mask == -1:
            break
        ones = (~mask & (mask + 1)).bit_length() - 1
        result = result + a % 2 ** (low + ones) - a % 2**low
        mask, low, runs = mask >> ones, low + ones, runs + 1
    if runs > limits.MASK_RUNS:
        return None
    return result + a - a % 2**low if mask == -1 else result


def _common(op: Operation) -> tuple[Expression, Expression, Expression | None]:
    """The operands, and the bits that both have; None if those are not known."""
    a, b = (number(operand) for operand in op.operands)
    if is_of_itself(op):
        return a, b, a
    if a.is_constant:
        a, b = b, a
    if a.is_constant and b.is_constant:
        return a, b, constant(a.constant & b.constant)
    if b.is_constant:
        return a, b, masked(a, -b.constant if op.results[0].type == i1 else b.constant)
    return a, b, minimum(a, b) if op.results[0].type == i1 else None


def conjunction(op: Operation) -> Expression | None:
    """The bits that both have."""
    return _common(op)[2]


def disjunction(op: Operation) -> Expression | None:
    """a + b, less the bits that both have."""
    a, b, common = _common(op)
    return None if common is None else a + b - common


def difference(op: Operation) -> Expression | None:
    """Exclusive or: a + b, less twice the bits that both have."""
    a, b, common = _common(op)
    return None if common is None else a + b - common * 2


def lowest_bits(op: Operation) -> Expression | None:
    """`a and (2^k - 1)` = a mod 2^k, for a constant of this form only."""
    _, b, common = _common(op)
    return common if b.is_constant and b.constant >= 0 and b.constant & (b.constant + 1) == 0 else None


UNITS: Mapping[str, int] = {
    "and": -1, "or": 0, "xor": 0, "shl": 0, "shrs": 0, "shru": 0,
    "divs": 1, "divu": 1, "floordivs": 1, "ceildivs": 1, "ceildivu": 1,
}  # fmt: skip
"""The second operand with which the result is the first one, on more than one bit, by operation."""

UNSIGNED: Mapping[str, Callable[[Operation], Expression | None]] = {
    "divu": divided,
    "ceildivu": divided_up,
    "remu": remainder,
    "shru": shifted_right,
    "minu": least,
    "maxu": largest,
    "and": conjunction,
    "or": disjunction,
    "xor": difference,
}
"""The value of each operation on integers of any width, by its name in the index dialect."""


# -- comparisons ---------------------------------------------------------------------------------------


def _positive(number: Expression) -> Expression:
    """1 if NUMBER is positive, else 0."""
    return minimum(maximum(number, constant(0)), constant(1))


def truth(predicate: str, left: SSAValue, right: SSAValue) -> Expression | None:
    """1 where `left PREDICATE right`, else 0."""
    if width(left.type) is None:
        return None
    read = unsigned_number if predicate.startswith("u") else signed_number
    a, b = read(left), read(right)
    greater, less = _positive(a - b), _positive(b - a)
    table = {
        "eq": 1 - greater - less, "ne": greater + less,
        "lt": less, "le": 1 - greater, "gt": greater, "ge": 1 - less,
    }  # fmt: skip
    return table[predicate[-2:]]
