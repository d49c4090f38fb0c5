"""Parallel loops: their iterations in any order, and the memory that they share."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation

from volcli.execution.code.code import Body, count_of, run_each
from volcli.execution.memory.machine import Machine
from volcli.execution.outcomes import Defect, Stopped
from volcli.language.loops import MARK


def run_parallel(
    machine: Machine, op: Operation, body: Body, ranges: Sequence[range], shared: Sequence[Any]
) -> list[Sequence[Any]]:
    """Run BODY, of OP, at all points of RANGES with what is SHARED: what each yields, as they ran.

    Raises Undefined where two of them race.
    """
    machine.takes_steps(op, math.prod(map(count_of, ranges)))
    yielded: list[Sequence[Any]] = []
    point: tuple[int, ...] = ()
    with machine.watching(op) as watch:
        try:
            for point in machine.ordered(itertools.product(*ranges)):
                if watch is not None:
                    watch.iteration = point
                depth = len(machine.stack)
                yielded.append(body(*point, *shared))
                machine.end_scope(op, depth)
        except Stopped as stopped:
            stopped.inside(op, f"iteration ({', '.join(map(str, point))})")
            raise
    return yielded


def run_loop(
    machine: Machine, op: Operation, body: Body, iterations: range, carried: Sequence[Any]
) -> Sequence[Any]:
    """`run_each`, of a loop that may be marked `volcli.parallel`: then two iterations may race.

    Iterations that hand values on keep their order.
    """
    if MARK not in op.attributes or Defect.RACE not in machine.options.checks:
        return run_each(machine, op, body, iterations, carried)
    if not carried:
        run_parallel(machine, op, body, [iterations], ())
        return ()
    with machine.watching(op) as watch:
        assert watch is not None

        def watched(iteration: int, *values: Any) -> Sequence[Any]:
            watch.iteration = (iteration,)
            return body(iteration, *values)

        return run_each(machine, op, watched, iterations, carried)
