"""The binary and unary operations of arith, with the flags and types of LLVM 22.

xDSL's classes are the bases, so that a case on `xdsl.dialects.arith.AddiOp` answers for ours too. Ours also
admit unranked tensors, and have the `exact` flag: `arith.divsi %a, %b exact : i32`.
"""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.dialects import arith
from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, TypedAttribute
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.flags import FASTMATH, MAY_WRAP, NO_FASTMATH, OVERFLOW
from volcli_dialects.syntax.op_types import FLOATS, INTEGERS
from volcli_dialects.syntax.pieces import Attributes, Type
from volcli_dialects.syntax.redeclared import Redeclared, operation, renamed
from volcli_dialects.syntax.syntax import print_attributes
from volcli_dialects.syntax.written import Maybe, Operand, WrittenOperation

_BOTH = (" ", Operand("lhs"), ", ", Operand("rhs"))
_OF_ONE_TYPE = (Attributes(), " : ", Type("lhs", "rhs", "result"))
_EXACT = frozenset(("arith.divsi", "arith.divui", "arith.shrsi", "arith.shrui"))
_OVERFLOWING = frozenset(("arith.addi", "arith.subi", "arith.muli", "arith.shli"))


@operation("arith.constant")
class ConstantOp(Redeclared, arith.ConstantOp):
    """`%c = arith.constant {a = 1} dense<0> : tensor<4xi32>`: a number, or elements of any kind."""

    value = prop_def()
    result = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        position = parser.pos
        value = parser.parse_attribute()
        if not isinstance(value, TypedAttribute):
            parser.raise_error("expected a constant with a type", position, parser.pos)
        return cls.create(result_types=[value.get_type()], properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.value)


def _integer(base: type[IRDLOperation]) -> type[Operation]:
    class Integer(WrittenOperation, Redeclared, base):
        """`%r = arith.maxsi %a, %b : index`."""

        T: ClassVar = VarConstraint("T", INTEGERS)
        lhs = operand_def(T)
        rhs = operand_def(T)
        result = result_def(T)

        SYNTAX: ClassVar = (*_BOTH, *_OF_ONE_TYPE)

    return renamed(Integer, base.name, base.__name__)


def _overflowing(base: type[IRDLOperation]) -> type[Operation]:
    class Overflowing(WrittenOperation, Redeclared, base):
        """`%r = arith.addi %a, %b overflow<nsw> : i32`: the flags promise that nothing wraps around."""

        T: ClassVar = VarConstraint("T", INTEGERS)
        lhs = operand_def(T)
        rhs = operand_def(T)
        result = result_def(T)
        overflow_flags = prop_def(IntegerOverflowAttr, default_value=MAY_WRAP, prop_name="overflowFlags")

        SYNTAX: ClassVar = (
            *_BOTH, OVERFLOW, *_OF_ONE_TYPE
        )  # fmt: skip

    return renamed(Overflowing, base.name, base.__name__)


def _exact(base: type[IRDLOperation]) -> type[Operation]:
    class Exact(WrittenOperation, Redeclared, base):
        """`%r = arith.divsi %a, %b exact : i32`: the flag promises that nothing is rounded off."""

        T: ClassVar = VarConstraint("T", INTEGERS)
        lhs = operand_def(T)
        rhs = operand_def(T)
        result = result_def(T)
        is_exact = opt_prop_def(UnitAttr, prop_name="isExact")

        SYNTAX: ClassVar = (*_BOTH, Maybe(" exact", of="isExact"), *_OF_ONE_TYPE)

    return renamed(Exact, base.name, base.__name__)


def _float(base: type[IRDLOperation]) -> type[Operation]:
    class Float(WrittenOperation, Redeclared, base):
        """`%r = arith.addf %a, %b fastmath<nnan> : f32`."""

        T: ClassVar = VarConstraint("T", FLOATS)
        lhs = operand_def(T)
        rhs = operand_def(T)
        result = result_def(T)
        fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)

        SYNTAX: ClassVar = (*_BOTH, FASTMATH, *_OF_ONE_TYPE)

    return renamed(Float, base.name, base.__name__)


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
    if base.name in _OVERFLOWING:
        return _overflowing(base)
    if base.name in _EXACT:
        return _exact(base)
    if issubclass(base, arith.SignlessIntegerBinaryOperation):
        return _integer(base)
    return _float(base) if issubclass(base, arith.FloatingPointLikeBinaryOperation) else None


_REMF = _float(RemFOp)
BINARY_CLASSES: dict[str, type[Operation]] = {
    kind.name: kind for kind in map(_binary, arith.Arith.operations) if kind is not None
} | {_REMF.name: _REMF, NegfOp.name: NegfOp}
"""Our class of each arithmetic operation, by its full name."""
