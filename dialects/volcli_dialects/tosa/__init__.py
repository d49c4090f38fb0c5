"""The tosa dialect: tensor operators as machine-learning frameworks have them.

The specification (TOSA 1.0) says of each operator which elements it reads; the cases say the same. Zero
points of floats are 0 by definition, and are not read.
"""

from __future__ import annotations

from xdsl.dialects import tosa
from xdsl.dialects.builtin import ComplexType, IndexType
from xdsl.ir import Dialect

from volcli.language.definitions import without_definition
from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.elements.broadcasting import first_operands, register_broadcasting
from volcli_dialects.cases.elements.masks import SAID_BY
from volcli_dialects.cases.elements.scalar_functions import register_function
from volcli_dialects.cases.requirements import register_divisions, register_requirements
from volcli_dialects.tosa import constants, elementwise, layout, reductions, windows
from volcli_dialects.tosa.branches import IfOp
from volcli_dialects.tosa.ops import ELEMENTWISE, OPS, ConstOp, ResizeModeAttr, ShapeType
from volcli_dialects.tosa.saying import SAYINGS
from volcli_dialects.verification.tensors import verify_by_definition

without_definition(
    "tosa",
    {
        "data decides how often its region runs": "while_loop",
        "it is memory": "variable variable_read variable_write",
        "it is defined elsewhere": "custom",
    },
)

_TOTAL = frozenset(
    f"tosa.{name}"
    for name in (
        "abs", "add", "argmax", "avg_pool2d", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor",
        "cast", "ceil", "clamp", "clz", "concat", "const", "const_shape", "conv2d", "conv3d", "cos",
        "depthwise_conv2d",
        "equal", "erf", "exp", "floor", "greater", "greater_equal", "identity", "log", "logical_and",
        "logical_not", "logical_or", "logical_xor", "matmul", "max_pool2d", "maximum", "minimum", "mul",
        "negate", "pow", "reciprocal", "reduce_all", "reduce_any", "reduce_max", "reduce_min",
        "reduce_product", "reduce_sum", "reverse", "rsqrt", "select", "sigmoid", "sin", "sub", "tanh",
        "transpose", "transpose_conv2d", "yield",
    )
)  # fmt: skip
"""Indices and shifts have to be in range, which data decides: gather, scatter, table, the shifts, rescale."""
_TOTAL_IF_STATIC = frozenset(f"tosa.{name}" for name in ("pad", "reshape", "slice", "tile"))


def dialect() -> Dialect:
    """The operations of this folder, and those of xDSL's tosa dialect beside them."""
    return dialect_of(tosa.TOSA, (*OPS.values(), ConstOp, IfOp), [ShapeType, ResizeModeAttr])


for _name, _operands, _, _function in ELEMENTWISE:
    _broadcast = [operand for operand in _operands.split() if operand != "shift"]
    register_broadcasting([OPS[_name]], first_operands(len(_broadcast)))
    register_function(_function, OPS[_name])

SAID_BY.update((OPS[_name], _saying) for _name, _saying in SAYINGS.items())

register_divisions([OPS["intdiv"]])
register_requirements([kind for kind in dialect().operations if kind is not IfOp], _TOTAL, _TOTAL_IF_STATIC)

_OF_OTHER_ELEMENTS = ("equal", "greater", "greater_equal", "mul", "select")
verify_by_definition(
    OPS.values(),
    [OPS[_name] for _name, *_ in ELEMENTWISE if _name not in _OF_OTHER_ELEMENTS],
    never=(ComplexType, IndexType),
)
