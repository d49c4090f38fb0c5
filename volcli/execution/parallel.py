"""Parallel loops: their iterations in any order, and the memory that they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation

from volcli.execution.code import Body
from volcli.execution.machine import Machine
from volcli.execution.outcomes import Stopped


def run_parallel(
    machine: Machine, op: Operation, body: Body, points: Sequence[tuple[int, ...]], shared: Sequence[Any]
) -> list[Sequence[Any]]:
    """Run BODY, of OP, at POINTS with what is SHARED: what each yields, in the order in which they ran.

    Raises Undefined where two of them race.
    """
    machine.takes_steps(op, len(points))
    yielded: list[Sequence[Any]] = []
    point: tuple[int, ...] = ()
    with machine.watching(op) as watch:
        try:
            for point in machine.ordered(points):
                if watch is not None:
                    watch.iteration = point
                depth = len(machine.stack)
                yielded.append(body(*point, *shared))
                machine.end_scope(op, depth)
        except Stopped as stopped:
            stopped.inside(op, f"iteration ({', '.join(map(str, point))})")
            raise
    return yielded
