"""Bodies of scalars under construction, in operations of arith, as mlir-opt 22 builds those of linalg.

The body of an i8 x i8 -> i32 matmul:

    ^bb0(%a: i8, %b: i8, %c: i32):
      %0 = arith.extsi %a : i8 to i32
      %1 = arith.extsi %b : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %c, %2 : i32
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language.reads import element_type
from volcli_dialects.arith.ops import CAST_CLASSES

EXACT: Mapping[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
_WRAPPING: Mapping[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}


class ScalarsBuilder:
    """A body under construction: its block's arguments, and operations appended one by one.

    `unsigned` says how integers are widened (the operation's `cast` attribute).
    """

    def __init__(self, operands: Sequence[SSAValue], unsigned: bool = False) -> None:
        self.block = Block(arg_types=[element_type(operand.type) for operand in operands])
        self.arguments = self.block.args
        self.unsigned = unsigned

    def apply(
        self,
        operation: type[Operation],
        *operands: SSAValue,
        to: Attribute | None = None,
        properties: Mapping[str, Attribute] = {},
    ) -> SSAValue:
        """Append an operation with one result, of type `to` or of its first operand's type."""
        return append(self.block, operation, operands, operands[0].type if to is None else to, properties)

    def constant(self, value: IntegerAttr | FloatAttr) -> SSAValue:
        """A constant with its attribute's type."""
        return self.apply(arith.ConstantOp, to=value.type, properties={"value": value})

    def cast(self, value: SSAValue, to: Attribute, unsigned: bool | None = None) -> SSAValue:
        """Convert a number to another numeric type; where MLIR knows no conversion, the value itself."""
        source = value.type
        if source == to:
            return value
        operation = _conversion(source, to, self.unsigned if unsigned is None else unsigned)
        if operation is None:
            return value
        return self.apply(operation, value, to=to)


def _conversion(source: Attribute, to: Attribute, unsigned: bool) -> type[Operation] | None:
    if isinstance(to, IntegerType):
        if isinstance(source, AnyFloat):
            return CAST_CLASSES["fptoui"] if unsigned else CAST_CLASSES["fptosi"]
        if isinstance(source, IndexType):
            return CAST_CLASSES["index_cast"]
        if isinstance(source, IntegerType):
            if source.bitwidth > to.bitwidth:
                return CAST_CLASSES["trunci"]
            return CAST_CLASSES["extui"] if unsigned else CAST_CLASSES["extsi"]
    if isinstance(to, AnyFloat):
        if isinstance(source, IntegerType):
            return CAST_CLASSES["uitofp"] if unsigned else CAST_CLASSES["sitofp"]
        if isinstance(source, AnyFloat):
            return CAST_CLASSES["truncf"] if source.bitwidth > to.bitwidth else CAST_CLASSES["extf"]
    return None


# Function -> its operation on floats, on integers.
BINARY: Mapping[str, tuple[type[Operation] | None, type[Operation] | None]] = {
    "add": (arith.AddfOp, arith.AddiOp),
    "sub": (arith.SubfOp, arith.SubiOp),
    "mul": (arith.MulfOp, arith.MuliOp),
    "div": (arith.DivfOp, arith.DivSIOp),
    "div_unsigned": (None, arith.DivUIOp),
    "max": (arith.MaximumfOp, arith.MaxSIOp),
    "min": (arith.MinimumfOp, arith.MinSIOp),
    "max_unsigned": (arith.MaximumfOp, arith.MaxUIOp),
    "min_unsigned": (arith.MinimumfOp, arith.MinUIOp),
    "powf": (math.PowFOp, None),
}
_ON_BOOLEANS: Mapping[str, type[Operation]] = {"add": arith.OrIOp, "mul": arith.AndIOp}
_WRAPS = (arith.AddiOp, arith.SubiOp, arith.MuliOp, CAST_CLASSES["trunci"])


def binary(function: str, body: ScalarsBuilder, left: SSAValue, right: SSAValue) -> SSAValue:
    """Apply a function of two numbers of one type: add is addf, addi, complex.add, or `or` on booleans."""
    on_floats, on_integers = BINARY[function]
    number = left.type
    if isinstance(number, ComplexType):
        operation = _on_complex(function)
    elif isinstance(number, IntegerType):
        operation = _ON_BOOLEANS.get(function, on_integers) if number.bitwidth == 1 else on_integers
    else:
        operation = on_floats if isinstance(number, AnyFloat) else None
    if operation is None:
        raise ValueError(f"linalg has no {function} on {number}")
    return body.apply(operation, left, right, properties={} if isinstance(number, IntegerType) else EXACT)


def _on_complex(function: str) -> type[Operation] | None:
    """The operation of FUNCTION on complex numbers, which few programs have: so they import these."""
    from xdsl.dialects import complex

    return {
        "add": complex.AddOp, "sub": complex.SubOp, "mul": complex.MulOp, "div": complex.DivOp
    }.get(function)  # fmt: skip


def append(
    block: Block,
    kind: type[Operation],
    operands: Sequence[SSAValue],
    result: Attribute,
    properties: Mapping[str, Attribute] = {},
) -> SSAValue:
    """The RESULT of a new operation at the end of BLOCK; sums and products of integers wrap."""
    known = _WRAPPING if kind in _WRAPS else properties
    made = _with_cases(kind).create(operands=operands, result_types=[result], properties=dict(known))
    block.add_op(made)
    return made.results[0]


def appended_number(block: Block, number: int, kind: Attribute) -> SSAValue:
    """NUMBER of the integer type KIND at the end of BLOCK."""
    return append(block, arith.ConstantOp, [], kind, {"value": IntegerAttr(number, cast(Any, kind))})


def zero(body: ScalarsBuilder, kind: Attribute) -> SSAValue:
    """The number 0 of the type KIND."""
    if not isa(kind, ComplexType):
        assert isa(kind, AnyFloat | IntegerType)
        return body.constant(FloatAttr(0.0, kind) if isinstance(kind, AnyFloat) else IntegerAttr(0, kind))
    from xdsl.dialects import complex

    part = kind.element_type
    parts = ArrayAttr(
        [FloatAttr(0.0, part)] * 2 if isinstance(part, AnyFloat) else [IntegerAttr(0, part)] * 2
    )
    return body.apply(complex.ConstantOp, to=kind, properties={"value": parts})


def _with_cases(operation: type[Operation]) -> type[Operation]:
    """OPERATION, whose dialect's cases are there also if nothing else in the file is of that dialect."""
    dialect = operation.name.partition(".")[0]
    if dialect in ("complex", "math"):
        import_module(f"volcli_dialects.{dialect}")
    return operation


def product(
    body: ScalarsBuilder, factors: Sequence[SSAValue], kind: Attribute, zero_points: Sequence[SSAValue] = ()
) -> SSAValue:
    """The product of FACTORS, as numbers of type KIND, each without its zero point if there are any."""
    zeros = zero_points or (None, None)
    return binary("mul", body, *(_centred(body, *pair, kind) for pair in zip(factors, zeros, strict=True)))


def _centred(body: ScalarsBuilder, value: SSAValue, zero: SSAValue | None, kind: Attribute) -> SSAValue:
    number = body.cast(value, kind)
    return number if zero is None else binary("sub", body, number, body.cast(zero, kind))
