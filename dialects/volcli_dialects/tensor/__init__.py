"""The tensor dialect: volumes made from volumes by index arithmetic alone.

A case below says where each result element comes from (IMPACT 2023, appendix A.2), how large the result is,
and which sizes must agree. In the formulas r is the index of a result element and s that of a source element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType
from xdsl.dialects.tensor import (
    CastOp,
    CollapseShapeOp,
    ConcatOp,
    DimOp,
    EmptyOp,
    ExpandShapeOp,
    ExtractOp,
    ExtractSliceOp,
    FromElementsOp,
    InsertOp,
    InsertSliceOp,
    PadOp,
    SplatOp,
)
from xdsl.ir import Attribute, Dialect, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Expression, NotAffine, constant, loop, loops, value_of
from volcli.language.programs.definitions import defined_reads
from volcli.language.questions import (
    Insertion,
    element_reads,
    insertion,
    number_kinds,
    structured,
)
from volcli.language.reads import (
    Access,
    Alternative,
    Condition,
    ElementReads,
    copy,
    one_alternative,
    pessimistic,
    rank_of,
)
from volcli.language.structured_ops import Sizes as SizesOfPart
from volcli.language.structured_ops import Start, StructuredNest
from volcli_dialects.arith.kinds import bitcast_kinds
from volcli_dialects.cases.dialects import dialect_of, operations_of
from volcli_dialects.cases.elements import relayout
from volcli_dialects.cases.elements.defining import define
from volcli_dialects.cases.elements.elementwise import at_one_index
from volcli_dialects.cases.elements.masks import pointwise
from volcli_dialects.cases.elements.pointwise import begin_at, resized
from volcli_dialects.cases.elements.selected_slices import (
    BY_DATA,
    SelectedSlices,
    SliceDimensions,
    gathered_reads,
    written_reads,
)
from volcli_dialects.cases.parts import static_sizes
from volcli_dialects.cases.sizes import groups, output_sizes
from volcli_dialects.tensor import bounds, effects, ops, problems, slices
from volcli_dialects.tensor import sizes as tensor_sizes
from volcli_dialects.tensor.layout import dims, mixed, row_major, shape, slice_of
from volcli_dialects.tensor.ops import (
    BitcastOp,
    GatherOp,
    GenerateOp,
    ParallelInsertSliceOp,
    RankOp,
    ReshapeOp,
    ScatterOp,
)


def dialect() -> Dialect:
    """xDSL's tensor dialect with the operations that it lacks."""
    return dialect_of(tensor.Tensor, operations_of(ops))


@element_reads.case(PadOp)
def pad_reads(op: PadOp) -> list[ElementReads]:
    """`R[r] = S[r - low]` where that lies in S, else the padding value at r (A.2.6, erratum E000-1)."""
    rank = rank_of(op.result)
    shifted = tuple(r - low for r, low in zip(loops(rank), mixed(op.static_low, op.low), strict=True))
    inside = Alternative(rank, loops(rank), copy(op.source, shifted), (Access(op.source, shifted),))
    (outside,) = defined_reads(yielded(op.region, dims(op.result)), op.name)
    return [replace(outside, alternatives=(inside, *outside.alternatives))]


@define(GenerateOp)
def generate_definition(op: GenerateOp) -> TensorDefinition:
    """`R[r]` is what the body computes at r."""
    return yielded(op.body, shape(op.result.type, op.dynamic_extents))


def yielded(region: Region, sizes: Sequence[Expression]) -> TensorDefinition:
    """What the block of REGION, whose arguments are the result's indices, yields at those below SIZES."""
    block = region.first_block
    last = None if block is None else block.last_op
    if block is None or last is None or len(region.blocks) != 1 or len(last.operands) != 1:
        raise NotAffine("the body yields nothing")
    every = loops(len(sizes))
    output = DefinedOutput(every, last.operands[0])
    extents = tuple(zip(every, sizes, strict=True))
    arguments: dict[SSAValue, Access | Expression | Condition] = {}
    arguments |= zip(block.args, every, strict=False)
    return TensorDefinition(len(every), block, arguments, (output,), (), extents)


