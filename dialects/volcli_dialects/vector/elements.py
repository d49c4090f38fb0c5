"""Which elements the lanes of a vector are computed from, r being the index of a lane of the result.

    vector.broadcast %v : vector<1x4xf32> to vector<2x8x4xf32>          R[r] = v[0, r_2]
    vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>    R[r] = v[r_1, r_0]
    vector.reduction <add>, %v, %c : vector<4xf32> into f32             R[] is computed from v[0..3] and c

Vectors whose size only the machine knows, and operations under a mask, have no such formula.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IntegerAttr, TensorType, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.hints import isa

from volcli.language.affine_maps import over_loops
from volcli.language.expressions import Expression, NotAffine, constant, loop, loops, value_of
from volcli.language.questions import element_numbers, element_reads
from volcli.language.reads import (
    Access,
    Alternative,
    ElementReads,
    Read,
    copy,
    elementwise,
    made_of,
    one_alternative,
    rank_of,
    whole,
)
from volcli_dialects.cases.elements.relayout import permuted, unflattened
from volcli_dialects.vector.accesses import TransferReadOp, TransferWriteOp
from volcli_dialects.vector.reductions import ContractionOp, MaskOp, MultiDimReductionOp, OuterProductOp
from volcli_dialects.vector.shapes import (
    DeinterleaveOp,
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    InterleaveOp,
    ShapeCastOp,
    StepOp,
    TransposeOp,
)

Op = TypeVar("Op", bound=Operation)


def _states(*kinds: type[Op]) -> Callable[[Callable[[Op], ElementReads | list[ElementReads]]], object]:
    """The decorated function states what each result of an operation of KINDS is computed from."""

    def stated(reads: Callable[[Op], ElementReads | list[ElementReads]]) -> object:
        def of_static(op: Op) -> list[ElementReads]:
            if any(isa(v.type, VectorType) and any(v.type.get_scalable_dims()) for v in _values(op)):
                raise NotAffine("a scalable vector")
            if isinstance(op.parent_op(), MaskOp):
                raise NotAffine("an operation under a mask")
            found = reads(op)
            return [found] if isinstance(found, ElementReads) else found

        return element_reads.case(*kinds)(of_static)

    return stated


def _values(op: Operation) -> tuple[SSAValue, ...]:
    return (*op.operands, *op.results)


def _computed(
    result: SSAValue, count: int, element: Sequence[Expression], accesses: Sequence[Access]
) -> ElementReads:
    """`R[element(l)]` from all ACCESSES at the points l of COUNT loops that lie in them."""
    reads, bounds = tuple(map(Read, accesses)), tuple(accesses)
    return ElementReads((Alternative(count, tuple(element), reads, bounds, yields=result),))


# -- moves ---------------------------------------------------------------------------------------------


@_states(vector.BroadcastOp)
def broadcast(op: vector.BroadcastOp) -> ElementReads:
    """The last dimensions are those of the source, stretched where it has one element."""
    rank, given = rank_of(op.vector), rank_of(op.source)
    shape = op.source.type.get_shape() if isa(op.source.type, VectorType) else ()
    index = [constant(0) if size == 1 else loop(rank - given + d) for d, size in enumerate(shape)]
    return one_alternative(rank, copy(op.source, index))


@_states(ShapeCastOp)
def cast(op: ShapeCastOp) -> ElementReads:
    """The same row-major position p: one loop."""
    shapes = [v.type.get_shape() for v in (op.source, op.result) if isa(v.type, VectorType)]
    index, element = (unflattened(loop(0), shape) for shape in shapes)
    return ElementReads((Alternative(1, element, copy(op.source, index), (Access(op.source, index),)),))


def _position(op: vector.ExtractOp | vector.InsertOp) -> list[Expression]:
    dynamic = iter(op.dynamic_position)
    static = op.static_position.get_values()
    return [value_of(next(dynamic)) if each == DYNAMIC_INDEX else constant(each) for each in static]


@_states(vector.ExtractOp)
def extracted(op: vector.ExtractOp) -> ElementReads:
    """`R[r] = V[position, r]`."""
    rank = rank_of(op.result)
    return one_alternative(rank, copy(op.vector, [*_position(op), *loops(rank)]))


def _overwritten(target: SSAValue, element: Sequence[Expression], source: SSAValue) -> ElementReads:
    """`R[element(l)] = source[l]`, and every other element is that of TARGET."""
    count = rank_of(source)
    inserted = Alternative(count, tuple(element), copy(source, loops(count)), (whole(source),))
    return ElementReads((inserted, *one_alternative(rank_of(target), (Read(whole(target)),)).alternatives))


@_states(vector.InsertOp)
def inserted(op: vector.InsertOp) -> ElementReads:
    return _overwritten(op.dest, [*_position(op), *loops(rank_of(op.source))], op.source)


def _numbers(op: ExtractStridedSliceOp | InsertStridedSliceOp, name: str) -> list[int]:
    return [each.value.data for each in getattr(op, name) if isinstance(each, IntegerAttr)]


@_states(ExtractStridedSliceOp)
def slice_of(op: ExtractStridedSliceOp) -> ElementReads:
    """`R[r] = V[offset + r * stride]`, along the first dimensions."""
    rank = rank_of(op.vector)
    index: list[Expression] = list(loops(rank))
    for d, (offset, stride) in enumerate(zip(_numbers(op, "offsets"), _numbers(op, "strides"), strict=True)):
        index[d] = loop(d) * stride + offset
    return one_alternative(rank, copy(op.vector, index))


@_states(InsertStridedSliceOp)
def slice_inserted(op: InsertStridedSliceOp) -> ElementReads:
    """`R[offset + s * stride] = S[s]`; the strides are those of the source's dimensions."""
    offsets, strides, count = _numbers(op, "offsets"), _numbers(op, "strides"), rank_of(op.value_to_store)
    more = len(offsets) - count
    element = [constant(each) for each in offsets[:more]]
    element += [loop(d) * strides[d] + offsets[more + d] for d in range(count)]
    return _overwritten(op.dest, element, op.value_to_store)


