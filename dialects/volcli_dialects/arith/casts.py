"""The casts of the arith dialect, on scalars, vectors and tensors.

xDSL's classes admit scalars only. All casts have one syntax, `arith.extsi %a : tensor<4xi8> to
tensor<4xi32>`, and one shape: an operand and a result. Some have flags after the operand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from volcli_dialects.syntax.redeclared import renamed
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


def _flagged(name: str) -> tuple[Mapping[str, Any], Sequence[SyntaxPiece]]:
    """The properties of the cast NAME, and how they are written."""
    if name == "trunci":
        flags = prop_def(IntegerOverflowAttr, default_value=MAY_WRAP, prop_name="overflowFlags")
        return {"overflow_flags": flags}, (OVERFLOW,)
    fastmath = {"fastmath": opt_prop_def(FastMathFlagsAttr)}
    if name in ("truncf", "scaling_truncf"):
        return {"roundingmode": opt_prop_def(IntegerAttr), **fastmath}, (RoundingMode(), OPTIONAL_FASTMATH)
    return (fastmath, (OPTIONAL_FASTMATH,)) if name in ("extf", "scaling_extf") else ({}, ())


def _cast(
    name: str, before: AttrConstraint, after: AttrConstraint, *, scaled: bool = False
) -> type[Operation]:
    """`%r = arith.trunci %a overflow<nsw> : i32 to i8`, element by element.

    SCALED: `%r = arith.scaling_extf %a, %scale : f4E2M1FN, f8E8M0FNU to f32`: the product, widened, or the
    quotient, narrowed.
    """
    properties, flags = _flagged(name)
    scale, of_scale = ((", ", Operand("scale")), (", ", Type("scale"))) if scaled else ((), ())
    fields = {
        "__annotations__": {"SYNTAX": ClassVar},
        "SYNTAX": (" ", Operand("input"), *scale, *flags, Attributes(),
                   " : ", Type("input"), *of_scale, " to ", Type("result")),
        "input": operand_def(before), **({"scale": operand_def(before)} if scaled else {}),
        "result": result_def(after), **properties,
    }  # fmt: skip
    class_name = f"{name.title().replace('_', '')}Op"
    return renamed(type(class_name, (WrittenOperation,), fields), f"arith.{name}", class_name)


CAST_CLASSES: dict[str, type[Operation]] = {name: _cast(name, *CASTS[name]) for name in CASTS}
"""The class of each cast, by its name in the dialect."""

SCALING_CLASSES: dict[str, type[Operation]] = {
    f"arith.{name}": _cast(name, FLOATS, FLOATS, scaled=True) for name in ("scaling_extf", "scaling_truncf")
}
"""Conversions to and from small floats that share a scale."""
