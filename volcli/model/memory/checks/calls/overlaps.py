"""Calls that pass overlapping memory for arguments that the called function is taken to have apart.

Of two arguments, one of which is written, it is assumed that they are different memory, unless all calls
are known and pass one value for both (`callers.py`). A call that passes views a and b of one buffer breaks
that if

    { e : e in a and e in b }

is not empty whatever the caller's arguments are: then what is said of the called function is not true of it.

    %a = memref.subview %m[0] [8] [1]     %b = memref.subview %m[1] [8] [1]     call @shift(%a, %b)      %m[1]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import Expression, constant, dim_of, loops
from volcli.language.memory import Effect, MemoryAccess, is_memref
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.aliases import Alias, alias, is_single
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.occurrence.certainty import certainty, first_point
from volcli.model.symbols import entry_of
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.measures.points import coordinates
from volcli.presburger.relations.relation import Relation


@dataclass(frozen=True, eq=False)
class OverlappingArguments:
    """The call `op` passes `passed` as two `arguments`, which share the `element` of the buffer `base`."""

    op: Operation
    passed: tuple[SSAValue, SSAValue]
    arguments: tuple[SSAValue, SSAValue]
    base: SSAValue
    element: tuple[int, ...]


def overlaps(
    memory: Memory, call: Operation, called: Memory, operations: int = DEFAULT_OPERATIONS
) -> Iterator[OverlappingArguments]:
    """What CALL, in the function of MEMORY, passes for arguments that are different memory in CALLED."""
    entry = entry_of(called.function)
    for one, other in combinations((a for a in entry.args if is_memref(a)), 2):
        passed = call.operands[one.index], call.operands[other.index]
        roots = [memory.buffers.root(each) for each in passed]
        if roots[0] != roots[1] or not is_single(roots[0]) or not _are_assumed_apart(called, one, other):
            continue
        try:
            with budget(operations):
                element = _shared(memory, call, passed)
        except BudgetExceeded:
            continue
        if element is not None:
            yield OverlappingArguments(call, passed, (one, other), roots[0].value, element)


def _are_assumed_apart(called: Memory, one: BlockArgument, other: BlockArgument) -> bool:
    """Whether answers about CALLED rest on ONE and OTHER being different memory: one of them is written."""
    roots = called.buffers.root(one), called.buffers.root(other)
    if alias(*roots) is not Alias.ASSUMED_DISTINCT:
        return False
    accessed = [(site.place.root, site.is_write) for site in called.sites]
    is_each = all(any(root == each for each, _ in accessed) for root in roots)
    return is_each and any(is_write and root in roots for root, is_write in accessed)


def _shared(memory: Memory, call: Operation, passed: tuple[SSAValue, SSAValue]) -> tuple[int, ...] | None:
    """An element that both memrefs PASSED have whenever CALL runs; None if there is none for sure."""
    first, second = (_elements(memory, call, each) for each in passed)
    if not (first.exact and second.exact) or first.unstable or second.unstable:
        return None
    runs, others = first.elements(), second.elements()
    if runs.dim(isl.dim_type.out) != others.dim(isl.dim_type.out):
        return None
    both = runs.intersect(others)
    reached = memory.instances.domains.reached(call)
    if both.is_empty() or reached.doubt(both.domain()) is not None:
        return None
    found = certainty(memory, both.domain(), runs.domain().intersect(reached.points))
    if not found.always:
        return None
    at = both.intersect_domain(isl.Set.from_point(first_point(found.points)))
    return coordinates(first_point(at.wrap().flatten()))[at.dim(isl.dim_type.in_) :]


def _elements(memory: Memory, call: Operation, memref: SSAValue) -> Relation:
    """`{ [i] -> [element] }` of the buffer of MEMREF, all that it shows in iteration i around CALL."""
    kind = memref.type
    shape = kind.get_shape() if isa(kind, MemRefType[Attribute]) else ()
    sizes: tuple[Expression, ...] = tuple(
        dim_of(memref, d) if size == DYNAMIC_INDEX else constant(size) for d, size in enumerate(shape)
    )
    access = MemoryAccess(Effect.READ, memref, loops(len(sizes)), sizes)
    place = memory.buffers.place(access)
    site = Site(-1, call, access, place, memory.nests.levels(call.parent))
    return memory.instances.of_place(site, place)
