"""Loops that are marked `volcli.parallel`: whoever wrote that says that their iterations have no order."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from volcli.language.loops import MARK, Loop
from volcli.language.programs.known_loops import known_loop
from volcli.language.unchanged import operations_in
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.loops.updates import carried_updates

MarkedLoop = tuple[Operation, tuple[str, ...], tuple[Operation, ...]]
"""A loop, what is passed on in it, and what computes that."""


def marked_and_carrying(memory: Memory) -> Iterator[MarkedLoop]:
    """Loops that are marked, though iterations use what the one before gave them.

    Values that are only combined, as a sum, may be combined in any order.
    """
    for op in operations_in(memory.function):
        if MARK in op.attributes and memory.nests.of_operation(op):
            loop = known_loop(op)
            if loop is None:
                continue
            carried = loop.carried if isinstance(loop, Loop) else ()
            used = {memory.bounds.name_of(c.argument) for c in carried if c.argument.first_use}
            values, _ = carried_updates(op, memory.bounds.name_of)
            if handed := tuple(name for name in values if name in used):
                passed = (c.yielded.owner for c in carried if memory.bounds.name_of(c.argument) in handed)
                yield op, handed, tuple(each for each in passed if isinstance(each, Operation))
