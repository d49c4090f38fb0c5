"""The facts of elements, of values, and where elements come from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tests.interpreter.affine import Index


class Label(NamedTuple):
    """A boundary halfspace (dim, low | high) of the value, or of an earlier one (source); or the gap."""

    source: str
    dim: int
    side: str


GAP = Label("", -1, "gap")


class Source(NamedTuple):
    """An element that is not computed: of an argument, or of one op's use of a constant."""

    name: str
    place: Index
    constant: bool


@dataclass
class Element:
    """The facts of one element. READS is a set of source elements, as the bits of an int."""

    reads: int = 0
    reaches: bool = False
    zero: bool = False
    labels: frozenset[Label] = frozenset()

    @property
    def kind(self) -> str:
        """dense, sparse or static."""
        if not self.reaches:
            return "static"
        return "sparse" if self.labels else "dense"

    @property
    def degree(self) -> int:
        """How many boundary halfspaces meet here, for sparse elements."""
        return sum(label != GAP for label in self.labels) if self.kind == "sparse" else 0


@dataclass
class Facts:
    """The facts of all elements of a value, and its period in each dim."""

    elements: dict[Index, Element]
    period: tuple[int, ...]


def lcm(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The least common multiple in each dim."""
    return tuple(math.lcm(a, b) for a, b in zip(one, other, strict=True))
