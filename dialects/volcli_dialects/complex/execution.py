"""How the operations of complex execute that have a formula, without a function of the C library."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects import complex as dialect
from xdsl.ir import Operation

from volcli.execution.constants import scalar_of
from volcli.execution.formats import format_of
from volcli.execution.table import Perform, Scalar, executions, scalars


@executions.case(dialect.ConstantOp)
def constant(op: dialect.ConstantOp) -> Perform:
    """`[re, im]`."""
    real, imaginary = (scalar_of(each) for each in cast(Any, op.value).data)
    made = format_of(op.complex.type).number(complex(real, imaginary))
    return lambda machine: made


def _formula(number: Callable[..., Any], block: Callable[..., Any]) -> Callable[[Operation], Scalar]:
    return lambda op: Scalar(number, block)


_FORMULAS: dict[type[Operation], tuple[Callable[..., Any], Callable[..., Any]]] = {
    dialect.AddOp: (operator.add, np.add), dialect.SubOp: (operator.sub, np.subtract),
    dialect.MulOp: (operator.mul, np.multiply), dialect.NegOp: (operator.neg, np.negative),
    dialect.ConjOp: (np.conjugate, np.conjugate), dialect.ReOp: (np.real, np.real),
    dialect.ImOp: (np.imag, np.imag),
    dialect.EqualOp: (lambda a, b: int(a == b), np.equal),
    dialect.NotEqualOp: (lambda a, b: int(a != b), np.not_equal),
}  # fmt: skip
for _kind, _both in _FORMULAS.items():
    scalars.case(_kind)(_formula(*_both))


@scalars.case(dialect.CreateOp)
def create(op: dialect.CreateOp) -> Scalar:
    """`re + im i`, also where one of them is infinite or NaN."""
    number = format_of(op.results[0].type).number

    def block(real: Any, imaginary: Any) -> Any:
        found = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imaginary)), number(0).dtype)
        found.real, found.imag = real, imaginary
        return found

    return Scalar(lambda real, imaginary: number(complex(real, imaginary)), block)
