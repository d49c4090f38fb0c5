"""How large buffers and views of them are, and the values of sizes."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir.affine import AffineDimExpr

from volcli.language.expressions import Expression, NotAffine, constant, dim_of
from volcli.language.questions import (
    Sizes,
    index_values,
    result_sizes,
)
from volcli.language.reads import rank_of
from volcli_dialects.cases.numbers.dim_facts import register_dims
from volcli_dialects.cases.reshapes import register_reshapes
from volcli_dialects.cases.sizes import dims, like, mixed, shape
from volcli_dialects.memref.globals import GetGlobalOp
from volcli_dialects.memref.layouts import kept_by_strides
from volcli_dialects.memref.views import (
    CastOp,
    DimOp,
    DistinctObjectsOp,
    MemorySpaceCastOp,
    RankOp,
    ReallocOp,
    ReinterpretCastOp,
    ReshapeOp,
    TransposeOp,
)


@result_sizes.case(memref.SubviewOp)
def subview_sizes(op: memref.SubviewOp) -> list[Sizes]:
    """The sizes of the slice, without the dimensions of size 1 that the type drops."""
    sizes = mixed(op.static_sizes, op.sizes)
    return [[sizes[d] for d in kept_by_strides(op)]]


@result_sizes.case(TransposeOp)
def transposed_sizes(op: TransposeOp) -> list[Sizes]:
    """Dimension d of the result is dimension `permutation(d)` of the source."""
    return [
        [dim_of(op.source, e.position) for e in op.permutation.data.results if isinstance(e, AffineDimExpr)]
    ]


# The operands are the sizes that the type does not say.
result_sizes.case(memref.AllocOp, memref.AllocaOp)(lambda op: [shape(op.memref.type, op.dynamic_sizes)])
result_sizes.case(memref.ViewOp)(lambda op: [shape(op.result.type, op.sizes)])
result_sizes.case(GetGlobalOp)(lambda op: [shape(op.memref.type, ())])
result_sizes.case(ReallocOp)(
    lambda op: [shape(op.result.type, [] if op.dynamic_result_size is None else [op.dynamic_result_size])]
)
result_sizes.case(CastOp, MemorySpaceCastOp)(lambda op: [like(op.source, op.dest)])
result_sizes.case(memref.AssumeAlignmentOp)(lambda op: [dims(op.memref)])
result_sizes.case(DistinctObjectsOp)(lambda op: [dims(buffer) for buffer in op.memrefs])
result_sizes.case(ReinterpretCastOp)(lambda op: [mixed(op.static_sizes, op.sizes)])
# The sizes are data, elements of a buffer.
result_sizes.case(ReshapeOp)(lambda op: [[None] * rank_of(op.result)])
register_reshapes(memref.ExpandShapeOp, memref.CollapseShapeOp)


# -- values --------------------------------------------------------------------------------------------


@index_values.case(memref.ExtractStridedMetaDataOp)
def metadata(op: memref.ExtractStridedMetaDataOp) -> list[Expression | None]:
    """The base buffer, the offset, the sizes and the strides, as far as the type says them."""
    kind = op.source.type
    assert isinstance(kind, MemRefType)
    offset, strides = kind.get_offset(), kind.get_strides()
    rank = rank_of(op.source)
    if len(op.sizes) != rank or len(op.strides) != rank:
        raise NotAffine("the results do not fit the buffer")
    known = [None] * rank if strides is None else strides
    return [None, _static(offset), *dims(op.source), *map(_static, known)]


def _static(number: int | None) -> Expression | None:
    return None if number is None or number == DYNAMIC_INDEX else constant(number)


register_dims(DimOp, RankOp)
