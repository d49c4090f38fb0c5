"""The kinds of numbers that math operations compute, and which of them can tell +0 from -0.

These can: `copysign` (its second operand), `atan2`, `powf` and `fpowi` (the base: (-0)^-1 is -inf), `rsqrt`
(1 / -0 is -inf), and what has no case.

Absolute values of integers, and how many bits are counted.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from xdsl.dialects import math
from xdsl.dialects.builtin import ShapedType, i1
from xdsl.ir import Operation

from volcli.language import kinds
from volcli.language.expressions import Expression, maximum, value_of
from volcli.language.kinds import KindsOf
from volcli.language.questions import (
    factors,
    ignores_sign,
    index_value,
    number_kinds,
    requires,
    value_facts,
    wrapped_value,
)
from volcli.language.reads import Conjunction, Disjunction
from volcli_dialects.cases.numbers.wrapping import may_wrap, width, wrapped
from volcli_dialects.math.ops import MATH_OPS, ErfcOp

_TESTS = tuple(op for op in MATH_OPS if op.name.startswith("math.is"))


@number_kinds.case(math.SqrtOp, math.CbrtOp, math.SinOp, math.TanOp, math.TanhOp, math.SinhOp, math.AtanOp,
                   math.AsinOp, math.AsinhOp, math.AtanhOp, math.ErfOp, math.ExpM1Op, math.Log1pOp,
                   math.FloorOp, math.CeilOp, math.RoundOp, math.RoundEvenOp, math.TruncOp)  # fmt: skip
def same_zero_kinds(op: Operation) -> KindsOf:
    """f(+0) = +0 and f(-0) = -0."""
    return kinds.same_zero


@ignores_sign.case(
    math.CosOp, math.CoshOp, math.AcosOp, math.AcoshOp, math.ExpOp, math.Exp2Op, math.LogOp, math.Log2Op,
    math.Log10Op, math.CopySignOp, ErfcOp, *_TESTS,
)  # fmt: skip
def first_operand(op: Operation) -> Container[int]:
    """f(+0) = f(-0); `copysign` replaces the sign of its first operand."""
    return (0,)


number_kinds.case(math.AbsFOp)(lambda op: kinds.magnitude)  # |-0| = +0.
# At least +0, which it is where it underflows.
number_kinds.case(math.ExpOp, math.Exp2Op)(lambda op: kinds.exponential)
# Infinite at 0.
number_kinds.case(math.LogOp, math.Log2Op, math.Log10Op, math.RsqrtOp)(lambda op: kinds.pole_at_zero)
number_kinds.case(math.FmaOp)(lambda op: kinds.multiply_add)  # a * b + c.
factors.case(math.FmaOp)(lambda op: (0, 1))  # a and b stand in a * b alone.
number_kinds.case(math.CopySignOp)(lambda op: kinds.with_sign)  # A zero of either sign, of a zero.
ignores_sign.case(math.FmaOp)(lambda op: (0, 1, 2))  # Sums and products of zeros are zeros.
ignores_sign.case(math.PowFOp)(lambda op: (1,))  # x^0 = 1 for either zero.


@index_value.case(math.AbsIOp)
def absolute(op: math.AbsIOp) -> Expression | None:
    """max(a, -a)."""
    if width(op.result.type) is None or op.result.type == i1:
        return None
    return maximum(value_of(op.operand), -value_of(op.operand))


@wrapped_value.case(math.AbsIOp)
def wrapped_absolute(op: math.AbsIOp) -> Expression | None:
    """max(a, -a) modulo 2^w: of the i8 -128 it is -128."""
    exact = absolute(op)
    return wrapped(exact, op.result.type) if exact is not None and may_wrap(op.result.type) else exact


@value_facts.case(math.CtPopOp, math.CountLeadingZerosOp, math.CountTrailingZerosOp)
def counted_bits(op: Operation) -> Sequence[Conjunction]:
    """From none to all bits; of a type with one or two bits, all may not fit."""
    bits = width(op.results[0].type)
    if bits is None or bits < 3:
        return [()]
    return [(value_of(op.results[0]), bits - value_of(op.results[0]))]


@requires.case(math.IPowIOp)
def power_exists(op: math.IPowIOp) -> list[Disjunction] | None:
    """`b >= 1 or b <= -1 or e >= 0`: 0 to a negative power divides by 0. Of tensors, data decides."""
    if isinstance(op.result.type, ShapedType):
        return None
    base, exponent = value_of(op.lhs), value_of(op.rhs)
    return [((base - 1,), (-base - 1,), (exponent,))]
