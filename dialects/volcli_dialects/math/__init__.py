"""The math dialect: every operation is element-wise; some keep zero zero."""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.ir import Dialect, Operation

from volcli.language.questions import Vanishing, vanishing
from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.elements.elementwise import register_elementwise
from volcli_dialects.math import kinds, problems
from volcli_dialects.math.ops import MATH_OPS, ClampFOp


def dialect() -> Dialect:
    """xDSL's math dialect with the operations that it lacks."""
    return dialect_of(math.Math, MATH_OPS)


register_elementwise([*math.Math.operations, *MATH_OPS])


@vanishing.case(
    math.AbsFOp, math.AbsIOp, math.SqrtOp, math.CbrtOp, math.SinOp, math.TanOp, math.TanhOp, math.SinhOp,
    math.AtanOp, math.AsinOp, math.AsinhOp, math.AtanhOp, math.ErfOp, math.ExpM1Op, math.Log1pOp,
    math.FloorOp, math.CeilOp, math.RoundOp, math.RoundEvenOp, math.TruncOp, ClampFOp,
)  # fmt: skip
def odd_at_zero(op: Operation) -> Vanishing:
    """f(0) = 0."""
    return Vanishing.IF_ALL_OPERANDS
