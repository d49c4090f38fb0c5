"""What is wrong with loops and conditions of affine, in the words of mlir-opt 22.

A bound has one map or several, a reduction a kind that fits the type of its value, and a body yields what the
operation returns.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import IndexType

from volcli_dialects.affine.loops import ForOp, IfOp, ParallelOp, YieldOp
from volcli_dialects.affine.problems import is_known, operand_problem
from volcli_dialects.syntax.properties import atomic_kind
from volcli_dialects.verification.problems import (
    element_of,
    messages,
    no_arguments_problem,
)


@messages(ForOp)
def for_problems(op: ForOp) -> Iterator[str | None]:
    """The bounds have values, of dimensions and symbols; the body takes what the loop carries."""
    bounds = (
        ("lower", op.lower_bound_map.data, op.lower_bound_operands),
        ("upper", op.upper_bound_map.data, op.upper_bound_operands),
    )
    for name, map_, operands in bounds:
        if not map_.results:
            yield f"expected {name} bound map to have at least one result"
        if len(operands) == map_.num_dims + map_.num_symbols:
            yield operand_problem(op, operands, map_.num_dims)
        else:
            yield "operand count must match with affine map dimension and symbol count"
    block = op.body.first_block
    if block is not None and (not block.args or not isinstance(block.args[0].type, IndexType)):
        yield "expected body to have a single index argument for the induction variable"
    if len(op.results) != len(op.inits):
        yield "mismatch between the number of loop-carried values and results"
    if block is not None and len(block.args) != 1 + len(op.inits):
        yield (
            "mismatch between the number of basic block args and results"
            if len(block.args) != 1 + len(op.results)
            else "mismatch between the number of loop-carried values and results"
        )


@messages(IfOp)
def if_problems(op: IfOp) -> Iterator[str | None]:
    """An operand for each dimension and symbol of the condition; results need both branches."""
    condition = op.condition.data
    if len(op.arguments) != condition.num_dims + condition.num_symbols:
        yield "operand count and condition integer set dimension and symbol count must match"
    yield operand_problem(op, op.arguments, condition.num_dims)
    yield no_arguments_problem(op.then_region, op.else_region)
    if op.results and not op.else_region.blocks:
        yield (
            "along control flow edge from parent to parent: region branch point has 0 operands, but region "
            f"successor needs {len(op.results)} inputs"
        )


@messages(ParallelOp)
def parallel_problems(op: ParallelOp) -> Iterator[str | None]:
    """A reduction for each result, and positive steps."""
    if len(op.reductions.data) != len(op.results):
        yield "a reduction must be specified for each output"
    steps = [step.value.data for step in op.steps]
    yield _bounds_problem(op, len(steps))
    block = op.body.first_block
    if block is not None and len(block.args) != len(steps):
        yield "the number of region arguments and the number of map groups for lower, upper must match"
    yield from _reduction_messages(op)


def _bounds_problem(op: ParallelOp, rank: int) -> str | None:
    """That there is not a group of bounds for each of RANK variables, or an operand for each input."""
    inputs = 0
    for name, map_, groups in (
        ("lower", op.lower_bounds_map.data, op.lower_bounds_groups),
        ("upper", op.upper_bounds_map.data, op.upper_bounds_groups),
    ):
        counts = [int(count) for count in groups.get_values()]
        if len(counts) != rank:
            return f"the number of region arguments and the number of map groups for {name}, upper must match"
        if sum(counts) != len(map_.results) or 0 in counts:
            return f"expected {name} bounds map to have a result for each bound"
        inputs += map_.num_dims + map_.num_symbols
    if len(op.arguments) != inputs:
        return "operand count must match with affine map dimension and symbol count"
    return None


def _reduction_messages(op: ParallelOp) -> Iterator[str]:
    for kind, result in zip(op.reductions, op.results, strict=True):
        name, element = atomic_kind(kind.value.data), element_of(result.type)
        if name not in ("assign", "unknown") and name.endswith("f") != (
            not str(element).startswith(("i", "s", "u"))
        ):
            yield "result type cannot match reduction attribute"


@messages(YieldOp)
def yield_problems(op: YieldOp) -> Iterator[str | None]:
    """The results of the operation around it."""
    parent = op.parent_op()
    if parent is None or parent.name not in ("affine.for", "affine.if", "affine.parallel"):
        if parent is None or not is_known(parent):
            return
        yield "only terminates affine.if/for/parallel regions"
    if len(parent.results) != len(op.operands):
        yield "parent of yield must have same number of results as the yield operands"
    if any(a.type != b.type for a, b in zip(op.operands, parent.results, strict=True)):
        yield "types mismatch between yield op and its parent"
