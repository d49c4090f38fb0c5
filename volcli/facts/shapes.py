"""Shapes: the size of every dimension of a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.facts.fact import EXACT, Certainty, Fact, assuming
from volcli.language.expressions import Expression


@dataclass(frozen=True, repr=False)
class ShapeFact(Fact):
    """The sizes of a value's dimensions; `is_news` if they say more than its type, or it is a result.

    A size is an expression over parameters, which are named after the values that determine them: `t_d0` is
    the size of %t's first dimension.
    """

    question = "shapes"
    columns = ("value", "type", "shape")

    value: str
    type: str
    sizes: tuple[Expression, ...]
    is_news: bool
    assumptions: tuple[str, ...] = ()
    """What the sizes need to be these."""
    is_determined: bool = True
    """Whether no size is one that the operation alone could tell, and does not."""

    @property
    def subject(self) -> str:
        return self.value

    def _fields(self) -> Mapping[str, Any]:
        dims = [{"eq": _size_json(s), "lb": _size_json(s), "ub": _size_json(s)} for s in self.sizes]
        return {"value": self.value, "type": self.type, "dims": dims, "assumptions": list(self.assumptions)}

    @property
    def certainty(self) -> Certainty:
        return (
            EXACT
            if self.is_determined
            else Certainty("unknown", f"nothing determines the sizes of '{self.op}' op's result")
        )

    def content(self) -> Any:
        return [_size_json(size) for size in self.sizes]

    def _shape(self) -> str:
        return f"[{', '.join(map(str, self.sizes))}]{assuming(self.assumptions)}"

    def annotation(self) -> list[str]:
        return [f"shape {self.value}: {self._shape()}"] if self.is_news else []

    def rows(self) -> list[tuple[str, ...]]:
        return [(self.value, self.type, self._shape())]


def _size_json(size: Expression) -> int | str:
    """A size as JSON: a number if it is constant, else the expression's text."""
    return size.constant if size.is_constant else str(size)
