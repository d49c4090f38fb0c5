"""The arith dialect: element-wise arithmetic, index arithmetic, comparisons and constants."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, i1
from xdsl.ir import Dialect, Operation, OpResult, SSAValue

from volcli.expressions import Expression, constant, maximum, minimum, value_of
from volcli.model.body import is_index_like
from volcli.questions import (
    Vanishing,
    condition,
    constant_fill,
    element_reads,
    index_value,
    vanishing,
)
from volcli.reads import Condition, Conjunction, Disjunction, ElementReads
from volcli_dialects.arith.casts import CAST_CLASSES, CASTS, SCALING_CLASSES
from volcli_dialects.arith.compare import COMPARISONS
from volcli_dialects.arith.ops import BINARY_CLASSES, ConstantOp
from volcli_dialects.shared.elementwise import register_elementwise

_OURS = (
    *BINARY_CLASSES.values(),
    *CAST_CLASSES.values(),
    *SCALING_CLASSES.values(),
    *COMPARISONS,
    ConstantOp,
)
_OPERATIONS = {op.name: op for op in (*arith.Arith.operations, *_OURS)}


def dialect() -> Dialect:
    """xDSL's arith dialect, with operations that have all flags and take vectors and tensors too."""
    return Dialect("arith", list(_OPERATIONS.values()), [*arith.Arith.attributes])


register_elementwise({*arith.Arith.operations, *_OURS} - {arith.ConstantOp, ConstantOp})


# -- constants and zeros -------------------------------------------------------------------------------


@constant_fill.case(arith.ConstantOp)
def constant_number(op: arith.ConstantOp) -> float | int | None:
    """The number that a scalar or splat constant holds; None for other constants."""
    match op.value:
        case IntegerAttr() as number:
            return number.value.data
        case FloatAttr() as number:
            return number.value.data
        case DenseIntOrFPElementsAttr() as elements if elements.is_splat():
            number = next(iter(elements.iter_values()))
            return None if isinstance(number, tuple) else number
        case _:
            return None


@element_reads.case(arith.ConstantOp)
def constant_reads(op: arith.ConstantOp) -> list[ElementReads]:
    """A constant depends on nothing."""
    return [ElementReads(())]


@vanishing.case(arith.MulfOp, arith.MuliOp, arith.AndIOp)
def product_vanishes(op: Operation) -> Vanishing:
    """0 * x = 0."""
    return Vanishing.IF_ANY_OPERAND


@vanishing.case(
    arith.AddfOp, arith.AddiOp, arith.SubfOp, arith.SubiOp, arith.OrIOp, arith.XOrIOp, arith.NegfOp,
    arith.MaximumfOp, arith.MaxnumfOp, arith.MinimumfOp, arith.MinnumfOp,
    arith.MaxSIOp, arith.MaxUIOp, arith.MinSIOp, arith.MinUIOp,
    *(CAST_CLASSES[name] for name in CASTS if name != "bitcast"), *SCALING_CLASSES.values(),
)  # fmt: skip
def sum_vanishes(op: Operation) -> Vanishing:
    """0 + 0 = 0, max(0, 0) = 0, -0 = 0, and so on."""
    return Vanishing.IF_ALL_OPERANDS


@vanishing.case(arith.SelectOp)
def select_vanishes(op: arith.SelectOp) -> Vanishing:
    """Zero where the chosen operand is."""
    return Vanishing.BY_CONDITION


# -- index arithmetic ----------------------------------------------------------------------------------


@index_value.case(arith.ConstantOp)
def constant_value(op: arith.ConstantOp) -> Expression | None:
    return constant(op.value.value.data) if isinstance(op.value, IntegerAttr) else None


def _binary(kind: type[Operation], formula: Callable[[Expression, Expression], Expression | None]) -> None:
    @index_value.case(kind)
    def value(op: Operation) -> Expression | None:
        if op.results[0].type == i1:  # true + true is false
            return None
        return formula(value_of(op.operands[0]), number(op.operands[1]))


