"""What paths end in: elements of the inputs, numbers, constants, and what is not known."""

from __future__ import annotations

import struct
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import Float16Type, Float32Type
from xdsl.ir import Attribute, OpResult

from volcli.language.reads import element_type


class LeafKind(Enum):
    """What a leaf is. Elements of inputs are counted, and numbers that are not constant."""

    INPUT = "input"
    """An element of an argument (its position), or of a global, before the function."""
    NUMBER = "number"
    """An integer that is a function of indices and parameters: the number is the only coordinate."""
    CONSTANT = "constant"
    """A number that stands in the program, or an element of a constant of several ones."""
    UNDEFINED = "undefined"
    """What nothing has written: the elements of fresh memory, and of an empty tensor."""
    COMPUTED = "computed"
    """Some operation computes a new number: what does not reach this leaf is a copy."""
    ABSORBED = "absorbed"
    """Integer arithmetic whose result may not depend on its operands: alone, or with constants (`what`)."""
    MADE = "made"
    """An element of what an operation makes, where paths are followed no further: the result."""
    LEFT = "left"
    """What an operation leaves in a result or a buffer, where it depends on data that is not followed."""
    UNKNOWN = "unknown"
    """Nothing is known of where this comes from; the leaf says why."""


@dataclass(frozen=True)
class Leaf:
    """One end of paths; `what` says which one of its kind."""

    kind: LeafKind
    what: Hashable = None
    rank: int = 0

    @property
    def is_counted(self) -> bool:
        """Whether it matters in how many ways it is reached."""
        return self.kind in (LeafKind.INPUT, LeafKind.NUMBER, LeafKind.MADE)


@dataclass(frozen=True)
class GlobalMemory:
    """The memory that `symbol` names, which the program states to hold `initially` before the first call."""

    symbol: str | None
    initially: Attribute | None


COMPUTED = Leaf(LeafKind.COMPUTED)
ABSORBED = Leaf(LeafKind.ABSORBED, "alone")
ABSORBED_BY_CONSTANTS = Leaf(LeafKind.ABSORBED, "with constants")
UNDEFINED = Leaf(LeafKind.UNDEFINED)
NUMBER = Leaf(LeafKind.NUMBER, None, 1)


def made(result: OpResult, rank: int) -> Leaf:
    """The elements of RESULT at the points of the loops around it: RANK coordinates."""
    return Leaf(LeafKind.MADE, result, rank)


def unknown(because: str) -> Leaf:
    """Nothing is known, BECAUSE of this."""
    return Leaf(LeafKind.UNKNOWN, because)


def constant_leaf(number: float, kind: Attribute) -> Leaf:
    """A NUMBER that stands in the program, as one of KIND or an element of it: `0.1 : f32` is one of 2^32."""
    element = element_type(kind)
    width = "f" if isinstance(element, Float32Type) else "e" if isinstance(element, Float16Type) else None
    if width is not None:
        with suppress(OverflowError):
            (number,) = struct.unpack(width, struct.pack(width, number))
    return Leaf(LeafKind.CONSTANT, repr(number))
