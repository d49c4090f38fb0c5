"""arith.select: one condition for all elements, or one for each."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i1

from volcli.language.questions import Vanishing, result_sizes, size_facts, structured, vanishing
from volcli.language.reads import ElementReads, rank_of
from volcli.language.structured_ops import StructuredNest
from volcli_dialects.arith.compare import SelectOp
from volcli_dialects.cases.elements.branches import branch_reads
from volcli_dialects.cases.elements.elementwise import (
    at_one_index,
    elementwise_facts,
    elementwise_sizes,
)
from volcli_dialects.cases.elements.masks import followed, pointwise
from volcli_dialects.cases.elements.pointwise import pointwise_nest

_KINDS = (arith.SelectOp, SelectOp)


def select_reads(op: arith.SelectOp) -> Sequence[ElementReads]:
    """With one condition for all, what a branch reads; else the condition and both operands at one index."""
    if op.cond.type == i1:
        return branch_reads(op)
    return [followed(op, each) for each in at_one_index(op)]


pointwise(_KINDS, at_one_index, select_reads)


@structured.case(*_KINDS)
def select_nest(op: arith.SelectOp) -> StructuredNest | None:
    """With one condition for all, both operands have the sizes of the result only if their type says so."""
    kind = op.result.type
    is_sized = not isinstance(kind, TensorType) or kind.has_static_shape()
    return pointwise_nest(op) if is_sized or op.cond.type != i1 else None


# With one condition for all, those of the operand that is chosen; else those of all operands.
result_sizes.case(arith.SelectOp)(
    lambda op: [[None] * rank_of(op.result)] if op.cond.type == i1 else elementwise_sizes(op)
)
# With one condition for all, only one of the others counts.
size_facts.case(arith.SelectOp)(lambda op: [] if op.cond.type == i1 else elementwise_facts(op))
vanishing.case(arith.SelectOp)(lambda op: Vanishing.BY_CONDITION)  # Zero where the chosen operand is.
