"""The binary and unary operations of arith, with the flags and types of LLVM 22.

xDSL's classes are the bases, so that a case on `xdsl.dialects.arith.AddiOp` answers for ours too. Ours also
admit unranked tensors, and have the `exact` flag: `arith.divsi %a, %b exact : i32`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    VarConstraint,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)

from volcli_dialects.syntax.flags import FASTMATH, MAY_WRAP, NO_FASTMATH, OVERFLOW
from volcli_dialects.syntax.op_types import FLOATS, INTEGERS
from volcli_dialects.syntax.pieces import Attributes, Type
from volcli_dialects.syntax.properties import TypedValue
from volcli_dialects.syntax.redeclared import Redeclared, operation, renamed
from volcli_dialects.syntax.written import Maybe, Operand, WrittenOperation

_OF_ONE_TYPE = (Attributes(), " : ", Type("lhs", "rhs", "result"))
_EXACT = frozenset(("arith.divsi", "arith.divui", "arith.shrsi", "arith.shrui"))
_OVERFLOWING = frozenset(("arith.addi", "arith.subi", "arith.muli", "arith.shli"))


@operation("arith.constant")
class ConstantOp(WrittenOperation, Redeclared, arith.ConstantOp):
    """`%c = arith.constant {a = 1} dense<0> : tensor<4xi32>`: a number, or elements of any kind."""

    value = prop_def()
    result = result_def()

    SYNTAX: ClassVar = (Attributes(), " ", TypedValue())


def _of_one_type(
    base: type[IRDLOperation], kind: AttrConstraint, *flags: Maybe, **properties: Any
) -> type[Operation]:
    """Our class for the operation BASE of two values of one type of this KIND, with FLAGS, its PROPERTIES."""
    one = VarConstraint("T", kind)
    fields = {
        "__annotations__": {"SYNTAX": ClassVar},
        "SYNTAX": (" ", Operand("lhs"), ", ", Operand("rhs"), *flags, *_OF_ONE_TYPE),
        "lhs": operand_def(one), "rhs": operand_def(one), "result": result_def(one), **properties,
    }  # fmt: skip
    return renamed(
        type(base.__name__, (WrittenOperation, Redeclared, base), fields), base.name, base.__name__
    )


def _float(base: type[IRDLOperation]) -> type[Operation]:
    """`%r = arith.addf %a, %b fastmath<nnan> : f32`."""
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)
    return _of_one_type(base, FLOATS, FASTMATH, fastmath=fastmath)


class RemFOp(arith.FloatingPointLikeBinaryOperation):
    """The remainder of a division of floats, with the sign of the dividend: remf(-5.5, 2.0) = -1.5."""

    name = "arith.remf"


@operation("arith.negf")
class NegfOp(WrittenOperation, Redeclared, arith.NegfOp):
    """`%r = arith.negf %a : f32`."""

    T: ClassVar = VarConstraint("T", FLOATS)
    operand = operand_def(T)
    result = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)

    SYNTAX: ClassVar = (" ", Operand("operand"), FASTMATH, Attributes(), " : ", Type("operand", "result"))


def _binary(base: type[Operation]) -> type[Operation] | None:
    """Our class for an operation of xDSL's; None for those that are not binary."""
    if not issubclass(base, IRDLOperation):
        return None
    if base.name in _OVERFLOWING:  # `%r = arith.addi %a, %b overflow<nsw> : i32`: nothing wraps around
        flags = prop_def(IntegerOverflowAttr, default_value=MAY_WRAP, prop_name="overflowFlags")
        return _of_one_type(base, INTEGERS, OVERFLOW, overflow_flags=flags)
    if base.name in _EXACT:  # `%r = arith.divsi %a, %b exact : i32`: nothing is rounded off
        is_exact = opt_prop_def(UnitAttr, prop_name="isExact")
        return _of_one_type(base, INTEGERS, Maybe(" exact", of="isExact"), is_exact=is_exact)
    if issubclass(base, arith.SignlessIntegerBinaryOperation):  # `%r = arith.maxsi %a, %b : index`
        return _of_one_type(base, INTEGERS)
    return _float(base) if issubclass(base, arith.FloatingPointLikeBinaryOperation) else None


_REMF = _float(RemFOp)
BINARY_CLASSES: dict[str, type[Operation]] = {
    kind.name: kind for kind in map(_binary, arith.Arith.operations) if kind is not None
} | {_REMF.name: _REMF, NegfOp.name: NegfOp}
"""Our class of each arithmetic operation, by its full name."""
