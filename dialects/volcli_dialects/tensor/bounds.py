"""What bounds the sizes and numbers of tensors that no formula gives."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.tensor import DimOp, ExtractOp, PadOp
from xdsl.ir import Region, SSAValue

from volcli.language.expressions import Expression, constant, value_of
from volcli.language.loops import Indices, Induction
from volcli.language.questions import (
    Sizes,
    index_value,
    indices,
    result_sizes,
    stated_number,
    value_facts,
    wrapped_value,
)
from volcli.language.reads import Conjunction, rank_of
from volcli_dialects.cases.elements.known import known_elements
from volcli_dialects.cases.numbers.dim_facts import dim_facts
from volcli_dialects.cases.numbers.wrapping import wrapped
from volcli_dialects.cases.sizes import dims, mixed
from volcli_dialects.tensor.ops import GatherOp, GenerateOp, RankOp


@value_facts.case(DimOp)
def dim_bounds(op: DimOp) -> Sequence[Conjunction]:
    """Between the least and the greatest size."""
    return [dim_facts(op.result, op.source)]


@value_facts.case(RankOp)
def rank_bounds(op: RankOp) -> Sequence[Conjunction]:
    """Not negative."""
    return [(value_of(op.result),)]


@index_value.case(ExtractOp)
@wrapped_value.case(ExtractOp)
def extracted_number(op: ExtractOp) -> Expression | None:
    """The element of a tensor whose integers are known, at indices that are: `dense<[1, 0]>` at 0 is 1."""
    at = [stated_number(index) for index in op.indices]
    elements = None if None in at else known_elements(op.tensor)
    found = (
        None if elements is None else elements.get(tuple(each.constant for each in at if each is not None))
    )
    return None if found is None else wrapped(constant(found), op.result.type)


@indices.case(GenerateOp)
def generated_indices(op: GenerateOp) -> Indices:
    """Each index of the result."""
    return Indices(_within(op.body, op.result))


@indices.case(PadOp)
def padded_indices(op: PadOp) -> Indices:
    """The indices of the result outside of the source: i < low or i >= low + size in some dimension."""
    inductions = _within(op.region, op.result)
    lows, sizes = mixed(op.static_low, op.low), dims(op.source)
    outside: list[Conjunction] = []
    for induction, low, size in zip(inductions, lows, sizes, strict=False):
        index = value_of(induction.variable)
        outside += [(low - 1 - index,), (index - low - size,)]
    return Indices(inductions, tuple(outside) or ((),))


def _within(region: Region, result: SSAValue) -> tuple[Induction, ...]:
    """0 <= i < size for each argument of REGION."""
    arguments = region.block.args if len(region.blocks) == 1 else ()
    return tuple(
        Induction(argument, (constant(0),), (size,), constant(1), sequential=False)
        for argument, size in zip(arguments, dims(result), strict=False)
    )


@result_sizes.case(GatherOp)
def gathered_sizes(op: GatherOp) -> list[Sizes]:
    """One slice of the source for each coordinate: the indices' sizes, then the slice's.

    The slice has size 1 in the dimensions that the coordinates choose, or is without them.
    """
    chosen = set(op.gather_dims.get_values())
    coordinates: list[Expression] = dims(op.indices)[:-1]
    full = [constant(1) if d in chosen else size for d, size in enumerate(dims(op.source))]
    reduced = [size for d, size in enumerate(dims(op.source)) if d not in chosen]
    for window in (full, reduced):
        if len(coordinates) + len(window) == rank_of(op.result):
            return [[*coordinates, *window]]
    return [[None] * rank_of(op.result)]
