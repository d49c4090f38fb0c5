"""An execution of a function: its results as numpy arrays, or where it stopped and why."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from volcli.diagnostics import Diagnostic, UsageError
from volcli.execution.outcomes import Defect, LimitReached, OpaqueEvent, Undefined, Unsupported
from volcli.facts.executions import Execution
from volcli.language.interface import operation_name
from volcli.model.symbols import symbol_of
from volcli.passes.base import Unit

if TYPE_CHECKING:  # numpy is imported when something is executed
    from volcli.execution.memory.machine import Options
    from volcli.execution.runs.engine import DemandedElements, Outcome, Result
    from volcli.execution.runs.inputs import Inputs


_ELEMENT = re.compile(r"\s*(%?[\w$.#-]+)\s*\[((?:\s*\d+\s*(?:,\s*\d+\s*)*)?)\]\s*")


def executed(
    unit: Unit,
    function: Operation,
    names: Sequence[str],
    inputs: Inputs,
    options: Options,
    demand: DemandedElements | None = None,
) -> Execution:
    """Execute FUNCTION, of UNIT, or what the elements of DEMAND need of it.

    Raises UsageError (V018) if an input contradicts an argument's type, or there is no such element.
    """
    from volcli.execution.runs.engine import execute
    from volcli.execution.runs.inputs import BadInput
    from volcli.execution.walking.results import walked_elements

    symbol = symbol_of(function)
    if not function.regions or not function.regions[0].blocks:
        place = unit.parsed.written_at(function)
        raise UsageError(Diagnostic("V018", f"@{symbol} has no body", place))
    module = unit.parsed.module
    assert isinstance(module, ModuleOp)
    try:
        outcome = None
        if demand is not None:
            outcome = walked_elements(module, function, names, inputs, options, demand)
        if outcome is None:
            outcome = execute(module, function, names, inputs, options, demand=demand)
    except (BadInput, LimitReached) as error:
        code = "V018" if isinstance(error, BadInput) else "V019"
        raise UsageError(Diagnostic(code, error.message, unit.parsed.written_at(function))) from None
    found = _stop(unit, function, outcome)
    undefined = outcome.stopped if isinstance(outcome.stopped, Undefined) else None
    return Execution(
        function=symbol,
        names=tuple(result.name for result in outcome.results),
        results=tuple(_plain(result) for result in outcome.results),
        undefined=found if undefined else None,
        defect=undefined.kind.value if undefined else None,
        stopped=None if undefined else found,
        defaults=outcome.defaults,
        printed=outcome.printed,
        trace=_trace(unit, outcome, demand),
        untraced=outcome.untraced,
        steps=outcome.steps,
    )


def _trace(unit: Unit, outcome: Outcome, demand: DemandedElements | None) -> tuple[tuple[str, Any], ...]:
    """The traced values, or the elements of DEMAND, by their names."""
    found = [(_name(unit, value), shown(it)) for value, it in outcome.trace]
    if demand is None:
        return tuple(found)
    pairs = zip(found, demand.indices, strict=False)
    return tuple((f"{name}{list(index)}", value) for (name, value), index in pairs)


def _name(unit: Unit, value: SSAValue) -> str:
    return unit.parsed.names.of(value)


def _stop(unit: Unit, function: Operation, outcome: Outcome) -> Diagnostic | None:
    stopped = outcome.stopped
    if stopped is None:
        return None
    place = unit.parsed.written_at(stopped.operation or function)
    trail = [f"{text} of {operation_name(op)} at {_at(unit, op)}" for op, text in stopped.trail]
    where = f", in {', in '.join(trail)}" if trail else ""
    if isinstance(stopped, Undefined):
        return Diagnostic("V240", f"{stopped.kind.value}: {stopped.message}{where}", place)
    event = _event(unit, function, outcome, stopped) if isinstance(stopped, OpaqueEvent) else ""
    next_step = stopped.next_step if isinstance(stopped, Unsupported) else None
    return Diagnostic("V019", f"{stopped.message}{event}{where}", place, next_step)


def _event(unit: Unit, function: Operation, outcome: Outcome, event: OpaqueEvent) -> str:
    """What an operation that does not execute is given, and which memory it may access."""
    operands = [_given(value) for value in event.operands]
    names = {id(memory): f"%{name}" for name, memory in outcome.given.items()}
    places = [
        names.get(id(memory)) or f"the memory of {operation_name(memory.made)} at {_at(unit, memory.made)}"
        for memory in event.reached
    ]
    given = f"; it is given {', '.join(operands)}" if operands else ""
    return given + (f"; it may access {', '.join(places)}" if places else "")


def _given(value: Any) -> str:
    sizes = getattr(value, "sizes", getattr(value, "shape", None))
    if sizes is None or sizes == ():
        return str(value)
    kind = "memory" if hasattr(value, "allocation") else "a tensor"
    return f"{kind} of the sizes {list(sizes)}"


def _at(unit: Unit, op: Operation) -> str:
    place = unit.parsed.written_at(op)
    return f"{place.line}:{place.column}"


def command(
    function: str, file: str, inputs: Inputs, shuffle: int | None = None, shown: str | None = None
) -> str:
    """The command that executes FUNCTION of FILE: `volcli run FILE --function f --size 'dim(%a, 0) = 3'`.

    SHOWN is the element that is printed.
    """
    parts = [f"volcli run {shlex.quote(file)} --function {function}"]
    parts += [f"--size 'dim(%{name}, {d}) = {size}'" for (name, d), size in sorted(inputs.sizes.items())]
    parts += [f"--arg %{name}={number}" for name, number in sorted(inputs.numbers.items())]
    parts += [
        f"--input %{name}={kind}" for name, kind in sorted(inputs.elements.items()) if isinstance(kind, str)
    ]
    parts += [f"--input {inputs.kind}"] * (inputs.kind != "random")
    parts += [f"--seed {inputs.seed}"] * bool(inputs.seed)
    parts += [] if shuffle is None else [f"--shuffle {shuffle}"]
    parts += [] if shown is None else [f"--print '{shown}'"]
    return " ".join(parts)


def _plain(result: Result) -> Any:
    return shown(result.value)


def shown(value: Any) -> Any:
    """VALUE for numpy: an array for tensors and memory, of objects if an element is not a number."""
    import numpy as np

    from volcli.execution.memory.memory import MemoryView
    from volcli.execution.numbers.values import OF_STATE, Tensor

    if isinstance(value, MemoryView):
        if value.allocation.freed is not None:
            return "freed memory"
        states = value.array(value.allocation.states_array)
        value = Tensor(value.array(value.allocation.data).copy(), states.copy() if states.any() else None)
    if not isinstance(value, Tensor):
        return value
    if value.states is None:
        return np.array(value.data)
    mixed = value.data.astype(object)
    for at in np.argwhere(value.states):
        mixed[tuple(at)] = OF_STATE[int(value.states[tuple(at)])]
    return mixed


def element_of(text: str) -> tuple[str, tuple[int, ...]]:
    """The value and the index of an element, as `--print` names it. Raises UsageError (V018) otherwise.

    >>> element_of("%r[0, 5]")
    ('%r', (0, 5))
    """
    if (match := _ELEMENT.fullmatch(text)) is None:
        raise UsageError(Diagnostic("V018", f"--print '{text}' is not of the form '%r[0, 5]'"))
    return match[1], tuple(int(each) for each in match[2].split(",") if each.strip())


def checks_of(names: str) -> frozenset[Defect]:
    """The kinds of undefined behaviour of `--sanitize`. Raises UsageError (V005) for another name."""
    if names == "all":
        return frozenset(Defect)
    known = {kind.value: kind for kind in Defect}
    for name in names.split(","):
        if name not in known:
            raise UsageError(
                Diagnostic("V005", f"no kind '{name}' of undefined behaviour: {', '.join(known)}")
            )
    return frozenset(known[name] for name in names.split(","))
