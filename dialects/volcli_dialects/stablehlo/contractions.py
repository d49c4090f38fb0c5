"""Reductions, products and convolutions of stablehlo.

A convolution, for the window position k, the stride t, the dilations e of the input and w of the kernel:

    R[b, o, f] = sum over k, c of x[b, (o * t + k * w - before) / e, c] * kernel[k, c, f]

for the k at which that is an index of x. In groups, filter f takes the input features of its group alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from volcli import kinds
from volcli.expressions import Expression, NotAffine, constant, dim_of, loop, loops, maximum
from volcli.kinds import INTEGERS, Kinds, KindsOf
from volcli.questions import (
    SizeFact,
    Sizes,
    Vanishing,
    element_reads,
    factors,
    fastmath,
    number_kinds,
    result_sizes,
    size_facts,
    vanishing,
)
from volcli.reads import Access, Alternative, ElementReads, Read, Use, rank_of
from volcli_dialects.shared.contractions import reduced
from volcli_dialects.shared.parts import (
    attribute,
    dimensions,
    number,
    numbers,
    result,
    static_sizes,
    tensor,
    tensors,
)
from volcli_dialects.shared.scalar_functions import is_integer, sum_of_products
from volcli_dialects.stablehlo.ops import OPS, ReduceOp
from volcli_dialects.stablehlo.products import DotDimensions, applied_by, conv_dimensions, dot_dimensions

_PRODUCTS = (OPS["dot_general"], OPS["convolution"])


@factors.case(*_PRODUCTS)
def multiplied(op: Operation) -> Sequence[int]:
    """Each term is a product of both operands."""
    return (0, 1)


@vanishing.case(*_PRODUCTS, ReduceOp)
def term_by_term(op: Operation) -> Vanishing:
    """What is computed from zeros alone, of whatever sign, is told apart by no sign."""
    return Vanishing.IF_ALL_OPERANDS


@fastmath.case(*_PRODUCTS, ReduceOp)
def no_flags(op: Operation) -> frozenset[str]:
    """The operations of stablehlo carry none."""
    return frozenset()


@number_kinds.case(*_PRODUCTS)
def product_kinds(op: Operation) -> KindsOf:
    """A sum of products that are zeros is one."""
    product = kinds.integer_product if is_integer(op) else kinds.product
    allowed = INTEGERS if is_integer(op) else kinds.ANYTHING

    def of(left: Kinds, right: Kinds) -> Kinds:
        return sum_of_products(product(left, right)) & allowed

    return of


# -- reductions ----------------------------------------------------------------------------------------


def _reduction(op: Operation) -> tuple[list[SSAValue], list[SSAValue], tuple[int, ...], list[int]]:
    """What is reduced, the initial values, the dimensions that go, and those that stay."""
    count = len(op.operands) // 2
    if count == 0 or len(op.operands) != 2 * count or len(op.results) != count:
        raise NotAffine("a reduction without initial values")
    rank = rank_of(tensor(op.operands[0]))
    gone = dimensions(op, "dimensions", rank)
    kept = [d for d in range(rank) if d not in gone]
    for each in op.results:
        tensor(each, len(kept))
    inputs = [tensor(each, rank) for each in op.operands[:count]]
    return inputs, [tensor(each, 0) for each in op.operands[count:]], gone, kept


_ADDING = (OPS["add"], OPS["or"], OPS["xor"])
_MULTIPLYING = (OPS["multiply"], OPS["and"])
_CHOOSING = (OPS["maximum"], OPS["minimum"])


@element_reads.case(ReduceOp)
def reduce_reads(op: ReduceOp) -> list[ElementReads]:
    """`R[r]` is computed from the initial value and all `x[s]` that agree with r where dimensions stay."""
    inputs, inits, _, kept = _reduction(op)
    rank = rank_of(inputs[0])
    element = tuple(loop(d) for d in kept)
    accesses = [*(Access(x, loops(rank)) for x in inputs), *(Access(init, ()) for init in inits)]
    nothing = Alternative(len(kept), loops(len(kept)), tuple(map(Read, accesses[len(inputs) :])))
    if isinstance(applied_by(op), (*_ADDING, *_MULTIPLYING, *_CHOOSING)):
        return [ElementReads((reduced(op, rank, element, accesses, accesses[:1]), nothing))]
    reads = tuple(Read(access, uses=(Use(sees_sign=True),)) for access in accesses)
    everything = Alternative(rank, element, reads, tuple(accesses[: len(inputs)]))
    reason = "the body of the reduction is not followed"
    return [ElementReads((everything, nothing), reason) for _ in op.results]


@result_sizes.case(ReduceOp)
def reduce_sizes(op: ReduceOp) -> list[Sizes]:
    """The dimensions that stay."""
    inputs, _, _, kept = _reduction(op)
    return [[dim_of(each, d) for d in kept] for each in inputs]


@size_facts.case(ReduceOp)
def reduce_facts(op: ReduceOp) -> list[SizeFact]:
    """All operands have the same sizes."""
    inputs, *_ = _reduction(op)
    return [
        SizeFact(dim_of(inputs[0], d), dim_of(other, d), f"dimension {d} of the operands")
        for other in inputs[1:]
        for d in range(rank_of(other))
    ]


@number_kinds.case(ReduceOp)
def reduce_kinds(op: Operation) -> KindsOf:
    """Of sums and products of zeros a zero, of an extremum one of its elements."""
    inner = applied_by(op)
    allowed = INTEGERS if is_integer(op) else kinds.ANYTHING

    def of(x: Kinds, init: Kinds) -> Kinds:
        if isinstance(inner, _CHOOSING):
            return kinds.either(x, init)
        if isinstance(inner, _MULTIPLYING):
            product = kinds.integer_product if is_integer(op) else kinds.product
            return sum_of_products(product(x, init)) & allowed
        return sum_of_products(x, init) & allowed if isinstance(inner, _ADDING) else allowed

    return of


# -- products ------------------------------------------------------------------------------------------


def _free(rank: int, *used: Sequence[int]) -> list[int]:
    """The dimensions that are in none of USED."""
    taken = {d for each in used for d in each}
    return [d for d in range(rank) if d not in taken]


@element_reads.case(OPS["dot_general"])
def dot_reads(op: Operation) -> list[ElementReads]:
    """`R[batch, i, j] = sum over k of a[batch, i, k] * b[batch, j, k]`, each side in its own order."""
    a, b = tensors(op, None, None)
    dims = _checked_dimensions(op, a, b)
    left = _free(rank_of(a), dims.lhs_batching, dims.lhs_contracting)
    right = _free(rank_of(b), dims.rhs_batching, dims.rhs_contracting)
    batch, rank = len(dims.lhs_batching), rank_of(result(op))
    if rank != batch + len(left) + len(right):
        raise NotAffine("a product of another rank")
    count = rank + len(dims.lhs_contracting)
    orders = (
        (*dims.lhs_batching, *left, *dims.lhs_contracting),
        (*dims.rhs_batching, *right, *dims.rhs_contracting),
    )
    inner = range(rank, count)
    positions = (
        (*range(batch), *range(batch, batch + len(left)), *inner),
        (*range(batch), *range(batch + len(left), rank), *inner),
    )
    accesses: list[Access] = []
    for value, order, own in zip((a, b), orders, positions, strict=True):
        at = dict(zip(order, own, strict=True))
        accesses.append(Access(value, tuple(loop(at[d]) for d in range(rank_of(value)))))
    return [ElementReads((reduced(op, count, loops(rank), accesses),))]


def _checked_dimensions(op: Operation, a: SSAValue, b: SSAValue) -> DotDimensions:
    """The dimensions of a product of A and B, each of which is one, and named once."""
    dims = dot_dimensions(op)
    sides = (
        (rank_of(a), (*dims.lhs_batching, *dims.lhs_contracting)),
        (rank_of(b), (*dims.rhs_batching, *dims.rhs_contracting)),
    )
    fits = all(len(set(named)) == len(named) and all(d < rank for d in named) for rank, named in sides)
    if not fits or len(dims.lhs_batching) != len(dims.rhs_batching) or len(sides[0][1]) != len(sides[1][1]):
        raise NotAffine("dimensions that do not fit")
    return dims


@result_sizes.case(OPS["dot_general"])
def dot_sizes(op: Operation) -> list[Sizes]:
    """The batch, the free dimensions of the first operand, those of the second."""
    a, b = tensors(op, None, None)
    dims = _checked_dimensions(op, a, b)
    left = _free(rank_of(a), dims.lhs_batching, dims.lhs_contracting)
    right = _free(rank_of(b), dims.rhs_batching, dims.rhs_contracting)
    first = (*dims.lhs_batching, *left)
    return [[*(dim_of(a, d) for d in first), *(dim_of(b, d) for d in right)]]


@size_facts.case(OPS["dot_general"])
def dot_facts(op: Operation) -> list[SizeFact]:
    """What is shared, or summed over, has the same size on both sides."""
    a, b = tensors(op, None, None)
    dims = _checked_dimensions(op, a, b)
    left = (*dims.lhs_batching, *dims.lhs_contracting)
    right = (*dims.rhs_batching, *dims.rhs_contracting)
    return [
        SizeFact(dim_of(a, i), dim_of(b, j), f"dimensions {i} and {j} of the product")
        for i, j in zip(left, right, strict=True)
    ]


# -- convolutions --------------------------------------------------------------------------------------


class _Window(NamedTuple):
    """The windows of a convolution, per spatial dimension."""

    stride: Sequence[int]
    before: Sequence[int]
    after: Sequence[int]
    lhs_dilation: Sequence[int]
    rhs_dilation: Sequence[int]
    reverse: Sequence[int]


def _window(op: Operation, rank: int) -> _Window:
    def listed(name: str, default: int) -> Sequence[int]:
        return (default,) * rank if attribute(op, name) is None else numbers(op, name, rank)

    padding = (0,) * (2 * rank) if attribute(op, "padding") is None else numbers(op, "padding", 2 * rank)
    window = _Window(
        listed("window_strides", 1), padding[::2], padding[1::2], listed("lhs_dilation", 1),
        listed("rhs_dilation", 1), listed("window_reversal", 0),
    )  # fmt: skip
    if any(n < 1 for each in (window.stride, window.lhs_dilation, window.rhs_dilation) for n in each):
        raise NotAffine("a stride or a dilation that is not positive")
    return window


@element_reads.case(OPS["convolution"])
def convolution_reads(op: Operation) -> list[ElementReads]:
    """The sum over the window and the input features of a group; loops b, g, f, window or input, k, c."""
    dims = conv_dimensions(op)
    rank = len(dims.lhs[2])
    x, kernel = tensors(op, rank + 2, rank + 2)
    result(op, rank + 2)
    window = _window(op, rank)
    if number(op, "batch_group_count", 1) != 1:
        raise NotAffine("a convolution in groups of batches")
    groups = number(op, "feature_group_count", 1)
    filters, features = static_sizes(kernel)[dims.rhs[1]], static_sizes(kernel)[dims.rhs[0]]
    if groups < 1 or (groups != 1 and (min(filters, features) < 0 or filters % groups)):
        raise NotAffine("a convolution in groups of unknown size")
    b, g, f, c = loop(0), loop(1), loop(2), loop(3 + 2 * rank)
    of_group = constant(0) if groups == 1 else g
    per_group = filters // groups if groups != 1 else 0
    element, inside, taps = [constant(0)] * (rank + 2), [constant(0)] * (rank + 2), [constant(0)] * (rank + 2)
    element[dims.result[0]], element[dims.result[1]] = b, of_group * per_group + f
    inside[dims.lhs[0]], inside[dims.lhs[1]] = b, of_group * max(features, 0) + c
    taps[dims.rhs[0]], taps[dims.rhs[1]] = c, of_group * per_group + f
    for d in range(rank):
        moving, k = loop(3 + d), loop(3 + rank + d)
        out, read = _along(window, d, moving, k)
        element[dims.result[2][d]], inside[dims.lhs[2][d]] = out, read
        size = dim_of(kernel, dims.rhs[2][d])
        taps[dims.rhs[2][d]] = size - 1 - k if window.reverse[d] else k
    extents = [(g, constant(groups))]
    if groups != 1:
        extents.append((f, constant(per_group)))
    accesses = [Access(x, tuple(inside)), Access(kernel, tuple(taps))]
    terms = reduced(op, 4 + 2 * rank, element, accesses)
    nothing = Alternative(rank + 2, loops(rank + 2), ())
    return [ElementReads((replace(terms, extents=tuple(extents)), nothing))]


def _along(window: _Window, d: int, moving: Expression, k: Expression) -> tuple[Expression, Expression]:
    """The indices of the result and the input, for a loop MOVING along one of them and the tap K."""
    offset = k * window.rhs_dilation[d] - window.before[d]
    if window.lhs_dilation[d] == 1:
        return moving, moving * window.stride[d] + offset
    if window.stride[d] == 1:
        return moving * window.lhs_dilation[d] - offset, moving
    raise NotAffine("a convolution with a stride and a dilated input")


@result_sizes.case(OPS["convolution"])
def convolution_sizes(op: Operation) -> list[Sizes]:
    """The batch, the filters, the windows that fit: `(n' + pads - taps') floordiv stride + 1`, n' dilated."""
    dims = conv_dimensions(op)
    rank = len(dims.lhs[2])
    x, kernel = tensors(op, rank + 2, rank + 2)
    window = _window(op, rank)
    if number(op, "batch_group_count", 1) != 1:
        raise NotAffine("a convolution in groups of batches")
    found = [constant(0)] * (rank + 2)
    found[dims.result[0]], found[dims.result[1]] = dim_of(x, dims.lhs[0]), dim_of(kernel, dims.rhs[1])
    for d in range(rank):
        length = (dim_of(x, dims.lhs[2][d]) - 1) * window.lhs_dilation[d] + 1
        taps = (dim_of(kernel, dims.rhs[2][d]) - 1) * window.rhs_dilation[d] + 1
        span = length + window.before[d] + window.after[d] - taps
        found[dims.result[2][d]] = maximum(span // window.stride[d] + 1, constant(0))
    return [found]
