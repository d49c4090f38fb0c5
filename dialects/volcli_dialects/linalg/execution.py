"""How the structured operations of linalg execute, and what stands in their bodies."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from typing import Any

from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType

from volcli.execution.code.code import Body
from volcli.execution.memory.machine import Machine
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, executions, vectorized
from volcli.execution.tensors.demand_loops import deferred_loops
from volcli.execution.tensors.structured import StructuredLoops
from volcli.execution.walking.walked import StructuredWrite, walked
from volcli_dialects.linalg import execution_of_winograd
from volcli_dialects.linalg.effects import stored_value
from volcli_dialects.linalg.relayout import execution as execution_of_relayout
from volcli_dialects.linalg.scalars import IndexOp

vectorized.case(LinalgStructuredOperation)(lambda op: True)


@executions.case(LinalgStructuredOperation)
def structured(op: LinalgStructuredOperation) -> Perform:
    """The body at every point of the loops, in row-major order."""
    maps = [each.data for each in op.get_indexing_maps()]
    if len(maps) != len(op.operands):
        raise Unsupported(op, f"its maps are {len(maps)}, its operands {len(op.operands)}")
    arguments = op.body.block.args
    used = [bool(argument.uses) for argument in arguments]
    kinds = [each.data for each in op.get_iterator_types()]
    yielded = () if op.body.block.last_op is None else op.body.block.last_op.operands
    fills = all(stored_value(op, op.body.block, each) for each in yielded)
    # Points that write one value to an element do not race.
    parallel = [d for d, kind in enumerate(kinds) if kind is IteratorType.PARALLEL and not fills]
    seen = [*used, *(False,) * (len(maps) - len(used))]
    loops = StructuredLoops(op, maps, len(op.outputs), seen, parallel)
    count = len(arguments)

    def perform(machine: Machine, body: Body, on_arrays: Body | None, *operands: Any) -> Any:
        def cut(of: Body) -> Body:
            return of if count == len(operands) else (lambda *values: of(*values[:count]))

        found = None
        if machine.options.demands:
            found = deferred_loops(loops, machine, body, on_arrays, cut, operands)
        if found is None:
            found = loops.run(machine, cut(body), None if on_arrays is None else cut(on_arrays), operands)
        return found

    return perform


@walked.case(LinalgStructuredOperation)
def structured_memory(op: LinalgStructuredOperation) -> StructuredWrite | None:
    """The same on memory."""
    if op.results:
        return None
    kinds = [each.data for each in op.get_iterator_types()]
    parallel = tuple(d for d, kind in enumerate(kinds) if kind is IteratorType.PARALLEL)
    return StructuredWrite(tuple(each.data for each in op.get_indexing_maps()), len(op.outputs), parallel)


@executions.case(IndexOp)
def index(op: IndexOp) -> Perform:
    """The iteration of a loop: a number, or those of all points at once."""
    dimension = op.dim.value.data
    return lambda machine: machine.points[-1][dimension]
