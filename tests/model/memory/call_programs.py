"""What the operations of a program with calls access, and whose values they read, as executions show it."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from tests.shared.recorded import Access, Run

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
    """Whether two iterations of LOOP, in DEPTH others, go to one element, and one of them writes it."""
    by_element: dict[Any, set[tuple[tuple[int, ...], bool]]] = {}
    for each in run.accesses:
        if loop.is_ancestor(each.op) and each.op is not loop and run.name(each.memory) is not None:
            element = each.iteration[:depth], each.memory, each.at
            by_element.setdefault(element, set()).add((each.iteration[: depth + 1], each.is_write))
    return any(
        any(is_write for _, is_write in touches) and len({iteration for iteration, _ in touches}) > 1
        for touches in by_element.values()
    )
