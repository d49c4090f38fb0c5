"""The operations of arith on scalars, vectors and tensors, with the flags and types of LLVM 22.

xDSL's classes are the bases, so that a case on `xdsl.dialects.arith.AddiOp` answers for ours too. Ours also
admit unranked tensors, and have the `exact` flag: `arith.divsi %a, %b exact : i32`.

xDSL's casts admit scalars only. All casts have one syntax, `arith.extsi %a : tensor<4xi8> to tensor<4xi32>`,
and one shape: an operand and a result. Some have flags after the operand. xDSL's comparisons give i1 whatever
they compare; ours give i1 in the shape of the operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import (
    CMPF_COMPARISON_OPERATIONS,
    CMPI_COMPARISON_OPERATIONS,
    FastMathFlagsAttr,
    IntegerOverflowAttr,
)
from xdsl.dialects.builtin import (
    AnyFloatConstr,
    IndexType,
    IntegerAttr,
    SignlessIntegerConstraint,
    UnitAttr,
    i1,
    i32,
)
from xdsl.ir import Operation
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    VarConstraint,
    base,
    eq,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.flags import FASTMATH, MAY_WRAP, NO_FASTMATH, OPTIONAL_FASTMATH, OVERFLOW
from volcli_dialects.syntax.op_types import FIXED_INTEGERS, FLOATS, INTEGERS, like, like_or_memref, truth_of
from volcli_dialects.syntax.pieces import Attributes, Inferred, OperandList, Type
from volcli_dialects.syntax.properties import TypedValue, numbered
from volcli_dialects.syntax.redeclared import Redeclared, operation, renamed
from volcli_dialects.syntax.written import Maybe, Operand, ReadParts, SyntaxPiece, WrittenOperation

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


_TRUTH = like(eq(i1))


_OPERANDS = (", ", Operand("lhs"), ", ", Operand("rhs"))
_TYPE = (
    Attributes(), " : ", Type("lhs", "rhs"),
    Inferred("result", lambda found: [truth_of(found.types["lhs"][0])]),
)  # fmt: skip


@operation("arith.cmpi")
class CmpiOp(WrittenOperation, Redeclared, arith.CmpiOp):
    """`%r = arith.cmpi slt, %a, %b : tensor<4xi32>`; the predicate may be a string, as it was once."""

    predicate = prop_def(IntegerAttr)
    lhs = operand_def(INTEGERS)
    rhs = operand_def(INTEGERS)
    result = result_def(_TRUTH)

    SYNTAX: ClassVar = (" ", numbered("predicate", CMPI_COMPARISON_OPERATIONS), *_OPERANDS, *_TYPE)


@operation("arith.cmpf")
class CmpfOp(WrittenOperation, Redeclared, arith.CmpfOp):
    """`%r = arith.cmpf olt, %a, %b fastmath<nnan> : vector<4xf32>`."""

    predicate = prop_def(IntegerAttr)
    lhs = operand_def(FLOATS)
    rhs = operand_def(FLOATS)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)
    result = result_def(_TRUTH)

    SYNTAX: ClassVar = (
        " ", numbered("predicate", CMPF_COMPARISON_OPERATIONS), *_OPERANDS,
        FASTMATH,
        *_TYPE,
    )  # fmt: skip


class _SelectTypes(SyntaxPiece):
    """`t`, or `vector<4xi1>, t` of a condition for each element."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        kind, condition = parser.parse_type(), i1
        if parser.parse_optional_punctuation(","):
            kind, condition = parser.parse_type(), kind
        found.types |= {"operands": [condition, kind, kind], "results": [kind]}

    def write(self, printer: Printer, op: Any) -> None:
        condition = [] if op.cond.type == i1 else [op.cond.type]
        printer.print_list([*condition, op.lhs.type], printer.print_attribute)


@operation("arith.select")
class SelectOp(WrittenOperation, Redeclared, arith.SelectOp):
    """`%r = arith.select %c, %a, %b : i1-typed condition`, or with the condition's type in front.

    `arith.select %c, %a, %b : vector<4xi1>, vector<4xf32>` selects element by element.
    """

    cond = operand_def(_TRUTH)
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()

    SYNTAX: ClassVar = (" ", OperandList(), Attributes(), " : ", _SelectTypes())


COMPARISONS = (CmpiOp, CmpfOp, SelectOp)