@structured.case(GenerateOp)
def generate_nest(op: GenerateOp) -> StructuredNest | None:
    """A loop for each dimension of the result, which only the body's indices know of."""
    rank = rank_of(op.result)
    block = op.body.first_block
    if block is None or len(op.body.blocks) != 1 or len(block.args) != rank:
        return None

    def remade(_: object, __: object, starts: Sequence[Start], sizes: Sequence[SizesOfPart]) -> Operation:
        (shape_,) = sizes
        body = op.body.clone()
        for index, start in zip(body.block.args, starts, strict=True):
            first = body.block.first_op
            assert first is not None
            begin_at(body.block, first, index, start)
        return GenerateOp.create(
            operands=[size for size in shape_ if isinstance(size, SSAValue)],
            result_types=[resized(op.result.type, shape_)],
            attributes=dict(op.attributes),
            regions=[body],
        )

    accesses = (Access(op.result, loops(rank)),)
    return StructuredNest((), 0, (True,) * rank, False, max(len(block.ops) - 1, 1), remade, accesses)


@element_reads.case(ExtractSliceOp)
def extract_slice_reads(op: ExtractSliceOp) -> list[ElementReads]:
    """`R[r] = S[offset + r * stride]`: a slice is a view (definition 4.9)."""
    window = slice_of(op, op.result.type)
    return [one_alternative(len(window.kept), copy(op.source, window.index()))]


@element_reads.case(InsertSliceOp)
def insert_slice_reads(op: InsertSliceOp) -> list[ElementReads]:
    """`R[offset + s * stride] = S[s]`; every other element is the destination's (A.2.1)."""
    window = slice_of(op, op.source.type)
    identity = loops(len(window.kept))
    whole = (Access(op.source, identity),)
    inserted = Alternative(len(identity), window.index(), copy(op.source, identity), whole)
    return [ElementReads((inserted, untouched(op.dest)))]


def untouched(dest: SSAValue) -> Alternative:
    """`R[r] = D[r]`: what an insertion does not overwrite."""
    identity = loops(rank_of(dest))
    return Alternative(len(identity), identity, copy(dest, identity))


@element_reads.case(ExpandShapeOp)
def expand_shape_reads(op: ExpandShapeOp) -> list[ElementReads]:
    """`R[r] = S[s]` with s_g the row-major position of r within group g."""
    sizes = output_sizes(op)
    index = [row_major([loop(i) for i in group], [sizes[i] for i in group]) for group in groups(op)]
    return [one_alternative(len(sizes), copy(op.src, index))]


@element_reads.case(CollapseShapeOp)
def collapse_shape_reads(op: CollapseShapeOp) -> list[ElementReads]:
    """`R[r] = S[s]` with r_g the row-major position of s within group g."""
    sizes = dims(op.src)
    static = op.src.type
    assert isinstance(static, TensorType)
    known = [
        size if s == DYNAMIC_INDEX else constant(s) for s, size in zip(static.get_shape(), sizes, strict=True)
    ]
    element = tuple(row_major([loop(i) for i in group], [known[i] for i in group]) for group in groups(op))
    identity = loops(len(sizes))
    alternative = Alternative(len(sizes), element, copy(op.src, identity), (Access(op.src, identity),))
    return [ElementReads((alternative,))]


# `D[offset + s * stride] = S[s]`, in the tensor that the loop's iterations share.
insertion.case(ParallelInsertSliceOp)(
    lambda op: Insertion(op.dest, op.source, slice_of(op, op.source.type).index())
)
# `R[r] = S_k[r - start_k]` along the dimension, start_k being the sizes of the operands before k.
element_reads.case(ConcatOp)(lambda op: [relayout.joined(op.inputs, op.dim.value.data)])


