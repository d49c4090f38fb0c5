"""Which buffers are freed at one place of a function.

A state maps a buffer to how it was freed: `certain` if every execution that gets to this place has done so
since the buffer was allocated. A buffer that it does not have is not freed in any execution.

    scf.if %c { memref.dealloc %a }; memref.dealloc %b          { a: perhaps, b: certain }
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from volcli.model.memory.buffers.roots import Root

Memory = Root | SSAValue | None
"""A buffer, a tensor that gives its memory back, or None: some buffer, and it is not known which."""


@dataclass(frozen=True)
class Freed:
    """The operation `op` freed a buffer, in every execution if `certain`."""

    op: Operation
    certain: bool


State = Mapping[Memory, Freed]


def joined(states: Iterable[State]) -> State:
    """What holds where executions come together: freed in each of STATES, or perhaps.

    >>> joined([])
    {}
    """
    first, *others = [*states] or [{}]
    found = dict(first)
    for other in others:
        for memory, freed in other.items():
            certain = freed.certain and memory in found and found[memory].certain
            found[memory] = Freed(found.get(memory, freed).op, certain)
        for memory in [each for each in found if each not in other]:
            found[memory] = Freed(found[memory].op, certain=False)
    return found


def perhaps(state: State, freed: Collection[tuple[Memory, Operation]]) -> State:
    """STATE where each of what is FREED may be so, too."""
    found = dict(state)
    for memory, op in freed:
        found.setdefault(memory, Freed(op, certain=False))
    return found
