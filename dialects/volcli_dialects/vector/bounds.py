"""The sizes of tensors that vectors are written to, and what is known of the vector scale."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from volcli.language.expressions import value_of
from volcli.language.questions import Sizes, result_sizes, value_facts, varies
from volcli.language.reads import Conjunction
from volcli_dialects.cases.sizes import dims
from volcli_dialects.vector.shapes import VectorScaleOp
from volcli_dialects.vector.transfers import TransferWriteOp


@result_sizes.case(TransferWriteOp)
def written_sizes(op: TransferWriteOp) -> list[Sizes]:
    """As large as the tensor that is written to."""
    return [dims(op.source) for _ in op.results]


@value_facts.case(VectorScaleOp)
def scale_bounds(op: VectorScaleOp) -> Sequence[Conjunction]:
    """At least 1."""
    return [(value_of(op.res) - 1,)]


@varies.case(VectorScaleOp)
def of_the_machine(op: VectorScaleOp) -> Hashable:
    """Each machine has one."""
    return VectorScaleOp