number_kinds.case(BitcastOp)(bitcast_kinds)
pointwise([BitcastOp], at_one_index)


@element_reads.case(CastOp)
def cast_reads(op: CastOp) -> list[ElementReads]:
    """`R[r] = S[r]`."""
    if not isinstance(op.dest.type, TensorType) or not isinstance(op.source.type, TensorType):
        return [pessimistic(op, op.dest, "an unranked tensor")]
    identity = loops(rank_of(op.dest))
    return [one_alternative(len(identity), copy(op.source, identity))]


@element_reads.case(ReshapeOp)
def reshape_reads(op: ReshapeOp) -> list[ElementReads]:
    """`R[r] = S[s]` with equal row-major positions; affine only if all sizes but the outermost are static.

    The shape operand determines sizes, which are parameters, and no element is computed from it.
    """
    source, result = op.source.type, op.result.type
    if not isa(source, TensorType[Attribute]) or not isa(result, TensorType[Attribute]):
        return [pessimistic(op, op.result, "an unranked tensor")]
    return [relayout.reshaped(op.source, op.result)]


@element_reads.case(InsertOp)
def insert_reads(op: InsertOp) -> list[ElementReads]:
    """`R[indices] = x`; every other element is the destination's."""
    inserted = Alternative(0, tuple(value_of(i) for i in op.indices), copy(op.scalar, ()))
    return [ElementReads((inserted, untouched(op.dest)))]


@element_reads.case(FromElementsOp)
def from_elements_reads(op: FromElementsOp) -> list[ElementReads]:
    """The k-th operand is the element at row-major position k."""
    sizes = op.result.type.get_shape()
    return [
        ElementReads(
            tuple(
                Alternative(0, relayout.unflattened(constant(k), sizes), copy(element, ()))
                for k, element in enumerate(op.elements)
            )
        )
    ]


@element_reads.case(GatherOp)
def gather_reads(op: GatherOp) -> list[ElementReads]:
    """`R[b, o] = x[i[b] + o]`, one element along each dimension that the indices say."""
    return gathered_reads(_slices(op.source, op.indices, op.result, op.gather_dims))


@element_reads.case(ScatterOp)
def scatter_reads(op: ScatterOp) -> list[ElementReads]:
    """`R[i[b] + o] = y[b, o]`; every other element is the destination's."""
    found = written_reads(_slices(op.dest, op.indices, op.source, op.scatter_dims))
    return [pessimistic(op, op.result, BY_DATA) if found is None else found]


def _slices(
    operand: SSAValue, indices: SSAValue, of: SSAValue, starts: DenseArrayBase[Any]
) -> SelectedSlices:
    """The slices of OPERAND at INDICES, of which OF has the elements; an index says where along STARTS."""
    rank, batch, along = rank_of(operand), rank_of(indices) - 1, tuple(starts.get_values())
    is_reduced = rank_of(of) != batch + rank
    sizes = [1 if d in along else size for d, size in enumerate(static_sizes(operand))]
    windows = tuple(range(batch, rank_of(of)))
    return SelectedSlices(
        operand, indices, of, sizes, SliceDimensions(windows, along if is_reduced else (), along, (), batch)
    )


# `R[] = S[indices]`.
element_reads.case(ExtractOp)(
    lambda op: [one_alternative(0, copy(op.tensor, [value_of(i) for i in op.indices]))]
)
# `R[r] = x`.
element_reads.case(SplatOp)(lambda op: [one_alternative(rank_of(op.result), copy(op.input, ()))])
# The elements are undefined: they depend on nothing.
element_reads.case(EmptyOp)(lambda op: [ElementReads(())])
# A size is a parameter of the function; no element is read for it.
element_reads.case(DimOp, RankOp)(lambda op: [ElementReads((), parametric=True)])
