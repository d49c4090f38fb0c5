"""Executions of functions of blocks: who wrote last what each load reads, and whose value nothing reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.oracles.blocks.programs import SIZE, Program, Statement

FUEL = 60
"""The number of blocks that an execution runs at most: what has happened until then has happened."""


@dataclass(frozen=True)
class Event:
    """A read or a write of an element by the statement of a line, in iterations of loops, `(line, run, number)`."""

    line: int
    is_write: bool
    buffer: Any
    element: int
    loops: tuple[tuple[int, int, int], ...]


@dataclass
class Run:
    """What happens in one execution."""

    events: list[Event] = field(default_factory=list[Event])
    flow: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    unwritten: set[tuple[int, str | None, int]] = field(default_factory=set[tuple[int, str | None, int]])
    used: set[int] = field(default_factory=set[int])
    left: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    outside: int | None = None
    is_finished: bool = False
    values: dict[str, set[int]] = field(default_factory=dict[str, set[int]])


class _End(Exception):
    """The execution goes on no more."""


def runs(program: Program, count: int) -> list[Run]:
    """So many executions of PROGRAM, with arguments that are the same each time."""
    random = Random(program.text)
    return [_Execution(program, random).run() for _ in range(count)]


class _Execution:
    def __init__(self, program: Program, random: Random) -> None:
        self._program = program
        self._bits = [random.random() < 0.5 for _ in range(8)]
        self._names: dict[str, Any] = {
            "%n": random.randint(0, SIZE),
            "%k": random.randint(0, SIZE),
            "%p": random.random() < 0.5,
            "%a": "%a",
            "%b": "%b",
            **{f"%c{c}": c for c in range(SIZE + 1)},
        }
        self._last: dict[tuple[Any, int], int] = {}
        self._made = 0
        self._entered = 0
        self._result = Run()

    def run(self) -> Run:
        """The whole execution."""
        number = 0
        try:
            for _ in range(FUEL):
                block = self._program.blocks[number]
                self._all(block.statements, ())
                if not block.targets:
                    self._finish()
                    break
                way = 0 if len(block.targets) == 1 or self._names[block.condition] else 1
                number, passed = block.targets[way]
                names = [name for name, _ in self._program.blocks[number].arguments]
                values = [self._names[each] for each in passed]
                for name, value in zip(names, values, strict=True):
                    self._set(name, value)
        except _End:
            pass
        return self._result

    def _finish(self) -> None:
        self._result.is_finished = True
        for (buffer, element), line in self._last.items():
            if isinstance(buffer, str):
                self._result.used.add(line)
                self._result.left.add((buffer, element))

    def _set(self, name: str, value: Any) -> None:
        self._names[name] = value
        if isinstance(value, int):
            self._result.values.setdefault(name, set()).add(value)

    def _all(self, statements: Sequence[Statement], loops: tuple[tuple[int, int, int], ...]) -> None:
        for each in statements:
            operands = [self._names[name] for name in each.operands]
            match each.kind:
                case "alloc":
                    self._made += 1
                    self._names[each.name] = self._made - 1, each.name
                case "add":
                    self._set(each.name, operands[0] + each.number)
                case "less":
                    self._names[each.name] = operands[0] < operands[1]
                case "bit":
                    self._inside(each, operands[0], 8)
                    self._names[each.name] = self._bits[operands[0]]
                case "for":
                    self._entered += 1
                    run = self._entered
                    for number in range(operands[0]):
                        self._set(each.name, number)
                        self._all(each.body, (*loops, (each.line, run, number)))
                case _:
                    self._access(each, operands[0], operands[1], loops)

    def _inside(self, statement: Statement, index: int, size: int) -> None:
        if not 0 <= index < size:
            self._result.outside = statement.line
            raise _End

    def _access(
        self, statement: Statement, buffer: Any, element: int, loops: tuple[tuple[int, int, int], ...]
    ) -> None:
        self._inside(statement, element, SIZE)
        line, is_write, at = statement.line, statement.kind == "store", (buffer, element)
        self._result.events.append(Event(line, is_write, buffer, element, loops))
        if is_write:
            self._last[at] = line
        elif at in self._last:
            self._result.flow.add((self._last[at], line))
            self._result.used.add(self._last[at])
        else:
            self._result.unwritten.add((line, buffer if isinstance(buffer, str) else None, element))
