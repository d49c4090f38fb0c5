"""How the operations of complex execute: sums and products part by part, functions in f64, rounded once.

`(a + bi) (c + di)` has the parts `a c - b d` and `a d + b c`, each step rounded, as mlir-opt lowers it.
Quotients and functions are those of complex<f64>: of complex<f32> their parts are the nearest numbers but for
rare ties; other implementations may differ in the last bits.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from xdsl.dialects import complex as dialect
from xdsl.ir import Operation

from volcli.execution.elements.constants import scalar_of
from volcli.execution.numbers.formats import format_of
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, Scalar, executions, scalars
from volcli_dialects.complex import PowIOp

Function = Callable[..., Any]


def _rounded(op: Operation) -> Function:
    return cast(Any, np.dtype(format_of(op.results[0].type).dtype).type)


def made(rounded: Any, real: Any, imaginary: Any) -> Any:
    """The complex number of two parts, of which each keeps its sign and its NaN."""
    found = np.zeros((), rounded)
    found.real, found.imag = real, imaginary
    return found[()]


@executions.case(dialect.ConstantOp)
def constant(op: dialect.ConstantOp) -> Perform:
    """The value of its attribute."""
    real, imaginary = (scalar_of(each) for each in op.value)
    value = made(_rounded(op), real, imaginary)
    return lambda machine: value


def create(op: Operation) -> Scalar:
    """`real + imaginary i`."""
    rounded = _rounded(op)
    return Scalar(lambda real, imaginary: made(rounded, +real, +imaginary))


scalars.case(dialect.CreateOp)(create)


_PARTS: Mapping[type[Operation], Function] = {
    dialect.ReOp: lambda z: (+z).real,
    dialect.ImOp: lambda z: (+z).imag,
}
for _kind, _function in _PARTS.items():
    scalars.case(_kind)(lambda op, function=_function: Scalar(function))


def mul(op: Operation) -> Scalar:
    """The product, part by part."""
    rounded = _rounded(op)

    def number(x: Any, y: Any) -> Any:
        x, y = +x, +y
        real = x.real * y.real - x.imag * y.imag
        return made(rounded, real, x.real * y.imag + x.imag * y.real)

    return Scalar(number)


scalars.case(dialect.MulOp)(mul)


for _kind, _function in ((dialect.AddOp, operator.add), (dialect.SubOp, operator.sub)):
    scalars.case(_kind)(lambda op, function=_function: Scalar(function, function))
for _kind, _function in ((dialect.EqualOp, operator.eq), (dialect.NotEqualOp, operator.ne)):
    scalars.case(_kind)(lambda op, function=_function: Scalar(lambda x, y: int(function(x, y)), function))


def _sign(z: Any) -> Any:
    """`z / |z|`, and z where that is 0."""
    return z if z == 0 else z / np.abs(z)


def _arc_tangent(y: Any, x: Any) -> Any:
    """`-i log((x + i y) / sqrt(x x + y y))`."""
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))


scalars.case(dialect.NegOp)(lambda op: Scalar(lambda z: -z, np.negative))  # Both parts with the other sign.
# The imaginary part with the other sign.
scalars.case(dialect.ConjOp)(lambda op: Scalar(lambda z: (+z).conjugate(), np.conjugate))


_FUNCTIONS: Mapping[type[Operation], Function] = {
    dialect.AbsOp: np.abs, dialect.AngleOp: np.angle, dialect.CosOp: np.cos, dialect.ExpOp: np.exp,
    dialect.Expm1Op: np.expm1, dialect.LogOp: np.log, dialect.Log1pOp: np.log1p, dialect.SignOp: _sign,
    dialect.RsqrtOp: lambda z: 1 / np.sqrt(z), dialect.SinOp: np.sin, dialect.SqrtOp: np.sqrt,
    dialect.TanOp: np.tan, dialect.TanhOp: np.tanh, dialect.DivOp: operator.truediv,
    dialect.PowOp: np.power, dialect.Atan2Op: _arc_tangent,
}  # fmt: skip


def through_double(op: Operation, function: Function) -> Scalar:
    """A FUNCTION of numbers of complex<f64>, rounded."""
    rounded = _rounded(op)
    return Scalar(lambda *numbers: rounded(function(*[np.complex128(+z) for z in numbers])))


for _kind, _function in _FUNCTIONS.items():
    scalars.case(_kind)(lambda op, function=_function: through_double(op, function))


@scalars.case(PowIOp)
def powi(op: PowIOp) -> Scalar:
    """`z ^ n` of an integer n: products, and a quotient where n is negative."""
    rounded = _rounded(op)

    def number(z: Any, n: int) -> Any:
        found, base, left = np.complex128(1), np.complex128(+z), abs(n)
        while left:
            found, base, left = found * base if left & 1 else found, base * base, left >> 1
        return rounded(1 / found if n < 0 else found)

    return Scalar(number)


@scalars.case(dialect.BitcastOp)
def bitcast(op: dialect.BitcastOp) -> Scalar:
    """The bits, the real part lowest, as a number of another type."""
    source, target = (np.dtype(format_of(each.type).dtype) for each in (op.operand, op.result))
    if source.itemsize != target.itemsize:
        raise Unsupported(op, "bitcasts between numbers of other widths are not executed")
    is_integer = format_of(op.result.type).kind == "integer"

    def number(value: Any) -> Any:
        found = np.array(+value, source).view(target)[()]
        return int(found) if is_integer else found

    return Scalar(number)
