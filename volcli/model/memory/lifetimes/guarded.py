"""Frees under conditions: in which iterations an operation runs after one that freed its memory, exactly.

The walk joins what branches free as "perhaps". The iterations say more. Let F be those in which something
frees a buffer, and U those in which something uses it, or frees it. Where k loops make it anew, U is wrong in

    B = { u : f in F, u in U, f = u in the first k loops, f runs before u }

If B is empty for all that may be, nothing is wrong. If there are such u in each call that gets to the
operation, it is wrong:

    affine.for %i = 0 to 4 { if %i = 2 { memref.dealloc %a }; affine.load %a[%i] }            B = { [2]; [3] }

Iterations of a parallel loop have no order: one of two frees the other's memory only if both free it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

import islpy as isl
from xdsl.ir import Operation

from volcli.language.memory import is_memref
from volcli.model.memory.buffers.aliases import is_single
from volcli.model.memory.buffers.nests import ExecutionOrder
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.lifetimes.answers import Misuse, MisusedIterations, Wrong
from volcli.model.memory.lifetimes.lifetimes import Lifetimes
from volcli.model.memory.occurrence.certainty import certainty
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.relations.relation import at_depth
from volcli.presburger.sets.names import parameters_in, without


class GuardedFrees:
    """What is wrong with LIFETIMES in the function of MEMORY, decided by iterations where those are known.

    A question costs at most OPERATIONS.
    """

    def __init__(self, memory: Memory, lifetimes: Lifetimes, operations: int) -> None:
        self._memory = memory
        self._lifetimes = lifetimes
        self._operations = operations

    def settled(self) -> list[Misuse]:
        """What is wrong, and what may be, in the order of the text."""
        found = (each if each.certain else self._settled(each) for each in self._lifetimes.misuses())
        return [each for each in found if each is not None]

    def _settled(self, misuse: Misuse) -> Misuse | None:
        """MISUSE, which may be wrong: certain, as uncertain as it was, or None if it is not wrong."""
        memories = self._lifetimes.memories(misuse.value)
        root = memories[0] if len(memories) == 1 else None
        if misuse.wrong not in (Wrong.USED, Wrong.FREED_TWICE) or not is_memref(misuse.value):
            return misuse
        if not isinstance(root, Root) or not is_single(root):
            return misuse
        try:
            with budget(self._operations):
                return self._by_iterations(misuse, root)
        except BudgetExceeded:
            return misuse

    def _by_iterations(self, misuse: Misuse, root: Root) -> Misuse | None:
        known, others = self._lifetimes.frees_of(root)
        if misuse.whenever_freed:
            sure = {each.op: None for each in known if self._lifetimes.is_sure(each)}
            found = self._certain(misuse, root, [*sure])
            if found is not None:
                return found
        if others or root.origin is not Origin.ALLOCATION:
            return misuse
        may_be = (self._after(each.op, misuse.op, root, surely=False) for each in known)
        return misuse if any(each is None or not each.is_empty() for each in may_be) else None

    def _certain(self, misuse: Misuse, root: Root, frees: Sequence[Operation]) -> Misuse | None:
        """MISUSE, if some iteration of it is after one of FREES in each call that gets to it."""
        runs = self._memory.instances.domains.of(misuse.op)
        after = {op: self._after(op, misuse.op, root, surely=True) for op in frees} if runs.exact else {}
        known = {op: each for op, each in after.items() if each is not None and not each.is_empty()}
        if not known:
            return None
        levels = self._memory.nests.levels(misuse.op.parent)
        happens = reduce(isl.Set.union, known.values()).coalesce()
        found = certainty(self._memory, happens, runs.points, levels)
        if not found.always:
            return None
        at = MisusedIterations(found, runs.points, levels)
        return replace(misuse, certain=True, earlier=next(iter(known)), at=at)

    def _after(self, free: Operation, op: Operation, root: Root, *, surely: bool) -> isl.Set | None:
        """The iterations of OP in which FREE has freed ROOT, SURELY or perhaps; None if that is not known."""
        memory = self._memory
        made, common = memory.of_pairs.made_in(root), memory.nests.common(free.parent, op.parent)
        domains = [memory.instances.domains.of(each) for each in (free, op)]
        points = [each.points for each in domains]
        changing = [self._changing(each, made) for each in points]
        if made > common or (surely and (any(changing) or not all(each.exact for each in domains))):
            return None
        points = [without(each, *names) for each, names in zip(points, changing, strict=True)]
        both = isl.Map.from_domain_and_range(*points)
        parts = self._in_order(both, free, op, made, surely=surely)
        return reduce(isl.Map.union, parts, both.subtract(both)).range()

    def _changing(self, points: isl.Set, made: int) -> list[str]:
        """The values that POINTS depend on, and that MADE loops do not determine."""
        determined, variable = self._memory.instances.determined, self._memory.bounds.elimination.variable
        return [name for name in parameters_in(points) if len(determined.levels(variable(name))) > made]

    def _in_order(
        self, pairs: isl.Map, free: Operation, op: Operation, made: int, *, surely: bool
    ) -> Iterator[isl.Map]:
        """Those of PAIRS in which FREE runs before OP, within one iteration of the MADE outermost loops."""
        levels, common = (
            self._memory.nests.levels(op.parent),
            self._memory.nests.common(free.parent, op.parent),
        )
        for depth in range(made + 1, common + 1):
            if levels[depth - 1].sequential or free is op or not surely:
                yield at_depth(pairs, common, depth)
            if not levels[depth - 1].sequential and not surely:
                yield at_depth(pairs.reverse(), common, depth).reverse()
        order = ExecutionOrder.AFTER if free is op else self._memory.order(free, op)
        if order is ExecutionOrder.BEFORE or (order is ExecutionOrder.UNKNOWN and not surely):
            yield at_depth(pairs, common, common + 1)
