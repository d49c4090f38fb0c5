"""The tensor dialect: volumes made from volumes by index arithmetic alone.

A case below says where each result element comes from (IMPACT 2023, appendix A.2), how large the result is,
and which sizes must agree. In the formulas r is the index of a result element and s that of a source element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, IntegerType, TensorType
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
from xdsl.ir import Attribute, Block, Dialect, OpResult, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, region_def, result_def, var_operand_def
from xdsl.utils.hints import isa

from volcli.expressions import Expression, NotAffine, constant, dim_of, loop, loops, value_of
from volcli.model.body import Body, index_arguments
from volcli.model.volume import Slice
from volcli.questions import (
    SizeFact,
    Sizes,
    element_reads,
    index_value,
    result_sizes,
    size_facts,
)
from volcli.reads import (
    Access,
    Alternative,
    ElementReads,
    copy,
    one_alternative,
    pessimistic,
    rank_of,
)


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """`%r = tensor.generate %n { ^bb0(%i: index): ... tensor.yield %x } : tensor<?xf32>`."""

    name = "tensor.generate"

    dynamic_extents = var_operand_def(IndexType)
    body = region_def()
    result = result_def(TensorType)

    assembly_format = "$dynamic_extents $body attr-dict `:` type($result)"


@irdl_op_definition
class RankOp(IRDLOperation):
    """`%r = tensor.rank %t : tensor<*xf32>`: the number of dimensions."""

    name = "tensor.rank"

    tensor = operand_def()
    result = result_def(IndexType)

    assembly_format = "attr-dict $tensor `:` type($tensor)"


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """`%r = tensor.reshape %t(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>`.

    Not xDSL's class, which reads and prints attributes in front of the operands.
    """

    name = "tensor.reshape"

    source = operand_def()
    shape = operand_def()
    result = result_def()

    assembly_format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"


def dialect() -> Dialect:
    """xDSL's tensor dialect with the operations that it lacks."""
    ours = {op.name: op for op in (*tensor.Tensor.operations, GenerateOp, RankOp, ReshapeOp)}
    return Dialect("tensor", list(ours.values()), [*tensor.Tensor.attributes])


# -- reading an operation's attributes -----------------------------------------------------------------


def mixed(static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]) -> list[Expression]:
    """A list of integers and SSA values as index expressions: `[0, %n, 4]`."""
    values: Iterator[SSAValue] = iter(dynamic)
    return [
        value_of(next(values)) if number == DYNAMIC_INDEX else constant(number)
        for number in static.get_values()
    ]


def dims(value: SSAValue) -> list[Expression]:
    """The sizes of VALUE's dimensions."""
    return [dim_of(value, i) for i in range(rank_of(value))]


def shape(kind: Attribute, dynamic: Sequence[SSAValue]) -> list[Expression]:
    """The sizes that a type declares, its `?` taken from DYNAMIC in order."""
    assert isinstance(kind, TensorType)
    values: Iterator[SSAValue] = iter(dynamic)
    return [value_of(next(values)) if s == DYNAMIC_INDEX else constant(s) for s in kind.get_shape()]


def slice_of(op: ExtractSliceOp | InsertSliceOp, reduced: Attribute) -> Slice:
    """The slice of the larger tensor that has the (possibly rank-reduced) type REDUCED."""
    assert isinstance(reduced, TensorType)
    kept = kept_dims(mixed(op.static_sizes, op.sizes), reduced.get_shape())
    return Slice(mixed(op.static_offsets, op.offsets), mixed(op.static_strides, op.strides), kept)


def kept_dims(sizes: Sequence[Expression], reduced: Sequence[int]) -> list[int]:
    """The dimensions of a slice that a rank-reduced type keeps, in order; the others have size 1.

    As MLIR does it: a dimension of static size 1 that the type cannot have is dropped, from the left.
    """
    kept: list[int] = []
    excess = len(sizes) - len(reduced)
    for dimension, size in enumerate(sizes):
        wanted = reduced[len(kept)] if len(kept) < len(reduced) else None
        declared = size.constant if size.is_constant else DYNAMIC_INDEX
        if wanted == declared or (wanted is not None and excess == 0):
            kept.append(dimension)
        elif excess > 0 and size == constant(1):
            excess -= 1
        else:
            raise NotAffine("the slice's rank reduction is ambiguous")
    if len(kept) != len(reduced):
        raise NotAffine("the slice's rank reduction is ambiguous")
    return kept


def groups(op: ExpandShapeOp | CollapseShapeOp) -> list[list[int]]:
    """The reassociation: per collapsed dimension the expanded ones, outermost first."""
    return [[i.value.data for i in group.data] for group in op.reassociation.data]


def row_major(indices: Sequence[Expression], sizes: Sequence[Expression]) -> Expression:
    """`((i0 * s1 + i1) * s2 + i2) ...`: the position in row-major order; indices of size 1 are dropped."""
    result = constant(0)
    for index, size in zip(indices, sizes, strict=True):
        result = result * size + (constant(0) if size == constant(1) else index)
    return result


