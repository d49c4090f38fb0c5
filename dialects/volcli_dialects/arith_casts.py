"""The casts of the arith dialect, on scalars, vectors and tensors.

xDSL's classes admit scalars only. All casts have one syntax, `arith.extsi %a : tensor<4xi8> to
tensor<4xi32>`, and one shape: an operand and a result.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

CASTS = (
    "extsi", "extui", "trunci", "extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui",
    "index_cast", "index_castui", "bitcast",
)  # fmt: skip


def _cast(name: str) -> type[Operation]:
    class Cast(IRDLOperation):
        input = operand_def()
        result = result_def()
        assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    Cast.name = f"arith.{name}"
    Cast.__name__ = Cast.__qualname__ = f"{name.title().replace('_', '')}Op"
    Cast.__doc__ = f"`%r = arith.{name} %a : A to B`, element by element."
    return irdl_op_definition(Cast)


CAST_CLASSES: dict[str, type[Operation]] = {name: _cast(name) for name in CASTS}
"""The class of each cast, by its name in the dialect."""
