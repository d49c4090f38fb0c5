"""The kinds of numbers that math operations compute, and which of them can tell +0 from -0.

These can: `copysign` (its second operand), `atan2`, `powf` and `fpowi` (the base: (-0)^-1 is -inf), `rsqrt`
(1 / -0 is -inf), and what has no case.
"""

from __future__ import annotations

from collections.abc import Container

from xdsl.dialects import math
from xdsl.ir import Operation

from volcli.language import kinds
from volcli.language.kinds import KindsOf
from volcli.language.questions import factors, ignores_sign, number_kinds
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
