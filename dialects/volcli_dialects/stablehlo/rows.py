"""Operations of stablehlo that compute with whole rows: Fourier transforms, batch norms, sorting.

A row is all indices along some dimensions. In the mean of the feature f, R[f], the row runs along all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import Expression, Misfit, dim_of, loop, loops
from volcli.language.questions import SizeFact, Sizes, element_reads, result_sizes, size_facts
from volcli.language.reads import Access, ElementReads, copy, made_of, one_alternative, rank_of, whole
from volcli_dialects.cases.parts import dimension, number, numbers, tensor, tensors
from volcli_dialects.cases.sizes import like
from volcli_dialects.stablehlo.layout import of_type
from volcli_dialects.stablehlo.ops import INDEXED, OPS, REGIONS, OptimizationBarrierOp

SORT = REGIONS["sort"]


def _row(rank: int, along: Sequence[int], first: int) -> tuple[Expression, ...]:
    """The index whose dimensions ALONG are loops from FIRST on, the others those of the result."""
    own = {d: loop(first + k) for k, d in enumerate(along)}
    return tuple(own.get(d, loop(d)) for d in range(rank))


def _as_many(op: Operation) -> list[SSAValue]:
    """The operands of OP, tensors, of which each has a result."""
    if len(op.operands) != len(op.results) or not op.operands:
        raise Misfit(f"{op.name} has as many results as operands")
    return [tensor(each) for each in op.operands]


# -- sorting and transforms ------------------------------------------------------------------------------


@element_reads.case(SORT)
def sort_reads(op: Operation) -> list[ElementReads]:
    """`R_k[.., r, ..]` is one of `x_k[.., s, ..]`; all of a row decide which one."""
    inputs = _as_many(op)
    rank = rank_of(inputs[0])
    row = _row(rank, [number(op, "dimension", -1) % rank] if rank else [], rank)
    found = made_of(rank, [Access(x, row) for x in inputs], 1)
    return [replace(found, inexact="data decides the order of a row") for _ in op.results]


@element_reads.case(OPS["fft"])
def transformed(op: Operation) -> list[ElementReads]:
    """Each element of a row along the last dimensions is a sum over all of that row."""
    (x,) = tensors(op, None)
    rank, along = rank_of(x), len(numbers(op, "fft_length"))
    if along > rank:
        raise Misfit("a transform along more dimensions than there are")
    return [made_of(rank, [Access(x, _row(rank, range(rank - along, rank), rank))], along)]


# Each result is its operand.
element_reads.case(OptimizationBarrierOp)(
    lambda op: [one_alternative(rank_of(each), copy(each, loops(rank_of(each)))) for each in _as_many(op)]
)
# Those of the operands.
result_sizes.case(SORT, OptimizationBarrierOp)(
    lambda op: [like(x, each) for x, each in zip(_as_many(op), op.results, strict=True)]
)


result_sizes.case(OPS["fft"])(of_type)


# -- batch norms -----------------------------------------------------------------------------------------

INFERENCE, TRAINING, GRADIENT = (INDEXED[f"batch_norm_{name}"] for name in ("inference", "training", "grad"))


def _feature(op: Operation, x: SSAValue) -> int:
    return dimension(op, "feature_index", rank_of(x))


def _batch(x: SSAValue, feature: int, first: int, of: Expression) -> tuple[Expression, ...]:
    """All elements of X with the feature OF, along loops from FIRST on."""
    others = iter(range(first, first + rank_of(x)))
    return tuple(of if d == feature else loop(next(others)) for d in range(rank_of(x)))


@element_reads.case(INFERENCE)
def normalized(op: Operation) -> list[ElementReads]:
    """`R[i]` from x[i], and the scale, offset, mean and variance of its feature."""
    x, *of_feature = tensors(op, None, 1, 1, 1, 1)
    at = (loop(_feature(op, x)),)
    return [made_of(rank_of(x), [whole(x), *(Access(each, at) for each in of_feature)])]


@element_reads.case(TRAINING)
def normalized_by_batch(op: Operation) -> list[ElementReads]:
    """The mean and the variance of a feature, from all of its elements; `R[i]` from these, too."""
    x, scale, offset = tensors(op, None, 1, 1)
    rank, feature = rank_of(x), _feature(op, x)
    batch = Access(x, _batch(x, feature, rank, loop(feature)))
    at = (loop(feature),)
    of_feature = made_of(1, [Access(x, _batch(x, feature, 1, loop(0)))], rank - 1)
    return [made_of(rank, [batch, Access(scale, at), Access(offset, at)], rank - 1), of_feature, of_feature]


@element_reads.case(GRADIENT)
def gradients(op: Operation) -> list[ElementReads]:
    """Those of x, by all elements of the feature; of the scale and the offset, by the feature's sums."""
    x, scale, mean, variance, gradient = tensors(op, None, 1, 1, 1, None)
    rank, feature = rank_of(x), _feature(op, x)
    at, own = (loop(feature),), (loop(0),)
    batches = [Access(each, _batch(x, feature, rank, loop(feature))) for each in (x, gradient)]
    sums = [Access(each, _batch(x, feature, 1, loop(0))) for each in (x, gradient)]
    of_x = [*batches, *(Access(each, at) for each in (scale, mean, variance))]
    of_scale = [*sums, Access(mean, own), Access(variance, own)]
    return [made_of(rank, of_x, rank - 1), made_of(1, of_scale, rank - 1), made_of(1, sums[1:], rank - 1)]


@result_sizes.case(INFERENCE, TRAINING, GRADIENT)
def normalized_sizes(op: Operation) -> list[Sizes]:
    """As large as x; a number for each feature."""
    x = tensor(op.operands[0])
    size = dim_of(x, _feature(op, x))
    return [[dim_of(x, d) for d in range(rank_of(x))], *([size] for _ in op.results[1:])]


@size_facts.case(INFERENCE, TRAINING, GRADIENT)
def facts_of_features(op: Operation) -> list[SizeFact]:
    """A number for each feature in the operands with one dimension; the gradient is as large as x."""
    x, *others = map(tensor, op.operands)
    size, rank = dim_of(x, _feature(op, x)), rank_of(x)
    facts = [SizeFact(size, dim_of(each, 0), "the features") for each in others if rank_of(each) == 1]
    alike = [each for each in others if rank_of(each) == rank and rank > 1]
    return facts + [
        SizeFact(dim_of(x, d), dim_of(each, d), f"dimension {d} of the operands")
        for each in alike
        for d in range(rank)
    ]
