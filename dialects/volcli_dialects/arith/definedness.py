"""When operations of arith have a result: elsewhere they are undefined at once, or their result is poison.

    undefined at once   any division by 0; divsi, ceildivsi, floordivsi of the least number by -1 (`demands`)
    poison              what `overflow<nsw, nuw>` and `exact` exclude; shifts by the width and more

The least number modulo -1 is 0. Where an operation that is undefined has run, its operands fulfilled what it
demands. Poison may be computed and not used: it restricts its own operands only where it is asked for itself.

Arithmetic on 64 bits is taken not to overflow, with flags and without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import Expression, NotAffine
from volcli.language.questions import poison_free
from volcli.language.reads import Disjunction
from volcli_dialects.arith.ops import CAST_CLASSES
from volcli_dialects.cases.numbers.value_facts import shift_has_bits
from volcli_dialects.cases.numbers.wrapping import (
    may_wrap,
    number,
    signed_number,
    unsigned_number,
    width,
)

_COMPUTED: Mapping[type[Operation], Callable[[Expression, Expression], Expression]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
}


def flags_of(op: Operation) -> frozenset[IntegerOverflowFlag]:
    """The overflow flags of OP."""
    flags = op.properties.get("overflowFlags")
    return frozenset(flags.data) if isinstance(flags, IntegerOverflowAttr) else frozenset()


def shifted_by(op: Operation) -> int | None:
    """The number of bits by which OP shifts, if it is one that has a result."""
    k, bits = number(op.operands[1]), width(op.results[0].type)
    return k.constant if bits is not None and k.is_constant and 0 <= k.constant < bits else None


def _keeps_promises(op: Operation) -> list[Disjunction]:
    kind = op.results[0].type
    bits = width(kind)
    if bits is None or not may_wrap(kind):
        return []
    found: list[Disjunction] = []
    for flag, read in ((IntegerOverflowFlag.NSW, signed_number), (IntegerOverflowFlag.NUW, unsigned_number)):
        if flag in flags_of(op):
            found += _within(_computed(op, read), bits, is_signed=flag is IntegerOverflowFlag.NSW)
    return found


def _computed(op: Operation, read: Callable[[SSAValue], Expression]) -> Expression:
    """What OP computes of its operands, READ with or without a sign, in mathematical integers."""
    if isinstance(op, arith.ShLIOp):
        return read(op.operands[0]) * _power(op)
    compute = next(each for kind, each in _COMPUTED.items() if isinstance(op, kind))
    return compute(read(op.operands[0]), read(op.operands[1]))


def _power(op: Operation) -> int:
    """The power of 2 that OP multiplies with, or divides by; 1 if it always shifts by too many bits."""
    k, by = number(op.operands[1]), shifted_by(op)
    if by is None and not k.is_constant:
        raise NotAffine("a shift by a value")
    return 1 if by is None else 2**by


def _within(exact: Expression, bits: int, *, is_signed: bool) -> list[Disjunction]:
    """EXACT is a signed, or an unsigned, number of so many BITS."""
    half: int = 2 ** (bits - 1)
    low, high = (-half, half - 1) if is_signed else (0, 2 * half - 1)
    return [((exact - low, high - exact),)]


@poison_free.case(CAST_CLASSES["trunci"])
def number_fits(op: Operation) -> Sequence[Disjunction]:
    """The same of a number that loses bits."""
    bits = width(op.results[0].type)
    if bits is None:
        return []
    found: list[Disjunction] = []
    for flag, read in ((IntegerOverflowFlag.NSW, signed_number), (IntegerOverflowFlag.NUW, unsigned_number)):
        if flag in flags_of(op):
            found += _within(read(op.operands[0]), bits, is_signed=flag is IntegerOverflowFlag.NSW)
    return found


def _is_exact(op: Operation) -> Sequence[Disjunction]:
    if "isExact" not in op.properties or width(op.results[0].type) in (None, 1):
        return []
    is_signed = isinstance(op, arith.DivSIOp | arith.ShRSIOp)
    read = signed_number if is_signed else unsigned_number
    if isinstance(op, arith.ShRSIOp | arith.ShRUIOp):
        divisor = _power(op)
    else:
        known = read(op.operands[1])
        if not known.is_constant:
            raise NotAffine("a remainder by a value")
        divisor = abs(known.constant)
    if divisor < 2:
        return []
    rest = read(op.operands[0]) % divisor
    return [((-rest,),)]


# `overflow<nsw>`: the signed numbers give one of the type; `nuw`: so do the unsigned ones.
poison_free.case(arith.AddiOp, arith.SubiOp, arith.MuliOp)(lambda op: _keeps_promises(op))
# That, and a number of bits to shift by that the type has.
#
# Raises NotAffine for a promise about a number of bits that is not constant.
poison_free.case(arith.ShLIOp)(lambda op: [*_keeps_promises(op), *shift_has_bits(op)])
# A number of bits to shift by that the type has; `exact`: those that are shifted out are 0.
poison_free.case(arith.ShRSIOp, arith.ShRUIOp)(lambda op: [*shift_has_bits(op), *_is_exact(op)])
# `exact`: the divisor divides the dividend. Raises NotAffine for one that is not a number.
poison_free.case(arith.DivSIOp, arith.DivUIOp)(lambda op: _is_exact(op))
