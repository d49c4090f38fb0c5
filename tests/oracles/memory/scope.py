"""What can be used where an operation is drawn."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.oracles.memory.expressions import Expression
from tests.oracles.memory.memrefs import MemrefType
from tests.oracles.memory.nodes import Node

Extents = tuple[int | None, ...]  # of a memref while the program runs; None for the value of a parameter


@dataclass(frozen=True)
class Buffer:
    """A memref that can be accessed here."""

    name: str
    type: MemrefType
    extents: Extents


@dataclass
class Scope:
    """The values that can be seen, and the operations that are written so far, in one block."""

    chance: random.Random
    parameters: tuple[str, ...]
    counter: list[int] = field(default_factory=lambda: [0])
    dims: tuple[str, ...] = ()  # what affine operations take as a dimension, apart from parameters
    indices: tuple[str, ...] = ()  # other index values
    memrefs: tuple[Buffer, ...] = ()
    tiles: tuple[tuple[str, Expression, tuple[Expression, ...]], ...] = ()
    """Loops whose steps are values: the variable, the step, and the upper bound."""
    depth: int = 0
    nodes: list[Node] = field(default_factory=list)

    def fresh(self, letter: str) -> str:
        """A new name."""
        self.counter[0] += 1
        return f"%{letter}{self.counter[0]}"

    def inner(self, *, dims: tuple[str, ...] = (), indices: tuple[str, ...] = ()) -> Scope:
        """A block inside, with so many more values."""
        return replace(
            self,
            dims=(*self.dims, *dims),
            indices=(*self.indices, *indices),
            depth=self.depth + len(dims) + len(indices),
            nodes=[],
        )

    def flip(self, probability: float) -> bool:
        """True so often."""
        return self.chance.random() < probability

    def usable(self, affine: bool) -> tuple[str, ...]:
        """The values that an operation of affine (or of arith) can use; inner ones are likelier."""
        ivs = self.dims if affine else (*self.dims, *self.indices)
        return (*ivs, *ivs[-2:], *self.parameters[:1])

    def write(self, node: Node) -> None:
        """One more operation."""
        self.nodes.append(node)


Writer = Callable[[Scope], None]
