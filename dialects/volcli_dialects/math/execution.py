"""How the operations of math execute: the C library's functions, in f64, rounded to the type."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.dialects import math as dialect
from xdsl.ir import Operation

from volcli.execution.numbers.floats import rounded_once, through_double, total
from volcli.execution.numbers.formats import format_of, signed
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Scalar, scalars
from volcli_dialects.math import ops

FUNCTIONS: Mapping[type[Operation], Callable[..., float]] = {
    dialect.AcosOp: math.acos, dialect.AcoshOp: math.acosh, dialect.AsinOp: math.asin,
    dialect.AsinhOp: math.asinh, dialect.AtanOp: math.atan, dialect.Atan2Op: math.atan2,
    dialect.AtanhOp: lambda x: math.copysign(math.inf, x) if abs(x) == 1 else math.atanh(x),
    dialect.CbrtOp: np.cbrt, dialect.CosOp: math.cos, dialect.CoshOp: math.cosh, dialect.ErfOp: math.erf,
    ops.ErfcOp: math.erfc, dialect.ExpOp: math.exp, dialect.Exp2Op: np.exp2, dialect.ExpM1Op: math.expm1,
    dialect.LogOp: math.log, dialect.Log10Op: math.log10, dialect.Log2Op: math.log2,
    dialect.Log1pOp: lambda x: -math.inf if x == -1 else math.log1p(x),
    dialect.SinOp: math.sin, dialect.SinhOp: lambda x: _sinh(x), dialect.TanOp: math.tan,
    dialect.TanhOp: math.tanh, dialect.PowFOp: np.float_power,
    dialect.RsqrtOp: lambda x: 1 / math.sqrt(x) if x else math.copysign(math.inf, x),
}  # fmt: skip


def _sinh(x: float) -> float:
    """The hyperbolic sine: too large a result is an infinity of x's sign."""
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(math.inf, x)


def _through_double(op: Operation) -> Scalar:
    return through_double(FUNCTIONS[type(op)], format_of(op.results[0].type))


scalars.case(*FUNCTIONS)(_through_double)

_EXACT: Mapping[type[Operation], Callable[[Any], Any]] = {
    dialect.AbsFOp: np.abs, dialect.CeilOp: np.ceil, dialect.FloorOp: np.floor, dialect.SqrtOp: np.sqrt,
    dialect.RoundEvenOp: np.rint, dialect.TruncOp: np.trunc,
}  # fmt: skip
"""What IEEE determines: numpy gives it on scalars and arrays of each type."""


def _exactly(op: Operation) -> Scalar:
    function = _EXACT[type(op)]
    return Scalar(lambda a: function(+a), function)


scalars.case(*_EXACT)(_exactly)


@scalars.case(dialect.RoundOp)
def round_(op: dialect.RoundOp) -> Scalar:
    """To the nearest integer, ties away from zero."""

    def block(a: Any) -> Any:
        whole = np.trunc(a)
        is_far = np.abs(np.where(np.isinf(a), 0, a - whole)) >= 0.5
        return np.copysign(np.where(is_far, np.abs(whole) + 1, np.abs(whole)), a).astype(np.asarray(a).dtype)[
            ()
        ]

    return Scalar(lambda a: block(+a), block)


@scalars.case(dialect.CopySignOp)
def copysign(op: dialect.CopySignOp) -> Scalar:
    """The first operand with the sign of the second one."""
    return Scalar(lambda a, b: np.copysign(+a, +b), np.copysign)


@scalars.case(dialect.FmaOp)
def fma(op: dialect.FmaOp) -> Scalar:
    """a * b + c, rounded once."""
    rounded: Any = np.dtype(format_of(op.result.type).dtype).type
    return Scalar(lambda a, b, c: rounded_once(+a, +b, +c, rounded))


@scalars.case(ops.ClampFOp)
def clampf(op: ops.ClampFOp) -> Scalar:
    """The value, at least the second operand and at most the third one."""

    def number(value: Any, low: Any, high: Any) -> Any:
        return np.minimum(np.maximum(+value, +low), +high)

    return Scalar(number, number)


def _smallest_normal(a: Any) -> Any:
    return ml_dtypes.finfo(np.asarray(a).dtype).smallest_normal


_TESTS: Mapping[str, Callable[[Any], Any]] = {
    "math.isfinite": np.isfinite, "math.isinf": np.isinf, "math.isnan": np.isnan,
    "math.isnormal": lambda a: np.isfinite(a) & (np.abs(a) >= _smallest_normal(a)),
}  # fmt: skip


def _test(op: Operation) -> Scalar:
    function = _TESTS[op.name]
    return Scalar(lambda a: int(function(+a)), function)


scalars.case(*ops.TESTS)(_test)


@scalars.case(ops.SinCosOp)
def sincos(op: ops.SinCosOp) -> Scalar:
    """The sine and the cosine."""
    rounded: Any = np.dtype(format_of(op.results[0].type).dtype).type

    def number(a: Any) -> tuple[Any, Any]:
        return rounded(total(math.sin, float(+a))), rounded(total(math.cos, float(+a)))

    return Scalar(number)


# -- integers ------------------------------------------------------------------------------------------


@scalars.case(dialect.AbsIOp)
def absi(op: dialect.AbsIOp) -> Scalar:
    """The magnitude; that of the least number is itself."""
    format = format_of(op.result.type)
    wrap, width = format.wrap(), format.width
    return Scalar(lambda a: wrap(abs(signed(a, width))), np.abs if format.is_native else None)


@scalars.case(dialect.CountLeadingZerosOp, dialect.CountTrailingZerosOp, dialect.CtPopOp)
def bits(op: Operation) -> Scalar:
    """How many bits are 0 at the upper or the lower end, or are 1."""
    format = format_of(op.results[0].type)
    wrap, unsigned, width = format.wrap(), format.unsigned(), format.width

    def number(a: int) -> int:
        found = unsigned(a)
        if isinstance(op, dialect.CtPopOp):
            return wrap(found.bit_count())
        if isinstance(op, dialect.CountLeadingZerosOp):
            return wrap(width - found.bit_length())
        return wrap(width if found == 0 else (found & -found).bit_length() - 1)

    return Scalar(number)


@scalars.case(dialect.IPowIOp)
def ipowi(op: dialect.IPowIOp) -> Scalar:
    """A power of signed integers, which wraps; with a negative exponent 1 / a^n, toward zero."""
    format = format_of(op.result.type)
    wrap, width = format.wrap(), format.width

    def number(a: int, n: int) -> Any:
        a, n = signed(a, width), signed(n, width)
        if n >= 0:
            return wrap(pow(a, n, 1 << width))
        if a == 0:
            raise Undefined(op, Defect.ARITHMETIC, f"0 to the power of {n}")
        return wrap(0 if abs(a) > 1 else (a if n % 2 else 1))

    return Scalar(number, determined=(0, 1))


@scalars.case(dialect.FPowIOp)
def fpowi(op: dialect.FPowIOp) -> Scalar:
    """A power with an integer exponent."""
    rounded: Any = np.dtype(format_of(op.result.type).dtype).type
    width = format_of(op.operands[1].type).width
    return Scalar(lambda a, n: rounded(np.float_power(float(+a), signed(n, width))))
