"""What a function computes, with memory on demand: its results, and the memory that it was given."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from volcli.execution.memory.machine import Machine
from volcli.execution.runs.engine import Result
from volcli.execution.runs.inputs import Inputs, made
from volcli.execution.walking.last_writers import MemoryWalk
from volcli.language.memory import is_memref


def walked_results(
    machine: Machine, function: Operation, names: Sequence[str], inputs: Inputs
) -> tuple[MemoryWalk, list[Result]]:
    """What `execute` computes, with memory on demand: walked back to what wrote each element last.

    Memory that is not written is the `InitialMemory` that it had.

    Raises Stopped if that cannot be done, or what is no memory is undefined.
    """
    block = function.regions[0].blocks[0]
    arguments = made(machine, names, [each.type for each in block.args], inputs).values
    with np.errstate(all="ignore"):
        walk = MemoryWalk(machine, function, arguments)
        end = block.last_op
        found = [Result(None, walk.result(value)) for value in (end.operands if end is not None else ())]
        pairs = zip(names, block.args, arguments, strict=True)
        found += [
            Result(name, walk.result(each) if walk.writes(each) else given)
            for name, each, given in pairs
            if is_memref(each)
        ]
    return walk, found
