"""The kinds of numbers that arith operations compute, and which of them can tell +0 from -0.

`maximumf`, `minimumf`, `maxnumf` and `minnumf` of two zeros give a zero; its sign is not relied on. Integers
have one zero, so that what is said of floats' signs concerns the conversions from them alone: `bitcast` sees
the sign, fptosi(-0.0) is 0.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
)
from xdsl.ir import Attribute, Operation

from volcli.language import kinds
from volcli.language.kinds import ANYTHING, INTEGERS, NOT_FINITE, KindsOf
from volcli.language.questions import ignores_sign, number_kinds
from volcli.language.reads import element_type
from volcli_dialects.arith.ops import BINARY_CLASSES, CAST_CLASSES
from volcli_dialects.cases.numbers.constants import kinds_of_attribute


@number_kinds.case(arith.ConstantOp)
def constant_kinds(op: arith.ConstantOp) -> KindsOf:
    """The kinds of the elements that stand in the text."""
    found = kinds_of_attribute(op.value)
    return lambda: found


@number_kinds.case(arith.MaximumfOp, arith.MaxnumfOp, arith.MinimumfOp, arith.MinnumfOp,
                   arith.MaxSIOp, arith.MaxUIOp, arith.MinSIOp, arith.MinUIOp)  # fmt: skip
def extremum_kinds(op: Operation) -> KindsOf:
    """One of the operands; of two zeros either one."""
    return kinds.either


@number_kinds.case(CAST_CLASSES["extsi"], CAST_CLASSES["extui"], CAST_CLASSES["index_cast"],
                   CAST_CLASSES["index_castui"], CAST_CLASSES["trunci"])  # fmt: skip
def integer_cast_kinds(op: Operation) -> KindsOf:
    """0 is 0; other bits may be cut off, or become the sign."""
    return kinds.zero_of_zero(INTEGERS)


@number_kinds.case(CAST_CLASSES["sitofp"], CAST_CLASSES["uitofp"])
def conversion_kinds(op: Operation) -> KindsOf:
    """0 is +0; in formats that hold all integers of the type (f32 up to 2^127), all are finite."""
    holds_all = _bits(op.operands[0].type) <= 64 and isinstance(
        element_type(op.results[0].type), Float32Type | Float64Type
    )
    return kinds.zero_of_zero(INTEGERS if holds_all else INTEGERS | NOT_FINITE)


def _bits(kind: Attribute) -> int:
    match element_type(kind):
        case IntegerType() as integer:
            return integer.bitwidth
        case IndexType():
            return 64
        case _:
            return 1 << 20


@number_kinds.case(CAST_CLASSES["bitcast"])
def bitcast_kinds(op: Operation) -> KindsOf:
    """The bits of +0 are those of the integer 0, and no other number's."""
    into_float = isinstance(element_type(op.results[0].type), AnyFloat)
    return kinds.zero_of_zero(ANYTHING if into_float else INTEGERS)


# (+0) + (-0) = +0 and x - x = +0, where sums are rounded to nearest.
number_kinds.case(arith.AddfOp)(lambda op: kinds.total)
number_kinds.case(arith.SubfOp)(lambda op: kinds.difference)  # a - b = a + (-b).
number_kinds.case(arith.DivfOp)(lambda op: kinds.quotient)  # x / 0 is infinite or NaN.
# 0 / x is a zero for either zero, and x / 0 infinite of either sign.
ignores_sign.case(arith.DivfOp)(lambda op: (0,))
# -0 equals +0; the remainder of a zero is a zero, that of a division by a zero is NaN.
ignores_sign.case(BINARY_CLASSES["arith.remf"], arith.CmpfOp)(lambda op: (0, 1))
number_kinds.case(arith.NegfOp)(lambda op: kinds.negated)  # -(+0) = -0.
number_kinds.case(CAST_CLASSES["extf"])(lambda op: kinds.either)  # The same number.
# The same zero; what is not a zero may underflow or overflow.
number_kinds.case(CAST_CLASSES["truncf"])(lambda op: kinds.rounded)
