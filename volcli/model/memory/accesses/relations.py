"""Access relations: `{ [iteration] -> [element] : the access runs in this iteration }`, up to an offset.

affine.for %i = 0 to 9 { affine.load %m[%i - 2] }       { [i] -> [i] : 0 <= i <= 8 } with the offset -2
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import islpy as isl
from xdsl.ir import Operation

from volcli.language.expressions import (
    loop,
)
from volcli.language.memory import Effect, MemoryAccess
from volcli.model.memory.buffers.buffers import BufferIndex, Origin
from volcli.model.memory.buffers.nests import Level
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class Site:
    """One access of one operation: where it is, in which loops, and which elements it goes to."""

    number: int
    op: Operation
    access: MemoryAccess
    place: BufferIndex
    levels: tuple[Level, ...]

    @property
    def effect(self) -> Effect:
        return self.access.effect

    @cached_property
    def is_write(self) -> bool:
        return self.access.effect is Effect.WRITE

    @property
    def is_escaped(self) -> bool:
        """Whether it is what an operation with unknown effects may do to memory that it does not name."""
        return self.place.root.origin is Origin.ESCAPED


@dataclass(frozen=True, eq=False)
class Relation:
    """`{ [iteration] -> [offset + element] : (iteration, element) in points }` over names of variables.

    Relations of one `key` differ by their `offset` alone. It holds more than there is, if it is not `exact`.
    `unstable` are the parameters that stand for one unknown number in each iteration of so many loops around
    them: it may be another one in another iteration, and is one of several that are possible. What holds for
    *some* value of theirs is said at most (a write may happen); what holds for *all* of them, at least.
    """

    made: isl.Map | Callable[[], isl.Map]
    key: Hashable
    offset: tuple[int, ...]
    unstable: tuple[tuple[str, int], ...] = ()
    exact: bool = True
    because: str | None = None
    is_numeric: bool = False
    """Whether it shows without the points that they depend on no parameters."""
    is_simple: bool = False
    """Whether these are a box of iterations and a linear function: they cost next to nothing at any time."""

    @cached_property
    def points(self) -> isl.Map:
        """The relation, but for the offset; made when it is first asked for, of an access in a box."""
        return self.made if isinstance(self.made, isl.Map) else self.made()

    def is_like(self, other: Relation) -> bool:
        """Whether it shows that it is the OTHER one, but for the offset."""
        if self.is_numeric is other.is_numeric:
            return self.key == other.key
        return self._is_plain and other._is_plain and bool(self.points.plain_is_equal(other.points))

    @property
    def _is_plain(self) -> bool:
        """Whether iterations and numbers alone say where it goes, and exactly."""
        return self.is_numeric or (self.exact and not self.unstable and not self.points.dim(DIM.param))

    def elements(self) -> isl.Map:
        """The relation itself."""
        return shifted(self.points, self.offset) if any(self.offset) else self.points


def shifted(points: isl.Map, offset: Sequence[int]) -> isl.Map:
    """`{ [x] -> [y + offset] : (x, y) in points }`."""
    index = tuple(loop(k) + number for k, number in enumerate(offset))
    return points.apply_range(build.relation(len(offset), index))
