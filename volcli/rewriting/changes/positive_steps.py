"""That steps of loops are positive, asserted in copies of two functions that are compared.

    for i = 0 to n - n rem s step s { ... }    is undefined where s is less than 1, though it has no iteration

So a function that begins with this loop has to be compared with another one where s >= 1 alone. With the
assertion in both, max(s, 1) is s.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import IntegerType, StringAttr
from xdsl.ir import BlockArgument
from xdsl.rewriter import InsertPoint

from volcli.frontend.parse.parser import ParsedModule
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import only_computes
from volcli.rewriting.changes.counted_steps import copy_of
from volcli.rewriting.code.index_code import AT_LEAST
from volcli.rewriting.code.loop_code import FOR
from volcli.rewriting.ground.bound_uses import variable_of
from volcli.rewriting.ground.builder import Builder

Function = tuple[ParsedModule, FunctionModel]


def with_positive_steps(before: Function, after: Function) -> tuple[Function, Function] | None:
    """Copies of the functions BEFORE and AFTER: wherever BEFORE is defined, each does what its copy does.

    Both copies assert that what is the step of a loop that BEFORE always reaches is positive, if it is an
    argument. None if there is no such step, or a function has calls, or branches between blocks.
    """
    positions = tuple(dict.fromkeys(_steps(before[1])))
    if not positions or any(model.followed is not model for _, model in (before, after)):
        return None
    one, other = (_asserting(parsed, model, positions) for parsed, model in (before, after))
    return (before[0], one), (after[0], other)


def _steps(model: FunctionModel) -> Iterator[int]:
    """The positions of arguments that are steps of the first loop of MODEL's function, if that is reached."""
    entry = model.function.regions[0].blocks[0]
    for op in entry.ops:
        if operation_name(op) == FOR and op.operands[2].type == variable_of(op).type:
            step = op.operands[2]
            if isinstance(step, BlockArgument) and step.block is entry:
                yield step.index
        if not only_computes(op):
            return


def _asserting(parsed: ParsedModule, model: FunctionModel, positions: tuple[int, ...]) -> FunctionModel:
    """The model of a copy of MODEL's function, which asserts that arguments at POSITIONS are positive."""
    copy = copy_of(parsed, model)
    block = copy.function.regions[0].blocks[0]
    builder = Builder(copy.function, parsed.context, InsertPoint.at_start(block))
    for position in positions:
        operands = [block.args[position], builder.constant(1)]
        holds = builder.make(
            "arith.cmpi", operands, result=IntegerType(1), properties={"predicate": AT_LEAST}
        )
        builder.operation("cf.assert", [holds], properties={"msg": StringAttr("a step is positive")})
    return copy.anew(copy.function)
