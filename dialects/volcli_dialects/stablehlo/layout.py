"""Operations of stablehlo that move elements: broadcasting, padding, slices, reshapes, permutations."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from volcli.language.expressions import Expression, NotAffine, constant, dim_of, loop, maximum, minimum
from volcli.language.questions import Sizes, element_reads, result_sizes
from volcli.language.reads import Access, ElementReads, copy, one_alternative, rank_of
from volcli_dialects.cases.elements import relayout
from volcli_dialects.cases.parts import (
    dimensions,
    numbers,
    result,
    static_sizes,
    tensor,
    tensors,
)
from volcli_dialects.cases.sizes import like
from volcli_dialects.stablehlo.ops import OPS


@element_reads.case(OPS["broadcast_in_dim"])
def broadcast_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[.., r_(dims(d)), ..]`, 0 along a dimension of size 1."""
    (x,) = tensors(op, None)
    target = result(op)
    to = dimensions(op, "broadcast_dimensions", rank_of(target), rank_of(x))
    index: list[Expression] = []
    for d, n in enumerate(static_sizes(x)):
        along = loop(to[d])
        is_open = n == DYNAMIC_INDEX and static_sizes(target)[to[d]] != 1
        index.append(constant(0) if n == 1 else minimum(along, dim_of(x, d) - 1) if is_open else along)
    return [one_alternative(rank_of(target), copy(x, index))]


@result_sizes.case(OPS["broadcast_in_dim"], OPS["iota"], OPS["constant"])
def of_type(op: Operation) -> list[Sizes]:
    """The type says them: the operation has no operand for them."""
    return [[None if n == DYNAMIC_INDEX else constant(n) for n in static_sizes(result(op))]]


@element_reads.case(OPS["reshape"])
def reshape_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[s]` with equal row-major positions."""
    (x,) = tensors(op, None)
    return [relayout.reshaped(x, result(op))]


result_sizes.case(OPS["reshape"])(of_type)


@element_reads.case(OPS["transpose"])
def transpose_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[s]` with `s_(permutation(d)) = r_d`."""
    (x,) = tensors(op, None)
    rank = rank_of(result(op, rank_of(x)))
    return [relayout.permuted(x, dimensions(op, "permutation", rank, rank))]


@result_sizes.case(OPS["transpose"])
def transpose_sizes(op: Operation) -> list[Sizes]:
    """The operand's sizes, permuted."""
    (x,) = tensors(op, None)
    return [relayout.permuted_sizes(x, dimensions(op, "permutation", rank_of(x), rank_of(x)))]


@element_reads.case(OPS["reverse"])
def reverse_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[s]` with `s_d = n_d - 1 - r_d` along the dimensions."""
    (x,) = tensors(op, None)
    result(op, rank_of(x))
    return [relayout.reversed_along(x, dimensions(op, "dimensions", rank_of(x)))]


@result_sizes.case(OPS["reverse"])
def reverse_sizes(op: Operation) -> list[Sizes]:
    """The operand's sizes."""
    return [like(op.operands[0], op.results[0])]


relayout.concatenates(OPS["concatenate"], along="dimension")

_WIDTHS = ("edge_padding_low", "edge_padding_high", "interior_padding")


@element_reads.case(OPS["pad"])
def pad_reads(op: Operation) -> list[ElementReads]:
    """`R[low + s * (interior + 1)] = x[s]`; every other element is the padding value."""
    x, fill = tensor(op.operands[0]), tensor(op.operands[1], 0)
    rank = rank_of(result(op, rank_of(x)))
    low, _, interior = (numbers(op, name, rank) for name in _WIDTHS)
    if any(n < 0 for n in interior):
        raise NotAffine("a negative interior padding")
    return [relayout.padded(x, Access(fill, ()), low, interior)]


@result_sizes.case(OPS["pad"])
def pad_sizes(op: Operation) -> list[Sizes]:
    """`low + n + max(n - 1, 0) * interior + high`."""
    x = tensor(op.operands[0])
    low, high, interior = (numbers(op, name, rank_of(x)) for name in _WIDTHS)
    return [
        [
            dim_of(x, d) + low[d] + high[d] + maximum(dim_of(x, d) - 1, constant(0)) * interior[d]
            for d in range(rank_of(x))
        ]
    ]


@element_reads.case(OPS["slice"])
def slice_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[start + r * stride]`."""
    (x,) = tensors(op, None)
    rank = rank_of(result(op, rank_of(x)))
    return [relayout.sliced(x, numbers(op, "start_indices", rank), numbers(op, "strides", rank))]


@result_sizes.case(OPS["slice"])
def slice_sizes(op: Operation) -> list[Sizes]:
    """`(limit - start) ceildiv stride`."""
    (x,) = tensors(op, None)
    rank = rank_of(x)
    start, limit, stride = (numbers(op, name, rank) for name in ("start_indices", "limit_indices", "strides"))
    if any(step < 1 for step in stride):
        raise NotAffine("a stride that is not positive")
    return [[constant(-((start[d] - limit[d]) // stride[d])) for d in range(rank)]]
