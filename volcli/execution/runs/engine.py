"""One execution: a function, its inputs, and its results or where it stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from volcli.diagnostics.counted import counted
from volcli.execution.code.code import Codes, call
from volcli.execution.demand.demand import DeferredTensor
from volcli.execution.memory.bytes_as import is_viewed
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.memory.memory import AllocatedMemory, MemoryView
from volcli.execution.numbers.terms import Terms
from volcli.execution.numbers.values import OF_STATE, UNSET, PoisonValue, Tensor, Unset
from volcli.execution.outcomes import Defect, LimitReached, Stopped, Undefined, Unsupported
from volcli.execution.runs.inputs import BadInput, InitialMemory, Inputs, made
from volcli.execution.tensors.structured import shape_of


@dataclass(frozen=True)
class Result:
    """A result of the function (`name` is None), or what the memref argument `name` holds at the end."""

    name: str | None
    value: Any


@dataclass(frozen=True)
class Outcome:
    """What came of an execution: `results`, or where it `stopped`.

    `defaults` are the inputs that nobody gave, `printed` the lines that the program printed, `trace` the
    values that were asked for, but for `untraced` of them, `steps` the iterations, `observed` which of the
    observed operations ran (see `Machine`). `given` is the memory of the arguments, by their names.
    """

    results: tuple[Result, ...]
    stopped: Stopped | None
    defaults: tuple[str, ...]
    printed: tuple[str, ...]
    trace: tuple[tuple[SSAValue, Any], ...]
    untraced: int
    steps: int
    observed: Mapping[Operation, bool]
    given: Mapping[str, AllocatedMemory]


@dataclass(frozen=True)
class DemandedElements:
    """The elements at `indices` of `value`, called `name`; of tensors only what they need is computed."""

    name: str
    value: SSAValue
    indices: Sequence[tuple[int, ...]]


def execute(
    module: ModuleOp,
    function: Operation,
    names: Sequence[str],
    inputs: Inputs,
    options: Options | None = None,
    terms: Terms | None = None,
    *,
    codes: Codes | None = None,
    demand: DemandedElements | None = None,
    machine: Machine | None = None,
) -> Outcome:
    """Execute FUNCTION, whose arguments are called NAMES, with INPUTS.

    Terms are made in TERMS, so that those of several executions can be compared. CODES keeps the code of
    FUNCTION and its callees for other inputs: to write and compile it takes longer than to run it on a small
    instance. The other executions must observe and trace the same, and MODULE must not change between them.
    With a DEMAND, its elements are all that is computed of tensors, and are the trace; there are no results.
    Without one, results are on demand if the options say so: `elements_of` computes what is asked for.
    MACHINE, if given, is one of these options.

    Raises BadInput if an input contradicts the type of its argument; whatever else ends the execution is in
    the outcome.
    """
    machine = machine or Machine(module, options, terms, codes)
    kinds = [argument.type for argument in function.regions[0].blocks[0].args]
    arguments = made(machine, names, kinds, inputs)
    pairs = zip(names, arguments.values, strict=True)
    given = {name: each.allocation for name, each in pairs if isinstance(each, MemoryView)}
    machine.given = list(given.values())
    results: tuple[Result, ...] = ()
    stopped: Stopped | None = None
    try:
        with np.errstate(all="ignore"):
            if demand is not None:
                machine.trace = _demanded(machine, function, arguments.values, demand)
            else:
                found = call(machine, function, arguments.values)
                results = tuple(_results(machine, function, found, names, arguments.values))
    except BadInput:
        raise
    except Stopped as error:
        stopped = error
    except MemoryError:
        stopped = LimitReached(function, "there is not enough memory")
    except RecursionError:
        stopped = LimitReached(function, "calls are nested too deeply")
    return Outcome(
        results,
        stopped,
        tuple(arguments.defaults),
        tuple(machine.printed),
        tuple(machine.trace),
        machine.untraced,
        machine.steps,
        machine.observed,
        given,
    )


def _demanded(
    machine: Machine, function: Operation, arguments: Sequence[Any], demand: DemandedElements
) -> list[tuple[SSAValue, Any]]:
    """The elements of DEMAND, of memory as they are at the end.

    Raises BadInput if there are no such elements, or the value is not computed just once.
    """
    call(machine, function, arguments)
    found = [value for _, value in machine.trace]
    name = demand.name
    if len(found) != 1:
        raise BadInput(
            name, f"{name} is computed {counted(len(found), 'time')}: an element of it is not one number"
        )
    (value,) = found
    for index in demand.indices:
        check_index(name, shape_of(value), index)
    return [(demand.value, each) for each in elements_of(function, value, demand.indices)]


def sizes_of(value: Any) -> tuple[int, ...]:
    """The sizes of VALUE, a result; of a number none."""
    return value.shape if isinstance(value, InitialMemory) else shape_of(value)


def elements_of(function: Operation, value: Any, indices: Sequence[tuple[int, ...]]) -> list[Any]:
    """The elements of VALUE, a result of FUNCTION, at INDICES; those on demand are computed now.

    Raises Stopped as an execution does: what they are computed from may be undefined.
    """
    if isinstance(value, MemoryView):
        return [value.load(function, index, None) for index in indices]
    if not isinstance(value, Tensor | InitialMemory):
        return [value for _ in indices]
    try:
        with np.errstate(all="ignore"):
            if isinstance(value, DeferredTensor):
                value.ask(indices)
            return [value.element(index) for index in indices]
    except MemoryError:
        raise LimitReached(function, "there is not enough memory") from None


def check_index(name: str, shape: Sequence[int], index: Sequence[int]) -> None:
    """Raises BadInput if a value of SHAPE, called NAME, has no element INDEX; a size of -1 is any."""
    fits = len(index) == len(shape) and all(
        i >= 0 and (n < 0 or i < n) for i, n in zip(index, shape, strict=True)
    )
    if not fits:
        sizes = "x".join("?" if n < 0 else str(n) for n in shape) or "one number"
        raise BadInput(name, f"{name} has no element {list(index)}: its sizes are {sizes}")


def _results(
    machine: Machine,
    function: Operation,
    found: Sequence[Any],
    names: Sequence[str],
    arguments: Sequence[Any],
) -> list[Result]:
    """The results and the memory of the caller. Raises Undefined if one depends on what was never written."""
    for position, value in enumerate(found):
        check_defined(
            machine, function.regions[0].blocks[-1].last_op or function, f"result {position}", value
        )
    shown = [Result(None, value) for value in found]
    shown += [
        Result(name, value)
        for name, value in zip(names, arguments, strict=True)
        if isinstance(value, MemoryView)
    ]
    return shown


def check_defined(machine: Machine, op: Operation, what: str, value: Any) -> None:
    """Raises Undefined if VALUE, WHAT of the function, is poison or was never written, or is freed memory."""
    if isinstance(value, PoisonValue | Unset):
        kind = Defect.POISON if isinstance(value, PoisonValue) else Defect.UNINITIALIZED
        if kind in machine.options.checks:
            raise Undefined(op, kind, f"{what} is {value!r}")
    if isinstance(value, MemoryView):
        if value.allocation.freed is not None and value.count:
            raise Undefined(op, Defect.LIFETIME, f"{what} is memory that has ended")
        if is_viewed(value):
            raise Unsupported(op, f"{what} is memory of bytes that were viewed as numbers")
        return
    if isinstance(value, DeferredTensor):
        return  # its elements are looked at where they are asked for
    if isinstance(value, Tensor) and value.states is not None and value.states.any():
        at = tuple(int(i) for i in np.argwhere(value.states)[0])
        state = int(value.states[at])
        kind = Defect.UNINITIALIZED if state == UNSET else Defect.POISON
        if kind in machine.options.checks:
            raise Undefined(op, kind, f"element {list(at)} of {what} is {OF_STATE[state]!r}")
