"""The constants of tosa, and the lists of sizes that other operations take from them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language.expressions import NotAffine
from volcli.language.kinds import KindsOf
from volcli.language.questions import constant_fill, element_reads, number_kinds
from volcli.language.reads import ElementReads
from volcli_dialects.cases.parts import fill_of, integers_of, kinds_of
from volcli_dialects.tosa.ops import OPS, ConstOp


@constant_fill.case(ConstOp)
def constant_number(op: ConstOp) -> float | int | None:
    """The number that all elements are."""
    return fill_of(op.values)


@number_kinds.case(ConstOp)
def constant_kinds(op: ConstOp) -> KindsOf:
    """The kinds of the elements that stand in the text."""
    found = kinds_of(op.values)
    return lambda: found


@element_reads.case(ConstOp)
def constant_reads(op: ConstOp) -> list[ElementReads]:
    """A constant depends on nothing."""
    return [ElementReads(())]


@element_reads.case(OPS["const_shape"])
def shape_reads(op: Operation) -> list[ElementReads]:
    """A list of sizes has no elements of a tensor."""
    return [ElementReads(())]


def listed(value: SSAValue, count: int) -> Sequence[int]:
    """The COUNT numbers of a `!tosa.shape`; raises NotAffine if they are not a constant."""
    made = value.op if isinstance(value, OpResult) else None
    found = integers_of(made.properties.get("values")) if isinstance(made, OPS["const_shape"]) else None
    if found is None or len(found) != count:
        raise NotAffine("a shape that is no constant")
    return found
