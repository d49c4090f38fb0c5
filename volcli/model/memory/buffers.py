"""The memory behind a memref: views are composed away, so that accesses to one buffer can be compared.

    %v = memref.subview %m[4, 0] [4, 8] [1, 2] : memref<8x16xf32> to ...
    affine.store %x, %v[%i, %j]                 writes %m[%i + 4, 2 * %j]

Two different buffers share no element. Two memrefs of which one comes from an unknown operation
may be the same memory: what is asked of them is unknown, never "independent".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr, UnrankedMemRefType, i8
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    ANY,
    Atom,
    Expression,
    Index,
    LoopIndex,
    NotAffine,
    constant,
    loop,
    substitute,
)
from volcli.language.interface import operation_name
from volcli.language.loops import While
from volcli.language.memory import MemoryAccess, View
from volcli.language.reads import Conjunction
from volcli.model.entry import entry_of
from volcli.model.memory.held import HeldMemory
from volcli.model.memory.layouts import layout_of
from volcli.model.memory.roots import Origin, Root


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


class Alias(Enum):
    """Whether two buffers share memory."""

    SAME = "same"
    DISTINCT = "distinct"
    ASSUMED_DISTINCT = "assumed distinct"
    UNKNOWN = "unknown"


def alias(left: Root, right: Root) -> Alias:
    """Whether LEFT and RIGHT are the same memory.

    Memory that a function allocates is new: it is neither another allocation, nor what it was called with.
    That two arguments, or an argument and a global, are different is an assumption (as in mlir-opt).
    """
    for one, other in ((left, right), (right, left)):
        if one.origin is Origin.ESCAPED:
            is_disjoint = other.origin is not Origin.ESCAPED and one.among.isdisjoint((other, *other.among))
            return Alias.DISTINCT if is_disjoint else Alias.UNKNOWN
    if left == right and left.origin is not Origin.UNKNOWN:
        return Alias.SAME
    if left.value is right.value:
        return Alias.SAME
    found = {_alias(a, b) for a in _possible(left) for b in _possible(right)}
    if found <= {Alias.DISTINCT}:
        return Alias.DISTINCT
    return Alias.ASSUMED_DISTINCT if found <= {Alias.DISTINCT, Alias.ASSUMED_DISTINCT} else Alias.UNKNOWN


def is_single(root: Root) -> bool:
    """Whether ROOT is one known buffer: any other one is different memory, or assumed to be."""
    return root.origin not in (Origin.UNKNOWN, Origin.ESCAPED) and root.behind is None and not root.among


def escaped(among: frozenset[Root], because: str) -> Root:
    """Memory of which it is known that it is AMONG these buffers; an argument of no block stands for it."""
    stand_in = Block(arg_types=[MemRefType(i8, [DYNAMIC_INDEX])]).args[0]
    return Root(Origin.ESCAPED, stand_in, because=because, among=among)


def _possible(root: Root) -> frozenset[Root]:
    return root.among or frozenset((root.behind or root,))


def _alias(left: Root, right: Root) -> Alias:
    """The same of two that are single buffers, or unknown."""
    if left == right or Origin.UNKNOWN in (left.origin, right.origin):
        return Alias.UNKNOWN
    origins = {left.origin, right.origin}
    is_assumed = Origin.ARGUMENT in origins and Origin.ALLOCATION not in origins
    return Alias.ASSUMED_DISTINCT if is_assumed else Alias.DISTINCT


class Buffers:
    """The buffer behind each memref of a function, and the index of a view's element in it."""

    def __init__(self, function: Operation) -> None:
        self.function = function
        self._roots: dict[SSAValue, Root] = {}
        self._views: dict[SSAValue, View | None] = {}
        self._held = HeldMemory(function, self.root)

    def root(self, memref: SSAValue) -> Root:
        """The buffer behind MEMREF."""
        known = self._roots.get(memref)
        if known is None:
            view = self.view(memref)
            known = self._source(memref) if view is None else self.root(view.base)
            if view is not None and isinstance(view.base.type, UnrankedMemRefType):
                known = Root(known.origin, memref, because=known.because, behind=known.behind or known)
            self._roots[memref] = known
        return known

    def view(self, memref: SSAValue) -> View | None:
        """Which elements of another memref MEMREF's are; None if it is no view, or of what is unknown."""
        if memref not in self._views:
            self._views[memref] = _view(memref)
        return self._views[memref]

    def _source(self, memref: SSAValue) -> Root:
        if isinstance(memref, BlockArgument):
            if memref.block is entry_of(self.function):
                return Root(Origin.ARGUMENT, memref)
            return self._one_of(memref, "it is an argument of a block")
        assert isinstance(memref, OpResult)
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
                leaves.update(() if several else (value,))
        roots = frozenset(self.root(leaf) for leaf in leaves)
        if any(root.origin is Origin.UNKNOWN for root in roots):
            return self._roots[memref]
        return Root(Origin.UNKNOWN, memref, because="it is one of several buffers", among=roots)

    def place(self, access: MemoryAccess) -> BufferIndex:
        """The elements of the buffer that ACCESS goes to."""
        memref, index, extents = access.memref, access.index, access.extents
        while (view := self.view(memref)) is not None:
            if isinstance(view.base.type, UnrankedMemRefType):
                break
            if view.is_address:
                return self._at_address(access, view, index, extents)
            index, extents = _composed(view, index, extents)
            memref = view.base
        root = self.root(memref)
        places = layout_of(root.value.type).places
        lying = index if places is None else tuple(_at(each, index) for each in places)
        return self._made(root, lying, extents, access)

    def _at_address(
        self, access: MemoryAccess, view: View, index: tuple[Index, ...], extents: tuple[Expression, ...]
    ) -> BufferIndex:
        """A distance from the beginning of the buffer as an index into it."""
        root = self.root(view.base)
        (address,), extents = _composed(view, index, extents)
        return self._made(root, _coordinates(address, root.value.type), extents, access)

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
    if counted is not None and not isinstance(counted, While):
        carried = [c for c in counted.carried if memref in (c.argument, c.result)]
        return [value for c in carried for value in (c.initial, c.yielded)]
    if given is not None and isinstance(memref, OpResult) and memref.index < len(given):
        return [choice.value for choice in given[memref.index]]
    return []