# -- where the elements come from ----------------------------------------------------------------------


@element_reads.case(PadOp)
def pad_reads(op: PadOp) -> list[ElementReads]:
    """`R[r] = S[r - low]` where that lies in S, else the padding value at r (A.2.6, erratum E000-1)."""
    rank = rank_of(op.result)
    shifted = tuple(r - low for r, low in zip(loops(rank), mixed(op.static_low, op.low), strict=True))
    inside = Alternative(rank, loops(rank), copy(op.source, shifted), (Access(op.source, shifted),))
    outside, body = yielded(op.region.block, rank)
    return [ElementReads((inside, outside), body.inexact, body.is_parametric)]


@element_reads.case(GenerateOp)
def generate_reads(op: GenerateOp) -> list[ElementReads]:
    """`R[r]` is what the body computes at r."""
    alternative, body = yielded(op.body.block, rank_of(op.result))
    return [ElementReads((alternative,), body.inexact, body.is_parametric)]


def yielded(block: Block, rank: int) -> tuple[Alternative, Body]:
    """What the body BLOCK, whose arguments are the result's indices, yields at each index."""
    last = block.last_op
    if last is None or len(last.operands) != 1:
        raise NotAffine("the body yields nothing")
    body = Body(block, index_arguments(block))
    reads = body.reads(last.operands[0])
    alternative = Alternative(rank, loops(rank), reads, (), last.operands[0], body.scalars, body.conditions)
    return alternative, body


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


@element_reads.case(ConcatOp)
def concat_reads(op: ConcatOp) -> list[ElementReads]:
    """`R[r] = S_k[r - start_k]` along the dimension, start_k being the sizes of the operands before k."""
    axis = op.dim.value.data
    rank = rank_of(op.result)
    start = constant(0)
    alternatives: list[Alternative] = []
    for operand in op.inputs:
        index = tuple(r - start if d == axis else r for d, r in enumerate(loops(rank)))
        alternatives.append(Alternative(rank, loops(rank), copy(operand, index), (Access(operand, index),)))
        start = start + dim_of(operand, axis)
    return [ElementReads(tuple(alternatives))]


@element_reads.case(ExpandShapeOp)
def expand_shape_reads(op: ExpandShapeOp) -> list[ElementReads]:
    """`R[r] = S[s]` with s_g the row-major position of r within group g."""
    sizes = mixed(op.static_output_shape, op.dynamic_output_shape)
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


@element_reads.case(CastOp)
def cast_reads(op: CastOp) -> list[ElementReads]:
    """`R[r] = S[r]`."""
    if not isinstance(op.dest.type, TensorType) or not isinstance(op.source.type, TensorType):
        return [pessimistic(op, op.dest, "an unranked tensor")]
    identity = loops(rank_of(op.dest))
    return [one_alternative(len(identity), copy(op.source, identity))]


@element_reads.case(ReshapeOp)
def reshape_reads(op: ReshapeOp) -> list[ElementReads]:
    """`R[r] = S[s]` with equal row-major positions; affine only if both shapes are static.

    The position is one loop p, and `p floordiv (product of the inner sizes) mod size` its indices.
    """
    source, result = op.source.type, op.result.type
    if not isa(source, TensorType[Attribute]) or not isa(result, TensorType[Attribute]):
        return [pessimistic(op, op.result, "an unranked tensor")]
    shapes = source.get_shape(), result.get_shape()
    if any(DYNAMIC_INDEX in shape_ for shape_ in shapes):
        return [pessimistic(op, op.result, "the row-major position in a dynamic shape is not affine")]
    index, element = (unflattened(loop(0), shape_) for shape_ in shapes)
    within = Access(op.source, index)
    return [ElementReads((Alternative(1, element, copy(op.source, index), (within,)),))]


def unflattened(position: Expression, sizes: Sequence[int]) -> tuple[Expression, ...]:
    """The index of row-major POSITION in a static shape; the outermost index is not reduced."""
    inner = [prod(sizes[d + 1 :]) for d in range(len(sizes))]
    return tuple(
        constant(0) if size == 1 else position // step if d == 0 else (position // step) % size
        for d, (size, step) in enumerate(zip(sizes, inner, strict=True))
    )


@element_reads.case(ExtractOp)
def extract_reads(op: ExtractOp) -> list[ElementReads]:
    """`R[] = S[indices]`."""
    return [one_alternative(0, copy(op.tensor, [value_of(i) for i in op.indices]))]


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
                Alternative(0, unflattened(constant(k), sizes), copy(element, ()))
                for k, element in enumerate(op.elements)
            )
        )
    ]


@element_reads.case(SplatOp)
def splat_reads(op: SplatOp) -> list[ElementReads]:
    """`R[r] = x`."""
    return [one_alternative(rank_of(op.result), copy(op.input, ()))]


