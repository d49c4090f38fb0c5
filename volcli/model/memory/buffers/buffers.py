"""The memory of a memref: views are composed away, so that accesses to one buffer can be compared.

    %v = memref.subview %m[4, 0] [4, 8] [1, 2] : memref<8x16xf32> to ...
    affine.store %x, %v[%i, %j]                 writes %m[%i + 4, 2 * %j]

Two different buffers share no element. Two memrefs of which one comes from an unknown operation
may be the same memory: what is asked of them is unknown, never "independent".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.expressions import (
    ANY,
    Expression,
    Index,
    NotAffine,
    constant,
    loops,
)
from volcli.language.interface import operation_name
from volcli.language.loops import While
from volcli.language.memory import MemoryAccess, View
from volcli.language.programs.blocks import blocks_around, home
from volcli.language.reads import Conjunction, rank_of
from volcli.language.unchanged import cached_method
from volcli.model.memory.buffers.aliases import possible_buffers
from volcli.model.memory.buffers.held import HeldMemory
from volcli.model.memory.buffers.layouts import layout_of
from volcli.model.memory.buffers.roots import NOTHING_SHARED, Origin, Root, SharedArgument
from volcli.model.memory.buffers.views import composed, coordinates, element_at
from volcli.model.symbols import entry_of


@dataclass(frozen=True, eq=False)
class BufferIndex:
    """`root[index(l)]` for all l with `0 <= l_k < extents[k]` and all of `where` >= 0.

    Where `because` is given, the index is not known in full, and that text says why.
    """

    root: Root
    index: tuple[Index, ...]
    extents: tuple[Expression, ...]
    where: Conjunction
    because: str | None = None


class ReturnedMemory(Protocol):
    """A memref that a call returns (`returned.py`)."""

    def memref(self, call: Operation) -> SSAValue:
        """The memref of which it is a view, where CALL returns it; itself if it is new memory."""
        ...

    def view(self, call: Operation) -> View:
        """The same as a view of that memref."""
        ...


class ReturnedMemrefs(Protocol):
    """What is known of the memrefs that calls return (`flow/summaries.py`)."""

    def returned(self, result: OpResult) -> ReturnedMemory | None:
        """What memory RESULT is, if it is one of a call; None if that is not known."""
        ...


class Buffers:
    """The buffer of each memref of a function, and the index of a view's element in it.

    CALLS say what memrefs calls return. SHARED are arguments, by number, that are the memory of earlier ones.
    """

    def __init__(
        self,
        function: Operation,
        calls: ReturnedMemrefs | None = None,
        shared: Mapping[int, SharedArgument] | None = None,
    ) -> None:
        self.function = function
        self._calls = calls
        self._shared = shared or {}
        self._roots: dict[SSAValue, Root] = {}
        self._held = HeldMemory(function, self.root)

    def root(self, memref: SSAValue) -> Root:
        """The buffer of MEMREF."""
        known = self._roots.get(memref)
        if known is None:
            view = self.view(memref)
            known = self._source(memref) if view is None else self.root(view.base)
            if view is not None and isinstance(view.base.type, UnrankedMemRefType):
                known = Root(known.origin, memref, because=known.because, behind=known.behind or known)
            self._roots[memref] = known
        return known

    @cached_method
    def view(self, memref: SSAValue) -> View | None:
        """Which elements of another memref MEMREF's are; None if it is not a view, or of what is unknown."""
        returned = self._returned(memref)
        if returned is None:
            return _view(memref) or _same(memref)
        assert isinstance(memref, OpResult)
        return None if returned.memref(memref.op) is memref else returned.view(memref.op)

    def is_returned_new(self, result: SSAValue) -> bool:
        """Whether RESULT is memory that a called function allocates, and may write, whatever else it does."""
        return self._returned(result) is not None and self.view(result) is None

    def _returned(self, memref: SSAValue) -> ReturnedMemory | None:
        if self._calls is None or not isinstance(memref, OpResult):
            return None
        return self._calls.returned(memref)

    def as_view(self, memref: SSAValue) -> View | None:
        """MEMREF as a view of the memref that is not a view; None if its elements are not seen to be some."""
        rank = rank_of(memref)
        index: tuple[Index, ...] = loops(rank)
        extents: tuple[Expression, ...] = (constant(0),) * rank
        while (view := self.view(memref)) is not None:
            if view.is_address or isinstance(view.base.type, UnrankedMemRefType):
                return None
            index, extents = composed(view, index, extents)
            memref = view.base
        return View(memref, index, extents[rank:])

    def _source(self, memref: SSAValue) -> Root:
        if isinstance(memref, BlockArgument):
            if memref.block is entry_of(self.function):
                return self._argument(memref)
            return self._one_of(memref, "it is an argument of a block")
        assert isinstance(memref, OpResult)
        if self._returned(memref) is not None:
            return Root(Origin.ALLOCATION, memref)
        source = questions.buffer(memref.op)
        if source is None and (held := self._held.root(memref)) is not None:
            return held
        if source is None:
            name = operation_name(memref.op)
            return self._one_of(memref, f"it is unknown what memory '{name}' gives")
        if source.symbol is not None:
            return Root(Origin.GLOBAL, memref, source.symbol)
        if not self.function.is_ancestor(memref.op):
            return Root(Origin.UNKNOWN, memref, because="it is allocated outside, and used there too")
        return Root(Origin.ALLOCATION, memref)

    def _argument(self, argument: BlockArgument) -> Root:
        """An argument is memory of its own, or what all or some callers pass for it."""
        shared = self._shared.get(argument.index, NOTHING_SHARED)
        own = Root(Origin.ARGUMENT, argument)
        arguments = argument.block.args
        if shared.always is not None:
            return self.root(arguments[shared.always])
        if not shared.sometimes:
            return own
        others = (possible_buffers(self.root(arguments[k])) for k in shared.sometimes)
        because = "a call passes one buffer for several arguments"
        return Root(Origin.UNKNOWN, argument, because=because, among=frozenset((own,)).union(*others))

    def _one_of(self, memref: SSAValue, because: str) -> Root:
        """What goes around a loop, or comes out of a branch, is one of several buffers."""
        self._roots[memref] = Root(Origin.UNKNOWN, memref, because=because)  # while it is found out
        leaves: set[SSAValue] = set()
        seen: set[SSAValue] = set()
        pending = [memref]
        while pending:
            value = pending.pop()
            while (view := self.view(value)) is not None:
                value = view.base
            if value not in seen:
                seen.add(value)
                several = _sources(value)
                pending.extend(several)
                leaves.update(() if several or _is_none(value) else (value,))
        roots = frozenset(self.root(leaf) for leaf in leaves)
        if not roots or any(root.origin is Origin.UNKNOWN for root in roots):
            return self._roots[memref]
        return Root(Origin.UNKNOWN, memref, because="it is one of several buffers", among=roots)

    def place(self, access: MemoryAccess) -> BufferIndex:
        """The elements of the buffer that ACCESS goes to."""
        behind = self.behind_views(access)
        memref, index, extents = behind.memref, behind.index, behind.extents
        view = self.view(memref)
        if view is not None and view.is_address:
            return self._at_address(access, view, index, extents)
        root = self.root(memref)
        places = layout_of(root.value.type).places
        lying = index if places is None else tuple(element_at(each, index) for each in places)
        return self._made(root, lying, extents, access)

    def behind_views(self, access: MemoryAccess) -> MemoryAccess:
        """ACCESS to the memref that its own is a view of, as far as its elements are known there."""
        memref, index, extents = access.memref, access.index, access.extents
        while (view := self.view(memref)) is not None:
            if view.is_address or isinstance(view.base.type, UnrankedMemRefType):
                break
            index, extents = composed(view, index, extents)
            memref = view.base
        return replace(access, memref=memref, index=index, extents=extents)

    def _at_address(
        self, access: MemoryAccess, view: View, index: tuple[Index, ...], extents: tuple[Expression, ...]
    ) -> BufferIndex:
        """A distance from the beginning of the buffer as an index into it."""
        root = self.root(view.base)
        (address,), extents = composed(view, index, extents)
        return self._made(root, coordinates(address, root.value.type), extents, access)

    @staticmethod
    def _made(
        root: Root, index: tuple[Index, ...], extents: tuple[Expression, ...], access: MemoryAccess
    ) -> BufferIndex:
        because = access.partial
        if because is None and ANY in index:
            because = "the element is not an affine function of the loops"
        return BufferIndex(root, index, extents, access.where, because or root.because)


