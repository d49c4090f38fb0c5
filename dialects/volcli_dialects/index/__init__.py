"""The index dialect: arithmetic on index values, its constants and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, IntegerType, i1
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Dialect, Operation, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
)
from xdsl.utils.str_enum import StrEnum

from volcli.language.expressions import Expression, constant, maximum, minimum, value_of
from volcli.language.instructions import Instruction
from volcli.language.questions import (
    condition,
    demands,
    determined,
    element_reads,
    index_value,
    may_overflow,
    poison_free,
    unit,
    value_cases,
    varies,
    wrapped_value,
)
from volcli.language.reads import Condition, Disjunction, ElementReads
from volcli_dialects.arith import compared_wide
from volcli_dialects.arith.bounds import computed_sums
from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.elements.elementwise import register_elementwise
from volcli_dialects.cases.numbers.arithmetic import costs, costs_by_name, register_arithmetic
from volcli_dialects.cases.numbers.quotients import QUOTIENTS
from volcli_dialects.cases.numbers.value_facts import DEMANDS, FACTS, shift_has_bits
from volcli_dialects.cases.numbers.wrapping import (
    UNITS,
    UNSIGNED,
    lowest_bits,
    number,
    resized,
    rounded_down,
    rounded_up,
    signed_number,
    truncating,
    unsigned_number,
    wrapped,
)
from volcli_dialects.syntax.pieces import Attributes, Inferred, integer
from volcli_dialects.syntax.redeclared import operation, renamed
from volcli_dialects.syntax.written import WrittenOperation

BINARY = (
    "add", "sub", "mul", "divs", "divu", "ceildivs", "ceildivu", "floordivs", "rems", "remu",
    "maxs", "maxu", "mins", "minu", "shl", "shrs", "shru", "and", "or", "xor",
)  # fmt: skip


def _binary(name: str) -> type[Operation]:
    class Binary(IRDLOperation):
        lhs = operand_def(IndexType)
        rhs = operand_def(IndexType)
        result = result_def(IndexType)
        assembly_format = "$lhs `,` $rhs attr-dict"

    Binary.__doc__ = f"`%r = index.{name} %a, %b`."
    return renamed(Binary, f"index.{name}", f"{name.title()}Op")


_INTEGER = base(IntegerType) | base(IndexType)


def _cast(name: str) -> type[Operation]:
    class Cast(IRDLOperation):
        input = operand_def(_INTEGER)
        output = result_def(_INTEGER)
        assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    Cast.__doc__ = f"`%r = index.{name} %a : index to i64`, or back."
    return renamed(Cast, f"index.{name}", f"{name.title()}Op")


BINARY_CLASSES: dict[str, type[Operation]] = {name: _binary(name) for name in BINARY}
CAST_CLASSES: dict[str, type[Operation]] = {name: _cast(name) for name in ("casts", "castu")}


class Predicate(StrEnum):
    """How two index values are compared; the unsigned ones begin with u."""

    EQ = "eq"
    NE = "ne"
    SLT = "slt"
    SLE = "sle"
    SGT = "sgt"
    SGE = "sge"
    ULT = "ult"
    ULE = "ule"
    UGT = "ugt"
    UGE = "uge"


@irdl_attr_definition
class PredicateAttr(EnumAttribute[Predicate], SpacedOpaqueSyntaxAttribute):
    """`#index<cmp_predicate slt>`."""

    name = "index.cmp_predicate"


@operation("index.cmp", "$pred `(` $lhs `,` $rhs `)` attr-dict")
class CmpOp(IRDLOperation):
    """`%r = index.cmp slt(%a, %b)`."""

    pred = prop_def(PredicateAttr)
    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    result = result_def(i1)


@operation("index.constant")
class ConstantOp(WrittenOperation):
    """`%c = index.constant 42`."""

    value = prop_def(IntegerAttr)
    result = result_def(IndexType)

    SYNTAX: ClassVar = (
        Attributes(), " ", integer("value", IndexType(), negative=True, boolean=True),
        Inferred("result", lambda _: [IndexType()]),
    )  # fmt: skip


@operation("index.bool.constant", "attr-dict $value")
class BoolConstantOp(IRDLOperation):
    """`%c = index.bool.constant true`."""

    value = prop_def(BoolAttr)
    result = result_def(i1)


@operation("index.sizeof", "attr-dict")
class SizeOfOp(IRDLOperation):
    """`%n = index.sizeof`: the number of bits of an index on the target, 32 or 64."""

    result = result_def(IndexType)


_CONSTANTS: tuple[type[Operation], ...] = (ConstantOp, BoolConstantOp, SizeOfOp)


def dialect() -> Dialect:
    """The index dialect, which xDSL lacks."""
    operations = [*BINARY_CLASSES.values(), *CAST_CLASSES.values(), CmpOp, *_CONSTANTS]
    return dialect_of("index", operations, [PredicateAttr])


register_elementwise([*BINARY_CLASSES.values(), *CAST_CLASSES.values(), CmpOp])

element_reads.case(*_CONSTANTS)(lambda op: [ElementReads(())])  # A constant depends on nothing.


# -- values --------------------------------------------------------------------------------------------


# The signed number of 64 bits; 1 for true, 0 for false.
index_value.case(ConstantOp, BoolConstantOp)(
    lambda op: wrapped(constant(op.value.value.data), op.result.type)
)


register_arithmetic(BINARY_CLASSES)
may_overflow.case(*(BINARY_CLASSES[_name] for _name in ("add", "sub", "mul", "shl")))(computed_sums)
poison_free.case(*(BINARY_CLASSES[_name] for _name in ("shl", "shrs", "shru")))(shift_has_bits)
costs_by_name(BINARY_CLASSES, "s", "u")
for _kind in CAST_CLASSES.values():
    costs(_kind, Instruction.CAST)
costs(CmpOp, Instruction.COMPARE)
for _kind in _CONSTANTS:
    costs(_kind)


@value_cases.case(SizeOfOp)
def size_cases(op: SizeOfOp) -> list[Disjunction]:
    """32 or 64 bits."""
    size = value_of(op.result)
    return [((size - 32, 32 - size), (size - 64, 64 - size))]


# The signed number, or its lowest bits.
wrapped_value.case(CAST_CLASSES["casts"])(
    lambda op: resized(op.operands[0], op.results[0].type, signed_number)
)
# The unsigned number, or its lowest bits.
wrapped_value.case(CAST_CLASSES["castu"])(
    lambda op: resized(op.operands[0], op.results[0].type, unsigned_number)
)
varies.case(SizeOfOp)(lambda op: SizeOfOp)  # Each target has one.
# Signed and unsigned comparisons; `a != b` is `a < b or a > b`.
condition.case(CmpOp)(lambda op: compared_wide(op.pred.data.value, op.lhs, op.rhs))
# true and false.
condition.case(BoolConstantOp)(
    lambda op: Condition(((),), ()) if op.value.value.data else Condition((), ((),))
)
