"""The facts of elements, of values, and where elements come from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tests.oracles.interpreter.affine import Index


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
    """The facts of one element. READS is a set of source elements, as the bits of an int.

    NEEDS are those of them that are not multiplied by a zero that stands in the text among other numbers: where
    MUTES, the element is such a zero, or is computed from such alone.
    """

    reads: int = 0
    needs: int = 0
    reaches: bool = False
    zero: bool = False
    mutes: bool = False
    labels: frozenset[Label] = frozenset()


@dataclass
class Facts:
    """The facts of all elements of a value, and its period in each dim."""

    elements: dict[Index, Element]
    period: tuple[int, ...]

    @cached_property
    def common(self) -> frozenset[Label]:
        """The labels of all elements that reach data, of no dim of the value: they tell none apart.

        Gaps that repeat tell the phases apart.
        """
        labels = [element.labels for element in self.elements.values() if element.reaches]
        shared = frozenset[Label].intersection(*labels) if labels else frozenset[Label]()
        periodic = any(step > 1 for step in self.period)
        return frozenset(label for label in shared if (not periodic if label == GAP else label.source))

    def kind(self, place: Index) -> str:
        """dense, sparse or static."""
        element = self.elements[place]
        if not element.reaches:
            return "static"
        return "sparse" if element.labels - self.common else "dense"

    def degree(self, place: Index) -> int:
        """How many boundary halfspaces meet here, for sparse elements."""
        if self.kind(place) != "sparse":
            return 0
        return sum(label != GAP for label in self.elements[place].labels - self.common)


def lcm(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The least common multiple in each dim."""
    return tuple(math.lcm(a, b) for a, b in zip(one, other, strict=True))
