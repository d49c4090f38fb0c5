"""The distances of two accesses at one depth, by what is known of their buffers and of their order.

another iteration of the loop that allocates the buffer      independent
the sink runs before the source in one iteration             independent
their order or their buffers are unknown                     unknown, never dependent
otherwise                                                    the polyhedron of the pair (`dependences`)
"""

from __future__ import annotations

from itertools import takewhile

from xdsl.ir import Operation

from volcli.language.programs.blocks import home
from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.buffers.nests import ExecutionOrder, LoopLevels, Orders
from volcli.model.memory.dependences.answers import (
    DependenceVerdict,
    Distances,
    Kind,
)
from volcli.model.memory.dependences.dependences import INDEPENDENT, Polyhedra
from volcli.model.values.store.store import BoundsStore


class PairDistances:
    """The distances of pairs of accesses in one function, whose polyhedra are these POLYHEDRA."""

    def __init__(self, bounds: BoundsStore, nests: LoopLevels, polyhedra: Polyhedra) -> None:
        self._bounds = bounds
        self._nests = nests
        self._polyhedra = polyhedra
        self._orders = Orders(bounds.definitions.place)
        self._common: dict[tuple[int, int], int] = {}

    def common(self, source: Site, sink: Site) -> int:
        """How many loops are around both."""
        key = id(source.levels), id(sink.levels)  # each of which the nests have once, and keep
        count = self._common.get(key)
        if count is None:
            pairs = zip(source.levels, sink.levels, strict=False)
            same = takewhile(lambda pair: pair[0] is pair[1], pairs)
            count = self._common[key] = sum(1 for _ in same)
        return count

    def order(self, source: Operation, sink: Operation) -> ExecutionOrder:
        """When SOURCE runs relative to SINK, within one iteration of all loops around both."""
        return self._orders.of(source, sink)

    def of_one_buffer(self, source: Site, sink: Site, depth: int) -> Distances:
        """The distances at DEPTH of two accesses to the same buffer."""
        common = self.common(source, sink)
        if depth > common:
            return self._in_one_iteration(source, sink, common)
        root = source.place.root
        if depth <= self.made_in(root):
            if root.origin is Origin.ALLOCATION:
                return INDEPENDENT  # another iteration has a buffer of its own
            if root.origin is Origin.UNKNOWN:
                found = self._polyhedra.distances(source, sink, common, depth)
                return _doubted(found, f"{self._bounds.name_of(root.value)}: {unknown_memory(root)}")
        return self._polyhedra.distances(source, sink, common, depth)

    def _in_one_iteration(self, source: Site, sink: Site, common: int) -> Distances:
        if source.op is sink.op:
            return INDEPENDENT
        match self._orders.of(source.op, sink.op):
            case ExecutionOrder.BEFORE:
                return self._polyhedra.distances(source, sink, common, common + 1)
            case ExecutionOrder.AFTER | ExecutionOrder.NEVER_BOTH:
                return INDEPENDENT
            case ExecutionOrder.UNKNOWN:
                found = self._polyhedra.distances(source, sink, common, common + 1)
                return _doubted(found, "which of them runs first is unknown")

    @cached_method
    def made_in(self, root: Root) -> int:
        """In how many loops the memref is made anew; none of what is made outside the function.

        What a block allocates, the blocks that it branches to have as well: that is no other iteration.
        """
        block = home(root.made)
        if block is None or not self._nests.function.is_ancestor(block):
            return 0
        levels = self._nests.levels(block)
        is_shared = root.origin is Origin.ALLOCATION and self._nests.branches(block)
        return len(levels) - 1 if is_shared else len(levels)

    def of_unknown(self, source: Site, sink: Site, depth: int) -> Distances:
        """The distances at DEPTH of two accesses to buffers that may be the same: independent, or unknown."""
        common = self.common(source, sink)
        if depth > common:
            in_order = source.op is not sink.op and self._orders.of(source.op, sink.op)
            if in_order in (False, ExecutionOrder.AFTER, ExecutionOrder.NEVER_BOTH):
                return INDEPENDENT
        roots = [site.place.root for site in (source, sink)]
        because = next((each.because for each in roots if each.origin is Origin.ESCAPED), None)
        if because is not None:
            return Distances(DependenceVerdict.UNKNOWN, exact=False, because=because)
        root = next((each for each in roots if each.origin is Origin.UNKNOWN), roots[0])
        return Distances(DependenceVerdict.UNKNOWN, exact=False, because=self.may_be_same(root))

    def may_be_same(self, root: Root) -> str:
        """Why an access to ROOT may go to another buffer."""
        name = self._bounds.name_of(root.value)
        return f"{name} may be the same memory: {unknown_memory(root)}"


def unknown_memory(root: Root) -> str:
    """Why it is unknown what memory ROOT is."""
    return root.because or "its rank is not known"


def _doubted(found: Distances, because: str) -> Distances:
    """What was FOUND for accesses that may not share an element: dependent becomes unknown."""
    if found.verdict is not DependenceVerdict.DEPENDENT:
        return found
    return Distances(DependenceVerdict.UNKNOWN, found.made, found.hull, exact=False, because=because)


def kind_of(source: Site, sink: Site) -> Kind:
    """What the order of SOURCE and SINK is for. Raises ValueError if both are reads."""
    if source.is_write:
        return Kind.WAW if sink.is_write else Kind.RAW
    if sink.is_write:
        return Kind.WAR
    raise ValueError("two reads")