def number(value: SSAValue) -> Expression:
    """VALUE, as a constant if it is one: divisors must be."""
    made = value.op if isinstance(value, OpResult) else None
    known = index_value(made) if made is not None else None
    return known if known is not None and known.is_constant else value_of(value)


def truncating(numerator: Expression, divisor: Expression) -> Expression:
    """Division towards zero: `max(floor(n/d), 0) + min(ceil(n/d), 0)` for a positive d."""
    return maximum(numerator // divisor, constant(0)) + minimum(numerator.ceildiv(divisor), constant(0))


_binary(arith.AddiOp, lambda a, b: a + b)
_binary(arith.SubiOp, lambda a, b: a - b)
_binary(arith.MuliOp, lambda a, b: a * b)
_binary(arith.FloorDivSIOp, lambda a, b: a // b)
_binary(arith.CeilDivSIOp, lambda a, b: a.ceildiv(b))
_binary(arith.DivSIOp, truncating)
_binary(arith.RemSIOp, lambda a, b: a - truncating(a, b) * b)
_binary(arith.MinSIOp, minimum)
_binary(arith.MaxSIOp, maximum)
_binary(arith.ShLIOp, lambda a, b: a * 2**b.constant if b.is_constant and 0 <= b.constant < 63 else None)


@index_value.case(CAST_CLASSES["index_cast"], CAST_CLASSES["extsi"])
def cast_value(op: Operation) -> Expression | None:
    """The same number, if the narrower type holds numbers that volcli treats as integers."""
    return value_of(op.operands[0]) if is_index_like(op.operands[0]) else None


# -- comparisons ---------------------------------------------------------------------------------------


def both(left: Disjunction, right: Disjunction) -> Disjunction:
    """LEFT and RIGHT."""
    return tuple((*a, *b) for a in left for b in right)


def either(left: Disjunction, right: Disjunction) -> Disjunction:
    """LEFT or RIGHT."""
    return (*left, *right)


_TRUE: Disjunction = ((),)


@condition.case(arith.CmpiOp)
def comparison(op: arith.CmpiOp) -> Condition | None:
    """Signed comparisons of index values."""
    if not is_index_like(op.lhs):
        return None
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    return compared(predicate, value_of(op.lhs), value_of(op.rhs))


def compared(predicate: str, a: Expression, b: Expression) -> Condition | None:
    """When `a PREDICATE b` is true and when false, for signed predicates; `a != b` is `a < b or a > b`."""
    less: Conjunction = (b - a - 1,)
    at_most: Conjunction = (b - a,)
    greater: Conjunction = (a - b - 1,)
    at_least: Conjunction = (a - b,)
    equal, unequal = ((*at_most, *at_least),), (less, greater)
    table: dict[str, tuple[Disjunction, Disjunction]] = {
        "eq": (equal, unequal),
        "ne": (unequal, equal),
        "slt": ((less,), (at_least,)),
        "sle": ((at_most,), (greater,)),
        "sgt": ((greater,), (at_most,)),
        "sge": ((at_least,), (less,)),
    }
    return Condition(*table[predicate]) if predicate in table else None


@condition.case(arith.ConstantOp)
def constant_condition(op: arith.ConstantOp) -> Condition | None:
    """true and false."""
    known = constant_value(op)
    if known is None:
        return None
    return Condition((), _TRUE) if known.constant == 0 else Condition(_TRUE, ())


@condition.case(arith.AndIOp, arith.OrIOp, arith.XOrIOp)
def connective(op: Operation) -> Condition | None:
    """Conjunction, disjunction and exclusive disjunction of conditions."""
    left, right = (_condition_of(operand) for operand in op.operands)
    if left is None or right is None:
        return None
    if isinstance(op, arith.AndIOp):
        return Condition(both(left.true, right.true), either(left.false, both(left.true, right.false)))
    if isinstance(op, arith.OrIOp):
        return Condition(either(left.true, both(left.false, right.true)), both(left.false, right.false))
    return Condition(
        either(both(left.true, right.false), both(left.false, right.true)),
        either(both(left.true, right.true), both(left.false, right.false)),
    )


def _condition_of(value: SSAValue) -> Condition | None:
    return condition(value.op) if isinstance(value, OpResult) else None
