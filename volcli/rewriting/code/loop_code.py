"""Loops of scf as operations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IndexType, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from volcli.rewriting.ground.builder import Builder

FOR, PARALLEL = "scf.for", "scf.parallel"


def loop_operation(
    builder: Builder,
    inside: Builder,
    kind: str,
    operands: Sequence[SSAValue],
    body: Region,
    yielded: Sequence[SSAValue] = (),
) -> Operation:
    """A loop of this KIND (scf.for, scf.parallel) from, to, and with the step of OPERANDS, around BODY.

    INSIDE builds at the end of the body, which has none yet. The other operands of an scf.for are what it
    carries first, and what is YIELDED is what it carries next.
    """
    if kind == FOR:
        inside.operation("scf.yield", yielded)
        return builder.operation(kind, operands, results=[each.type for each in yielded], regions=[body])
    inside.operation("scf.reduce", [])
    segments: dict[str, Attribute] = {"operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1, 1, 0])}
    return builder.operation(kind, operands, properties=segments, regions=[body])


def separate(op: Operation, context: Context) -> None:
    """Make of the scf.parallel OP over several variables, which carries nothing, loops over one each.

    The first variable is that of the outermost loop.
    """
    innermost = op.regions[0].block
    count, last = len(innermost.args), innermost.last_op
    assert last is not None
    last.detach()
    last.erase()
    bodies = [*(Region(Block(arg_types=[IndexType()])) for _ in range(count - 1)), op.detach_region(0)]
    for body in bodies[:-1]:
        innermost.args[0].replace_all_uses_with(body.block.args[0])
        innermost.erase_arg(innermost.args[0])
    first = Builder.before(op, context)
    for k in reversed(range(count)):
        builder = first.inside(bodies[k - 1].block) if k else first
        operands = list(op.operands[k::count])
        loop_operation(builder, first.inside(bodies[k].block), PARALLEL, operands, bodies[k])
    op.detach()
    op.erase()
