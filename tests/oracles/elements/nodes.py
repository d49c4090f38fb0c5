"""What an operation is, and the two that compute nothing: constants and tensor.empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracles.elements.layers import Layer
from tests.oracles.elements.values import Value, number_text


@dataclass(frozen=True)
class Node:
    """An operation with one result."""

    result: Value

    def lines(self) -> list[str]:
        """The MLIR text."""
        raise NotImplementedError

    def layers(self) -> list[Layer]:
        """What it computes; nothing for constants and tensor.empty."""
        raise NotImplementedError


@dataclass(frozen=True)
class Constant(Node):
    """arith.constant: a scalar, a splat tensor (one number), or a tensor with all its numbers."""

    numbers: tuple[int, ...]

    def lines(self) -> list[str]:
        element = self.result.element
        texts = [number_text(number, element) for number in self.numbers]
        if not self.result.tensor:
            return [f"{self.result} = arith.constant {texts[0]} : {element}"]
        return [f"{self.result} = arith.constant dense<{_nested(texts, self.result)}> : {self.result.type}"]

    def layers(self) -> list[Layer]:
        return []

    def number(self, position: int) -> int:
        """The number at the row-major POSITION."""
        return self.numbers[0] if len(self.numbers) == 1 else self.numbers[position]


def _nested(texts: Sequence[str], value: Value) -> str:
    """Elements as MLIR nests them: [[1, 2], [3, 4]]; one text alone is a splat."""
    if len(texts) == 1 or not value.shape:
        return texts[0]
    nested = list(texts)
    for extent in reversed(value.shape):
        nested = [f"[{', '.join(nested[k : k + extent])}]" for k in range(0, len(nested), extent)]
    return nested[0]


@dataclass(frozen=True)
class Empty(Node):
    """tensor.empty: undefined elements that depend on nothing."""

    def lines(self) -> list[str]:
        return [f"{self.result} = tensor.empty() : {self.result.type}"]

    def layers(self) -> list[Layer]:
        return []
