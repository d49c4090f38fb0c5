"""Operations that move elements and compute nothing: where each one comes from.

In the formulas r is the index of a result element and s that of a source element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import ANY, Expression, NotAffine, constant, dim_of, loop, loops
from volcli.language.questions import SizeFact, Sizes, element_reads, result_sizes, size_facts
from volcli.language.reads import (
    Access,
    Alternative,
    ElementReads,
    Read,
    Refinement,
    copy,
    one_alternative,
    rank_of,
)
from volcli_dialects.cases.parts import dimension, dimensions, result, sizes, static_sizes, tensors


def permuted(source: SSAValue, permutation: Sequence[int]) -> ElementReads:
    """`R[r] = S[s]` with `s_(p(d)) = r_d`: dimension d of the result is dimension p(d) of the source.

    `[2, 0, 1]` makes a 4x5x6 tensor one of 6x4x5.
    """
    index = [loop(permutation.index(d)) for d in range(len(permutation))]
    return one_alternative(len(permutation), copy(source, index))


def permutes(kind: type[Operation], along: str) -> None:
    """Operations of KIND have the dimensions of their operand in the order that ALONG names."""

    def ordered(op: Operation) -> tuple[SSAValue, tuple[int, ...]]:
        (x,) = tensors(op, None)
        rank = rank_of(result(op, rank_of(x)))
        return x, tuple(dimensions(op, along, rank, rank))

    def sizes(op: Operation) -> list[Sizes]:
        x, order = ordered(op)
        return [[dim_of(x, d) for d in order]]

    element_reads.case(kind)(lambda op: [permuted(*ordered(op))])
    result_sizes.case(kind)(sizes)


def reversed_along(source: SSAValue, axes: Sequence[int]) -> ElementReads:
    """`R[r] = S[s]` with `s_d = n_d - 1 - r_d` along AXES."""
    rank = rank_of(source)
    index = [dim_of(source, d) - 1 - loop(d) if d in axes else loop(d) for d in range(rank)]
    return one_alternative(rank, copy(source, index))


def sliced(source: SSAValue, starts: Sequence[int], strides: Sequence[int]) -> ElementReads:
    """`R[r] = S[start + r * stride]`."""
    rank = rank_of(source)
    index = [loop(d) * strides[d] + starts[d] for d in range(rank)]
    return one_alternative(rank, copy(source, index))


def tiled(source: SSAValue) -> ElementReads:
    """`R[r] = S[r mod n]`; affine where the sizes n are static."""
    index = [loop(d) % size for d, size in enumerate(sizes(source))]
    return one_alternative(rank_of(source), copy(source, index))


def joined(operands: Sequence[SSAValue], axis: int) -> ElementReads:
    """`R[r] = S_k[r - start_k]` along AXIS, start_k being the sizes of the operands before k."""
    start = constant(0)
    alternatives: list[Alternative] = []
    for operand in operands:
        rank = rank_of(operand)
        index = tuple(r - start if d == axis else r for d, r in enumerate(loops(rank)))
        alternatives.append(Alternative(rank, loops(rank), copy(operand, index), (Access(operand, index),)))
        start = start + dim_of(operand, axis)
    return ElementReads(tuple(alternatives))


def joined_sizes(operands: Sequence[SSAValue], axis: int) -> list[Expression]:
    """The sum along AXIS, the first operand's size along the others."""
    found = [dim_of(operands[0], d) for d in range(rank_of(operands[0]))]
    for operand in operands[1:]:
        found[axis] = found[axis] + dim_of(operand, axis)
    return found


def joined_facts(operands: Sequence[SSAValue], axis: int) -> list[SizeFact]:
    """All operands agree outside of AXIS."""
    first, *others = operands
    return [
        SizeFact(dim_of(first, d), dim_of(other, d), f"dimension {d} of the concatenated tensors")
        for other in others
        for d in range(rank_of(first))
        if d != axis
    ]


