"""What operations on tensors require: an element that exists, sizes that are not negative."""

from __future__ import annotations

from xdsl.dialects.tensor import ExtractOp, InsertOp, PadOp, SplatOp

from volcli.language.expressions import value_of
from volcli.language.questions import requires
from volcli.language.reads import Disjunction
from volcli_dialects.cases.requirements import are_sizes, is_inside, register_requirements
from volcli_dialects.cases.sizes import dims, mixed
from volcli_dialects.tensor.ops import BitcastOp, GatherOp, GenerateOp, RankOp, ReshapeOp, ScatterOp


@requires.case(PadOp)
def padded_size(op: PadOp) -> list[Disjunction]:
    """`low + size + high >= 0` in each dimension."""
    lows, highs = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    sides = zip(lows, dims(op.source), highs, strict=True)
    return are_sizes(low + size + high for low, size, high in sides)


# The sizes of the new tensor, as those of `tensor.empty`.
requires.case(SplatOp, GenerateOp)(
    lambda op: are_sizes(map(value_of, op.dynamic_extents if isinstance(op, GenerateOp) else op.operands[1:]))
)


requires.case(ExtractOp)(lambda op: is_inside(op.tensor, op.indices))
requires.case(InsertOp)(lambda op: is_inside(op.dest, op.indices))


register_requirements((RankOp, BitcastOp, ReshapeOp, GatherOp, ScatterOp), (RankOp.name, BitcastOp.name))
