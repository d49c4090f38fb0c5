"""The complex dialect: every operation is a function of one element of each operand."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import complex as xdsl_complex
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ComplexType, SignlessIntegerConstraint
from xdsl.ir import Dialect
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
)

from volcli.language.questions import element_reads
from volcli.language.reads import ElementReads
from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.elements.elementwise import register_elementwise
from volcli_dialects.syntax.redeclared import operation


@operation("complex.powi")
class PowIOp(IRDLOperation):
    """A complex number to the power of an integer: `complex.powi %z, %n : complex<f32>, i32`."""

    T: ClassVar = VarConstraint("T", base(ComplexType))
    lhs = operand_def(T)
    rhs = operand_def(SignlessIntegerConstraint)
    result = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))

    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` type($rhs)"


def dialect() -> Dialect:
    """xDSL's complex dialect with the operation that it lacks."""
    return dialect_of(xdsl_complex.Complex, [PowIOp])


_FUNCTIONS = [kind for kind in xdsl_complex.Complex.operations if kind is not xdsl_complex.ConstantOp]
register_elementwise([*_FUNCTIONS, PowIOp])


@element_reads.case(xdsl_complex.ConstantOp)
def constant_reads(op: xdsl_complex.ConstantOp) -> list[ElementReads]:
    """A constant depends on nothing."""
    return [ElementReads(())]
