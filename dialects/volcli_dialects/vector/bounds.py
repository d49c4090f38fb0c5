"""The sizes of tensors that vectors are written to, operations under masks, and the vector scale.

Operations on vectors require positions that exist; those without dynamic ones are total.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import vector
from xdsl.dialects.vector import ExtractOp, InsertOp

from volcli.language.expressions import NotAffine, value_of
from volcli.language.loops import Choice, Guard
from volcli.language.memory import is_memref
from volcli.language.questions import choices, guards, requires, result_sizes, value_facts, varies
from volcli_dialects.cases.dialects import operations_of
from volcli_dialects.cases.elements.branches import chooses, chosen
from volcli_dialects.cases.requirements import register_requirements
from volcli_dialects.cases.sizes import dims
from volcli_dialects.vector import reductions, shapes
from volcli_dialects.vector.accesses import TransferReadOp, TransferWriteOp
from volcli_dialects.vector.reductions import MaskOp
from volcli_dialects.vector.shapes import VectorScaleOp


@choices.case(MaskOp)
def under_mask(op: MaskOp) -> Sequence[Sequence[Choice]]:
    """What a read of memory gives, which knows the mask; of other operations a mask changes the results."""
    first = op.mask_region.block.first_op
    if not op.res:
        return []
    if op.passthru is not None or not (isinstance(first, TransferReadOp) and is_memref(first.source)):
        raise NotAffine("an operation under a mask")
    return chosen(op, [(((),), op.mask_region)])


# As large as the tensor that is written to.
result_sizes.case(TransferWriteOp)(lambda op: [dims(op.source) for _ in op.results])
# The operation runs, at the lanes that are set.
guards.case(MaskOp)(lambda op: [Guard(op.mask_region, ((),))])


chooses(MaskOp)

value_facts.case(VectorScaleOp)(lambda op: [(value_of(op.res) - 1,)])  # At least 1.
varies.case(VectorScaleOp)(lambda op: VectorScaleOp)  # Each machine has one.


# Positions that are numbers are verified; others are not decided.
requires.case(ExtractOp, InsertOp)(lambda op: None if op.dynamic_position else [])


_NAMES = (
    "bitcast", "create_mask", "constant_mask", "reduction", "shuffle", "transpose", "shape_cast",
    "interleave", "deinterleave", "vscale", "step", "print", "mask", "contract", "outerproduct",
)  # fmt: skip
_OURS = (*operations_of(shapes, reductions),)
_SHIPPED = (*vector.Vector.operations, *_OURS)
_TOTAL = {f"vector.{name}" for name in _NAMES} | {kind.name for kind in _OURS}

register_requirements((kind for kind in _SHIPPED if kind.name in _TOTAL), _TOTAL)
