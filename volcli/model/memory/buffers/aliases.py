"""Whether two buffers are the same memory: known, assumed (of arguments, as mlir-opt does), or unknown."""

from __future__ import annotations

from enum import Enum

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i8
from xdsl.ir import Block

from volcli.model.memory.buffers.roots import Origin, Root


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
    found = {_alias(a, b) for a in possible_buffers(left) for b in possible_buffers(right)}
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


def possible_buffers(root: Root) -> frozenset[Root]:
    """The buffers that ROOT may be: itself, or those that it is among."""
    return root.among or frozenset((root.behind or root,))


def _alias(left: Root, right: Root) -> Alias:
    """The same of two that are single buffers, or unknown."""
    if left == right or Origin.UNKNOWN in (left.origin, right.origin):
        return Alias.UNKNOWN
    origins = {left.origin, right.origin}
    is_assumed = Origin.ARGUMENT in origins and Origin.ALLOCATION not in origins
    return Alias.ASSUMED_DISTINCT if is_assumed else Alias.DISTINCT
