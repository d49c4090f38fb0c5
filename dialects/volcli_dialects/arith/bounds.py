"""Values of arith's integer operations in exact wrap-around arithmetic, and what bounds them otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.arith import IntegerOverflowFlag
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language.expressions import Expression, maximum, minimum, value_of
from volcli.language.loops import Choice
from volcli.language.programs.loop_numbers import is_index_like
from volcli.language.questions import (
    choices,
    constant_fill,
    either,
    elements,
    fails,
    holds,
    index_value,
    may_overflow,
    wrapped_value,
)
from volcli_dialects.arith.definedness import flags_of, shifted_by
from volcli_dialects.arith.ops import CAST_CLASSES
from volcli_dialects.cases.numbers.arithmetic import register_arithmetic
from volcli_dialects.cases.numbers.constants import numbers_of
from volcli_dialects.cases.numbers.value_facts import DIVISIONS
from volcli_dialects.cases.numbers.wrapping import (
    UNSIGNED,
    may_wrap,
    resized,
    signed_number,
    truth,
    unsigned_number,
    width,
    wrapped,
)
from volcli_dialects.cases.requirements import register_divisions

_BY_NAME: dict[str, type[Operation]] = {
    "add": arith.AddiOp, "sub": arith.SubiOp, "mul": arith.MuliOp,
    "and": arith.AndIOp, "or": arith.OrIOp, "xor": arith.XOrIOp,
    "divs": arith.DivSIOp, "floordivs": arith.FloorDivSIOp, "ceildivs": arith.CeilDivSIOp,
    "rems": arith.RemSIOp, "divu": arith.DivUIOp, "ceildivu": arith.CeilDivUIOp, "remu": arith.RemUIOp,
    "mins": arith.MinSIOp, "maxs": arith.MaxSIOp, "minu": arith.MinUIOp, "maxu": arith.MaxUIOp,
    "shl": arith.ShLIOp, "shrs": arith.ShRSIOp, "shru": arith.ShRUIOp,
}  # fmt: skip


# -- values --------------------------------------------------------------------------------------------


def _is_promised_not_to_wrap(op: Operation) -> bool:
    return IntegerOverflowFlag.NSW in flags_of(op)


@wrapped_value.case(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp)
def overflowing_value(op: Operation) -> Expression | None:
    """The sum modulo 2^w, or as it is under `overflow<nsw>`: 100 + 100 is -56 on i8."""
    kind = op.results[0].type
    if width(kind) is None:
        return None
    if kind == i1:
        return _added_bits(op)
    if isinstance(op, arith.ShLIOp) and shifted_by(op) is None:
        return None
    exact = index_value(op)
    if exact is None or not may_wrap(kind) or _is_promised_not_to_wrap(op):
        return exact
    return wrapped(exact, kind)


def computed_sums(op: Operation) -> Sequence[Expression]:
    """What OP computes without wrapping around; none under `overflow<nsw>`."""
    stated = None if _is_promised_not_to_wrap(op) else index_value(op)
    return () if stated is None else (stated,)


may_overflow.case(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp)(computed_sums)


def _added_bits(op: Operation) -> Expression | None:
    """On one bit, a sum and a difference are `a xor b`, and a product is the smaller one."""
    if isinstance(op, arith.AddiOp | arith.SubiOp):
        return UNSIGNED["xor"](op)
    return UNSIGNED["and"](op) if isinstance(op, arith.MuliOp) else None


@wrapped_value.case(
    arith.DivSIOp, arith.RemSIOp, arith.FloorDivSIOp, arith.CeilDivSIOp, arith.ShRSIOp, arith.ConstantOp
)
def signed_value(op: Operation) -> Expression | None:
    """The same on any width: the result is no larger than the operands; shifted too far it is poison."""
    if isinstance(op, arith.ShRSIOp) and shifted_by(op) is None:
        return None
    return None if width(op.results[0].type) is None else index_value(op)


@wrapped_value.case(arith.MinSIOp, arith.MaxSIOp)
def signed_extremum(op: Operation) -> Expression | None:
    """The same on any width; of truths, the one that is true is the smaller (-1)."""
    kind = op.results[0].type
    if kind != i1:
        return None if width(kind) is None else index_value(op)
    choose = maximum if isinstance(op, arith.MinSIOp) else minimum
    return choose(*map(value_of, op.operands))


_ORDINARY = 1e4
"""Any type of floats has numbers beyond this on both sides."""

elements.case(arith.ConstantOp)(lambda op: numbers_of(op.value, op.result.type))


# -- casts and comparisons -----------------------------------------------------------------------------


@wrapped_value.case(CAST_CLASSES["trunci"])
def truncated(op: Operation) -> Expression | None:
    """The lowest bits; with `overflow<nsw>` they are the number."""
    if width(op.results[0].type) is not None and op.results[0].type != i1 and _is_promised_not_to_wrap(op):
        return value_of(op.operands[0])
    return resized(op.operands[0], op.results[0].type, signed_number)


@wrapped_value.case(arith.CmpiOp)
def truth_value(op: arith.CmpiOp) -> Expression | None:
    """1 where a comparison of narrow integers or truths holds, else 0; `condition` says it of the others."""
    return (
        None
        if is_index_like(op.lhs) and op.lhs.type != i1
        else truth(arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data], op.lhs, op.rhs)
    )


@either.case(arith.CmpfOp)
def decided_by(op: arith.CmpfOp) -> Sequence[SSAValue]:
    """Both operands, or the one that is compared with a number of the ordinary; `ord` tells NaN only."""
    predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    if predicate in ("false", "true", "ord", "uno") or op.lhs is op.rhs:
        return ()
    numbers = [constant_fill(o.op) if isinstance(o, OpResult) else None for o in (op.lhs, op.rhs)]
    free = [o for o, number in zip((op.lhs, op.rhs), numbers, strict=True) if number is None]
    return free if all(number is None or abs(number) < _ORDINARY for number in numbers) else ()


@choices.case(arith.SelectOp)
def selected(op: arith.SelectOp) -> Sequence[Sequence[Choice]]:
    """The second operand where the first is true, else the third."""
    if op.cond.type != i1:
        return [()]
    return [(Choice((holds(op.cond),), op.lhs), Choice((fails(op.cond),), op.rhs))]


# The signed number, or its lowest bits; the i1 that is true becomes -1.
wrapped_value.case(CAST_CLASSES["extsi"], CAST_CLASSES["index_cast"])(
    lambda op: resized(op.operands[0], op.results[0].type, signed_number)
)
# The unsigned number, or its lowest bits: the i8 -1 becomes 255.
wrapped_value.case(CAST_CLASSES["extui"], CAST_CLASSES["index_castui"])(
    lambda op: resized(op.operands[0], op.results[0].type, unsigned_number)
)


# -- arithmetic on two integers --------------------------------------------------------------------------

register_arithmetic(_BY_NAME)
register_divisions(_BY_NAME[each] for each in DIVISIONS)
