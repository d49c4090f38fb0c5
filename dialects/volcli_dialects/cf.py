"""The cf dialect: assertions about sizes, as torch-mlir emits them before a broadcast."""

from __future__ import annotations

from xdsl.dialects import cf
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Dialect, OpResult

from volcli.questions import SizeFact, condition, size_facts


def dialect() -> Dialect:
    """xDSL's cf dialect."""
    return Dialect("cf", [*cf.Cf.operations], [*cf.Cf.attributes])


@size_facts.case(AssertOp)
def asserted(op: AssertOp) -> list[SizeFact]:
    """The equalities of a condition that is a conjunction: `a - b >= 0 and b - a >= 0` is `a == b`."""
    made = op.arg.op if isinstance(op.arg, OpResult) else None
    holds = condition(made) if made is not None else None
    if holds is None or len(holds.true) != 1:
        return []
    conjunction = holds.true[0]
    return [
        SizeFact(e, e - e, "what cf.assert says")
        for i, e in enumerate(conjunction)
        if any(-e == other for other in conjunction[i + 1 :])
    ]
