"""What the operations of a program with calls access, and whose values they read, as executions show it."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations
from typing import Any

from xdsl.ir import Operation, OpResult

from tests.shared.recorded import Access, Run

_CASTS = ("arith.index_cast", "arith.sitofp")
Instance = tuple[Operation, tuple[int, ...]]
"""One execution of an operation of the function that is run, in an iteration of the loops around it."""


def instance(access: Access) -> Instance:
    """Whose ACCESS it is."""
    return access.op, access.iteration


def sources(run: Run) -> set[tuple[Instance | None, Instance, str | None]]:
    """The last writer of what each operation reads, but for itself, and the argument in which that is."""
    found: set[tuple[Instance | None, Instance, str | None]] = set()
    last: dict[tuple[Any, int], Instance] = {}
    for each in run.accesses:
        now, element = instance(each), (each.memory, each.at)
        if each.is_write:
            last[element] = now
        elif (source := last.get(element)) != now:
            found.add((source, now, run.name(each.memory)))
    return found


def carried(run: Run, loop: Operation, depth: int) -> bool:
    """Whether two iterations of LOOP, in DEPTH others, go to one element, and one of them writes it.

    Not if both store one value that is computed before the loop.
    """
    by_element: dict[Any, set[tuple[tuple[int, ...], bool, Hashable]]] = {}
    for each in run.accesses:
        if loop.is_ancestor(each.op) and each.op is not loop and run.name(each.memory) is not None:
            element = each.iteration[:depth], each.memory, each.at
            touch = each.iteration[: depth + 1], each.is_write, _stored_before(loop, each.op)
            by_element.setdefault(element, set()).add(touch)
    return any(
        one[0] != other[0] and (one[1] or other[1]) and (one[2] is None or one[2] != other[2])
        for touches in by_element.values()
        for one, other in combinations(touches, 2)
    )


def _stored_before(loop: Operation, op: Operation) -> Hashable:
    """How what OP stores is computed from what is there before LOOP; None if it is not."""
    steps: list[str] = []
    stored = op.operands[0] if op.name.endswith(".store") else None
    while isinstance(stored, OpResult) and loop.is_ancestor(stored.op):
        steps.append(stored.op.name)
        stored = stored.op.operands[0] if stored.op.name in _CASTS else None
    return None if stored is None or loop.is_ancestor(stored.owner) else (*steps, stored)
