"""The cf dialect: branches between blocks, and assertions as torch-mlir emits them before a broadcast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i1, i32
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Block, Dialect, OpResult, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, successor_def, var_operand_def
from xdsl.utils.hints import isa

from volcli.language.expressions import value_of
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
from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.memory.memory import touch_nothing
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.verification.problems import differences, messages, types


@operation("cf.cond_br")
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
    return dialect_of(cf.Cf, [ConditionalBranchOp])


def _passed(successor: int, values: Sequence[SSAValue], block: Block) -> Iterator[str | None]:
    """The values that are passed to a block are its arguments."""
    if len(values) != len(block.args):
        yield (
            f"branch has {len(values)} operands for successor #{successor}, but target block has "
            f"{len(block.args)}"
        )
    for index, _, _ in differences(types(values), types(block.args)):
        yield f"type mismatch for bb argument #{index} of successor #{successor}"


@branches.case(ConditionalBranchOp)
def conditionally_taken(op: ConditionalBranchOp) -> list[Branch]:
    """The first if the condition is true, else the second."""
    return [
        Branch((holds(op.cond),), tuple(op.then_arguments)),
        Branch((fails(op.cond),), tuple(op.else_arguments)),
    ]


@messages(cf.SwitchOp)
def switch_problems(op: cf.SwitchOp) -> Iterator[str | None]:
    """There is a block for each number, and each gets its arguments."""
    numbers = 0 if op.case_values is None else len(op.case_values.get_values())
    if numbers != len(op.case_blocks):
        yield f"number of case values ({numbers}) should match number of case blocks ({len(op.case_blocks)})"
    yield from _passed(0, op.default_operands, op.default_block)
    for position, (values, block) in enumerate(zip(op.case_operand, op.case_blocks, strict=True)):
        yield from _passed(position + 1, values, block)


@branches.case(cf.SwitchOp)
def switched(op: cf.SwitchOp) -> list[Branch]:
    """The first if the flag is none of the numbers, which are different; else the one of its number.

    (LLVM's switch, which it becomes, has no number twice.)
    """
    flag = value_of(op.flag)
    numbers = [] if op.case_values is None else [int(each) for each in op.case_values.get_values()]
    if isa(op.flag.type, IntegerType):
        bits = op.flag.type.width.data
        numbers = [canonical(each, bits) for each in numbers]
    between = zip((None, *sorted(numbers)), (*sorted(numbers), None), strict=True)
    none = tuple(
        ((flag - low - 1,) if low is not None else ()) + ((high - 1 - flag,) if high is not None else ())
        for low, high in between
        if low is None or high is None or high - low > 1
    )
    default = Branch(none, tuple(op.default_operands))
    cases = zip(numbers, op.case_operand, strict=True)
    return [default, *(Branch(((flag - n, n - flag),), tuple(passed)) for n, passed in cases)]


def canonical(number: int, width: int) -> int:
    """The number that WIDTH bits of NUMBER stand for: a truth is 0 or 1, all others have a sign."""
    low = number % 2**width
    return low if width == 1 or low < 2 ** (width - 1) else low - 2**width


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


messages(cf.BranchOp)(lambda op: _passed(0, op.arguments, op.successor))
messages(ConditionalBranchOp)(
    lambda op: (
        *_passed(0, op.then_arguments, op.then_block),
        *_passed(1, op.else_arguments, op.else_block),
    )
)
branches.case(cf.BranchOp)(lambda op: [Branch(((),), tuple(op.arguments))])  # It always branches there.
assumptions.case(AssertOp)(lambda op: [(holds(op.arg),)])  # Behind the assertion its condition holds.


touch_nothing(cf.BranchOp, cf.ConditionalBranchOp, cf.SwitchOp)
