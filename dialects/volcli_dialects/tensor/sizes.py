"""How large the results of tensor operations are, which sizes must agree, and the values of sizes."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.tensor import (
    CastOp,
    CollapseShapeOp,
    ConcatOp,
    DimOp,
    EmptyOp,
    ExpandShapeOp,
    ExtractSliceOp,
    FromElementsOp,
    InsertOp,
    InsertSliceOp,
    PadOp,
    SplatOp,
)
from xdsl.ir import OpResult

from volcli.language.expressions import dim_of, value_of
from volcli.language.questions import SizeFact, Sizes, result_sizes, size_facts
from volcli.language.reads import rank_of
from volcli_dialects.cases.elements import relayout
from volcli_dialects.cases.numbers.dim_facts import register_dims
from volcli_dialects.cases.sizes import register_reshapes
from volcli_dialects.tensor.layout import dims, kept_dims, mixed, shape
from volcli_dialects.tensor.ops import BitcastOp, RankOp, ReshapeOp, ScatterOp


@result_sizes.case(PadOp)
def pad_sizes(op: PadOp) -> list[Sizes]:
    """size = source + low + high."""
    low, high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    return [[s + lo + hi for s, lo, hi in zip(dims(op.source), low, high, strict=True)]]


@result_sizes.case(ExtractSliceOp)
def extract_slice_sizes(op: ExtractSliceOp) -> list[Sizes]:
    sizes = mixed(op.static_sizes, op.sizes)
    return [[sizes[d] for d in kept_dims(sizes, op.result.type.get_shape())]]


@result_sizes.case(ReshapeOp)
def reshape_sizes(op: ReshapeOp) -> list[Sizes]:
    """The elements of the shape operand, where tensor.from_elements made it."""
    made = op.shape.op if isinstance(op.shape, OpResult) else None
    if isinstance(made, FromElementsOp):
        return [[value_of(element) for element in made.elements]]
    return [[None] * rank_of(op.result)]


result_sizes.case(EmptyOp)(lambda op: [shape(op.tensor.type, op.dynamic_sizes)])
result_sizes.case(SplatOp)(lambda op: [shape(op.result.type, op.dynamicSizes)])
result_sizes.case(InsertSliceOp, InsertOp, ScatterOp)(lambda op: [dims(op.dest)])
result_sizes.case(CastOp, BitcastOp)(
    lambda op: [dims(op.source) if rank_of(op.source) == rank_of(op.dest) else [None] * rank_of(op.dest)]
)
# The sum along the concatenated dimension, the first operand's size along the others.
result_sizes.case(ConcatOp)(lambda op: [relayout.joined_sizes(op.inputs, op.dim.value.data)])
register_reshapes(ExpandShapeOp, CollapseShapeOp)
register_dims(DimOp, RankOp)


# -- which sizes must agree ----------------------------------------------------------------------------


@size_facts.case(InsertSliceOp)
def insert_slice_facts(op: InsertSliceOp) -> list[SizeFact]:
    """The source has the slice's sizes."""
    sizes = mixed(op.static_sizes, op.sizes)
    source = op.source.type
    assert isinstance(source, TensorType)
    kept = kept_dims(sizes, source.get_shape())
    return [
        SizeFact(dim_of(op.source, i), sizes[d], f"dimension {i} of the inserted slice")
        for i, d in enumerate(kept)
    ]


# All operands agree outside of the concatenated dimension.
size_facts.case(ConcatOp)(lambda op: relayout.joined_facts(op.inputs, op.dim.value.data))
