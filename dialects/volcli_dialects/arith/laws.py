"""What arithmetic gives whatever its operands are: x - x = 0, x * 0 = 0, x & x = x.

And which of it may be done in any order, what it costs, and what a selection is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Operation

from volcli.language.instructions import Instruction
from volcli.language.questions import (
    Law,
    Vanishing,
    combines,
    laws,
    result_sizes,
    size_facts,
    structured,
    subtracts,
    vanishing,
)
from volcli.language.reads import rank_of
from volcli.language.structured_ops import StructuredNest
from volcli_dialects.arith.ops import BINARY_CLASSES, CAST_CLASSES, CmpiOp, SelectOp
from volcli_dialects.cases.elements.elementwise import at_one_index, elementwise_facts, elementwise_sizes
from volcli_dialects.cases.elements.masks import pointwise
from volcli_dialects.cases.elements.pointwise import pointwise_nest
from volcli_dialects.cases.memory.memory import touch_nothing
from volcli_dialects.cases.numbers.arithmetic import costs, costs_by_name

_ANY = (0, 1)
_REFLEXIVE = ("eq", "sle", "sge", "ule", "uge")


@laws.case(CmpiOp)
def comparison_laws(op: CmpiOp) -> Sequence[Law]:
    """x <= x is true, x < x is false."""
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    return [Law(equal=_ANY, number=-1 if predicate in _REFLEXIVE else 0)]


def _absorbing(number: int) -> list[Law]:
    """x * 0 = 0 = 0 * x"""
    return [Law(given=(position, number), number=number) for position in _ANY]


def _neutral(number: int) -> list[Law]:
    """x + 0 = x = 0 + x"""
    return [Law(given=(position, number), operand=1 - position) for position in _ANY]


laws.case(arith.AddiOp)(lambda op: _neutral(0))
laws.case(arith.SubiOp)(lambda op: [Law(equal=_ANY, number=0), Law(given=(1, 0), operand=0)])
laws.case(arith.MuliOp)(lambda op: [*_absorbing(0), *_neutral(1)])
# All bits of -1 are set: of an i1, it is true.
laws.case(arith.AndIOp)(lambda op: [Law(equal=_ANY, operand=0), *_absorbing(0), *_neutral(-1)])
laws.case(arith.OrIOp)(lambda op: [Law(equal=_ANY, operand=0), *_absorbing(-1), *_neutral(0)])
laws.case(arith.XOrIOp)(lambda op: [Law(equal=_ANY, number=0), *_neutral(0)])
# Nothing is said of x / x, which is undefined for 0.
laws.case(arith.DivSIOp, arith.DivUIOp, arith.CeilDivSIOp, arith.CeilDivUIOp, arith.FloorDivSIOp)(
    lambda op: [Law(given=(1, 1), operand=0)]
)
laws.case(arith.RemSIOp, arith.RemUIOp)(lambda op: [Law(given=(1, 1), number=0)])
# What shifts by more than the width is undefined.
laws.case(arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)(
    lambda op: [Law(given=(1, 0), operand=0), Law(given=(0, 0), number=0)]
)
laws.case(arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp, arith.MaximumfOp, arith.MinimumfOp)(
    lambda op: [Law(equal=_ANY, operand=0)]
)
laws.case(SelectOp)(
    lambda op: [Law(equal=(1, 2), operand=1), Law(given=(0, -1), operand=1), Law(given=(0, 0), operand=2)]
)


touch_nothing(arith.SelectOp, SelectOp)

# Sums and products of floats are in any order as far as affine.parallel is concerned: rounding is not.
_KINDS: Mapping[type[Operation], str] = {
    arith.AddfOp: "addf",
    arith.AddiOp: "addi",
    arith.MulfOp: "mulf",
    arith.MuliOp: "muli",
    arith.AndIOp: "andi",
    arith.OrIOp: "ori",
    arith.XOrIOp: "xori",
    arith.MaximumfOp: "maximumf",
    arith.MinimumfOp: "minimumf",
    arith.MaxnumfOp: "maxnumf",
    arith.MinnumfOp: "minnumf",
    arith.MaxSIOp: "maxs",
    arith.MinSIOp: "mins",
    arith.MaxUIOp: "maxu",
    arith.MinUIOp: "minu",
}

# x * y = y * x and (x * y) * z = x * (y * z).
combines.case(*_KINDS)(lambda op: next((name for kind, name in _KINDS.items() if isinstance(op, kind)), None))
subtracts.case(arith.SubfOp)(lambda op: "addf")  # `x - e = x + (-e)`.
subtracts.case(arith.SubiOp)(lambda op: "addi")  # `x - e = x + (-e)`.


costs_by_name({name.removeprefix("arith."): kind for name, kind in BINARY_CLASSES.items()}, "i", "si", "ui")
for _name in ("extsi", "extui", "trunci", "index_cast", "index_castui"):
    costs(CAST_CLASSES[_name], Instruction.CAST)
costs(arith.CmpiOp, Instruction.COMPARE)
costs(arith.ConstantOp)
costs(arith.SelectOp)


_SELECTIONS = (arith.SelectOp, SelectOp)
pointwise(_SELECTIONS, at_one_index)


@structured.case(*_SELECTIONS)
def select_nest(op: arith.SelectOp) -> StructuredNest | None:
    """With one condition for all, both operands have the sizes of the result only if their type says so."""
    kind = op.result.type
    is_sized = not isinstance(kind, TensorType) or kind.has_static_shape()
    return pointwise_nest(op) if is_sized or op.cond.type != i1 else None


# With one condition for all, those of the operand that is chosen; else those of all operands.
result_sizes.case(arith.SelectOp)(
    lambda op: [[None] * rank_of(op.result)] if op.cond.type == i1 else elementwise_sizes(op)
)
# With one condition for all, only one of the others counts.
size_facts.case(arith.SelectOp)(lambda op: [] if op.cond.type == i1 else elementwise_facts(op))
vanishing.case(arith.SelectOp)(lambda op: Vanishing.BY_CONDITION)  # Zero where the chosen operand is.
