"""The arith dialect: element-wise arithmetic, index arithmetic, comparisons and constants."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, i1
from xdsl.ir import Dialect, Operation, OpResult, SSAValue

from volcli.language.expressions import Expression, constant, maximum, minimum, value_of
from volcli.language.programs.loop_numbers import is_index_like
from volcli.language.questions import (
    Vanishing,
    condition,
    constant_fill,
    element_reads,
    index_value,
    literal,
    vanishing,
)
from volcli.language.reads import Condition, Conjunction, Disjunction, ElementReads
from volcli.limits import dialects as limits
from volcli.limits.widths import GREATEST, HALF
from volcli_dialects.arith import bounds, folding, kinds, laws, problems
from volcli_dialects.arith.ops import (
    BINARY_CLASSES,
    CAST_CLASSES,
    CASTS,
    COMPARISONS,
    SCALING_CLASSES,
    ConstantOp,
    SelectOp,
)
from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.elements.elementwise import register_elementwise
from volcli_dialects.cases.numbers.wrapping import (
    number,
    rounded_down,
    rounded_up,
    signed_number,
    truncating,
    width,
    wrapped,
)
from volcli_dialects.cases.parts import fill_of

_OURS = (
    *BINARY_CLASSES.values(),
    *CAST_CLASSES.values(),
    *SCALING_CLASSES.values(),
    *COMPARISONS,
    ConstantOp,
)


def dialect() -> Dialect:
    """xDSL's arith dialect, with operations that have all flags and take vectors and tensors too."""
    return dialect_of(arith.Arith, _OURS)


register_elementwise(
    {*arith.Arith.operations, *_OURS} - {arith.ConstantOp, ConstantOp, arith.SelectOp, SelectOp}
)


# -- constants and zeros -------------------------------------------------------------------------------


constant_fill.case(arith.ConstantOp)(lambda op: fill_of(op.value))  # The number of a scalar, or of a splat.


@vanishing.case(
    arith.AddfOp, arith.AddiOp, arith.SubfOp, arith.SubiOp, arith.OrIOp, arith.XOrIOp, arith.NegfOp,
    arith.MaximumfOp, arith.MaxnumfOp, arith.MinimumfOp, arith.MinnumfOp,
    arith.MaxSIOp, arith.MaxUIOp, arith.MinSIOp, arith.MinUIOp,
    *(CAST_CLASSES[name] for name in CASTS if name != "bitcast"), *SCALING_CLASSES.values(),
)  # fmt: skip
def sum_vanishes(op: Operation) -> Vanishing:
    """0 + 0 = 0, max(0, 0) = 0, -0 = 0, and so on."""
    return Vanishing.IF_ALL_OPERANDS


literal.case(arith.ConstantOp)(lambda op: op.value)  # The number, or all elements.
element_reads.case(arith.ConstantOp)(lambda op: [ElementReads(())])  # A constant depends on nothing.
vanishing.case(arith.MulfOp, arith.MuliOp, arith.AndIOp)(lambda op: Vanishing.IF_ANY_OPERAND)  # 0 * x = 0.


# -- index arithmetic ----------------------------------------------------------------------------------


@index_value.case(arith.ConstantOp)
def constant_value(op: arith.ConstantOp) -> Expression | None:
    """The signed number; 1 for the i1 that is true, 0 for false."""
    bits = width(op.result.type)
    if bits is None or not isinstance(op.value, IntegerAttr):
        return None
    return wrapped(constant(op.value.value.data), op.result.type)


@index_value.case(CAST_CLASSES["index_cast"], CAST_CLASSES["extsi"])
def cast_value(op: Operation) -> Expression | None:
    """The same number, if the narrower type holds numbers that volcli treats as integers."""
    source, result = op.operands[0], op.results[0]
    return signed_number(source) if is_index_like(source) and result.type != i1 else None


# -- comparisons ---------------------------------------------------------------------------------------


def both(left: Disjunction, right: Disjunction) -> Disjunction:
    """LEFT and RIGHT."""
    return tuple(tuple(dict.fromkeys((*a, *b))) for a in left for b in right)


def either(left: Disjunction, right: Disjunction) -> Disjunction:
    """LEFT or RIGHT."""
    return (*left, *right)


