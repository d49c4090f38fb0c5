"""What element-wise operations of all dialects have in common: maps, sizes, and the sizes that agree."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.utils import FastMathAttrBase
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from volcli.language.expressions import dim_of
from volcli.language.questions import (
    SizeFact,
    Sizes,
    fastmath,
    result_sizes,
    size_facts,
    structured,
    use_through,
)
from volcli.language.reads import Alternative, elementwise, rank_of
from volcli_dialects.cases.elements.masks import pointwise
from volcli_dialects.cases.elements.pointwise import pointwise_nest


def at_one_index(op: Operation) -> list[Alternative]:
    """Each result, from all operands at its index."""
    found = [elementwise(result, op.operands, lambda k: use_through(op, k)) for result in op.results]
    return [each.alternatives[0] for each in found]


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


def stated_flags(op: Operation) -> frozenset[str]:
    """The flags of `fastmath<nnan, ninf>`; all of them for `fast`."""
    flags = op.properties.get("fastmath")
    data = flags.data if isinstance(flags, FastMathAttrBase) else ()
    return frozenset(flag.value for flag in data)


def register_elementwise(kinds: Iterable[type[Operation]]) -> None:
    """Give all operations of KINDS the element-wise cases."""
    every = list(kinds)
    pointwise(every, at_one_index)
    for kind in every:
        structured.case(kind)(pointwise_nest)
        result_sizes.case(kind)(elementwise_sizes)
        size_facts.case(kind)(elementwise_facts)
        if issubclass(kind, IRDLOperation) and "fastmath" in kind.get_irdl_definition().properties:
            fastmath.case(kind)(stated_flags)
