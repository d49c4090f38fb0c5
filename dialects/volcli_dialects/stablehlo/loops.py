"""stablehlo.while, as StableHLO's own printer writes it, and the loop that it is."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import region_def, var_operand_def, var_result_def

from volcli.language.loops import While
from volcli.language.questions import until
from volcli_dialects.cases.parts import yielded
from volcli_dialects.syntax.pieces import KeywordAttributes, Types
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import AssignedRegion, Assignments
from volcli_dialects.syntax.written import WrittenOperation


@operation("stablehlo.while")
class WhileOp(WrittenOperation):
    """`%r:2 = stablehlo.while(%i = %x, %s = %y) : t, u cond { ... } do { ... }`.

    Both regions take the values of the iteration, by the same names.
    """

    inits = var_operand_def()
    res = var_result_def()
    cond = region_def()
    body = region_def()

    SYNTAX: ClassVar = (
        Assignments("inits", "cond", optional=False), " : ", Types("inits", "results"), KeywordAttributes(),
        " cond", AssignedRegion("cond", "inits"), " do", AssignedRegion("body", "inits"),
    )  # fmt: skip


@until.case(WhileOp)
def while_loop(op: WhileOp) -> While:
    """As long as the element of what `cond` returns is true; both regions take the same values."""
    (condition,) = yielded(op.cond, 1)
    before, count = tuple(op.cond.block.args), len(op.inits)
    return While(
        before=before,
        initial=tuple(op.inits),
        condition=condition,
        forwarded=before,
        after=tuple(op.body.block.args),
        yielded=tuple(yielded(op.body, count)),
        results=tuple(op.results),
    )