_TRUE: Disjunction = ((),)


@condition.case(arith.CmpiOp)
def comparison(op: arith.CmpiOp) -> Condition | None:
    """Comparisons of index values; of truths, -1 < 0 as signed and 0 < 1 as unsigned numbers."""
    if not is_index_like(op.lhs):
        return None
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    if op.lhs.type == i1:
        if predicate.startswith("s"):
            return compared(predicate, -value_of(op.lhs), -value_of(op.rhs))
        predicate = predicate.replace("u", "s")
    return compared_wide(predicate, op.lhs, op.rhs)


def compared_wide(predicate: str, left: SSAValue, right: SSAValue) -> Condition | None:
    """When `left PREDICATE right` is true for numbers of 64 bits: none is less than the least one, -2^63."""
    low, high = (right, left) if predicate in ("sgt", "sle") else (left, right)
    is_never_less = number(low) == constant(GREATEST) or number(high) == constant(-HALF)
    if is_never_less and predicate in ("slt", "sgt"):
        return Condition((), _TRUE)
    if is_never_less and predicate in ("sle", "sge"):
        return Condition(_TRUE, ())
    return compared(predicate, value_of(left), value_of(right))


def compared(predicate: str, a: Expression, b: Expression) -> Condition | None:
    """When `a PREDICATE b` is true and when false; `a != b` is `a < b or a > b`.

    As unsigned numbers, the negative ones are above the others, and among themselves in order.
    """
    if predicate.startswith("u"):
        a, b, predicate = (a, b, predicate) if predicate in ("ult", "uge") else (b, a, _MIRRORED[predicate])
        below, not_below = _unsigned_less(a, b), _unsigned_at_most(b, a)
        return Condition(below, not_below) if predicate == "ult" else Condition(not_below, below)
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


_MIRRORED = {"ugt": "ult", "ule": "uge"}


def _unsigned_less(a: Expression, b: Expression) -> Disjunction:
    return (a, b - a - 1), (-b - 1, b - a - 1), (a, -b - 1)


def _unsigned_at_most(a: Expression, b: Expression) -> Disjunction:
    return (a, b - a), (-b - 1, b - a), (a, -b - 1)


@condition.case(arith.ConstantOp)
def constant_condition(op: arith.ConstantOp) -> Condition | None:
    """true and false; a number of more bits is not a condition."""
    known = constant_value(op)
    if known is None or op.result.type != i1:
        return None
    return Condition((), _TRUE) if known.constant == 0 else Condition(_TRUE, ())


_CONNECTIVES = (arith.AndIOp, arith.OrIOp, arith.XOrIOp)


@condition.case(*_CONNECTIVES)
def connective(op: Operation) -> Condition | None:
    """Conjunction, disjunction and exclusive disjunction of truths, as far as they stay small."""
    if op.results[0].type != i1:
        return None
    if _is_deep(op):
        raise RecursionError("a condition is nested too deeply")
    left, right = (_condition_of(operand) for operand in op.operands)
    if left is None or right is None:
        return None
    sizes = [max(len(each.true), len(each.false)) for each in (left, right)]
    if sizes[0] * sizes[1] > limits.CONJUNCTIONS:
        return None
    if isinstance(op, arith.AndIOp):
        return Condition(both(left.true, right.true), either(left.false, both(left.true, right.false)))
    if isinstance(op, arith.OrIOp):
        return Condition(either(left.true, both(left.false, right.true)), both(left.false, right.false))
    return Condition(
        either(both(left.true, right.false), both(left.false, right.true)),
        either(both(left.true, right.true), both(left.false, right.false)),
    )


def _is_deep(op: Operation) -> bool:
    """Whether OP is made of more connectives than limits.CONNECTIVES, each as often as it is used."""
    waiting, count = [op], 0
    while waiting and count <= limits.CONNECTIVES:
        count += 1
        for operand in waiting.pop().operands:
            if isinstance(operand, OpResult) and isinstance(operand.op, _CONNECTIVES):
                waiting.append(operand.op)
    return count > limits.CONNECTIVES


def _condition_of(value: SSAValue) -> Condition | None:
    return condition(value.op) if isinstance(value, OpResult) else None
