"""What is wrong with operations of scf, in the words of mlir-opt 22.

The values that go along an edge of control flow, from a terminator to a region or to the results, have the
types that stand at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue

from volcli_dialects.scf.branches import ExecuteRegionOp, IfOp, IndexSwitchOp, YieldOp
from volcli_dialects.scf.loops import (
    ConditionOp,
    ForallOp,
    ForOp,
    ParallelOp,
    ReduceOp,
    ReduceReturnOp,
    WhileOp,
)
from volcli_dialects.verification.problems import (
    differences,
    messages,
    no_arguments_problem,
    parent_problem,
    types,
)


def _terminator(region: Region) -> Operation | None:
    """The end of a region of one block."""
    block = region.last_block
    return None if block is None else block.last_op


def _edge(start: str, end: str, given: Sequence[Attribute], wanted: Sequence[Attribute]) -> str | None:
    """The types of the values that go from START to END, and those that stand there."""
    edge = f"along control flow edge from {start} to {end}"
    if len(given) != len(wanted):
        return (
            f"{edge}: region branch point has {len(given)} operands, but region successor needs "
            f"{len(wanted)} inputs"
        )
    for index, one, other in differences(given, wanted):
        return (
            f"{edge}: successor operand type #{index} '{one}' should match successor input type #{index} "
            f"'{other}'"
        )
    return None


def _yields(region: Region, results: Sequence[SSAValue]) -> str | None:
    """That the region's scf.yield does not give the results of the operation around it."""
    last = _terminator(region)
    if not isinstance(last, YieldOp):
        return None
    return _edge("Operation scf.yield", "parent", types(last.operands), types(results))


@messages(ForOp)
def for_problems(op: ForOp) -> Iterator[str | None]:
    """Bounds of one type; the carried values have the same types at first, in the body, and as results."""
    bound, block = op.lower_bound.type, op.body.first_block
    if op.upper_bound.type != bound or op.step.type != bound:
        yield "failed to verify that all of {lowerBound, upperBound, step} have same type"
    if not isinstance(bound, IntegerType | IndexType):
        yield f"operand #0 must be signless integer or index, but got '{bound}'"
    if block is None:
        return
    if not block.args:
        yield "expected induction variable to be same type as bounds and step"
        return
    variable, *carried = block.args
    if len(carried) != len(op.inits):
        yield f"different number of inits and region iter_args: {len(op.inits)} != {len(carried)}"
    if len(op.results) != len(op.inits):
        yield "mismatch in number of loop-carried values and defined values"
    if variable.type != bound:
        yield "expected induction variable to be same type as bounds and step"
    last = _terminator(op.body)
    if isinstance(last, YieldOp):
        yield _carried(types(carried), types(last.operands))
    for index, (init, value, result) in enumerate(zip(op.inits, carried, op.results, strict=False)):
        if not init.type == value.type == result.type:
            yield (
                f"{index}-th init and {index}-th region iter_arg have different type: '{init.type}' != "
                f"'{value.type}'"
            )


def _carried(carried: Sequence[Attribute], yielded: Sequence[Attribute]) -> str | None:
    """That an iteration does not yield what the next one takes."""
    if not yielded and carried:
        return _edge("Operation scf.yield", "Region #0", yielded, carried)
    if len(carried) != len(yielded):
        return f"different number of region iter_args and yielded values: {len(carried)} != {len(yielded)}"
    for index, one, other in differences(carried, yielded):
        message = f"{index}-th region iter_arg and {index}-th yielded value have different type"
        return f"{message}: '{one}' != '{other}'"
    return None


@messages(IfOp)
def if_problems(op: IfOp) -> Iterator[str | None]:
    """Both branches yield the results, which an `if` without `else` cannot have."""
    yield no_arguments_problem(op.then_region, op.else_region)
    if op.results and not op.else_region.blocks:
        yield "must have an else block if defining values"
    yield from (_yields(region, op.results) for region in (op.then_region, op.else_region))


@messages(ExecuteRegionOp)
def execute_region_problems(op: ExecuteRegionOp) -> Iterator[str | None]:
    """Blocks without arguments at the beginning; each end yields the results."""
    first = op.region.first_block
    if first is None:
        yield "region needs to have at least one block"
        return
    if first.args:
        yield "region cannot have any arguments"
    yield _yields(op.region, op.results)


@messages(IndexSwitchOp)
def index_switch_problems(op: IndexSwitchOp) -> Iterator[str | None]:
    """A case is there once, and each region yields the results."""
    cases = [int(case) for case in op.cases.get_values()]
    if len(cases) != len(op.case_regions):
        yield f"has {len(op.case_regions)} case regions but {len(cases)} case values"
    for position, case in enumerate(cases):
        if case in cases[:position]:
            yield f"has duplicate case value: {case}"
    regions = {"default region": op.default_region}
    for case, region in zip(cases, op.case_regions, strict=False):
        regions[f"case region {case}"] = region
    for name, region in regions.items():
        last = _terminator(region)
        if not isinstance(last, YieldOp):
            continue
        if len(last.operands) != len(op.results):
            yield (
                f"expected each region to return {len(op.results)} values, but {name} returns "
                f"{len(last.operands)}"
            )
        yield _yields(region, op.results)


