"""Bounds of numbers that outgrow 64 bits, against execution with numbers that wrap around."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

import volcli
from tests.oracles.interpreter.arithmetic import SIGNED, signed
from tests.shared.seeds import seeds

OPERATIONS = ["muli", "muli", "muli", "addi", "addi", "subi", "maxsi", "minsi"]
NUMBERS = [-3, -1, 0, 1, 2, 3, 5, 10, 2**31, 2**62]


@dataclass
class Constant:
    name: str
    number: int


@dataclass
class Binary:
    name: str
    operation: str
    left: str
    right: str


@dataclass
class Counted:
    """A loop with `count` iterations that carries `states`."""

    variable: str
    count: int
    states: list[str]
    initial: list[str]
    body: list[Statement]
    yielded: list[str]
    results: list[str]


Statement = Constant | Binary | Counted


class Drawing:
    """Draws a program: its statements, and their text."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self._kind = self._random.choice(["index", "i64"])
        self._names = 0
        self._lines = ["func.func @f() {"]
        self.statements: list[Statement] = []
        for number in self._random.sample(NUMBERS, 4):
            self.statements.append(self._constant(number, self._kind))
        known = [each.name for each in self.statements if isinstance(each, Constant)]
        self.statements += self._block(known, depth=0)
        self.text = "\n".join([*self._lines, "return", "}"])

    def _name(self) -> str:
        self._names += 1
        return f"%v{self._names}"

    def _constant(self, number: int, kind: str) -> Constant:
        made = Constant(self._name(), number)
        self._lines.append(f"{made.name} = arith.constant {number} : {kind}")
        return made

    def _block(self, known: list[str], depth: int) -> list[Statement]:
        made: list[Statement] = []
        for _ in range(self._random.randint(1, 5)):
            if depth < 2 and self._random.random() < 0.3:
                loop = self._loop(known, depth)
                known += loop.results
                made.append(loop)
            else:
                choose = self._random.choice
                each = Binary(self._name(), choose(OPERATIONS), choose(known[-4:]), choose(known))
                self._lines.append(
                    f"{each.name} = arith.{each.operation} {each.left}, {each.right} : {self._kind}"
                )
                known.append(each.name)
                made.append(each)
        return made

    def _loop(self, known: list[str], depth: int) -> Counted:
        count = self._random.choice([1, 2, 3, 7, 40])
        states = [self._name() for _ in range(self._random.randint(1, 2))]
        initial = [self._random.choice(known) for _ in states]
        results, variable = [self._name() for _ in states], self._name()
        low, high, step = (self._constant(number, "index").name for number in (0, count, 1))
        carried = ", ".join(f"{s} = {v}" for s, v in zip(states, initial, strict=True))
        kinds = ", ".join(self._kind for _ in states)
        self._lines.append(
            f"{', '.join(results)} = scf.for {variable} = {low} to {high} step {step} "
            f"iter_args({carried}) -> ({kinds}) {{"
        )
        inner = [*known, *states, *([variable] if self._kind == "index" else [])]
        body = self._block(inner, depth + 1)
        yielded = [self._random.choice(inner[-4:]) for _ in states]
        self._lines += [f"scf.yield {', '.join(yielded)} : {kinds}", "}"]
        return Counted(variable, count, states, initial, body, yielded, results)


def execute(statements: Sequence[Statement], now: dict[str, int], seen: dict[str, set[int]]) -> None:
    """Run STATEMENTS on what there is NOW; all that a value is goes to SEEN."""

    def note(names: Sequence[str], numbers: Sequence[int]) -> None:
        for name, number in zip(names, numbers, strict=True):
            now[name] = number
            seen[name].add(number)

    for each in statements:
        match each:
            case Constant(name, number):
                note([name], [number])
            case Binary(name, operation, left, right):
                note([name], [signed(SIGNED[operation](now[left], now[right]), 64)])
            case Counted():
                carried = [now[name] for name in each.initial]
                for iteration in range(each.count):
                    note([each.variable, *each.states], [iteration, *carried])
                    execute(each.body, now, seen)
                    carried = [now[name] for name in each.yielded]
                note(each.results, carried)


def complaints(seed: str) -> Iterator[str]:
    """What is wrong with the constant bounds of the program of SEED."""
    drawn = Drawing(seed)
    seen: dict[str, set[int]] = defaultdict(set)
    execute(drawn.statements, {}, seen)
    function = volcli.load(drawn.text).function("f")
    for name, numbers in seen.items():
        found = function.bounds(name)
        for side, attained, sign in ((found.lower, min(numbers), 1), (found.upper, max(numbers), -1)):
            number = side.constant
            if found.never:
                yield f"{seed}: {name} is {attained}, and said not to be computed\n{drawn.text}"
            elif number is not None and sign * number > sign * attained:
                yield f"{seed}: {name} is {attained}, beyond its bound {number}\n{drawn.text}"
            elif number is not None and side.exact and number not in numbers:
                yield f"{seed}: {name} is never {number}, which is called exact\n{drawn.text}"
            elif number is not None and not -(2**63) <= number < 2**63:
                yield f"{seed}: {name} has 64 bits, and is never {number}\n{drawn.text}"


@pytest.mark.slow
@pytest.mark.parametrize("block", seeds(1, of=3))
def test_bounds_hold_of_what_wraps_around(block: int) -> None:
    assert [each for number in range(25) for each in complaints(f"{block}/{number}")] == []


@pytest.mark.fuzz
def test_campaign() -> None:
    assert [each for number in range(1000) for each in complaints(f"9/{number}")] == []
