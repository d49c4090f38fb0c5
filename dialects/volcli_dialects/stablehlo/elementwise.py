"""Element-wise operations and constants of stablehlo. An operand without dimensions is one number for all."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloat, IntegerType, i1
from xdsl.ir import Operation

from volcli.language import kinds
from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import Expression, Misfit, constant, loop, loops
from volcli.language.kinds import ANYTHING, INTEGERS, NOTHING, ZERO, ZEROS, Kinds, KindsOf
from volcli.language.questions import (
    SizeFact,
    Sizes,
    combines,
    element_numbers,
    element_reads,
    fastmath,
    ignores_sign,
    number_kinds,
    result_sizes,
    size_facts,
    use_through,
)
from volcli.language.reads import Alternative, ElementReads, element_type, elementwise, rank_of, whole
from volcli_dialects.arith import saying
from volcli_dialects.arith.contractions import gathered
from volcli_dialects.arith.kinds import bitcast_kinds
from volcli_dialects.cases.elements.defining import define
from volcli_dialects.cases.elements.elementwise import elementwise_facts
from volcli_dialects.cases.elements.masks import SAID_BY, is_unsigned, pointwise
from volcli_dialects.cases.elements.scalar_functions import (
    COMPARE,
    ODD,
    SELECT,
    conversions,
    is_integer,
    register_function,
)
from volcli_dialects.cases.numbers.constants import register_constants
from volcli_dialects.cases.numbers.wrapping import wrapped
from volcli_dialects.cases.parts import attribute, dimension, number, result, static_sizes, tensor, tensors
from volcli_dialects.cases.sizes import dims
from volcli_dialects.stablehlo.ops import ELEMENTWISE, OPS
from volcli_dialects.stablehlo.syntax import text_of


def at_one_index(op: Operation) -> Sequence[Alternative]:
    """`R[r]` is computed from the operands' elements at r; from the one of an operand without dimensions."""
    target = result(op)
    for operand in op.operands:
        if rank_of(tensor(operand)) != 0:
            tensor(operand, rank_of(target))
    return elementwise(target, op.operands, lambda k: use_through(op, k)).alternatives[:1]


def pointwise_sizes(op: Operation) -> list[Sizes]:
    """Those of the first operand that has the result's dimensions."""
    rank = rank_of(result(op))
    first = next((o for o in op.operands if rank_of(o) == rank), None)
    return [[None] * rank if first is None else dims(first)]


def pointwise_facts(op: Operation) -> list[SizeFact]:
    """All operands with dimensions have the same sizes."""
    return elementwise_facts(op) if len({rank_of(o) for o in op.operands}) == 1 else []


def combined_by(op: Operation) -> str | None:
    """The operation of arith that combines as OP does; a sum of truths is `or`, a product `and`."""
    kind = element_type(op.results[0].type)
    name = op.name.removeprefix("stablehlo.")
    if name in ("and", "or", "xor"):
        return f"{name}i"
    if kind == i1:
        return {"add": "ori", "maximum": "ori"}.get(name, "andi")
    is_float = isinstance(kind, AnyFloat)
    if name in ("add", "multiply"):
        return {"add": "add", "multiply": "mul"}[name] + ("f" if is_float else "i")
    return f"{name}f" if is_float else f"{name[:3]}si" if saying.is_signless(kind) else None


_OTHERS = ("compare", "select", "clamp", "convert", "complex", "uniform_dequantize", "uniform_quantize")
_POINTWISE = [OPS[_name] for _name in (*(row[0] for row in ELEMENTWISE), *_OTHERS)]
pointwise(_POINTWISE, at_one_index)
result_sizes.case(*_POINTWISE)(pointwise_sizes)
size_facts.case(*_POINTWISE)(pointwise_facts)
for _name, _, _function in ELEMENTWISE:
    register_function(_function, OPS[_name])
for _name in ("add", "multiply", "maximum", "minimum", "and", "or", "xor"):
    combines.case(OPS[_name])(combined_by)
SAID_BY.update((OPS[_name], _saying) for _name, _saying in saying.INTEGERS.items())
SAID_BY[OPS["compare"]] = saying.comparison(
    lambda op: text_of(attribute(op, "comparison_direction")).lower() or None
)
register_function(COMPARE, OPS["compare"])
register_function(SELECT, OPS["select"])
conversions([OPS["convert"]])


@number_kinds.case(OPS["clamp"])
def clamp_kinds(op: Operation) -> KindsOf:
    """`min(max(x, low), high)`: one of the three; 0 where low <= 0 <= high and x is."""
    anything = INTEGERS if is_integer(op) else ANYTHING

    def of(low: Kinds, x: Kinds, high: Kinds) -> Kinds:
        below = not low & ~(kinds.NEGATIVE | ZEROS)
        above = not high & ~(kinds.POSITIVE | ZEROS)
        return ZEROS & anything if kinds.is_zero(x) and below and above else kinds.either(low, x, high)

    return of


ignores_sign.case(OPS["clamp"])(lambda op: (0, 1, 2))  # -0 equals +0.
fastmath.case(OPS["clamp"])(lambda op: frozenset())  # The operations of stablehlo carry none.


number_kinds.case(OPS["bitcast_convert"])(bitcast_kinds)
register_function(ODD, OPS["reduce_precision"])


@define(OPS["bitcast_convert"], OPS["reduce_precision"], sizes=False)
def of_bits(op: Operation) -> TensorDefinition:
    """`R[r]` is made of the bits of `x[r]`; of those of a row, or of a part of them, by a last dimension."""
    (x,) = tensors(op, None)
    rank, own = rank_of(result(op)), rank_of(x)
    if abs(rank - own) > 1:
        raise Misfit("bits of another rank")
    return gathered(op, max(rank, own), loops(rank), [whole(x)])


@result_sizes.case(OPS["bitcast_convert"], OPS["reduce_precision"])
def sizes_of_bits(op: Operation) -> list[Sizes]:
    """Those of the operand; what a last dimension of the result has, its type says."""
    shared = min(rank_of(op.operands[0]), rank_of(op.results[0]))
    parts = [constant(n) for n in static_sizes(op.results[0])[shared:]]
    return [[*dims(op.operands[0])[:shared], *parts]]


register_constants("value", OPS["constant"])


@element_reads.case(OPS["iota"], OPS["dynamic_iota"])
def iota_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = r_d` is computed from no element."""
    rank = rank_of(result(op))
    dimension(op, "iota_dimension", rank)
    return [ElementReads((Alternative(rank, loops(rank), (), yields=op.results[0]),))]


@element_numbers.case(OPS["iota"], OPS["dynamic_iota"])
def iota_numbers(op: Operation) -> list[Expression | None]:
    """r_d, as far as the type holds it."""
    kind, d = element_type(op.results[0].type), number(op, "iota_dimension")
    if not isinstance(kind, IntegerType) or not 0 <= d < rank_of(result(op)):
        return [None]
    return [loop(d) % 2**kind.bitwidth if is_unsigned(kind) else wrapped(loop(d), kind)]


@number_kinds.case(OPS["iota"], OPS["dynamic_iota"])
def iota_kinds(op: Operation) -> KindsOf:
    """No index is negative, unless it wraps around."""
    found = INTEGERS if is_integer(op) else ZERO | kinds.POSITIVE | kinds.NOT_FINITE
    return lambda *shape: found | NOTHING
