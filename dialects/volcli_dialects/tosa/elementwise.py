"""Element-wise operations of tosa that have more to say than their scalar function."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr
from xdsl.ir import Operation

from volcli.language import kinds
from volcli.language.expressions import ANY, Misfit, constant, loop, loops
from volcli.language.kinds import ANYTHING, INTEGERS, ZERO, ZEROS, Kinds, KindsOf
from volcli.language.questions import element_reads, fastmath, ignores_sign, number_kinds, result_sizes
from volcli.language.reads import Access, Alternative, ElementReads, Read, element_type, is_number, rank_of
from volcli_dialects.cases.elements.broadcasting import (
    broadcast,
    broadcast_sizes,
    first_operands,
    register_broadcasting,
)
from volcli_dialects.cases.elements.masks import pointwise
from volcli_dialects.cases.elements.scalar_functions import (
    NEGATE,
    conversions,
    is_float,
    is_integer,
    register_function,
)
from volcli_dialects.cases.parts import attribute, result, tensor, tensors
from volcli_dialects.cases.sizes import like
from volcli_dialects.tosa.ops import OPS, named

register_broadcasting(named("cast", "clamp"), first_operands(1))
conversions(named("cast"))
register_function(NEGATE, OPS["negate"])


def negated(op: Operation) -> list[Alternative]:
    """`R[r] = out - (x[r] - in)`; zero points of floats are 0."""
    return [broadcast(op, op.operands[: 1 if is_float(op) else 3])]


pointwise([OPS["negate"]], negated)


@number_kinds.case(OPS["clamp"])
def clamp_kinds(op: Operation) -> KindsOf:
    """A zero stays one between the limits; `min(max(x, low), high)`."""
    low, high = (_number(attribute(op, name)) for name in ("min_val", "max_val"))
    is_inside = low is not None and high is not None and low <= 0 <= high
    anything = INTEGERS if is_integer(op) else ANYTHING

    def of(number: Kinds) -> Kinds:
        return ZEROS & anything if is_inside and kinds.is_zero(number) else anything

    return of


def _number(found: object) -> float | int | None:
    return found.value.data if isinstance(found, IntegerAttr | FloatAttr) else None


@element_reads.case(OPS["rescale"])
def rescale_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = ((x[r] - in) * multiplier[c] >> shift[c]) + out`, c being the last index, or 0 for all."""
    target = result(op)
    x, multiplier, shift, zero_in, zero_out = tensors(op, None, 1, 1, 1, 1)
    tensor(x, rank_of(target))
    floats = any(isinstance(element_type(each.type), AnyFloat) for each in (x, zero_in, zero_out))
    if floats or not all(is_number(element_type(each.type)) for each in (multiplier, shift)):
        raise Misfit("numbers, multipliers or shifts that are not integers")
    per_channel = attribute(op, "per_channel")
    is_each = isinstance(per_channel, IntegerAttr) and bool(per_channel.value.data)
    channel = loop(rank_of(target) - 1) if is_each and rank_of(target) else constant(0)
    zero = (constant(0),)
    accesses = [
        Access(x, loops(rank_of(target))),
        Access(multiplier, (channel,)),
        Access(shift, (channel,)),
        Access(zero_in, zero),
        Access(zero_out, zero),
    ]
    scalars = {access.operand: access for access in accesses}
    reads = tuple(Read(access) for access in dict.fromkeys(accesses))
    rank = rank_of(target)
    return [ElementReads((Alternative(rank, loops(rank), reads, yields=target, scalars=scalars),))]


@number_kinds.case(OPS["rescale"])
def rescale_kinds(op: Operation) -> KindsOf:
    """0 without zero points is 0, whatever it is multiplied by."""

    def of(x: Kinds, multiplier: Kinds, shift: Kinds, zero_in: Kinds, zero_out: Kinds) -> Kinds:
        return ZERO if all(map(kinds.is_zero, (x, zero_in, zero_out))) else INTEGERS

    return of


@element_reads.case(OPS["table"])
def table_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = table[x[r]]`: which element of the table is data."""
    target = result(op)
    x, table = tensors(op, rank_of(target), 1)
    rank = rank_of(target)
    reads = (Read(Access(x, loops(rank))), Read(Access(table, (ANY,))))
    return [ElementReads((Alternative(rank, loops(rank), reads),), "the position in the table is data")]


result_sizes.case(OPS["negate"])(lambda op: broadcast_sizes(op, op.operands[:1]))  # Those of the operand.
ignores_sign.case(OPS["clamp"])(lambda op: (0,))  # The limits are compared with the number: -0 equals +0.
fastmath.case(OPS["clamp"])(lambda op: frozenset())  # The operations of tosa carry none.
# Those of the first operand.
result_sizes.case(OPS["rescale"], OPS["table"])(lambda op: [like(op.operands[0], op.results[0])])