@element_reads.case(EmptyOp)
def empty_reads(op: EmptyOp) -> list[ElementReads]:
    """The elements are undefined: they depend on nothing."""
    return [ElementReads(())]


@element_reads.case(DimOp, RankOp)
def dim_reads(op: DimOp | RankOp) -> list[ElementReads]:
    """A size is a parameter of the function; no element is read for it."""
    return [ElementReads((), parametric=True)]


# -- how large the results are -------------------------------------------------------------------------


@result_sizes.case(PadOp)
def pad_sizes(op: PadOp) -> list[Sizes]:
    """size = source + low + high."""
    low, high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    return [[s + lo + hi for s, lo, hi in zip(dims(op.source), low, high, strict=True)]]


@result_sizes.case(EmptyOp)
def empty_sizes(op: EmptyOp) -> list[Sizes]:
    return [shape(op.tensor.type, op.dynamic_sizes)]


@result_sizes.case(SplatOp)
def splat_sizes(op: SplatOp) -> list[Sizes]:
    return [shape(op.result.type, op.dynamicSizes)]


@result_sizes.case(GenerateOp)
def generate_sizes(op: GenerateOp) -> list[Sizes]:
    return [shape(op.result.type, op.dynamic_extents)]


@result_sizes.case(ExtractSliceOp)
def extract_slice_sizes(op: ExtractSliceOp) -> list[Sizes]:
    sizes = mixed(op.static_sizes, op.sizes)
    return [[sizes[d] for d in kept_dims(sizes, op.result.type.get_shape())]]


@result_sizes.case(InsertSliceOp, InsertOp)
def insert_sizes(op: InsertSliceOp | InsertOp) -> list[Sizes]:
    return [dims(op.dest)]


@result_sizes.case(CastOp)
def cast_sizes(op: CastOp) -> list[Sizes]:
    return [dims(op.source) if rank_of(op.source) == rank_of(op.dest) else [None] * rank_of(op.dest)]


@result_sizes.case(ConcatOp)
def concat_sizes(op: ConcatOp) -> list[Sizes]:
    """The sum along the concatenated dimension, the first operand's size along the others."""
    axis = op.dim.value.data
    sizes = dims(op.inputs[0])
    for operand in op.inputs[1:]:
        sizes[axis] = sizes[axis] + dim_of(operand, axis)
    return [sizes]


@result_sizes.case(ExpandShapeOp)
def expand_shape_sizes(op: ExpandShapeOp) -> list[Sizes]:
    return [mixed(op.static_output_shape, op.dynamic_output_shape)]


@result_sizes.case(CollapseShapeOp)
def collapse_shape_sizes(op: CollapseShapeOp) -> list[Sizes]:
    """The product of each group's sizes."""
    return [[prod((dim_of(op.src, i) for i in group), start=constant(1)) for group in groups(op)]]


@result_sizes.case(ReshapeOp)
def reshape_sizes(op: ReshapeOp) -> list[Sizes]:
    """The elements of the shape operand, where tensor.from_elements made it."""
    made = op.shape.op if isinstance(op.shape, OpResult) else None
    if isinstance(made, FromElementsOp):
        return [[value_of(element) for element in made.elements]]
    return [[None] * rank_of(op.result)]


@index_value.case(DimOp)
def dim_value(op: DimOp) -> Expression | None:
    """The size, if the dimension is a constant of the program."""
    made = op.index.op if isinstance(op.index, OpResult) else None
    known = index_value(made) if made is not None else None
    if known is None or not known.is_constant or not 0 <= known.constant < rank_of(op.source):
        return None
    return dim_of(op.source, known.constant)


@index_value.case(RankOp)
def rank_value(op: RankOp) -> Expression | None:
    return constant(rank_of(op.tensor)) if isinstance(op.tensor.type, TensorType) else None


# -- which sizes must agree ----------------------------------------------------------------------------


@size_facts.case(ConcatOp)
def concat_facts(op: ConcatOp) -> list[SizeFact]:
    """All operands agree outside of the concatenated dimension."""
    axis = op.dim.value.data
    first = op.inputs[0]
    return [
        SizeFact(dim_of(first, d), dim_of(other, d), f"dimension {d} of the concatenated tensors")
        for other in op.inputs[1:]
        for d in range(rank_of(first))
        if d != axis
    ]


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


@size_facts.case(ExpandShapeOp)
def expand_shape_facts(op: ExpandShapeOp) -> list[SizeFact]:
    """Each source dimension is the product of its group's sizes."""
    sizes = mixed(op.static_output_shape, op.dynamic_output_shape)
    return [
        SizeFact(
            dim_of(op.src, g),
            prod((sizes[i] for i in group), start=constant(1)),
            f"dimension {g} of the source",
        )
        for g, group in enumerate(groups(op))
    ]
