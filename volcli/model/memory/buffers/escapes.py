"""Escaped memory: what an operation with unknown effects may read and write beside its operands.

Others know of the buffers that a function is called with, of globals, and of what it allocates once that has
escaped: passed to a call or to an unknown operation, captured by its regions, stored into memory, returned,
or turned into a pointer; by any view of it. An operation P may reach an allocation if a use E lets it escape
and E is P or in P, or E stands before P, or a loop around both (or a cycle of blocks) leads from E back to P.
A loop that is around the allocation does not: in another iteration it is another buffer.

    %l = memref.alloc()   call @f()   memref.store %l, %p[]   call @g()       @g may write %l, @f may not
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from xdsl.ir import Operation, OpResult, SSAValue, Use
from xdsl.traits import IsTerminator

from volcli.language.memory import is_memref
from volcli.language.programs.blocks import blocks_around, home, is_inside
from volcli.language.unchanged import operations_in
from volcli.model.memory.buffers.buffers import Buffers, Origin, Root
from volcli.model.memory.buffers.effects import KnownCalls, Reach
from volcli.model.memory.buffers.nests import LoopLevels
from volcli.model.memory.buffers.spaces import foreign_space
from volcli.model.stated_effects import effects_of, has_unknown_effects, stated_accesses


class Escapes:
    """The buffers of one function that others may read and write, and from which operation on."""

    def __init__(self, function: Operation, buffers: Buffers, nests: LoopLevels, known: KnownCalls) -> None:
        self._known = known
        self._function = function
        self._buffers = buffers
        self._nests = nests
        self._reach = Reach(known)

    def outlives(self, root: Root) -> bool:
        """Whether ROOT may be read after the function: all but what it allocates and keeps to itself.

        What may not be plain memory may be read by others at any time.
        """
        if foreign_space(root.value) is not None:
            return True
        return root.origin is not Origin.ALLOCATION or bool(self._events_of(root))

    def is_known_inside(self, root: Root) -> bool:
        """Whether some operation lets others know of ROOT, beside its being returned."""
        return not all(map(self._is_end, self._events_of(root)))

    def reaches(self, op: Operation) -> bool:
        """Whether OP may access memory that it does not name: escaped memory."""
        return self._reach.is_beyond_operands(op)

    def reached(self, op: Operation, root: Root) -> bool:
        """Whether ROOT has escaped where OP runs."""
        if root.among:
            return any(self.reached(op, each) for each in root.among)
        if root.origin is not Origin.ALLOCATION:
            return True
        made = self._made_in(root)
        return any(self._leads(event, op, made) for event in self._events_of(root))

    def _made_in(self, root: Root) -> int:
        return len(self._nests.levels(home((root.behind or root).made)))

    def _leads(self, event: Operation, op: Operation, made: int) -> bool:
        """Whether OP may run once EVENT has, for a buffer that is MADE inside of so many loops."""
        if self._place[event] <= self._place[op] or op.is_ancestor(event):
            return True
        if self._nests.common(event.parent, op.parent) > made:
            return True
        common = {b.parent for b in blocks_around(op.parent)} & {
            b.parent for b in blocks_around(event.parent)
        }
        return any(region is not None and len(region.blocks) > 1 for region in common)

    @cached_property
    def _place(self) -> Mapping[Operation, int]:
        return {op: number for number, op in enumerate(operations_in(self._function))}

    # -- events ----------------------------------------------------------------------------------------

    def _events_of(self, root: Root) -> list[Operation]:
        """The operations that let ROOT escape, or a buffer of which nothing is known."""
        events, unknown = self._events
        return [*events.get(root.behind or root, ()), *unknown]

    @cached_property
    def _events(self) -> tuple[Mapping[Root, list[Operation]], list[Operation]]:
        """The operations that let a buffer escape, by the buffer; and those that let any of them."""
        found: dict[Root, list[Operation]] = {}
        unknown: list[Operation] = []
        for value in self._values():
            for use in value.uses:
                event = self._event(value, use)
                if event is None:
                    continue
                root = self._buffers.root(value)
                if root.origin is Origin.UNKNOWN and not root.among and _may_be_local(root):
                    unknown.append(event)
                for each in root.among or (root.behind or root,):
                    found.setdefault(each, []).append(event)
        return found, unknown

    def _values(self) -> Iterator[SSAValue]:
        for op in operations_in(self._function):
            blocks = (block for region in op.regions for block in region.blocks)
            for value in (*op.results, *(argument for block in blocks for argument in block.args)):
                if is_memref(value):
                    yield value

    def _is_seen(self, result: SSAValue) -> bool:
        """Whether it is known what memory the RESULT of a call is."""
        return self._buffers.root(result).origin is not Origin.UNKNOWN

    def _is_end(self, op: Operation) -> bool:
        """Whether OP ends the function, and returns something."""
        return op.parent_op() is self._function and op.has_trait(IsTerminator) and not op.successors

    def _event(self, value: SSAValue, use: Use) -> Operation | None:
        """The operation by which USE of VALUE lets it escape: the one that uses it, or one around that."""
        op = use.operation
        if self._is_end(op):
            return op
        around = op.parent_op()
        while around is not None and around is not self._function:
            if has_unknown_effects(around) and not is_inside(value, around):
                return around
            around = around.parent_op()
        if op in self._known:
            # What it returns is known, or else it may be any memory that has escaped.
            is_seen = all(self._is_seen(result) for result in op.results if is_memref(result))
            return None if is_seen else op
        effects = effects_of(op)
        if effects.unknown is not None or value in effects.exposes:
            return op
        stated = stated_accesses(op)
        if stated is None or any(access.stored is value for access in stated):
            return op
        parent = op.parent_op()
        is_given = op.has_trait(IsTerminator) and parent is not None and has_unknown_effects(parent)
        return parent if is_given else None


def _may_be_local(root: Root) -> bool:
    """Whether ROOT may be a buffer that the function allocates: not the result of a call, which is older.

    A call can only give what it was given, and that has escaped itself.
    """
    return not isinstance(root.value, OpResult) or not has_unknown_effects(root.value.op)