def _view(memref: SSAValue) -> View | None:
    if not isinstance(memref, OpResult):
        return None
    first = next(r for r in memref.op.results if isinstance(r.type, MemRefType) or r is memref)
    try:
        return questions.view(memref.op) if first is memref else None
    except NotAffine:
        return None


def _same(memref: SSAValue) -> View | None:
    """MEMREF as all of one made before, which each branch gives, or a loop passes on unchanged."""
    sources = _others(memref)
    if len(sources) == 2:  # the result of a loop is its first memref, or the argument, which is that one too
        sources = next((sources - {one} for one in sources if _others(one) == sources - {one}), sources)
    base = next(iter(sources), memref)
    is_one = len(sources) == 1 and isa(memref.type, MemRefType[Attribute]) and base.type == memref.type
    is_before = is_one and home(base) in set(blocks_around(home(memref)))
    return View(base, loops(rank_of(memref))) if is_before else None


def _others(memref: SSAValue) -> set[SSAValue]:
    """The values other than MEMREF that it is one of."""
    return set(_sources(memref)) - {memref}


def _is_none(memref: SSAValue) -> bool:
    """Whether MEMREF stands for no memory: nothing reads or writes there."""
    source = questions.buffer(memref.op) if isinstance(memref, OpResult) else None
    return source is not None and source.is_none


def _sources(memref: SSAValue) -> list[SSAValue]:
    """The values that MEMREF is one of: what a loop carries, what branches give."""
    op = memref.owner if isinstance(memref.owner, Operation) else memref.owner.parent_op()
    if op is None:
        return []
    try:
        counted = questions.loop(op)
        given = questions.choices(op) if isinstance(memref, OpResult) else None
    except NotAffine:
        return []
    if isinstance(counted, While):
        first = zip(counted.before, counted.initial, counted.yielded, strict=True)
        last = zip(counted.after, counted.results, counted.forwarded, strict=True)
        around = [v for argument, *values in first if argument is memref for v in values]
        return around + [forwarded for after, result, forwarded in last if memref in (after, result)]
    if counted is not None:
        carried = [c for c in counted.carried if memref in (c.argument, c.result)]
        return [value for c in carried for value in (c.initial, c.yielded)]
    if given is not None and isinstance(memref, OpResult) and memref.index < len(given):
        return [choice.value for choice in given[memref.index]]
    return []
