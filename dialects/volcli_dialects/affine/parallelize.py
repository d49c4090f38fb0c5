"""affine.for as affine.parallel, for loops whose iterations are known to need no order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from volcli.language.programs.flags import promise_no_order
from volcli.language.questions import combines, parallelize
from volcli_dialects.affine.loops import ForOp, ParallelOp, YieldOp
from volcli_dialects.syntax.properties import ATOMIC_KINDS

_REDUCIBLE = frozenset(("addf", "mulf", "maximumf", "minimumf", "addi", "muli", "andi", "ori"))
"""The others are names, but mlir-opt's verifier does not accept them (for integers without a sign)."""


def _rewrite(op: ForOp) -> ParallelOp | None:
    """Put an affine.parallel in the place of OP; None if what it carries is combined in a longer way.

    Each iteration yields what it adds; after the loop all of that is combined with the initial value.
    """
    found = [_combining(op, k) for k in range(len(op.inits))]
    steps = [each for each in found if each is not None]
    if len(steps) != len(found):
        return None
    block, inits = op.body.block, tuple(op.inits)
    for step, added in steps:
        step.results[0].replace_all_uses_with(added)
        step.detach()
    parallel = _parallel(op, [combines(step) or "" for step, _ in steps])
    combined = list(zip(steps, inits, op.results, parallel.results, strict=True))
    for (step, _), init, before, total in reversed(combined):
        step.operands = [init, total]
        promise_no_order(step)
        before.replace_all_uses_with(step.results[0])
        Rewriter.insert_op(step, InsertPoint.after(parallel))
    for argument in tuple(block.args[1:]):
        block.erase_arg(argument)
    Rewriter.erase_op(op)
    return parallel


def _parallel(op: ForOp, reductions: Sequence[str]) -> ParallelOp:
    """An affine.parallel with the bounds and the body of OP, before it."""
    parallel = ParallelOp.create(
        operands=(*op.lower_bound_operands, *op.upper_bound_operands),
        result_types=[result.type for result in op.results],
        properties={
            "lowerBoundsMap": op.lower_bound_map,
            "lowerBoundsGroups": _one_group(op.lower_bound_map),
            "upperBoundsMap": op.upper_bound_map,
            "upperBoundsGroups": _one_group(op.upper_bound_map),
            "steps": ArrayAttr([IntegerAttr(op.step.value.data, i64)]),
            "reductions": ArrayAttr([IntegerAttr(ATOMIC_KINDS.index(name), i64) for name in reductions]),
        },
        attributes=op.attributes,
        regions=(op.detach_region(op.body),),
    )
    parallel.location = op.location
    Rewriter.insert_op(parallel, InsertPoint.before(op))
    return parallel


def _one_group(bounds: AffineMapAttr) -> DenseIntElementsAttr:
    """All results of the map are bounds of the one loop."""
    groups = DenseIntOrFPElementsAttr[Any].from_list(TensorType(i32, [1]), [len(bounds.data.results)])
    return cast(DenseIntElementsAttr, groups)


def _combining(op: ForOp, position: int) -> tuple[Operation, SSAValue] | None:
    """The operation that combines the carried value at POSITION with another one, and that other one."""
    argument = op.body.block.args[1 + position]
    last = op.body.block.last_op
    assert isinstance(last, YieldOp)
    yielded = last.operands[position]
    if not isinstance(yielded, OpResult) or not argument.has_one_use():
        return None
    if combines(yielded.op) not in _REDUCIBLE:
        return None
    others = [operand for operand in yielded.op.operands if operand is not argument]
    if yielded.op.parent is not op.body.block or len(others) != 1:
        return None
    return yielded.op, others[0]


# The same iterations; what is carried must be combined by one operation each.
parallelize.case(ForOp)(lambda op: lambda: _rewrite(op))
