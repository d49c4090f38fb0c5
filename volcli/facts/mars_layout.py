"""How the MARS of a tile lie in memory, and what one tile reads of them and of the array itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from volcli.facts.fact import json_fields


def text(number: object) -> str | None:
    """NUMBER, or a polynomial, as it is written."""
    return None if number is None else str(number)


@dataclass(frozen=True)
class MarsRows:
    """What one tile reads from the array: elements, bursts and bytes, numbers or polynomials of the sizes.

    If `are_most`, there are fewer bursts where rows are as long as what a tile reads of them. The array is in
    row-major order, if it has no `layout` of its own."""

    elements: str | None
    bursts: str | None
    size: str | None
    are_most: bool
    layout: str | None = None

    @classmethod
    def of(cls, numbers: Sequence[object], are_most: bool, layout: str | None) -> MarsRows:
        """Of elements, bursts and bytes, which may be polynomials."""
        elements, bursts, size = map(text, numbers)
        return cls(elements, bursts, size, are_most, layout)

    @property
    def where(self) -> str:
        """How the array lies in memory."""
        return "row-major order" if self.layout is None else "the array's layout"

    @property
    def bursts_text(self) -> str:
        if self.bursts is None:
            return "parametric"
        return f"at most {self.bursts}" if self.are_most and self.bursts != "1" else self.bursts

    def to_json(self) -> dict[str, Any]:
        return json_fields(
            self, "elements bursts bytes at_most layout", bytes=self.size, at_most=self.are_most
        )


@dataclass(frozen=True)
class MarsLayout:
    """The order of the first class's sets in memory, and what one tile reads from outside, before and after.

    That is so many `elements` and `size` bytes, numbers or polynomials of the sizes, in so many `bursts` in
    that order, which are the fewest if it `is_best` (None: without an order, where tiles of other kinds have
    other sets), and the same from the `rows` of the array (None: not known). It is the `tile` that reads so
    (None: of symbolic sizes, any inside).
    """

    order: tuple[int, ...]
    elements: str | None
    size: str | None
    bursts: int | None
    is_best: bool
    rows: MarsRows | None
    tile: tuple[int, ...] | None

    @property
    def row_major(self) -> str | None:
        """The bursts from the array as it is declared."""
        return None if self.rows is None else self.rows.bursts

    @property
    def order_text(self) -> str:
        """`2, 1, 3`, counted from 1."""
        return ", ".join(str(k + 1) for k in self.order) + ", the best found" * (not self.is_best)

    def to_json(self) -> dict[str, Any]:
        names = "order tile row_major_bursts row_major bursts elements bytes best"
        return json_fields(
            self,
            names,
            row_major_bursts=self.row_major,
            row_major=self.rows,
            bytes=self.size,
            best=self.is_best,
        )
