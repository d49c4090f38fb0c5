"""Value-based flow: which write gave each read its value, what nothing wrote, and what nothing reads.

The last writer of an element before a read is the source of its value; a write in between hides the earlier
ones. With the accesses' relations R (reads), W (writes) and times t:

    { [i] -> [j] : W(i) = R(j), t(i) < t(j), and no write to this element between t(i) and t(j) }

(array dataflow analysis, Feautrier 1991). A write that may leave its elements alone, or whose elements are
not known, hides nothing: what it may give is `exact=False`. What has no writer is read from before the
function, or from fresh memory. A write is dead if no read may get its value, and its buffer does not
outlive the function or the element is written again.

    affine.for %i = 0 to 9 { store %m[%i]; load %m[%i - 2] }     { [i] -> [i + 2] : 0 <= i <= 6 }

Where accesses have no order, as in a race, none hides the other (`unordered.py`). Buffers are as distinct as
the dependences take them. An operation with unknown effects may read and write what has escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property

import islpy as isl

from volcli.language.reads import rank_of
from volcli.limits import memory as limits
from volcli.model.memory.accesses.partners import by_buffer
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.aliases import Alias, is_single
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.answers import BufferFlow, ReadFlow, WriteFlow
from volcli.model.memory.flow.buffer_accesses import BufferAccesses
from volcli.model.memory.flow.iteration_numbers import IterationNumbers
from volcli.model.memory.flow.ordinary import OrdinaryBuffers
from volcli.model.memory.flow.schedules import Schedules
from volcli.model.memory.flow.solutions import Solutions
from volcli.model.memory.flow.writers import BufferWriters
from volcli.model.memory.loops.loops import named_assumptions
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, TooLarge, budget
from volcli.presburger.sets import build


class MemoryFlow:
    """The flow of values through the memory of one function."""

    def __init__(self, memory: Memory, *, operations: int = DEFAULT_OPERATIONS) -> None:
        self._memory = memory
        self._operations = operations
        self._numbers = IterationNumbers(memory.bounds.definitions.resolve)
        self._schedules = Schedules(memory)
        self._solutions = Solutions(self._schedules, operations)
        self._others = cache(self._compared)

    def all(self) -> list[BufferFlow]:
        """The buffers that are accessed, in the order of the text."""
        return [self.of(root) for root in self._own if root.origin is not Origin.ESCAPED]

    def doubtful(self, *, noalias: bool = False) -> list[BufferFlow]:
        """Those of which something may be found: what was not written is read, or a write is in vain.

        Nothing is found of an access that needs an assumption; with NOALIAS arguments are no such assumption.
        """
        found: list[BufferFlow] = []
        for root in self._own:
            sites = [] if root.origin is Origin.ESCAPED else self._in_vain(root, noalias=noalias)
            if sites is None:
                found.append(self.of(root))
            elif sites:
                found.append(self._dead(root, sites))
        return found

    def writes_to(self, root: Root) -> list[Site]:
        """The writes that go to ROOT, in the order of the text."""
        return [site for site in self._own.get(root, ()) if site.is_write]

    def _in_vain(self, root: Root, *, noalias: bool) -> list[Site] | None:
        """The dead stores to ROOT; None if the cheap test cannot decide."""
        own, is_new = self._own[root], root.origin is Origin.ALLOCATION
        of_writes = named_assumptions(self._assumptions(root, own, is_written=True), noalias=noalias)
        asked = [site for site in own if (not of_writes if site.is_write else is_new)]
        if not asked:
            return []
        if not is_single(root) or self._near(root):
            return None
        made, outlives = self._memory.of_pairs.made_in(root), self._memory.escapes.outlives(root)
        return self._ordinary.in_vain(own, asked, made if is_new else 0, outlives=outlives)

    def _dead(self, root: Root, sites: Sequence[Site]) -> BufferFlow:
        """Of the flow through ROOT, that nothing reads what SITES write."""
        runs = [self._memory.instances.relation(site).points.domain() for site in sites]
        writes = (WriteFlow(site, when, runs=when) for site, when in zip(sites, runs, strict=True))
        return BufferFlow(root, (), tuple(writes), self._memory.escapes.outlives(root))

    def _near(self, root: Root) -> list[Root]:
        """The other buffers that may be ROOT."""
        alias, others = self._memory.partners.alias, self._several if is_single(root) else self._own
        return [o for o in others if o != root and alias(root, o) in (Alias.UNKNOWN, Alias.SAME)]

    def of(self, root: Root) -> BufferFlow:
        """The flow through ROOT."""
        own = self._own.get(root, [])
        near = self._near(root)
        may_be = sorted((s for other in near for s in self._own[other]), key=lambda site: site.number)
        outlives = self._memory.escapes.outlives(root)
        try:
            _refuse_deep((*own, *may_be))
            with budget(self._operations * len(own)):  # so many for each access
                accesses = BufferAccesses(self._memory, root, own, may_be, self._numbers)
                result = self._solutions.of(root, accesses, outlives=outlives)
        except BudgetExceeded as error:
            result = self._at_most(root, own, may_be, error.reason, outlives)
        of_reads = self._assumptions(root, own, is_written=False)
        of_writes = self._assumptions(root, own, is_written=True)
        return replace(
            result,
            reads=tuple(replace(each, assumptions=of_reads) for each in result.reads),
            writes=tuple(replace(each, assumptions=of_writes) for each in result.writes),
            assumptions=of_writes if result.writes else of_reads,
        )

    def writers(self, root: Root) -> BufferWriters | None:
        """The last writers of ROOT, which some operation accesses; None if none does."""
        own, near = self._own.get(root, []), self._near(root)
        if not own:
            return None
        may_be = sorted((s for other in near for s in self._own[other]), key=lambda site: site.number)
        accesses = BufferAccesses(self._memory, root, own, may_be, self._numbers)
        return self._solutions.writers(accesses, self._assumptions(root, own, is_written=False))

    def may_be_written(self, root: Root) -> str | None:
        """Why ROOT may be written by an access to what may be other memory; None if it may not."""
        for other in self._near(root):
            if any(site.is_write for site in self._own[other]):
                return other.because or self._memory.of_pairs.may_be_same(other)
        return None

    def _at_most(
        self, root: Root, own: Sequence[Site], may_be: Sequence[Site], because: str, outlives: bool
    ) -> BufferFlow:
        """What the flow through ROOT is at most, where it is not known exactly BECAUSE of something."""
        try:
            _refuse_deep((*own, *may_be))
            with budget(self._operations):
                accesses = BufferAccesses(self._memory, root, own, may_be, self._numbers)
                return self._solutions.at_most(root, accesses, because, outlives=outlives)
        except BudgetExceeded:
            return _unknown(root, own, may_be, because, outlives)

    @cached_property
    def _ordinary(self) -> OrdinaryBuffers:
        return OrdinaryBuffers(self._memory, self._schedules)

    @cached_property
    def _own(self) -> dict[Root, list[Site]]:
        """The accesses to each buffer, in the order of the text."""
        return by_buffer(self._memory.sites)

    @cached_property
    def _several(self) -> list[Root]:
        """The buffers of which it is not known that they are just one."""
        return [root for root in self._own if not is_single(root)]

    def _assumptions(self, root: Root, own: Sequence[Site], *, is_written: bool) -> tuple[str, ...]:
        """What has to be other memory than ROOT: whatever is written, and what is read if ROOT IS WRITTEN."""
        alias, others = self._memory.partners.alias, self._others(root.origin if is_single(root) else None)
        assumed = (other for other in others[is_written] if alias(root, other) is Alias.ASSUMED_DISTINCT)
        return (
            *(self._memory.assumed.apart(root, other) for other in assumed),
            *self._memory.assumed.layout(own),
        )

    def _compared(self, origin: Origin | None) -> tuple[list[Root], list[Root]]:
        """The buffers that are written, and all, without those that surely are not single ones of ORIGIN.

        New memory is no other one, and a global is no other global (`alias`). None: any may be what is no
        single buffer.
        """
        known = {Origin.GLOBAL: (Origin.ARGUMENT,), Origin.ARGUMENT: (Origin.ARGUMENT, Origin.GLOBAL)}
        distinct = {
            root
            for root in self._own
            if origin is not None and root.origin not in known.get(origin, ()) and is_single(root)
        }
        written = dict.fromkeys(site.place.root for site in self._memory.sites if site.is_write)
        return [root for root in written if root not in distinct], [r for r in self._own if r not in distinct]


def _refuse_deep(sites: Sequence[Site]) -> None:
    """Raises TooLarge for SITES with a write, of which one is in many loops.

    A read may get its value in an iteration of each loop around it, a case each; an operation of isl on a
    case takes as long as the square or the cube of the number of loops.
    """
    deepest = max((len(site.levels) for site in sites), default=0)
    if deepest > limits.FLOW_LOOPS and any(site.is_write for site in sites):
        raise TooLarge(f"more than {limits.FLOW_LOOPS} loops around an access")


def _unknown(
    root: Root, own: Sequence[Site], may_be: Sequence[Site], because: str, outlives: bool
) -> BufferFlow:
    """Nothing of the accesses to ROOT; that any element may be read before it is written, and left new."""
    reads = tuple(ReadFlow(site, because=because) for site in own if not site.is_write)
    writes = tuple(WriteFlow(site, because=because) for site in own if site.is_write)
    every = isl.Set.universe(build.space((), rank_of(root.value)))
    is_given, sites = root.origin is not Origin.ALLOCATION, (*own, *may_be)
    live_in = every if is_given and not all(site.is_write for site in sites) else None
    stays = outlives and (is_given or is_single(root))
    live_out = every if stays and any(site.is_write for site in sites) else None
    return BufferFlow(root, reads, writes, outlives, live_in, live_out, because=because)
