"""What arith's operations on integers cost."""

from __future__ import annotations

from xdsl.dialects import arith

from volcli.language.instructions import Instruction
from volcli_dialects.arith.casts import CAST_CLASSES
from volcli_dialects.arith.ops import BINARY_CLASSES
from volcli_dialects.cases.numbers.instructions import costs, costs_by_name

costs_by_name({name.removeprefix("arith."): kind for name, kind in BINARY_CLASSES.items()}, "i", "si", "ui")
for _name in ("extsi", "extui", "trunci", "index_cast", "index_castui"):
    costs(CAST_CLASSES[_name], Instruction.CAST)
costs(arith.CmpiOp, Instruction.COMPARE)
costs(arith.ConstantOp)
costs(arith.SelectOp)
