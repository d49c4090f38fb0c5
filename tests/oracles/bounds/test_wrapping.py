"""Bounds of numbers that outgrow 64 bits, against execution with numbers that wrap around."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import volcli
from tests.shared.recorded import Recorded
from tests.shared.seeds import seeds

OPERATIONS = ["muli", "muli", "muli", "addi", "addi", "subi", "maxsi", "minsi"]
NUMBERS = [-3, -1, 0, 1, 2, 3, 5, 10, 2**31, 2**62]


class Drawing:
    """Draws a program: its text."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self._kind = self._random.choice(["index", "i64"])
        self._names = 0
        self._lines = ["func.func @f() {"]
        known = [self._constant(number, self._kind) for number in self._random.sample(NUMBERS, 4)]
        self._block(known, depth=0)
        self.text = "\n".join([*self._lines, "return", "}"])

    def _name(self) -> str:
        self._names += 1
        return f"%v{self._names}"

    def _constant(self, number: int, kind: str) -> str:
        name = self._name()
        self._lines.append(f"{name} = arith.constant {number} : {kind}")
        return name

    def _block(self, known: list[str], depth: int) -> None:
        for _ in range(self._random.randint(1, 5)):
            if depth < 2 and self._random.random() < 0.3:
                known += self._loop(known, depth)
            else:
                choose, name = self._random.choice, self._name()
                operation, left, right = choose(OPERATIONS), choose(known[-4:]), choose(known)
                self._lines.append(f"{name} = arith.{operation} {left}, {right} : {self._kind}")
                known.append(name)

    def _loop(self, known: list[str], depth: int) -> list[str]:
        count = self._random.choice([1, 2, 3, 7, 40])
        states = [self._name() for _ in range(self._random.randint(1, 2))]
        initial = [self._random.choice(known) for _ in states]
        results, variable = [self._name() for _ in states], self._name()
        low, high, step = (self._constant(number, "index") for number in (0, count, 1))
        carried = ", ".join(f"{s} = {v}" for s, v in zip(states, initial, strict=True))
        kinds = ", ".join(self._kind for _ in states)
        self._lines.append(
            f"{', '.join(results)} = scf.for {variable} = {low} to {high} step {step} "
            f"iter_args({carried}) -> ({kinds}) {{"
        )
        inner = [*known, *states, *([variable] if self._kind == "index" else [])]
        self._block(inner, depth + 1)
        yielded = [self._random.choice(inner[-4:]) for _ in states]
        self._lines += [f"scf.yield {', '.join(yielded)} : {kinds}", "}"]
        return results


def executed(text: str) -> dict[str, set[int]]:
    """All that each value is."""
    recorded = Recorded(text)
    run = recorded.run(most_steps=1_000_000)
    assert run.results is not None
    return {recorded.parsed.names.of(value): set(numbers) for value, numbers in run.seen.items()}


def complaints(seed: str) -> Iterator[str]:
    """What is wrong with the constant bounds of the program of SEED."""
    drawn = Drawing(seed)
    function = volcli.load(drawn.text).function("f")
    for name, numbers in executed(drawn.text).items():
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
    assert [each for number in range(12) for each in complaints(f"{block}/{number}")] == []


@pytest.mark.fuzz
def test_campaign() -> None:
    assert [each for number in range(1000) for each in complaints(f"9/{number}")] == []
