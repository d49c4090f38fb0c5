"""What element-wise operations of all dialects have in common: maps, sizes, and the sizes that agree."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation

from volcli.expressions import dim_of
from volcli.questions import SizeFact, Sizes, Vanishing, element_reads, result_sizes, size_facts, vanishing
from volcli.reads import ElementReads, elementwise, rank_of


def elementwise_reads(op: Operation) -> list[ElementReads]:
    """`R[r]` is computed from the operands' elements at r."""
    is_product = vanishing(op) is Vanishing.IF_ANY_OPERAND
    return [elementwise(result, op.operands, is_product=is_product) for result in op.results]


def elementwise_sizes(op: Operation) -> list[Sizes]:
    """The sizes of the first shaped operand."""
    first = next((o for o in op.operands if isinstance(o.type, ShapedType)), None)
    return [
        [None if first is None else dim_of(first, d) for d in range(rank_of(result))]
        if first is None or rank_of(first) == rank_of(result)
        else [None] * rank_of(result)
        for result in op.results
    ]


def elementwise_facts(op: Operation) -> list[SizeFact]:
    """All shaped operands have the same sizes."""
    shaped = [o for o in op.operands if isinstance(o.type, ShapedType)]
    return [
        SizeFact(dim_of(shaped[0], d), dim_of(other, d), f"dimension {d} of the operands")
        for other in shaped[1:]
        if rank_of(other) == rank_of(shaped[0])
        for d in range(rank_of(other))
    ]


def register_elementwise(kinds: Iterable[type[Operation]]) -> None:
    """Give all operations of KINDS the element-wise cases."""
    for kind in kinds:
        element_reads.case(kind)(elementwise_reads)
        result_sizes.case(kind)(elementwise_sizes)
        size_facts.case(kind)(elementwise_facts)
