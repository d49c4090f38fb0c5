"""Executions of functions of blocks: who wrote last what each load reads, and whose value nothing reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, OpResult, SSAValue

from tests.oracles.blocks.programs import SIZE, Program
from tests.oracles.blocks.structured import Structured
from tests.shared import recorded
from tests.shared.recorded import Recorded
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.runs.inputs import Inputs
from volcli.frontend.parse.parser import ParsedModule

FUEL = 60
"""The steps that an execution takes at most: what has happened until then has happened."""


@dataclass(frozen=True)
class Event:
    """A read or a write of an element by the operation of a line, in iterations of loops, `(line, run, number)`."""

    line: int
    is_write: bool
    buffer: Any
    element: int
    loops: tuple[tuple[int, int, int], ...]


@dataclass
class Run:
    """What happens in one execution."""

    events: list[Event]
    outside: int | None
    is_finished: bool
    values: dict[str, set[int]]
    executed: set[int]
    """The lines of operations of which some result was computed, or which accessed memory."""
    arguments: dict[str, int]
    flow: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    unwritten: set[tuple[int, str | None, int]] = field(default_factory=set[tuple[int, str | None, int]])
    used: set[int] = field(default_factory=set[int])
    left: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])

    def __post_init__(self) -> None:
        last: dict[tuple[Any, int], int] = {}
        for each in self.events:
            at = each.buffer, each.element
            if each.is_write:
                last[at] = each.line
            elif at in last:
                self.flow.add((last[at], each.line))
                self.used.add(last[at])
            else:
                self.unwritten.add((each.line, *_seen(at)))
        if self.is_finished:
            self.left = {at for at in last if isinstance(at[0], str)}
            self.used |= {last[at] for at in self.left}


def _seen(at: tuple[Any, int]) -> tuple[str | None, int]:
    return (at[0] if isinstance(at[0], str) else None), at[1]


def runs(program: Program | Structured, count: int) -> list[Run]:
    """So many executions of PROGRAM, with arguments that are the same each time."""
    random, of = Random(program.text), Recorded(program.text)
    return [_run(of, random) for _ in range(count)]


def _run(of: Recorded, random: Random) -> Run:
    numbers = {"n": random.randint(0, SIZE), "k": random.randint(0, SIZE), "p": random.randint(0, 1)}
    bits = np.array([random.randint(0, 1) for _ in range(8)], np.bool_)
    run = of.run(Inputs(numbers=numbers, elements={"q": bits}, kind="zeros"), most_steps=FUEL)
    is_outside = isinstance(run.stopped, Undefined) and run.stopped.kind is Defect.BOUNDS
    outside = _line(of.parsed, run.stopped.operation) if run.stopped and is_outside else None
    values = {name: set(found) for name, found in _numbers(of.parsed, run.seen)}
    executed = {_line(of.parsed, value.owner) for value in run.seen if isinstance(value, OpResult)}
    executed |= {_line(of.parsed, each.op) for each in run.accesses}
    arguments = {f"%{name}": number for name, number in numbers.items()}
    return Run([*_events(of.parsed, run)], outside, run.results is not None, values, executed, arguments)


def _line(parsed: ParsedModule, op: Operation | None) -> int:
    assert op is not None
    return parsed.written_at(op).line


def _numbers(parsed: ParsedModule, seen: dict[SSAValue, list[Any]]) -> Iterator[tuple[str, list[int]]]:
    """The index values that are computed, by name."""
    for value, found in seen.items():
        if isinstance(value.type, IndexType) and not (name := parsed.names.of(value)).startswith("%c"):
            yield name, found


def _events(parsed: ParsedModule, run: recorded.Run) -> Iterator[Event]:
    lines: dict[Operation, tuple[int, list[int]]] = {}
    for each in run.accesses:
        if each.op not in lines:
            loops = [_line(parsed, value.owner.parent_op()) for value in recorded.iterators(each.op)]
            lines[each.op] = _line(parsed, each.op), loops
        line, loops = lines[each.op]
        name = run.name(each.memory)
        buffer = each.memory if name is None else f"%{name}"
        if name != "q" and each.in_bounds:
            places = zip(loops, each.entries, each.iteration, strict=True)
            yield Event(line, each.is_write, buffer, each.at, tuple(places))
