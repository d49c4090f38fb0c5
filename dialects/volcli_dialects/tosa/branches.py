"""tosa.cond_if, as LLVM 22 writes it: with inputs, which both of its regions take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, region_def, var_operand_def, var_result_def

from volcli.language.questions import choices, passed
from volcli_dialects.cases.elements.branches import by_truth, chooses
from volcli_dialects.syntax.pieces import Attributes, ResultTypes, Type, Types
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import Assignments, LabelledRegion
from volcli_dialects.syntax.written import Maybe, Operand, WrittenOperation


@operation("tosa.cond_if")
class IfOp(WrittenOperation):
    """`%r = tosa.cond_if %c (%x = %a) : tensor<i1> (tensor<4xf32>) -> tensor<4xf32> { .. } else { .. }`.

    The names of the inputs are those of the first region's arguments, which its label declares.
    """

    condition = operand_def()
    inputs = var_operand_def()
    outputs = var_result_def()
    then_region = region_def()
    else_region = region_def()

    SYNTAX: ClassVar = (
        " ", Operand("condition"), Assignments("inputs", "then_region"), " : ", Type("condition"),
        Maybe(" (", Types("inputs"), ")", of="inputs"), ResultTypes(), LabelledRegion("then_region"), " else",
        LabelledRegion("else_region"), Attributes(),
    )  # fmt: skip


@passed.case(IfOp)
def inputs(op: IfOp) -> Sequence[Sequence[SSAValue]]:
    """Both regions get the inputs."""
    return [op.inputs, op.inputs]


# What the first region yields where the condition is true, else what the second one does.
choices.case(IfOp)(lambda op: by_truth(op, op.condition))


chooses(IfOp)
