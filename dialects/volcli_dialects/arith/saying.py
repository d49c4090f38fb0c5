"""Operations of other dialects as scalar operations of arith (`cases.elements.masks`).

`stablehlo.compare GE` of i32 is `arith.cmpi sge`; of truths, which are 0 and 1 there, `uge`. Each takes the
numbers of one element of each operand, and appends what computes the same to a block, in signless types: the
unsigned operation of arith where the operands have no sign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from volcli.language.reads import element_type
from volcli_dialects.arith.bodies import EXACT, append, appended_number
from volcli_dialects.arith.ops import CAST_CLASSES, CmpfOp, CmpiOp, SelectOp
from volcli_dialects.cases.elements.masks import Saying, is_unsigned, signless
from volcli_dialects.cases.numbers.wrapping import width


def is_signless(kind: Attribute) -> bool:
    """Whether KIND is an integer type of arith."""
    return isinstance(kind, IntegerType) and kind == IntegerType(kind.bitwidth)


def _has_no_sign(op: Operation) -> bool:
    """Whether OP takes unsigned integers."""
    return is_unsigned(element_type(op.operands[0].type))


def binary(
    on_integers: type[Operation] | None,
    on_truths: type[Operation] | None,
    on_floats: type[Operation] | None = None,
    on_unsigned: type[Operation] | None = None,
) -> Saying:
    """The operation on two integers, on two truths, or on two floats; ON_UNSIGNED if the sign matters."""

    def say(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
        if len(arguments) == 2 and isinstance(arguments[0].type, AnyFloat) and on_floats is not None:
            return append(block, on_floats, arguments, arguments[0].type, EXACT)
        if len(arguments) != 2 or not is_signless(arguments[0].type):
            return None
        kind = on_truths if arguments[0].type == i1 else on_integers
        if on_unsigned is not None and _has_no_sign(op):
            kind = on_unsigned
        return None if kind is None else append(block, kind, arguments, arguments[0].type)

    return say


def comparison(predicate: Callable[[Operation], str | None]) -> Saying:
    """PREDICATE is eq, ne, lt, le, gt or ge; truths are compared as the numbers 0 and 1, NaN is like none."""

    def say(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
        name = predicate(op)
        if name is not None and len(arguments) == 2 and isinstance(arguments[0].type, AnyFloat):
            return compared_floats(block, "une" if name == "ne" else f"o{name}", arguments)
        if name is None or len(arguments) != 2 or not is_signless(arguments[0].type):
            return None
        has_sign = arguments[0].type != i1 and not _has_no_sign(op)
        sign = "" if name in ("eq", "ne") else "s" if has_sign else "u"
        return _compared(block, f"{sign}{name}", arguments)

    return say


def select(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """The second or the third operand, as the first says."""
    if len(arguments) != 3 or arguments[0].type != i1:
        return None
    return append(block, SelectOp, arguments, arguments[1].type)


def clamp(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """`min(max(x, least), most)` of integers, the number being between its limits."""
    if len(arguments) != 3 or not is_signless(arguments[0].type):
        return None
    least, number, most = arguments
    kinds = (arith.MaxUIOp, arith.MinUIOp) if _has_no_sign(op) else (arith.MaxSIOp, arith.MinSIOp)
    return append(block, kinds[1], [append(block, kinds[0], [number, least], number.type), most], number.type)


def function(kind: type[Operation]) -> Saying:
    """The operation KIND on floats."""

    def say(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
        is_float = all(isinstance(each.type, AnyFloat) for each in arguments)
        return append(block, kind, arguments, arguments[0].type, EXACT) if is_float else None

    return say


def negation(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """The other truth."""
    if len(arguments) != 1 or arguments[0].type != i1:
        return None
    return append(block, arith.XOrIOp, [arguments[0], appended_number(block, 1, i1)], i1)


def conversion(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """An integer in another integer type: a truth is 0 or 1, and is whether a number is not 0."""
    to = signless(element_type(op.results[0].type))
    if len(arguments) != 1 or not is_signless(arguments[0].type) or not is_signless(to):
        return None
    (value,) = arguments
    old, new = width(value.type), width(to)
    assert old is not None, "an integer type"
    assert new is not None, "an integer type"
    if old == new:
        return value
    if new == 1:
        return _compared(block, "ne", [value, appended_number(block, 0, value.type)])
    wider = "extui" if old == 1 or _has_no_sign(op) else "extsi"
    name = wider if new > old else "trunci"
    return append(block, CAST_CLASSES[name], arguments, to)


def _compared(block: Block, predicate: str, operands: Sequence[SSAValue]) -> SSAValue:
    number = arith.CMPI_COMPARISON_OPERATIONS.index(predicate)
    return append(block, CmpiOp, operands, i1, {"predicate": IntegerAttr(number, i64)})


def compared_floats(block: Block, predicate: str, operands: Sequence[SSAValue]) -> SSAValue:
    """Whether PREDICATE of cmpf holds of OPERANDS."""
    number = arith.CMPF_COMPARISON_OPERATIONS.index(predicate)
    return append(block, CmpfOp, operands, i1, {"predicate": IntegerAttr(number, i64), **EXACT})


INTEGERS: Mapping[str, Saying] = {
    "add": binary(arith.AddiOp, arith.OrIOp, arith.AddfOp),
    "subtract": binary(arith.SubiOp, None, arith.SubfOp),
    "multiply": binary(arith.MuliOp, arith.AndIOp, arith.MulfOp),
    "divide": binary(arith.DivSIOp, None, arith.DivfOp, arith.DivUIOp),
    "remainder": binary(arith.RemSIOp, None, None, arith.RemUIOp),
    "maximum": binary(arith.MaxSIOp, arith.OrIOp, None, arith.MaxUIOp),
    "minimum": binary(arith.MinSIOp, arith.AndIOp, None, arith.MinUIOp),
    "and": binary(arith.AndIOp, arith.AndIOp),
    "or": binary(arith.OrIOp, arith.OrIOp),
    "xor": binary(arith.XOrIOp, arith.XOrIOp),
    "not": negation,
    "select": select,
    "clamp": clamp,
    "convert": conversion,
}
"""By StableHLO's names, which are those of mathematics."""
