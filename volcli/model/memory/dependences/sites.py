"""The accesses of one function, in the order of the text: stated ones, those of calls, unknown effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from functools import cached_property

from xdsl.ir import Operation

from volcli.language.expressions import ANY
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.reads import rank_of
from volcli.language.unchanged import operations_in
from volcli.model.memory.accesses.rows_left import in_rows
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.aliases import escaped
from volcli.model.memory.buffers.buffers import BufferIndex, Buffers, Root
from volcli.model.memory.buffers.chosen import places
from volcli.model.memory.buffers.effects import (
    KnownCalls,
    accesses_of,
)
from volcli.model.memory.buffers.escapes import Escapes
from volcli.model.memory.buffers.in_place import writes_in_place
from volcli.model.memory.buffers.nests import LoopLevels
from volcli.model.stated_effects import unknown_effects
from volcli.model.values.store.store import BoundsStore


class Sites:
    """All accesses of the function of BOUNDS: to BUFFERS, by known CALLS, and to memory that ESCAPES."""

    def __init__(
        self, bounds: BoundsStore, nests: LoopLevels, buffers: Buffers, calls: KnownCalls, escapes: Escapes
    ) -> None:
        self._bounds = bounds
        self._function = bounds.function
        self._nests = nests
        self._buffers = buffers
        self._calls = calls
        self._escapes = escapes

    @cached_property
    def all(self) -> tuple[Site, ...]:
        """All accesses of the function, in the order of the text; those of unknown effects last."""
        operations = [op for op in operations_in(self._function) if op is not self._function]
        in_place = writes_in_place(self._function)
        accesses = {op: (*self._accesses(op), *in_place.get(op, ())) for op in operations}
        own = {op: [(a, p) for a in found for p in self._places(op, a)] for op, found in accesses.items()}
        count = Counter(id(access) for each in own.values() for access, _ in each)
        roots = list(dict.fromkeys(place.root for each in own.values() for _, place in each))
        found: list[Site] = []
        for op in operations:
            for access, place in (*own[op], *self._beyond(op, roots, {place.root for _, place in own[op]})):
                levels = self._nests.levels(op.parent)
                found.append(Site(len(found), op, access, place, levels, count[id(access)] > 1))
        return tuple(found)

    def _places(self, op: Operation, access: MemoryAccess) -> Iterator[BufferIndex]:
        """The elements of a buffer that the ACCESS of OP goes to; of each one, where numbers choose it."""
        for place in places(self._buffers, op, access):
            yield in_rows(self._bounds, op, access, place)

    def _beyond(
        self, op: Operation, roots: Sequence[Root], named: Set[Root]
    ) -> Iterator[tuple[MemoryAccess, BufferIndex]]:
        """What OP may access of ROOTS that it has not NAMED, or the operation whose region it ends.

        The effects of an operation with regions may come before them, between them and after them.
        """
        around = op.parent_op()
        is_end = around is not None and op.next_op is None and around is not self._function
        for each in (op, around) if is_end and around is not None else (op,):
            if self._escapes.reaches(each):
                among = frozenset(r for r in roots if r not in named and self._escapes.reached(each, r))
                if among:
                    yield from _anywhere(escaped(among, unknown_effects(each)))
                return

    def _accesses(self, op: Operation) -> tuple[MemoryAccess, ...]:
        """What OP does to the memory that its operands give it, and to new memory that it returns."""
        known = self._calls.accesses(op)
        if known is not None:
            return known
        written = (
            MemoryAccess(Effect.WRITE, each, (ANY,) * rank_of(each), partial=unknown_effects(op))
            for each in op.results
            if self._buffers.is_returned_new(each)
        )
        return (*accesses_of(op), *written)


def _anywhere(root: Root) -> Iterator[tuple[MemoryAccess, BufferIndex]]:
    """ROOT is read and written, or not."""
    for effect in (Effect.READ, Effect.WRITE):
        yield (
            MemoryAccess(effect, root.value, (ANY,), partial=root.because),
            BufferIndex(root, (ANY,), (), (), root.because),
        )
