"""The memrefs that functions return: which memory they are, by what their bodies say.

    func.func @f(%m: memref<?xf32>, %o: index) -> memref<4xf32, strided<[1], offset: ?>> {
      %v = memref.subview %m[%o] [4] [1]
      return %v                                       result[d] = m[o + d]
    }
    func.func @g(%n: index) -> memref<?xf32> {
      %a = memref.alloc(%n)
      return %a                                       new memory, if nothing else can know of %a
    }

A call of @f gives a view of what it passes, and one of @g memory that it allocates. That is true whatever
else the function does: of one with unknown effects, too, which cannot know of what is only returned. Nothing
is known of what a recursion returns, or of a memref that is one of several.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import (
    ANY,
    Atom,
    Dim,
    Expression,
    Index,
    NotAffine,
    Value,
    dim_of,
    loops,
    substitute,
    value_of,
)
from volcli.language.memory import View
from volcli.model.memory.buffers.buffers import Buffers, Origin
from volcli.model.memory.buffers.escapes import Escapes
from volcli.model.symbols import entry_of, passed
from volcli.model.values.definitions.definitions import Definitions


@dataclass(frozen=True, eq=False)
class Returned:
    """A result of a function: its element d is the element `source[index(d)]`, over the arguments.

    The `source` is an argument, a global, or memory that the function allocates; the result at the position
    `first` is all of that memory, in its own indices.
    """

    source: SSAValue
    index: tuple[Index, ...]
    extents: tuple[Expression, ...]
    first: int | None = None

    def memref(self, call: Operation) -> SSAValue:
        """The memref of which it is a view, where CALL returns it."""
        if isinstance(self.source, BlockArgument):
            return call.operands[self.source.index]
        return self.source if self.first is None else call.results[self.first]

    def view(self, call: Operation) -> View:
        """The same as a view of a memref that there is where CALL returns it."""
        index = tuple(passed(each, call) if isinstance(each, Expression) else each for each in self.index)
        return View(self.memref(call), index, tuple(passed(each, call) for each in self.extents))


def returned_by(
    function: Operation, buffers: Buffers, escapes: Escapes, definitions: Definitions
) -> tuple[Returned | None, ...]:
    """What FUNCTION, which has one block, returns; None for what is not a memref, or not known."""
    end = entry_of(function).last_op
    values = () if end is None else end.operands
    found: list[Returned | None] = []
    for value in values:
        found.append(_view(value, buffers, definitions))
    fresh = dict(_fresh(found, buffers, escapes))
    for position, each in enumerate(found):
        if each is not None and buffers.root(each.source).origin is Origin.ALLOCATION:
            first = fresh.get(each.source)
            found[position] = (
                None if first is None else Returned(each.source, each.index, each.extents, first)
            )
    return tuple(found)


def _fresh(
    found: Sequence[Returned | None], buffers: Buffers, escapes: Escapes
) -> Iterator[tuple[SSAValue, int]]:
    """The memory that is allocated and returned as it is, and nothing else knows of; the first result."""
    for position, each in reversed(list(enumerate(found))):
        if each is None or each.index != loops(len(each.index)) or each.extents:
            continue
        root = buffers.root(each.source)
        if root.origin is Origin.ALLOCATION and root.held is None and not escapes.is_known_inside(root):
            yield each.source, position


def _view(value: SSAValue, buffers: Buffers, definitions: Definitions) -> Returned | None:
    """VALUE as a view of an argument, a global or an allocation, over the arguments."""
    if not isa(value.type, MemRefType[Attribute]):
        return None
    composed = buffers.as_view(value)
    if composed is None or not isa(composed.base.type, MemRefType[Attribute]):
        return None
    root = buffers.root(composed.base)
    is_known = root.origin in (Origin.ARGUMENT, Origin.GLOBAL, Origin.ALLOCATION)
    if not is_known or root.held is not None or (root.value is not composed.base and root.symbol is None):
        return None
    index = tuple(_over_arguments(each, definitions) for each in composed.index)
    extents = [_over_arguments(each, definitions) for each in composed.extents]
    if any(not isinstance(each, Expression) for each in extents):
        return Returned(composed.base, (ANY,) * len(index), ())
    return Returned(composed.base, index, tuple(each for each in extents if isinstance(each, Expression)))


def _over_arguments(index: Index, definitions: Definitions) -> Index:
    """INDEX over the function's arguments and their sizes; ANY if it depends on anything else."""
    if not isinstance(index, Expression):
        return ANY

    def resolved(atom: Atom) -> Expression | None:
        match atom:
            case Value(value):
                return definitions.resolve(value_of(value))
            case Dim(value, dimension):
                return definitions.resolve(dim_of(value, dimension))
            case _:
                return None

    try:
        found = substitute(index, resolved)
    except NotAffine:
        return ANY
    values = (atom.value for atom in found.atoms() if isinstance(atom, Value | Dim))
    return found if all(map(definitions.is_argument, values)) else ANY
