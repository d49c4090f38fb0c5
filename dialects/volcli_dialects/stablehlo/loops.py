"""stablehlo.while, as StableHLO's own printer writes it."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import region_def, var_operand_def, var_result_def

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
