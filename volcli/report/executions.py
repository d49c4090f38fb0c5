"""Executions as text and as JSON."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from volcli.diagnostics.counted import counted
from volcli.limits import execution as limits

if TYPE_CHECKING:
    from volcli.facts.executions import Execution


def lines(execution: Execution, width: int) -> Iterator[str]:
    """What an execution gave, for people."""
    if execution.defaults:
        yield f"@{execution.function} with {', '.join(execution.defaults)}"
    yield from execution.printed
    yield from trace_lines(execution)
    position = 0
    for name, value in zip(execution.names, execution.results, strict=True):
        if name is None:
            title = "result" if execution.names.count(None) == 1 else f"result {position}"
            position += 1
        else:
            title = f"%{name}"
        yield from _value(title, value, width)


def trace_lines(execution: Execution) -> Iterator[str]:
    """The values that were traced, one a line."""
    for name, value in execution.trace:
        yield f"{name} = {_text(value, 10_000)}"
    if execution.untraced:
        yield f"({counted(f'{execution.untraced:,}', 'more value is', 'more values are')} not shown)"


def _value(title: str, value: Any, width: int) -> Iterator[str]:
    if not isinstance(value, np.ndarray):
        yield f"{title} = {value}"
        return
    kind = "terms" if value.dtype == object else value.dtype
    yield f"{title}: {'x'.join(map(str, value.shape)) or 'one element'} of {kind}"
    yield _text(value, width)


def _text(value: Any, width: int) -> str:
    if not isinstance(value, np.ndarray):
        return str(value)
    with np.printoptions(threshold=limits.SHOWN_ELEMENTS, linewidth=width, formatter={"object": str}):
        return np.array2string(value, separator=", ")


def as_json(execution: Execution) -> Mapping[str, Any]:
    """The fields of an execution, with elements as nested lists; terms and what is no number as text."""
    stop = execution.diagnostic
    return {
        "function": execution.function,
        "defaults": list(execution.defaults),
        "results": [
            {"name": name, "shape": list(np.shape(value)), "value": json_value(value)}
            for name, value in zip(execution.names, execution.results, strict=True)
        ],
        "stopped": None if stop is None else _stop(stop),
        "printed": list(execution.printed),
        "trace": [{"value": name, "is": json_value(value)} for name, value in execution.trace],
        "steps": execution.steps,
    }


def _stop(stop: Any) -> Mapping[str, Any]:
    place = stop.place
    return {
        "code": stop.code, "message": stop.message, "note": stop.note,
        "line": None if place is None else place.line, "column": None if place is None else place.column,
    }  # fmt: skip


def json_value(value: Any) -> Any:
    """VALUE in JSON: numbers that JSON does not have ("nan", "inf") and all others as text."""
    if isinstance(value, np.ndarray):
        return [json_value(each) for each in value] if value.ndim else json_value(value[()])
    if isinstance(value, bool | int | np.integer | np.bool_):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else str(float(value))
    return str(value)


def arrays(execution: Execution) -> Mapping[str, np.ndarray[Any, Any]]:
    """The results by the names that they have in a file of numpy's: `result0`, `m`."""
    found: dict[str, Any] = {}
    for position, (name, value) in enumerate(zip(execution.names, execution.results, strict=True)):
        array = np.asarray(value)
        found[name or f"result{position}"] = array.astype(str) if array.dtype == object else array
    return found


def summary(executions: Sequence[Execution]) -> str:
    """How many instances ran, of which sizes."""
    return f"{len(executions)} executions of @{executions[0].function}: nothing is undefined"
