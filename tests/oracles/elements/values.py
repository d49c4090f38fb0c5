"""The values of a program (volumes) and how MLIR spells them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from tests.oracles.interpreter.affine import Index, box


@dataclass(frozen=True)
class Value:
    """A tensor, or with tensor=False a scalar, whose only element has the index ()."""

    name: str
    shape: tuple[int, ...]
    element: str = "f32"
    tensor: bool = True

    @property
    def type(self) -> str:
        """The MLIR type, e.g. tensor<2x3xf32>."""
        if not self.tensor:
            return self.element
        return f"tensor<{''.join(f'{n}x' for n in self.shape)}{self.element}>"

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def points(self) -> list[Index]:
        """All indices, in row-major order."""
        return list(box(self.shape))

    def __str__(self) -> str:
        return f"%{self.name}"


def is_float(element: str) -> bool:
    """Whether arith's f-ops apply to the ELEMENT type, e.g. f32 and not i32."""
    return element.startswith("f")


def number_text(number: int, element: str) -> str:
    """NUMBER as a literal of the ELEMENT type: 3 is 3.0 in f32, 3 in i32."""
    return f"{number}.0" if is_float(element) else str(number)


def operation(kind: str, element: str) -> str:
    """arith's op for KIND (add, sub, mul, max, min) on the ELEMENT type."""
    if is_float(element):
        return {"max": "arith.maximumf", "min": "arith.minimumf"}.get(kind, f"arith.{kind}f")
    return {"max": "arith.maxsi", "min": "arith.minsi"}.get(kind, f"arith.{kind}i")


def sanitised(name: str) -> str:
    """An SSA name as an identifier of isl: 0.x becomes _0_x."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return f"_{plain}" if plain[0].isdigit() else plain