def _composed(
    view: View, index: tuple[Index, ...], extents: tuple[Expression, ...]
) -> tuple[tuple[Index, ...], tuple[Expression, ...]]:
    """The element of the view's base that is its element INDEX; its own loops come behind the EXTENTS."""
    rank, own = len(index), len(extents)
    where: list[Index] = [*index, *(loop(own + k) for k in range(len(view.extents)))]
    return tuple(_at(each, where) for each in view.index), (
        *extents,
        *view.extents[: max(0, len(where) - rank)],
    )


def _at(expression: Index, where: Sequence[Index]) -> Index:
    """EXPRESSION, over the dimensions of a view, at the element WHERE of it."""
    if not isinstance(expression, Expression):
        return ANY
    if any(
        isinstance(a, LoopIndex) and not isinstance(where[a.position], Expression) for a in expression.atoms()
    ):
        return ANY

    def replaced(atom: Atom) -> Expression | None:
        if not isinstance(atom, LoopIndex):
            return None
        found = where[atom.position]
        return found if isinstance(found, Expression) else None

    try:
        return substitute(expression, replaced)
    except NotAffine:
        return ANY


def _coordinates(address: Index, kind: Attribute) -> tuple[Index, ...]:
    """The index of the element at ADDRESS of a buffer of type KIND, whose elements lie in row-major order."""
    layout = layout_of(kind)
    if not isinstance(kind, MemRefType):
        return ()
    sizes = kind.get_shape()
    if not sizes:
        return ()
    if layout.places is not None:
        return (address,) if layout.is_linear else (ANY,) * len(layout.places)
    if not isinstance(kind.layout, NoneAttr) or not isinstance(address, Expression):
        return (ANY,) * len(sizes)
    if DYNAMIC_INDEX in sizes[1:]:
        return (ANY,) * len(sizes)
    weights = list(accumulate(reversed(sizes[1:]), lambda a, b: a * b, initial=1))[::-1]
    if 0 in weights:
        return tuple(constant(0) for _ in sizes)
    digits = [address // weight for weight in weights]
    return tuple(d % size if k else d for k, (d, size) in enumerate(zip(digits, sizes, strict=True)))