def concatenates(kind: type[Operation], along: str) -> None:
    """State of the operation KIND that it joins its operands along the dimension in its attribute ALONG."""

    def operands_and_axis(op: Operation) -> tuple[list[SSAValue], int]:
        rank = rank_of(result(op))
        operands = tensors(op, *(rank for _ in op.operands))
        if not operands:
            raise NotAffine("nothing to concatenate")
        return operands, dimension(op, along, rank)

    @element_reads.case(kind)
    def reads(op: Operation) -> list[ElementReads]:
        return [joined(*operands_and_axis(op))]

    @result_sizes.case(kind)
    def whole(op: Operation) -> list[Sizes]:
        return [joined_sizes(*operands_and_axis(op))]

    @size_facts.case(kind)
    def agreement(op: Operation) -> list[SizeFact]:
        return joined_facts(*operands_and_axis(op))


def padded(
    source: SSAValue, fill: Access, low: Sequence[int], interior: Sequence[int] | None = None
) -> ElementReads:
    """`R[low + s * (interior + 1)] = S[s]`; every other element is FILL. A negative LOW cuts off.

    Of three elements with LOW 1 and INTERIOR 1: [f, S0, f, S1, f, S2].
    """
    rank = rank_of(source)
    gaps = interior or [0] * rank
    if not any(gaps):
        index = tuple(loop(d) - low[d] for d in range(rank))
        inside = Alternative(rank, loops(rank), copy(source, index), (Access(source, index),))
    else:
        element = tuple(loop(d) * (gaps[d] + 1) + low[d] for d in range(rank))
        inside = Alternative(rank, element, copy(source, loops(rank)), (Access(source, loops(rank)),))
    return ElementReads((inside, Alternative(rank, loops(rank), (Read(fill),))))


def reshaped(source: SSAValue, target: SSAValue) -> ElementReads:
    """`R[r] = S[s]` with equal row-major positions; affine if all sizes but the outermost are static.

    The position is one loop p, and `p floordiv (product of the inner sizes) mod size` its indices. If only
    sizes of 1 come or go, `1x4x?x?` to `4x?x?`, the other indices stay what they are.
    """
    shapes = static_sizes(source), static_sizes(target)
    if any(DYNAMIC_INDEX in shape[1:] for shape in shapes):
        squeezed = _squeezed(source, target)
        if squeezed is not None and not squeezed.sizes:
            return squeezed.reads
        anywhere = Access(source, (ANY,) * len(shapes[0]))
        reason = "the row-major position in a dynamic shape is not affine"
        pessimistic = one_alternative(len(shapes[1]), (Read(anywhere),))
        return replace(pessimistic, inexact=reason, refinement=squeezed)
    index, element = (unflattened(loop(0), shape) for shape in shapes)
    return ElementReads((Alternative(1, element, copy(source, index), (Access(source, index),)),))


def _squeezed(source: SSAValue, target: SSAValue) -> Refinement | None:
    """The element with the same indices along all sizes but those of 1, if these are equal in pairs.

    As there are as many elements, one pair of unknown sizes is equal if all others are known, and not 0.
    """
    shapes = static_sizes(source), static_sizes(target)
    kept, others = ([d for d, size in enumerate(shape) if size != 1] for shape in shapes)
    if len(kept) != len(others):
        return None
    pairs = [(d, e) for d, e in zip(kept, others, strict=True) if shapes[0][d] != shapes[1][e]]
    unknown = [
        (d, e) for d, e in zip(kept, others, strict=True) if shapes[0][d] == shapes[1][e] == DYNAMIC_INDEX
    ]
    if any(DYNAMIC_INDEX not in (shapes[0][d], shapes[1][e]) for d, e in pairs):
        return None
    pairs += unknown
    index = [constant(0)] * len(shapes[0])
    for d, e in zip(kept, others, strict=True):
        index[d] = loop(e)
    is_counted = len(pairs) == 1 and 0 not in (*shapes[0], *shapes[1])
    equal = () if is_counted else tuple((dim_of(source, d), dim_of(target, e)) for d, e in pairs)
    return Refinement(equal, one_alternative(len(shapes[1]), copy(source, index)))


def unflattened(position: Expression, shape: Sequence[int]) -> tuple[Expression, ...]:
    """The index of row-major POSITION in a static shape; the outermost index is not reduced."""
    if any(size == 0 for size in shape[1:]):
        raise NotAffine("a shape without elements")
    inner = [prod(shape[d + 1 :]) for d in range(len(shape))]
    return tuple(
        constant(0) if size == 1 else position // step if d == 0 else (position // step) % size
        for d, (size, step) in enumerate(zip(shape, inner, strict=True))
    )
