"""A program: its text, and what it computes for the arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.oracles.tags.cells import Cell, Index, Tensor, indices, type_of

Values = Mapping[str, Tensor]
Step = Callable[[Values], Tensor]
Data = Mapping[str, Mapping[Index, int]]


@dataclass
class Program:
    """Arguments and steps; `shapes` are the kinds and shapes of all values."""

    arguments: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    steps: list[tuple[str, Step]] = field(default_factory=list[tuple[str, Step]])
    shapes: dict[str, tuple[str, tuple[int, ...]]] = field(
        default_factory=dict[str, "tuple[str, tuple[int, ...]]"]
    )

    def argument(self, kind: str, shape: Sequence[int]) -> str:
        """A new argument."""
        name = f"a{len(self.arguments)}"
        self.arguments.append(name)
        self.shapes[name] = kind, tuple(shape)
        return name

    def add(self, text: str, kind: str, shape: Sequence[int], step: Step) -> str:
        """A new value, which TEXT computes: `{r}` is its name, `{t}` its type."""
        name = f"v{len(self.steps)}"
        self.steps.append((name, step))
        self.shapes[name] = kind, tuple(shape)
        self.lines += text.replace("{r}", f"%{name}").replace("{t}", type_of(kind, shape)).split("\n")
        return name

    def type(self, name: str) -> str:
        """The type of a value."""
        return type_of(*self.shapes[name])

    def text(self) -> str:
        """The function, which returns the last value."""
        arguments = ", ".join(f"%{name}: {self.type(name)}" for name in self.arguments)
        last = self.steps[-1][0]
        body = "\n".join(f"  {line}" for line in self.lines)
        kind = self.type(last)
        return f"func.func @f({arguments}) -> {kind} {{\n{body}\n  return %{last} : {kind}\n}}\n"

    def run(self, data: Data) -> dict[str, Tensor]:
        """All values for the arguments DATA."""
        values: dict[str, Tensor] = {}
        for name in self.arguments:
            kind, shape = self.shapes[name]
            cells = {i: Cell(data[name][i], frozenset({(name, i)})) for i in indices(shape)}
            values[name] = Tensor(kind, shape, cells)
        for name, step in self.steps:
            values[name] = step(values)
        return values
