"""The math dialect: every operation is element-wise; some keep zero zero."""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.ir import Dialect

from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.elements.elementwise import register_elementwise
from volcli_dialects.math import kinds, problems
from volcli_dialects.math.ops import MATH_OPS


def dialect() -> Dialect:
    """xDSL's math dialect with the operations that it lacks."""
    return dialect_of(math.Math, MATH_OPS)


register_elementwise([*math.Math.operations, *MATH_OPS])
