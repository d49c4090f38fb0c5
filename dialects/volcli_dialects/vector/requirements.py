"""What operations on vectors require: positions that exist. Those without dynamic positions are total."""

from __future__ import annotations

from xdsl.dialects import vector
from xdsl.dialects.vector import ExtractOp, InsertOp

from volcli.language.questions import requires
from volcli_dialects.cases.dialects import operations_of
from volcli_dialects.cases.requirements import register_requirements
from volcli_dialects.vector import masks, reductions, shapes

# Positions that are numbers are verified; others are not decided.
requires.case(ExtractOp, InsertOp)(lambda op: None if op.dynamic_position else [])


_NAMES = (
    "bitcast", "create_mask", "constant_mask", "reduction", "shuffle", "transpose", "shape_cast",
    "interleave", "deinterleave", "vscale", "step", "print", "mask", "contract", "outerproduct",
)  # fmt: skip
_OURS = (*operations_of(shapes, reductions, masks),)
_SHIPPED = (*vector.Vector.operations, *_OURS)
_TOTAL = {f"vector.{name}" for name in _NAMES} | {kind.name for kind in _OURS}

register_requirements((kind for kind in _SHIPPED if kind.name in _TOTAL), _TOTAL)
