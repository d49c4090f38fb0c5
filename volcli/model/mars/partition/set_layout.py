r"""The sets of a tile in memory, and what one tile reads: in which bursts from the sets, and from the array.

A tile reads runs of sets that are neighbours in a block: of what it gets from the tile that is o before it,
those whose consumers are o further; of an array that is only read, those that belong to the same one of their
consumers. With numbers of elements, a run is an interval of the block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, permutations

import islpy as isl
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Attribute

from volcli.language.reads import bytes_of_element
from volcli.limits import mars as limits
from volcli.model.mars.partition.answers import MarsSet, MovedRows, SetOrder
from volcli.model.mars.partition.bursts import PLAIN, BurstRules, Transfer, memory_order
from volcli.model.mars.partition.layout import best_order
from volcli.presburger.measures.counts import Polynomial
from volcli.presburger.sets.build import DIM

Number = int | Polynomial | None
Family = frozenset[object]
Order = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class DeclaredMemory:
    """An array of a type; ELEMENTS leads from what the sets are of to its elements (None: not known)."""

    kind: Attribute
    elements: isl.Map | None
    rules: BurstRules = PLAIN

    @property
    def width(self) -> int | None:
        """How many bytes an element has; None if the target decides."""
        return bytes_of_element(self.kind)

    @property
    def layout(self) -> str | None:
        """The layout that the type names."""
        kind = self.kind
        return str(kind.layout) if isinstance(kind, MemRefType) and kind.layout != NoneAttr() else None

    def size(self, count: Number) -> Number:
        """How many bytes so many elements have."""
        return None if count is None or self.width is None else count * self.width


@dataclass(frozen=True, eq=False)
class SetLayout:
    """The SETS of a tile: what it produces for others, or reads; `counted` is how many points a set has."""

    sets: Sequence[MarsSet]
    memory: DeclaredMemory
    counted: Callable[[isl.Set], Number]
    produced: bool

    def of(self, read: isl.Set, *, in_order: bool = True) -> SetOrder | None:
        """The order of fewest bursts, and what a tile moves that READs these; None without sets.

        Without an order, what it moves of the array alone.
        """
        if not self.sets:
            return None
        if not in_order:
            return SetOrder((), self.counted(read), None, None, False, self._rows(read))
        families = [_family(one, produced=self.produced) for one in self.sets]
        kept = list(dict.fromkeys(families))
        order, bursts = best_order(kept)
        is_best = len(kept) <= limits.ORDERED_SETS
        moved = self._moved(families, kept, order)
        if not self.memory.rules.are_plain:
            order, moved, is_best = self._by_rules(families, kept, order, moved)
            bursts = bursts if moved is None else moved.bursts
        elements = self.counted(read)
        size = None if moved is None else moved.size
        if size is None and self.memory.rules.are_plain:
            size = self.memory.size(elements)
        first = tuple(families.index(kept[k]) for k in order)
        return SetOrder(first, elements, bursts, size, is_best, self._rows(read))

    def _by_rules(
        self, families: Sequence[Family], kept: Sequence[Family], order: Order, moved: Transfer | None
    ) -> tuple[Order, Transfer | None, bool]:
        """The order of the fewest bursts by the rules, what is MOVED in it, and whether none has fewer.

        A block is read in one burst or more: so an order with one for each is the best. Else few sets are
        ordered in all ways; of more, ORDER is kept, which is the best where bursts are runs.
        """
        if moved is None:
            return order, None, False
        if moved.bursts == len(list(self._groups([0] * len(families)))):
            return order, moved, True
        if len(kept) > limits.PERMUTED_SETS:
            return order, moved, False
        tried = ((each, self._moved(families, kept, each)) for each in permutations(range(len(kept))))
        others = ((each, found) for each, found in tried if found is not None)
        best = min([(order, moved), *others], key=lambda each: (each[1].bursts, each[1].size))
        return *best, True

    def _moved(self, families: Sequence[Family], kept: Sequence[Family], order: Order) -> Transfer | None:
        """What one tile moves if blocks have the sets KEPT in ORDER; None if a size is no number."""
        place = {kept[k]: position for position, k in enumerate(order)}
        counts = [self.sets[families.index(kept[k])].count for k in order]
        numbers = [each for each in counts if isinstance(each, int)]
        width = self.memory.width
        if len(numbers) < len(counts) or width is None:
            return None
        ends = [0, *accumulate(numbers)]
        groups = self._groups([place[each] for each in families])
        intervals = ([(ends[place], ends[place + 1]) for place in group] for group in groups)
        found = (Transfer.of(each, width, self.memory.rules) for each in intervals)
        return reduce(Transfer.plus, found, Transfer(0, 0))

    def _groups(self, places: Sequence[int]) -> Iterator[list[int]]:
        """What a tile reads of one block, by the PLACES of sets in it."""
        groups: dict[object, set[int]] = defaultdict(set)
        for one, place in zip(self.sets, places, strict=True):
            consumers = one.consumers if self.produced else one.consumers[:1]
            for each in consumers:
                groups[each.offset].add(place)
        yield from map(sorted, groups.values())

    def _rows(self, read: isl.Set) -> MovedRows | None:
        """What is moved for a tile that READs these from the array."""
        elements = self.memory.elements
        if elements is None or read.dim(DIM.set) != elements.dim(DIM.in_):
            return None
        points = read.apply(elements)
        order = memory_order(self.memory.kind)
        if points.dim(DIM.set) != order.following.dim(DIM.in_):
            return None
        count, rules, width = self.counted(points), self.memory.rules, self.memory.width
        if rules.are_plain:
            bursts, size = self.counted(order.begins(points)), self.memory.size(count)
            return MovedRows(count, bursts, size, not order.is_known, self.memory.layout)
        runs = order.runs(points) if isinstance(count, int) else None
        if runs is None or width is None:
            return MovedRows(count, None, None, False, self.memory.layout)
        found = Transfer.of(runs, width, rules)
        return MovedRows(count, found.bursts, found.size, False, self.memory.layout)


def _family(mars: MarsSet, *, produced: bool) -> Family:
    """The consumers of a set relative to the tile that it belongs to, as classes."""
    if produced:
        return frozenset(each.offset for each in mars.consumers)
    first = mars.consumers[0].offset
    return frozenset(each.relative_to(first) for each in mars.consumers)
