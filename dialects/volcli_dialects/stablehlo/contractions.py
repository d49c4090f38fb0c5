"""Reductions and products of stablehlo, and what zeros do to them and to convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from volcli.language import kinds
from volcli.language.expressions import ANY, NotAffine, dim_of, loop, loops
from volcli.language.kinds import INTEGERS, Kinds, KindsOf
from volcli.language.questions import (
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
from volcli.language.reads import (
    Access,
    Alternative,
    ElementReads,
    Read,
    Use,
    captured_values,
    rank_of,
)
from volcli_dialects.cases.elements.contractions import reduced
from volcli_dialects.cases.elements.scalar_functions import is_integer, sum_of_products
from volcli_dialects.cases.parts import (
    dimensions,
    result,
    tensor,
    tensors,
)
from volcli_dialects.stablehlo.ops import OPS, ReduceOp
from volcli_dialects.stablehlo.products import DotDimensions, dot_dimensions
from volcli_dialects.stablehlo.reductions import applied_by

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
    captured = [Access(value, (ANY,) * rank_of(value)) for value in captured_values(op)]
    reads = tuple(Read(access, uses=(Use(sees_sign=True),)) for access in (*accesses, *captured))
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
    return [ElementReads((replace(reduced(op, count, loops(rank), accesses), start=0.0),))]


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
