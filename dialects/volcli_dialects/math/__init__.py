"""The math dialect: every operation is element-wise; some keep zero zero."""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.ir import Dialect, Operation

from volcli.language.questions import Vanishing, vanishing
from volcli_dialects.cases.elements.elementwise import register_elementwise
from volcli_dialects.cases.memory.memory import with_stated_effects
from volcli_dialects.math import bounds as math_bounds
from volcli_dialects.math import kinds as math_kinds
from volcli_dialects.math import problems as math_problems
from volcli_dialects.math.ops import MATH_OPS, ClampFOp

__all__ = ["dialect", "math_bounds", "math_kinds", "math_problems"]


def dialect() -> Dialect:
    """xDSL's math dialect with the operations that it lacks."""
    return with_stated_effects(Dialect("math", [*math.Math.operations, *MATH_OPS], [*math.Math.attributes]))


register_elementwise([*math.Math.operations, *MATH_OPS])


@vanishing.case(
    math.AbsFOp, math.AbsIOp, math.SqrtOp, math.CbrtOp, math.SinOp, math.TanOp, math.TanhOp, math.SinhOp,
    math.AtanOp, math.AsinOp, math.AsinhOp, math.AtanhOp, math.ErfOp, math.ExpM1Op, math.Log1pOp,
    math.FloorOp, math.CeilOp, math.RoundOp, math.RoundEvenOp, math.TruncOp, ClampFOp,
)  # fmt: skip
def odd_at_zero(op: Operation) -> Vanishing:
    """f(0) = 0."""
    return Vanishing.IF_ALL_OPERANDS
