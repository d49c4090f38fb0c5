"""Absolute values of integers, and how many bits are counted."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import math
from xdsl.dialects.builtin import ShapedType, i1
from xdsl.ir import Operation

from volcli.language.expressions import Expression, maximum, value_of
from volcli.language.questions import index_value, requires, value_facts, wrapped_value
from volcli.language.reads import Conjunction, Disjunction
from volcli_dialects.cases.numbers.wrapping import may_wrap, width, wrapped


@index_value.case(math.AbsIOp)
def absolute(op: math.AbsIOp) -> Expression | None:
    """max(a, -a)."""
    if width(op.result.type) is None or op.result.type == i1:
        return None
    return maximum(value_of(op.operand), -value_of(op.operand))


@wrapped_value.case(math.AbsIOp)
def wrapped_absolute(op: math.AbsIOp) -> Expression | None:
    """max(a, -a) modulo 2^w: of the i8 -128 it is -128."""
    exact = absolute(op)
    return wrapped(exact, op.result.type) if exact is not None and may_wrap(op.result.type) else exact


@value_facts.case(math.CtPopOp, math.CountLeadingZerosOp, math.CountTrailingZerosOp)
def counted_bits(op: Operation) -> Sequence[Conjunction]:
    """From none to all bits; of a type with one or two bits, all may not fit."""
    bits = width(op.results[0].type)
    if bits is None or bits < 3:
        return [()]
    return [(value_of(op.results[0]), bits - value_of(op.results[0]))]


@requires.case(math.IPowIOp)
def power_exists(op: math.IPowIOp) -> list[Disjunction] | None:
    """`b >= 1 or b <= -1 or e >= 0`: 0 to a negative power divides by 0. Of tensors, data decides."""
    if isinstance(op.result.type, ShapedType):
        return None
    base, exponent = value_of(op.lhs), value_of(op.rhs)
    return [((base - 1,), (-base - 1,), (exponent,))]