@_states(InterleaveOp)
def interleaved(op: InterleaveOp) -> ElementReads:
    """The lanes of both in turn, along the last dimension; those of two without dimensions are two lanes."""
    count = rank_of(op.lhs)
    outer, first = loops(count)[:-1], loop(count - 1) * 2 if count else constant(0)
    return ElementReads(
        tuple(
            Alternative(count, (*outer, first + k), copy(source, loops(count)), (whole(source),))
            for k, source in enumerate((op.lhs, op.rhs))
        )
    )


@_states(DeinterleaveOp)
def deinterleaved(op: DeinterleaveOp) -> list[ElementReads]:
    """`R_k[.., r] = V[.., 2 * r + k]`."""
    *outer, last = loops(rank_of(op.source))
    return [one_alternative(len(outer) + 1, copy(op.source, (*outer, last * 2 + k))) for k in (0, 1)]


@_states(vector.BitcastOp)
def recast(op: vector.BitcastOp) -> ElementReads:
    """The bits of the last dimension: of several lanes for each lane, or of a part of one."""
    shapes = [v.type.get_shape() for v in (op.source, op.result) if isa(v.type, VectorType)]
    if not shapes[0] or 0 in (*shapes[0], *shapes[1]):
        return made_of(rank_of(op.result), [whole(op.source)])
    *outer, last = loops(rank_of(op.result))
    given, made = shapes[0][-1], shapes[1][-1]
    if made >= given:
        return made_of(len(outer) + 1, [Access(op.source, (*outer, last // (made // given)))])
    parts = given // made
    accesses = [Access(op.source, (*outer, last * parts + k)) for k in range(parts)]
    return made_of(len(outer) + 1, accesses)


@_states(vector.ShuffleOp)
def shuffled(op: vector.ShuffleOp) -> ElementReads:
    """`R[k, r] = V[mask_k, r]`, V being both operands, one behind the other; undefined where mask_k is -1."""
    sizes = [v.type.get_shape() for v in (op.v1, op.v2) if isa(v.type, VectorType)]
    lanes = [(op.v1, k) for k in range(sizes[0][0])] if sizes[0] else [(op.v1, None)]
    lanes += [(op.v2, k) for k in range(sizes[1][0])] if sizes[1] else [(op.v2, None)]
    rest = loops(max(rank_of(op.v1) - 1, 0))
    found: list[Alternative] = []
    for lane, source in enumerate(op.mask.get_values()):
        if source >= 0:
            operand, k = lanes[source]
            read = copy(operand, () if k is None else (constant(k), *rest))
            found.append(Alternative(len(rest), (constant(lane), *rest), read))
    return ElementReads(tuple(found))


_states(TransposeOp)(lambda op: permuted(op.vector, op.permutation.get_values()))
# The numbers 0, 1, 2, ..., computed from no element.
_states(StepOp)(lambda op: ElementReads((Alternative(1, loops(1), (), yields=op.result),)))
element_numbers.case(StepOp)(lambda op: [loop(0)])  # The coordinate.


# -- arithmetic ----------------------------------------------------------------------------------------


@_states(vector.ReductionOp)
def reduced(op: vector.ReductionOp) -> ElementReads:
    """All lanes, and what they are added to."""
    accumulated = () if op.acc is None else (Access(op.acc, ()),)
    return _computed(op.dest, rank_of(op.vector), (), (whole(op.vector), *accumulated))


@_states(MultiDimReductionOp)
def reduced_along(op: MultiDimReductionOp) -> ElementReads:
    """`R[the kept of l]` from `source[l]` and the accumulator there."""
    count = rank_of(op.source)
    kept = tuple(loop(d) for d in range(count) if d not in op.reduction_dims.get_values())
    return _computed(op.dest, count, kept, (whole(op.source), Access(op.acc, kept)))


@_states(OuterProductOp)
def outer_product(op: OuterProductOp) -> ElementReads:
    """`R[i, j]` from `lhs[i]` and `rhs[j]`; from `lhs[i]` and the scalar rhs."""
    rank = rank_of(op.result)
    accumulated = () if op.acc is None else (whole(op.acc),)
    right = Access(op.rhs, loops(rank)[1:])
    return _computed(op.result, rank, loops(rank), (Access(op.lhs, (loop(0),)), right, *accumulated))


@_states(ContractionOp)
def contraction(op: ContractionOp) -> ElementReads:
    """As linalg.generic: the maps say which loops index which operand."""
    maps = [each.data for each in op.indexing_maps if isinstance(each, AffineMapAttr)]
    operands = op.operands_and_masks
    if len(maps) != len(operands):
        raise NotAffine("a contraction with masks")
    accesses = [Access(o, over_loops(m)) for o, m in zip(operands, maps, strict=True)]
    return _computed(op.result, maps[0].num_dims, over_loops(maps[-1]), accesses)


_states(vector.FMAOp)(lambda op: elementwise(op.res, op.operands))


# -- transfers between tensors and vectors -------------------------------------------------------------


def _moved(op: TransferReadOp | TransferWriteOp) -> tuple[Expression, ...]:
    """Where lane l is in the tensor: `indices + l_k` along the dimension that the map says for k."""
    permutation = op.permutation_map.data
    assert isa(permutation, AffineMap)
    if not isinstance(op.source.type, TensorType) or op.mask is not None:
        raise NotAffine("a transfer with a mask" if op.mask is not None else "a transfer from memory")
    index: list[Expression] = [value_of(i) for i in op.indices]
    for k, each in enumerate(permutation.results):
        if isinstance(each, AffineDimExpr):
            index[each.position] = index[each.position] + loop(k)
    return tuple(index)


@_states(TransferReadOp)
def read_from_tensor(op: TransferReadOp) -> ElementReads:
    """The elements of the window; lanes behind the end of the tensor are the padding."""
    index, rank = _moved(op), rank_of(op.result)
    inside = Access(op.source, index)
    read = Alternative(rank, loops(rank), (Read(inside),), (inside,))
    return ElementReads((read, *one_alternative(rank, copy(op.padding, ())).alternatives))


# The lanes that are in the tensor, and what was there elsewhere.
_states(TransferWriteOp)(lambda op: _overwritten(op.source, _moved(op), op.vector))
