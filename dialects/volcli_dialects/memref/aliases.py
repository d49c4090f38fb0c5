"""Which elements of another buffer the elements of a view are, and how large both are.

In the formulas d is the index of the view's element. The elements of a buffer without a rank have no index:
that they are the base's is all that a view of one says, `()`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, FixedBitwidthType, MemRefType, VectorType
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from volcli.language.expressions import (
    ANY,
    Expression,
    Index,
    NotAffine,
    constant,
    dim_of,
    loop,
    loops,
    value_of,
)
from volcli.language.memory import View
from volcli.language.questions import Sizes, index_values, result_sizes, slice_of, view
from volcli.language.reads import rank_of
from volcli.language.slices import Slice
from volcli_dialects.cases.memory.memory import row_major, sizes_of, unflattened, vector_extents
from volcli_dialects.cases.numbers.dim_facts import register_dims
from volcli_dialects.cases.sizes import (
    dims,
    groups,
    like,
    mixed,
    output_sizes,
    register_reshapes,
    shape,
    strided_slice,
)
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


def _ranked(value: SSAValue) -> SSAValue | None:
    """VALUE, or what it was before its rank was forgotten; None if that is not known."""
    while not isinstance(value.type, MemRefType):
        if not isinstance(value.owner, CastOp | MemorySpaceCastOp):
            return None
        value = value.owner.source
    return value


@view.case(CastOp, MemorySpaceCastOp)
def cast_view(op: CastOp | MemorySpaceCastOp) -> View | None:
    """`V[d] = B[d]`. A view without a rank can only be accessed as a whole: its elements are any of B."""
    base = _ranked(op.source)
    if base is None:
        return View(op.source, ())
    if not isinstance(op.dest.type, MemRefType):
        return View(base, (ANY,) * rank_of(base))
    return View(base, loops(rank_of(base))) if rank_of(base) == rank_of(op.dest) else None


@view.case(memref.SubviewOp)
def subview(op: memref.SubviewOp) -> View:
    """`V[d] = B[offset + d * stride]`; a dimension that the type drops stays at its offset."""
    window = Slice(
        mixed(op.static_offsets, op.offsets), mixed(op.static_strides, op.strides), kept_by_strides(op)
    )
    return View(op.source, window.index())


@view.case(TransposeOp)
def transposed(op: TransposeOp) -> View:
    """`B[permutation(d)] = V[d]`: dimension k of the view is dimension `permutation(k)` of the base."""
    places = [e.position for e in op.permutation.data.results if isinstance(e, AffineDimExpr)]
    return View(op.source, tuple(loop(places.index(d)) for d in range(rank_of(op.source))))


@view.case(memref.ExpandShapeOp)
def expanded(op: memref.ExpandShapeOp) -> View:
    """`V[d] = B[b]` with b_g the row-major position of d within group g."""
    sizes = output_sizes(op)
    return View(op.src, tuple(row_major([sizes[i] for i in group], group[0]) for group in groups(op)))


@view.case(memref.CollapseShapeOp)
def collapsed(op: memref.CollapseShapeOp) -> View:
    """`V[d] = B[b]` with d_g the row-major position of b within group g."""
    sizes = sizes_of(op.src)
    index: list[Index] = [constant(0)] * len(sizes)
    for g, group in enumerate(groups(op)):
        index[group[0] : group[-1] + 1] = unflattened(loop(g), [sizes[i] for i in group])
    return View(op.src, tuple(index))


@view.case(ReshapeOp)
def reshaped(op: ReshapeOp) -> View | None:
    """`V[d] = B[b]` with equal row-major positions; the view's sizes are data, where its type has none."""
    if not isinstance(op.result.type, MemRefType):
        return None
    base = _ranked(op.source)
    if base is None:
        return View(op.source, ())
    return View(base, tuple(unflattened(row_major(sizes_of(op.result)), sizes_of(base))))


view.case(memref.AssumeAlignmentOp)(lambda op: View(op.memref, loops(rank_of(op.memref))))  # `V[d] = B[d]`.
# `V[d] = B[d]`, where there is only one.
view.case(DistinctObjectsOp)(
    lambda op: View(op.memrefs[0], loops(rank_of(op.memrefs[0]))) if len(op.memrefs) == 1 else None
)


# -- the buffer behind ---------------------------------------------------------------------------------


@view.case(ReinterpretCastOp)
def reinterpreted(op: ReinterpretCastOp) -> View | None:
    """`V[d]` is `offset + sum of d_k * stride_k` elements after the beginning of B's buffer."""
    (address,) = mixed(op.static_offsets, op.offsets)
    for k, stride in enumerate(mixed(op.static_strides, op.strides)):
        address = address + stride * loop(k)
    return _at_address(op.source, address, rank_of(op.result))


def _at_address(source: SSAValue, address: Expression, rank: int) -> View | None:
    """The element that is ADDRESS elements after the beginning of the buffer of SOURCE.

    A view of bytes is the beginning of a buffer, whose elements are some bytes each.
    """
    base = _ranked(source)
    if base is None:
        return View(source, ())
    inner = base
    while isinstance(inner, OpResult) and (behind := view(inner.op)) is not None:
        if isinstance(inner.op, memref.ViewOp):
            (size,) = behind.extents
            first = value_of(inner.op.byte_shift) + address * size
            return View(behind.base, (first + loop(rank),), (size,))
        if behind.extents:
            return None  # elements of another type, that are not counted in bytes
        inner = behind.base
    return View(base, (address,), is_address=True)


def _bytes(kind: Attribute) -> int | None:
    """How many bytes lie from one element of type KIND to the next, if every machine agrees on that.

    Those of an index depend on the machine, and between elements of other sizes than 1, 2, 4, ... lies
    padding.
    """
    count = 1
    if isa(kind, VectorType[Attribute]):
        try:
            count = _number(vector_extents(kind))
        except NotAffine:
            return None
        kind = kind.get_element_type()
    if not isinstance(kind, FixedBitwidthType) or (count > 1 and kind.bitwidth % 8):
        return None
    size = count * -(-kind.bitwidth // 8)
    return size if size & (size - 1) == 0 else None


def _number(extents: Sequence[Expression]) -> int:
    product = 1
    for extent in extents:
        product *= extent.constant
    return product


@view.case(memref.ViewOp)
def view_of_bytes(op: memref.ViewOp) -> View | None:
    """`V[d]` is the bytes `B[shift + size * p + b]` for 0 <= b < size, p the row-major position of d."""
    assert isinstance(op.result.type, MemRefType)
    element: Attribute = op.result.type.get_element_type()
    size = _bytes(element)
    if size is None:
        return None
    sizes = shape(op.result.type, op.sizes)
    first = value_of(op.byte_shift) + row_major(sizes) * size
    return View(op.source, (first + loop(len(sizes)),), (constant(size),))


# The element at the beginning of B's buffer.
view.case(memref.ExtractStridedMetaDataOp)(lambda op: _at_address(op.source, constant(0), 0))


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


# The slice of the source that the view is of.
slice_of.case(memref.SubviewOp)(lambda op: strided_slice(op, op.source))
