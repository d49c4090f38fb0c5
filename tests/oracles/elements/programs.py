"""Whole programs: arguments, operations, results."""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracles.elements.nodes import Node
from tests.oracles.elements.values import Value


@dataclass(frozen=True)
class Program:
    """A function of one block."""

    arguments: tuple[Value, ...]
    nodes: tuple[Node, ...]
    returned: tuple[Value, ...]

    def mlir(self) -> str:
        """The text, which mlir-opt accepts with --allow-unregistered-dialect."""
        arguments = ", ".join(f"{value}: {value.type}" for value in self.arguments)
        types = ", ".join(value.type for value in self.returned)
        names = ", ".join(str(value) for value in self.returned)
        body = [f"  {line}" for node in self.nodes for line in node.lines()]
        head = f"func.func @f({arguments}) -> ({types}) {{"
        return "\n".join([head, *body, f"  return {names} : {types}", "}", ""])

    @property
    def values(self) -> list[Value]:
        """All values, in order of definition."""
        return [*self.arguments, *(node.result for node in self.nodes)]
