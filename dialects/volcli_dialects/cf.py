"""The cf dialect: branches between blocks, and assertions as torch-mlir emits them before a broadcast."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase, i1, i32
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Block, Dialect, OpResult, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, successor_def, var_operand_def

from volcli.language.loops import Branch
from volcli.language.questions import (
    Problem,
    SizeFact,
    assumptions,
    branches,
    condition,
    fails,
    holds,
    problems,
    size_facts,
)
from volcli.language.reads import Disjunction
from volcli_dialects.cases.memory import touch_nothing, with_stated_effects
from volcli_dialects.syntax.redeclared import Redeclared
from volcli_dialects.verification.problems import structure


@irdl_op_definition
class ConditionalBranchOp(Redeclared, cf.ConditionalBranchOp):
    """`cf.cond_br %c weights([1, 9]), ^then(%x : i32), ^else`: the weights say how likely each is."""

    cond = operand_def(i1)
    then_arguments = var_operand_def()
    else_arguments = var_operand_def()
    branch_weights = opt_prop_def(DenseArrayBase.constr(i32))
    then_block = successor_def()
    else_block = successor_def()

    assembly_format = (
        "$cond (`weights` `` `(` $branch_weights^ `)`)? `,` "
        "$then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,` "
        "$else_block (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict"
    )


def dialect() -> Dialect:
    """xDSL's cf dialect, with weights of branches."""
    operations = {op.name: op for op in (*cf.Cf.operations, ConditionalBranchOp)}
    return with_stated_effects(Dialect("cf", list(operations.values()), [*cf.Cf.attributes]))


@problems.case(cf.BranchOp)
def branch_problems(op: cf.BranchOp) -> list[Problem]:
    return _passed(0, op.arguments, op.successor)


@problems.case(ConditionalBranchOp)
def conditional_branch_problems(op: ConditionalBranchOp) -> list[Problem]:
    return _passed(0, op.then_arguments, op.then_block) or _passed(1, op.else_arguments, op.else_block)


def _passed(successor: int, values: Sequence[SSAValue], block: Block) -> list[Problem]:
    """The values that are passed to a block are its arguments."""
    if len(values) != len(block.args):
        return structure(
            f"branch has {len(values)} operands for successor #{successor}, but target block has "
            f"{len(block.args)}"
        )
    for index, (value, argument) in enumerate(zip(values, block.args, strict=True)):
        if value.type != argument.type:
            return structure(f"type mismatch for bb argument #{index} of successor #{successor}")
    return []


@branches.case(cf.BranchOp)
def always_taken(op: cf.BranchOp) -> list[Branch]:
    """It always branches there."""
    return [Branch(((),), tuple(op.arguments))]


@branches.case(ConditionalBranchOp)
def conditionally_taken(op: ConditionalBranchOp) -> list[Branch]:
    """The first if the condition is true, else the second."""
    return [
        Branch((holds(op.cond),), tuple(op.then_arguments)),
        Branch((fails(op.cond),), tuple(op.else_arguments)),
    ]


@assumptions.case(AssertOp)
def assumed(op: AssertOp) -> list[Disjunction]:
    """Behind the assertion its condition holds."""
    return [(holds(op.arg),)]


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


touch_nothing(cf.BranchOp, cf.ConditionalBranchOp, cf.SwitchOp)
