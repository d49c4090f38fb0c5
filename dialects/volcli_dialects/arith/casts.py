"""The casts of the arith dialect, on scalars, vectors and tensors.

xDSL's classes admit scalars only. All casts have one syntax, `arith.extsi %a : tensor<4xi8> to
tensor<4xi32>`, and one shape: an operand and a result. Some have flags after the operand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import AnyFloatConstr, IndexType, IntegerAttr, SignlessIntegerConstraint, i32
from xdsl.ir import Operation
from xdsl.irdl import (
    AttrConstraint,
    base,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.flags import MAY_WRAP, OPTIONAL_FASTMATH, OVERFLOW
from volcli_dialects.syntax.op_types import FIXED_INTEGERS, FLOATS, like_or_memref
from volcli_dialects.syntax.pieces import Attributes, Type
from volcli_dialects.syntax.redeclared import operation, renamed
from volcli_dialects.syntax.written import Operand, ReadParts, SyntaxPiece, WrittenOperation

_INDICES = like_or_memref(SignlessIntegerConstraint | base(IndexType))
_BITS = like_or_memref(SignlessIntegerConstraint | AnyFloatConstr)
CASTS: Mapping[str, tuple[AttrConstraint, AttrConstraint]] = {
    "extsi": (FIXED_INTEGERS, FIXED_INTEGERS),
    "extui": (FIXED_INTEGERS, FIXED_INTEGERS),
    "trunci": (FIXED_INTEGERS, FIXED_INTEGERS),
    "extf": (FLOATS, FLOATS),
    "truncf": (FLOATS, FLOATS),
    "sitofp": (FIXED_INTEGERS, FLOATS),
    "uitofp": (FIXED_INTEGERS, FLOATS),
    "fptosi": (FLOATS, FIXED_INTEGERS),
    "fptoui": (FLOATS, FIXED_INTEGERS),
    "index_cast": (_INDICES, _INDICES),
    "index_castui": (_INDICES, _INDICES),
    "bitcast": (_BITS, _BITS),
}
"""Per cast, from what to what it goes."""

# The rounding modes, in the order of their numbers in the `roundingmode` property.
_ROUNDING = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")


_CASTS_TO = (Attributes(), " : ", Type("input"), " to ", Type("result"))
_SCALED = (" ", Operand("input"), ", ", Operand("scale"))
_SCALES_TO = (Attributes(), " : ", Type("input"), ", ", Type("scale"), " to ", Type("result"))


class RoundingMode(SyntaxPiece):
    """An optional rounding mode: ` toward_zero` is the property `roundingmode = 3 : i32`."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        for number, name in enumerate(_ROUNDING):
            if parser.parse_optional_keyword(name) is not None:
                found.properties["roundingmode"] = IntegerAttr(number, i32)
                return

    def write(self, printer: Printer, op: Any) -> None:
        if op.roundingmode is not None:
            printer.print_string(f" {_ROUNDING[op.roundingmode.value.data]}")


def _cast(name: str) -> type[Operation]:
    before, after = CASTS[name]

    class Cast(WrittenOperation):
        input = operand_def(before)
        result = result_def(after)
        SYNTAX: ClassVar = (" ", Operand("input"), *_CASTS_TO)

    Cast.__doc__ = f"`%r = arith.{name} %a : A to B`, element by element."
    return renamed(Cast, f"arith.{name}", f"{name.title().replace('_', '')}Op")


@operation("arith.trunci")
class TruncIOp(WrittenOperation):
    """`%r = arith.trunci %a overflow<nsw, nuw> : i32 to i8`."""

    input = operand_def(FIXED_INTEGERS)
    result = result_def(FIXED_INTEGERS)
    overflow_flags = prop_def(IntegerOverflowAttr, default_value=MAY_WRAP, prop_name="overflowFlags")

    SYNTAX: ClassVar = (
        " ", Operand("input"), OVERFLOW, *_CASTS_TO
    )  # fmt: skip


@operation("arith.extf")
class ExtFOp(WrittenOperation):
    """`%r = arith.extf %a fastmath<nnan> : f32 to f64`."""

    input = operand_def(FLOATS)
    result = result_def(FLOATS)
    fastmath = opt_prop_def(FastMathFlagsAttr)

    SYNTAX: ClassVar = (" ", Operand("input"), OPTIONAL_FASTMATH, *_CASTS_TO)


@operation("arith.truncf")
class TruncFOp(WrittenOperation):
    """`%r = arith.truncf %a toward_zero fastmath<nnan> : f64 to f32`."""

    input = operand_def(FLOATS)
    result = result_def(FLOATS)
    roundingmode = opt_prop_def(IntegerAttr)
    fastmath = opt_prop_def(FastMathFlagsAttr)

    SYNTAX: ClassVar = (" ", Operand("input"), RoundingMode(), OPTIONAL_FASTMATH, *_CASTS_TO)


@operation("arith.scaling_extf")
class ScalingExtFOp(WrittenOperation):
    """`%r = arith.scaling_extf %a, %scale : f4E2M1FN, f8E8M0FNU to f32`: the product, widened."""

    input = operand_def(FLOATS)
    scale = operand_def(FLOATS)
    result = result_def(FLOATS)
    fastmath = opt_prop_def(FastMathFlagsAttr)

    SYNTAX: ClassVar = (*_SCALED, OPTIONAL_FASTMATH, *_SCALES_TO)


@operation("arith.scaling_truncf")
class ScalingTruncFOp(WrittenOperation):
    """`%r = arith.scaling_truncf %a, %scale : f32, f8E8M0FNU to f4E2M1FN`: the quotient, narrowed."""

    input = operand_def(FLOATS)
    scale = operand_def(FLOATS)
    result = result_def(FLOATS)
    roundingmode = opt_prop_def(IntegerAttr)
    fastmath = opt_prop_def(FastMathFlagsAttr)

    SYNTAX: ClassVar = (*_SCALED, RoundingMode(), OPTIONAL_FASTMATH, *_SCALES_TO)


_WITH_FLAGS: dict[str, type[Operation]] = {"trunci": TruncIOp, "extf": ExtFOp, "truncf": TruncFOp}
CAST_CLASSES: dict[str, type[Operation]] = {name: _WITH_FLAGS.get(name) or _cast(name) for name in CASTS}
"""The class of each cast, by its name in the dialect."""

SCALING_CLASSES: dict[str, type[Operation]] = {kind.name: kind for kind in (ScalingExtFOp, ScalingTruncFOp)}
"""Conversions to and from small floats that share a scale."""
