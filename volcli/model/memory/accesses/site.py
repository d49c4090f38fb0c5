"""Sites: the accesses of a function, each with its place in the text and the loops around it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, SSAValue

from volcli.language.memory import Effect, MemoryAccess
from volcli.language.programs.one_value import is_one_value, not_one_value
from volcli.model.memory.buffers.buffers import BufferIndex, Origin
from volcli.model.memory.buffers.nests import Level


@dataclass(frozen=True, eq=False)
class Site:
    """One access of one operation: where it is, in which loops, and which elements it goes to.

    If it `is_one_of` several, numbers choose which of them runs: they go to other memrefs.
    """

    number: int
    op: Operation
    access: MemoryAccess
    place: BufferIndex
    levels: tuple[Level, ...]
    is_one_of: bool = False

    @property
    def effect(self) -> Effect:
        return self.access.effect

    @cached_property
    def is_write(self) -> bool:
        return self.access.effect is Effect.WRITE

    def writes_one_value(self, other: Site) -> bool:
        """Whether this and OTHER, of one operation, write equal values at all of its points."""
        return self._writes_one_value(other, self.op)

    def writes_one_value_at(self, other: Site, depth: int) -> bool:
        """Whether this and OTHER write equal values in iterations that agree in the loops before DEPTH."""
        return self._writes_one_value(other, self.levels[depth - 1].op, self._agreed(depth))

    def _agreed(self, depth: int) -> frozenset[SSAValue]:
        return frozenset(v for level in self.levels[: depth - 1] if (v := level.variable) is not None)

    def numbers_written_at(self, other: Site, depth: int) -> list[tuple[SSAValue, SSAValue]] | None:
        """The integers that need to be equal for this and OTHER to write equal values at DEPTH.

        None if others do, too: data, or bytes.
        """
        mine, theirs = self.access.stored, other.access.stored
        if mine is None or theirs is None or self.parts or other.parts:
            return None
        return not_one_value(mine, theirs, self.levels[depth - 1].op, self._agreed(depth), _is_integer)

    def _writes_one_value(
        self, other: Site, loop: Operation, agreed: Container[SSAValue] = frozenset()
    ) -> bool:
        """In two iterations of LOOP. Equal numbers that overlap in bytes leave different bytes."""
        mine, theirs = self.access.stored, other.access.stored
        if mine is None or theirs is None or self.parts or other.parts:
            return False
        return self.is_write and other.is_write and is_one_value(mine, theirs, loop, agreed)

    @property
    def parts(self) -> int:
        """In how many loops elements of the buffer are parts of the one that is accessed, as bytes are of a
        number; 0 if it is one of the buffer's.
        """
        return len(self.place.extents) - len(self.access.extents)

    @property
    def is_escaped(self) -> bool:
        """Whether it is what an operation with unknown effects may do to memory that it does not name."""
        return self.place.root.origin is Origin.ESCAPED


def _is_integer(value: SSAValue) -> bool:
    return isinstance(value.type, IndexType | IntegerType)
