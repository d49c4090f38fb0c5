"""What a walk back over last writers must know of operations: where they repeat, choose, read and write.

The third table that dialects fill, for memory on demand (see `volcli.execution.walking.last_writers`). A case
states bounds, subscripts and conditions of operations with regions or memory; what computes numbers from
numbers has none, and executes as ever. Nothing here imports numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from volcli.language.interface import Interface

Amount = int | SSAValue
"""A number that an operation states, or its operand."""


@dataclass(frozen=True)
class Mapped:
    """The results of MAP at OPERANDS, its dimensions and then its symbols."""

    map: AffineMap
    operands: tuple[SSAValue, ...]


@dataclass(frozen=True)
class Repeated:
    """The one region runs for the numbers from the largest of `lower` to below the least of `upper`.

    Its block has the number as its first argument, then what the iteration before yields, at first `inits`.
    """

    lower: Mapped
    upper: Mapped
    step: Amount
    inits: tuple[SSAValue, ...] = ()


@dataclass(frozen=True)
class ChosenRegion:
    """The first region runs if `holds` of the operands, else the second one."""

    holds: Callable[[Sequence[int]], bool]
    operands: tuple[SSAValue, ...]


@dataclass(frozen=True)
class IndexResult:
    """The result, an index, is that of `of`, or the least or largest of its results by `choice`."""

    of: Mapped
    choice: str = ""


@dataclass(frozen=True)
class ElementRead:
    """The result is the element of `memory` at the results of `at`."""

    memory: SSAValue
    at: Mapped


@dataclass(frozen=True)
class ElementWrite:
    """Writes `value` to that element."""

    memory: SSAValue
    at: Mapped
    value: SSAValue


@dataclass(frozen=True)
class Copied:
    """Writes each element of `source` to `target`, which shares no memory with it."""

    source: SSAValue
    target: SSAValue


@dataclass(frozen=True)
class StructuredWrite:
    """The body at every point of a box of loops, in row-major order but for `parallel` ones, which have none.

    Each operand has a map of the point to the element that it is there. The last `outputs` are written.
    """

    maps: tuple[AffineMap, ...]
    outputs: int
    parallel: tuple[int, ...]


@dataclass(frozen=True)
class Allocated:
    """The result is new memory of these `sizes`."""

    sizes: tuple[Amount, ...]


@dataclass(frozen=True)
class EndedMemory:
    """`memory`, which is that of an allocation, ends."""

    memory: SSAValue


@dataclass(frozen=True)
class PartOf:
    """Dimension `kept[d]` of the result has `sizes[d]` elements of `source`: from an offset, by a stride."""

    source: SSAValue
    offsets: tuple[Amount, ...]
    sizes: tuple[Amount, ...]
    strides: tuple[Amount, ...]
    kept: tuple[int, ...]


Walked = (
    Repeated
    | ChosenRegion
    | IndexResult
    | ElementRead
    | ElementWrite
    | Copied
    | StructuredWrite
    | Allocated
    | EndedMemory
    | PartOf
)
walked = Interface[Walked | None]("walked")


def mapped(operands: Sequence[SSAValue], map_: AffineMap | None = None) -> Mapped:
    """OPERANDS through MAP_, or as they are."""
    return Mapped(AffineMap.identity(len(operands)) if map_ is None else map_, tuple(operands))


def amounts(static: Sequence[int], dynamic: Sequence[SSAValue]) -> tuple[Amount, ...]:
    """The numbers of a list such as `[4, %n]`: STATIC, with DYNAMIC ones in the place of markers."""
    rest = iter(dynamic)
    return tuple(next(rest) if each == DYNAMIC_INDEX else each for each in static)
