"""What a function computes, with memory on demand: its results, and the memory that it was given."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from volcli.execution.memory.machine import Machine, Options
from volcli.execution.outcomes import LimitReached, Stopped, Undefined, Unsupported
from volcli.execution.runs.engine import DemandedElements, Outcome, Result, check_index, elements_of, sizes_of
from volcli.execution.runs.inputs import Arguments, Inputs, made
from volcli.execution.table import prepare
from volcli.execution.walking.last_writers import MemoryWalk
from volcli.language.memory import is_memref
from volcli.language.programs.blocks import home


def walked_results(
    machine: Machine, function: Operation, names: Sequence[str], inputs: Inputs
) -> tuple[MemoryWalk, list[Result]]:
    """What `execute` computes, with memory on demand: walked back to what wrote each element last.

    Memory that is not written is the `InitialMemory` that it had.

    Raises Stopped if that cannot be done, or what is no memory is undefined.
    """
    block = function.regions[0].blocks[0]
    arguments = _arguments(machine, function, names, inputs).values
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


def walked_elements(
    module: ModuleOp,
    function: Operation,
    names: Sequence[str],
    inputs: Inputs,
    options: Options,
    demand: DemandedElements,
) -> Outcome | None:
    """What `execute` gives with this DEMAND, of memory at the end of FUNCTION, without the rest of it.

    None if that cannot be walked back, or takes too long. Raises BadInput if an input contradicts the type of
    its argument, or there is no such element.
    """
    if not is_memref(demand.value) or home(demand.value) is not function.regions[0].blocks[0]:
        return None
    prepare(function.walk())
    machine = Machine(module, replace(options, walks=True, traced=frozenset()))
    arguments = _arguments(machine, function, names, inputs)
    stopped: Stopped | None = None
    found: list[object] = []
    try:
        with np.errstate(all="ignore"):
            walk = MemoryWalk(machine, function, arguments.values)
            held = walk.result(demand.value)
            for index in demand.indices:
                check_index(demand.name, sizes_of(held), index)
            found += elements_of(function, held, demand.indices)
    except Undefined as error:
        stopped = error
    except (Unsupported, LimitReached):
        return None
    trace = tuple((demand.value, each) for each in found)
    defaults = tuple(arguments.defaults)
    return Outcome((), stopped, defaults, (), trace, 0, machine.steps, machine.observed, {})


def _arguments(machine: Machine, function: Operation, names: Sequence[str], inputs: Inputs) -> Arguments:
    return made(machine, names, [each.type for each in function.regions[0].blocks[0].args], inputs)
