"""Building random programs that are valid by construction, from a source of choices."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from tests.oracles.elements import named
from tests.oracles.elements.nodes import Constant, Empty, Node
from tests.oracles.elements.programs import Program
from tests.oracles.elements.values import Value
from tests.oracles.interpreter.affine import box

T = TypeVar("T")
SIZE = 400  # elements a value
WORK = 6000  # loop points an operation
EXTENT = 16
RANK = 5


class Chooser(Protocol):
    """Where choices come from: hypothesis, which shrinks them, or a seeded random.Random, which is fast."""

    def integer(self, low: int, high: int) -> int:
        """A number from LOW to HIGH, both included."""
        ...


class RandomChooser:
    """Choices from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)


class Builder:
    """The program so far, and the choices that every operation needs."""

    def __init__(self, chooser: Chooser, element: str) -> None:
        self.chooser = chooser
        self.element = element
        self.arguments: list[Value] = []
        self.nodes: list[Node] = []
        self.used: set[str] = set()
        self.count = -1  # of the names given

    # -- choices

    def integer(self, low: int, high: int) -> int:
        """A number from LOW to HIGH, both included."""
        return self.chooser.integer(low, high)

    def chance(self, percent: int) -> bool:
        """True in PERCENT of 100 cases; shrinks to False."""
        return self.integer(1, 100) > 100 - percent

    def pick(self, options: Sequence[T]) -> T:
        """One of OPTIONS."""
        return options[self.integer(0, len(options) - 1)]

    def order(self, items: Sequence[T]) -> list[T]:
        """The ITEMS in some order."""
        left = list(items)
        return [left.pop(self.integer(0, len(left) - 1)) for _ in items]

    # -- values

    def new(self, prefix: str, shape: Sequence[int], tensor: bool = True) -> Value:
        """A value under a new name."""
        self.count += 1
        number = self.count
        style = self.integer(0, 19)
        name = str(number) if style == 19 else f"{prefix}.{number}" if style == 18 else f"{prefix}{number}"
        return Value(name, tuple(shape), self.element, tensor)

    def add(self, node: Node) -> Value:
        """Append NODE; its result."""
        self.nodes.append(node)
        return node.result

    def argument(self, shape: Sequence[int], tensor: bool = True) -> Value:
        """A new argument of the function."""
        value = self.new("arg", shape, tensor)
        self.arguments.append(value)
        return value

    def constant(self, number: int, shape: Sequence[int] = (), tensor: bool = False) -> Value:
        """A new constant, all of whose elements are NUMBER."""
        return self.add(Constant(self.new("cst", shape, tensor), (number,)))

    def values(self, suits: Callable[[Value], bool]) -> list[Value]:
        """The values so far that suit."""
        return [value for value in [*self.arguments, *(node.result for node in self.nodes)] if suits(value)]

    def tensor(self, suits: Callable[[Value], bool] = lambda _: True) -> Value | None:
        """A tensor that suits, preferably a recent and yet unused one; None if there is none."""
        found = self.values(lambda value: value.tensor and suits(value))
        if not found:
            return None
        unused = [value for value in found if value.name not in self.used and value not in self.arguments]
        return unused[-1] if unused and self.chance(80) else self.pick(found)

    def scalar(self) -> Value:
        """A scalar: mostly the constant 0."""
        found = self.values(lambda value: not value.tensor)
        match self.integer(0, 5):
            case 0 | 1 | 2:
                return self.constant(0)
            case 3:
                return self.constant(self.integer(1, 5))
            case 4 if found:
                return self.pick(found)
            case _:
                return self.argument((), tensor=False)

    def operand(self, shape: Sequence[int]) -> Value:
        """A tensor of the given SHAPE: one that is there, or a new argument or constant."""
        same = self.values(lambda value: value.tensor and value.shape == tuple(shape))
        if same and self.chance(60):
            return self.pick(same)
        if self.chance(30):
            return self.dense_constant(shape)
        return self.argument(shape)

    def dense_constant(self, shape: Sequence[int]) -> Value:
        """A tensor constant: zeros, another splat, or numbers that differ."""
        if math.prod(shape) > 1 and self.chance(30):
            numbers = tuple((k * 7 + 3) % 5 for k, _ in enumerate(box(shape)))
            return self.add(Constant(self.new("cst", shape), numbers))
        return self.constant(self.pick((0, 0, 1, 2)), shape, tensor=True)

    def destination(self, shape: Sequence[int]) -> Value:
        """What an op accumulates into or overwrites: mostly zeros."""
        match self.integer(0, 5):
            case 0 | 1 | 2:
                zero = self.constant(0)
                empty = self.add(Empty(self.new("empty", shape)))
                return self.add(named.fill(self.new("fill", shape).name, zero, empty))
            case 3:
                return self.add(Empty(self.new("empty", shape)))
            case 4:
                return self.constant(0, shape, tensor=True)
            case _:
                return self.operand(shape)

    def shape(self, rank: int, limit: int = SIZE) -> tuple[int, ...]:
        """A shape of RANK dims of 1 to 7 with at most LIMIT elements."""
        extents: list[int] = []
        for _ in range(rank):
            extents.append(self.integer(1, max(1, min(7, limit // math.prod(extents)))))
        return tuple(extents)

    def finish(self) -> Program:
        """The program that returns its last value, and some others."""
        values = [node.result for node in self.nodes]
        others = [value for value in values[:-1] if value.tensor and self.chance(15)]
        return Program(tuple(self.arguments), tuple(self.nodes), (*others, values[-1]))


def fits(shape: Sequence[int]) -> bool:
    """Whether a value of SHAPE is small enough."""
    return 0 < math.prod(shape) <= SIZE and max(shape, default=1) <= EXTENT and len(shape) <= RANK
