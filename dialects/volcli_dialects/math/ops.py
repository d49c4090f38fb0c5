"""The operations of the math dialect that xDSL lacks."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    eq,
    operand_def,
    prop_def,
    result_def,
)

from volcli_dialects.syntax.flags import FASTMATH, NO_FASTMATH
from volcli_dialects.syntax.op_types import FLOATS, like, truth_of
from volcli_dialects.syntax.pieces import Attributes, Inferred, Type
from volcli_dialects.syntax.redeclared import operation, renamed
from volcli_dialects.syntax.written import Operand, WrittenOperation


@operation("math.erfc", "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")
class ErfcOp(IRDLOperation):
    """The complementary error function, `1 - erf(x)`: `math.erfc %x : f32`."""

    T: ClassVar = VarConstraint("T", FLOATS)
    operand = operand_def(T)
    result = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)


@operation("math.clampf")
class ClampFOp(IRDLOperation):
    """`min(max(x, low), high)`: `math.clampf %x to [%low, %high] : f32`."""

    T: ClassVar = VarConstraint("T", FLOATS)
    value = operand_def(T)
    min = operand_def(T)
    max = operand_def(T)
    result = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)

    assembly_format = (
        "$value `to` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
    )


@operation("math.sincos", "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($sin)")
class SinCosOp(IRDLOperation):
    """Sine and cosine: `%s, %c = math.sincos %x : f32`."""

    T: ClassVar = VarConstraint("T", FLOATS)
    operand = operand_def(T)
    sin = result_def(T)
    cos = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)


def _test(name: str) -> type[Operation]:
    class Test(WrittenOperation):
        operand = operand_def(FLOATS)
        result = result_def(like(eq(i1)))
        fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)

        SYNTAX: ClassVar = (
            " ", Operand("operand"), FASTMATH, Attributes(), " : ", Type("operand"),
            Inferred("result", lambda found: [truth_of(found.types["operand"][0])]),
        )  # fmt: skip

    Test.__doc__ = f"`%r = math.{name} %x : f32`, an i1 in the shape of the operand."
    return renamed(Test, f"math.{name}", f"{name.title()}Op")


TESTS: tuple[type[Operation], ...] = tuple(map(_test, ("isfinite", "isinf", "isnan", "isnormal")))
"""The tests of a float, each an i1."""
MATH_OPS: tuple[type[Operation], ...] = (ErfcOp, ClampFOp, SinCosOp, *TESTS)
