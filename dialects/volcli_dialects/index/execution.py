"""How the operations of index execute: 64-bit integers."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation

from volcli.execution.elements.constants import scalar_of
from volcli.execution.numbers import integers
from volcli.execution.numbers.formats import format_of, signed
from volcli.execution.table import Perform, Scalar, executions, scalars
from volcli_dialects import index
from volcli_dialects.arith.execution import integer_case


def _format(op: Operation) -> Any:
    return format_of(op.operands[0].type)


for _name, _kind in index.BINARY_CLASSES.items():
    scalars.case(_kind)(integer_case(_name))


@scalars.case(*index.CAST_CLASSES.values())
def casts(op: Operation) -> Scalar:
    """The number in another width: with its sign, or its bits."""
    source, target = format_of(op.operands[0].type), format_of(op.results[0].type)
    wrap, bits, width = target.wrap(), source.unsigned(), source.width
    is_signed = op.name == "index.casts"
    return Scalar(lambda a: wrap(signed(a, width) if is_signed else bits(a)))


@executions.case(index.ConstantOp, index.BoolConstantOp)
def constant(op: Operation) -> Perform:
    """Its attribute."""
    made = scalar_of(op.properties["value"])
    return lambda machine: made


scalars.case(index.CmpOp)(lambda op: integers.comparison(op.pred.data.value, _format(op)))  # A truth.
executions.case(index.SizeOfOp)(lambda op: lambda machine: 64)  # The bits of an index: 64.
