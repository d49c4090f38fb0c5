"""The tosa dialect: tensor operators as machine-learning frameworks have them.

The specification (TOSA 1.0) says of each operator which elements it reads; the cases say the same. Zero
points of floats are 0 by definition, and are not read.
"""

from __future__ import annotations

from xdsl.dialects import tosa
from xdsl.ir import Dialect

from volcli_dialects.cases.broadcasting import first_operands, register_broadcasting
from volcli_dialects.cases.memory import with_stated_effects
from volcli_dialects.cases.scalar_functions import register_function
from volcli_dialects.tosa import constants as tosa_constants
from volcli_dialects.tosa import elementwise as tosa_elementwise
from volcli_dialects.tosa import layout as tosa_layout
from volcli_dialects.tosa import windows as tosa_windows
from volcli_dialects.tosa.ops import ELEMENTWISE, OPS, ConstOp, ShapeType

__all__ = ["dialect", "tosa_constants", "tosa_elementwise", "tosa_layout", "tosa_windows"]


def dialect() -> Dialect:
    """The operations of this folder, and those of xDSL's tosa dialect beside them."""
    ours = {kind.name: kind for kind in (*OPS.values(), ConstOp)}
    others = {kind.name: kind for kind in tosa.TOSA.operations}
    made = Dialect("tosa", list((others | ours).values()), [*tosa.TOSA.attributes, ShapeType])
    return with_stated_effects(made)


for _name, _operands, _, _function in ELEMENTWISE:
    _broadcast = [operand for operand in _operands.split() if operand != "shift"]
    register_broadcasting([OPS[_name]], first_operands(len(_broadcast)))
    register_function(_function, OPS[_name])
