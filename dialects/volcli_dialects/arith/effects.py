"""Which arithmetic may be done in any order, and that a choice of buffers accesses none of them."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.ir import Operation

from volcli.language.questions import combines, subtracts
from volcli_dialects.arith.compare import SelectOp
from volcli_dialects.cases.memory.memory import touch_nothing

touch_nothing(arith.SelectOp, SelectOp)

# Sums and products of floats are in any order as far as affine.parallel is concerned: rounding is not.
_KINDS: Mapping[type[Operation], str] = {
    arith.AddfOp: "addf",
    arith.AddiOp: "addi",
    arith.MulfOp: "mulf",
    arith.MuliOp: "muli",
    arith.AndIOp: "andi",
    arith.OrIOp: "ori",
    arith.XOrIOp: "xori",
    arith.MaximumfOp: "maximumf",
    arith.MinimumfOp: "minimumf",
    arith.MaxnumfOp: "maxnumf",
    arith.MinnumfOp: "minnumf",
    arith.MaxSIOp: "maxs",
    arith.MinSIOp: "mins",
    arith.MaxUIOp: "maxu",
    arith.MinUIOp: "minu",
}

# x * y = y * x and (x * y) * z = x * (y * z).
combines.case(*_KINDS)(lambda op: next((name for kind, name in _KINDS.items() if isinstance(op, kind)), None))
subtracts.case(arith.SubfOp)(lambda op: "addf")  # `x - e = x + (-e)`.
subtracts.case(arith.SubiOp)(lambda op: "addi")  # `x - e = x + (-e)`.
