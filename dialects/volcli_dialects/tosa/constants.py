"""The constants of tosa, and the lists of sizes that other operations take from them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import OpResult, SSAValue

from volcli.language.expressions import NotAffine
from volcli.language.questions import element_reads
from volcli.language.reads import ElementReads
from volcli_dialects.cases.numbers.constants import register_constants
from volcli_dialects.cases.parts import integers_of
from volcli_dialects.tosa.ops import OPS, ConstOp

register_constants("values", ConstOp)


def listed(value: SSAValue, count: int) -> Sequence[int]:
    """The COUNT numbers of a `!tosa.shape`; raises NotAffine if they are not a constant."""
    made = value.op if isinstance(value, OpResult) else None
    found = integers_of(made.properties.get("values")) if isinstance(made, OPS["const_shape"]) else None
    if found is None or len(found) != count:
        raise NotAffine("a shape that is not constant")
    return found


# A list of sizes has no elements of a tensor.
element_reads.case(OPS["const_shape"])(lambda op: [ElementReads(())])
