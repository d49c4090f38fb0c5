"""Bounds of chains that use their arguments again and again, against 64-bit arithmetic in plain Python."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import volcli
from tests.shared.seeds import seeds
from volcli.facts.bounds import BoundsFact

_ALL = 2**64
_ARGUMENTS = ("%x", "%m", "%p")


def _signed(number: int) -> int:
    return (number + _ALL // 2) % _ALL - _ALL // 2


STEPS: dict[str, Callable[[int, int], int]] = {
    "addi": lambda x, y: x + y,
    "subi": lambda x, y: x - y,
    "minsi": min,
    "maxsi": max,
    "minui": lambda x, y: min(x, y, key=lambda n: n % _ALL),
    "divui": lambda x, y: _signed(x % _ALL // y),
    "remui": lambda x, y: x % _ALL % y,
    "shrui": lambda x, y: _signed((x % _ALL) >> y),
}


def _chain(seed: int, length: int) -> list[tuple[str, str]]:
    """Operations, and the second operand of each."""
    draw = random.Random(seed)
    steps: list[tuple[str, str]] = []
    for _ in range(length):
        name = draw.choice(tuple(STEPS))
        constant = name in {"divui", "remui", "shrui"}
        steps.append((name, "%c3" if constant else draw.choice(("%m", "%p"))))
    return steps


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(2, of=6))
def test_every_execution_is_within_the_bounds(seed: int) -> None:
    steps = _chain(seed, 24)
    lines = [
        f"  %y{k} = arith.{name} {'%x' if k == 0 else f'%y{k - 1}'}, {other} : index"
        for k, (name, other) in enumerate(steps)
    ]
    head = "func.func @f(%x: index, %m: index, %p: index) {\n  %c3 = arith.constant 3 : index\n"
    program = volcli.loads(head + "\n".join(lines) + "\n  return\n}\n")
    program.run("value-bounds")
    facts = {fact.value: fact for fact in program.facts if isinstance(fact, BoundsFact)}
    draw = random.Random(-seed - 1)
    for _ in range(400):
        size = draw.choice((3, 20, 1000))
        known = {name: draw.randint(-size, size) for name in _ARGUMENTS} | {"%c3": 3}
        value = known["%x"]
        for k, (name, other) in enumerate(steps):
            value = STEPS[name](value, known[other])
            if _signed(value) != value:
                break
            fact = facts.get(f"%y{k}")
            if fact is None:
                continue
            lower, upper = fact.lower.constant, fact.upper.constant
            assert lower is None or lower <= value
            assert upper is None or value <= upper