@messages(WhileOp)
def while_problems(op: WhileOp) -> Iterator[str | None]:
    """scf.condition gives the arguments of `after` and the results, scf.yield the arguments of `before`."""
    before, after = op.before.first_block, op.after.first_block
    if before is None or after is None:
        return
    condition, last = _terminator(op.before), _terminator(op.after)
    yield _edge("parent", "Region #0", types(op.inits), types(before.args))
    if isinstance(condition, ConditionOp):
        given = types(condition.arguments)
        yield _edge("Operation scf.condition", "Region #1", given, types(after.args))
        yield _edge("Operation scf.condition", "parent", given, types(op.results))
    elif condition is not None:
        yield "expects the 'before' region to terminate with 'scf.condition'"
    if isinstance(last, YieldOp):
        yield _edge("Operation scf.yield", "Region #0", types(last.operands), types(before.args))
    elif last is not None:
        yield "expects the 'after' region to terminate with 'scf.yield'"


@messages(ForallOp)
def forall_problems(op: ForallOp) -> Iterator[str | None]:
    """An induction variable for each dimension, then an argument for each shared output."""
    rank, block = len(op.static_upper_bound.get_values()), op.region.first_block
    bounds = (
        ("lower bound", op.static_lower_bound, op.dynamic_lower_bound),
        ("upper bound", op.static_upper_bound, op.dynamic_upper_bound),
        ("step", op.static_step, op.dynamic_step),
    )
    for name, static, dynamic in bounds:
        if len(static.get_values()) != rank:
            yield f"expected {rank} {name} values, got {len(static.get_values())}"
        if len(dynamic) != (unknown := list(static.get_values()).count(DYNAMIC_INDEX)):
            yield f"expected {unknown} dynamic {name} values"
    if len(op.results) != len(op.outputs):
        yield f"produces {len(op.results)} results, but there are only {len(op.outputs)} outputs"
    if block is not None and len(block.args) != rank + len(op.outputs):
        yield f"region expects {rank + len(op.outputs)} arguments"
    for index, argument in enumerate(() if block is None else block.args[:rank]):
        if not isinstance(argument.type, IndexType):
            yield f"expects {index}-th block argument to be an index"
    for index, _, _ in differences(types(op.results), types(op.outputs)):
        yield f"type mismatch between {index}-th output and corresponding block argument"
    if isinstance(op.mapping, ArrayAttr) and len(op.mapping.data) not in (0, rank):
        yield "mapping attribute size must match op rank"


@messages(ParallelOp)
def parallel_problems(op: ParallelOp) -> Iterator[str | None]:
    """A variable for each step; a reduction, an initial value and a result for each value."""
    block = op.body.first_block
    if not len(op.lower_bounds) == len(op.upper_bounds) == len(op.steps):
        yield "expects as many lower and upper bounds as steps"
    if not op.steps:
        yield "needs at least one tuple element for lowerBound, upperBound and step"
    for step in op.steps:
        if (value := _constant(step)) is not None and value <= 0:
            yield "constant step operand must be positive"
    if block is None:
        return
    if len(block.args) != len(op.steps):
        yield (
            "expects the same number of induction variables: "
            f"{len(block.args)} as bound and step values: {len(op.steps)}"
        )
    if not all(isinstance(argument.type, IndexType) for argument in block.args):
        yield "expects arguments for the induction variable to be of index type"
    reduction = block.last_op
    if not isinstance(reduction, ReduceOp):
        return
    if len(op.results) != len(reduction.reductions):
        yield (
            f"expects number of results: {len(op.results)} to be the same as number of reductions: "
            f"{len(reduction.reductions)}"
        )
    if len(op.results) != len(op.inits):
        yield (
            f"expects number of results: {len(op.results)} to be the same as number of initial values: "
            f"{len(op.inits)}"
        )


def _constant(value: SSAValue) -> int | None:
    """The number that VALUE is, if arith.constant says so."""
    if not isinstance(value, OpResult) or value.op.name != "arith.constant":
        return None
    number = value.op.properties.get("value")
    return number.value.data if isinstance(number, IntegerAttr) else None


def _reduce_messages(op: ReduceOp) -> Iterator[str | None]:
    loop = op.parent_op()
    results = () if loop is None else loop.results
    for index, given, wanted in differences(types(op.arguments), types(results)):
        yield (
            f"expects type of {index}-th reduction operand: '{given}' to be the same as the {index}-th "
            f"result type: '{wanted}'"
        )
    for index, (value, region) in enumerate(zip(op.arguments, op.reductions, strict=False)):
        block = region.first_block
        if block is not None and types(block.args) != [value.type] * 2:
            yield f"expected two block arguments with type '{value.type}' in the {index}-th reduction region"


@messages(ReduceReturnOp)
def reduce_return_problems(op: ReduceReturnOp) -> Iterator[str | None]:
    """It returns the type that its reduction takes."""
    block = op.parent
    kind = block.args[0].type if block is not None and block.args else op.result.type
    if op.result.type != kind:
        yield f"must have type '{kind}' (the type of the reduction inputs)"
    yield parent_problem(op, "scf.reduce")


# Each reduction makes one value of two of the result's type.
messages(ReduceOp)(lambda op: [parent_problem(op, "scf.parallel"), *_reduce_messages(op)])
messages(YieldOp)(
    lambda op: [
        parent_problem(op, "scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while")
    ]
)
messages(ConditionOp)(lambda op: [parent_problem(op, "scf.while")])
