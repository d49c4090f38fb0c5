"""The memory of one function: its accesses in the order of the text, and what is asked of pairs of them."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.language.unchanged import operations_in
from volcli.model.memory.accesses.delinearisation import Delinearisation
from volcli.model.memory.accesses.instances import Instances
from volcli.model.memory.accesses.nearby import Windows
from volcli.model.memory.accesses.partners import Partners
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.accesses.strides import Strides
from volcli.model.memory.buffers.aliases import Alias, possible_buffers
from volcli.model.memory.buffers.buffers import Buffers, Origin
from volcli.model.memory.buffers.effects import (
    CallSummaries,
    Inside,
    KnownCallers,
    KnownCalls,
    insides,
)
from volcli.model.memory.buffers.escapes import Escapes
from volcli.model.memory.buffers.nests import ExecutionOrder, LoopLevels
from volcli.model.memory.dependences.answers import (
    Dependence,
    DependenceVerdict,
    Distances,
    Shown,
    Witness,
)
from volcli.model.memory.dependences.assumed import MemoryAssumptions
from volcli.model.memory.dependences.dependences import INDEPENDENT, Polyhedra
from volcli.model.memory.dependences.equal_pairs import EqualPairs
from volcli.model.memory.dependences.memory_names import MemoryNames
from volcli.model.memory.dependences.pair_distances import PairDistances, kind_of
from volcli.model.memory.dependences.sites import Sites
from volcli.model.memory.dependences.trials import Trials
from volcli.model.memory.dependences.witnesses import Witnesses, with_element
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.variables import Variable
from volcli.model.values.trust.arithmetic import Arithmetic
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS
from volcli.presburger.relations.relation import at_depth
from volcli.presburger.sets.build import at_values

FoundAtDepths = tuple[tuple[int, Distances], ...]
"""The depths at which a dependence may exist, and its distances there."""


class Memory:
    """What the operations of one function do to memory; summaries of what it CALLS say what calls do.

    NARROWED are the bounds if arguments are certain numbers; ARITHMETIC says what may overflow. A memory LIKE
    another one has the same accesses.
    """

    def __init__(
        self,
        bounds: BoundsStore,
        *,
        operations: int = DEFAULT_OPERATIONS,
        calls: CallSummaries | None = None,
        callers: KnownCallers | None = None,
        narrowed: Callable[[Mapping[Variable, int]], BoundsStore] | None = None,
        arithmetic: Callable[[], Arithmetic] | None = None,
        like: Memory | None = None,
    ) -> None:
        self._like = like
        self._arithmetic = arithmetic
        self._operations = operations
        self._summaries = calls
        self._callers = callers
        self.bounds = bounds
        self.function = bounds.function
        self.nests = LoopLevels(self.function) if like is None else like.nests
        shared = None if callers is None or like is not None else callers.shared(self.function)
        self.buffers = Buffers(self.function, calls, shared) if like is None else like.buffers
        self._calls = KnownCalls(self.buffers, calls)
        self.escapes = Escapes(self.function, self.buffers, self.nests, self._calls)
        self.instances = Instances(bounds, self.nests, operations)
        self.partners = Partners(Windows(self.instances, operations))
        self.strides = Strides(bounds, self.instances.determined)
        self.delinearisation = Delinearisation(bounds, self.instances)
        self._polyhedra = Polyhedra(self.instances, self.strides, self.delinearisation, operations)
        self.of_pairs = PairDistances(bounds, self.nests, self._polyhedra)
        self._equal_pairs = EqualPairs(self.instances, self.strides, self.of_pairs)
        self._carried: dict[Hashable, FoundAtDepths] = {}
        self._in_order: dict[Hashable, FoundAtDepths] = {}
        self.names = MemoryNames(bounds, self.buffers)
        self.assumed = MemoryAssumptions(bounds, self.names, self.partners, callers)
        self._witnesses = Witnesses(self.names.values, max(operations, DEFAULT_OPERATIONS))
        self._in_machine: dict[BoundsStore, Memory] = {}
        self.trials: Trials[Memory] | None = None
        self._narrowed = narrowed
        if narrowed is not None:
            self.trials = Trials(
                bounds,
                lambda: (
                    level for op in operations_in(self.function) for level in self.nests.of_operation(op)
                ),
                lambda: self.sites,
                self.delinearisation.sizes,
                lambda chosen: self.by(narrowed(chosen)),
            )

    @cached_property
    def written(self) -> Container[SSAValue] | None:
        """What stands for the buffers that are written, or may be; None if any may be."""
        roots = {root for site in self.sites if site.is_write for root in possible_buffers(site.place.root)}
        is_unknown = any(root.origin is Origin.UNKNOWN for root in roots)
        return None if is_unknown else {root.value for root in roots}

    def narrowed(self, numbers: Mapping[Variable, int]) -> Memory | None:
        """The memory of the executions in which arguments are these NUMBERS; None if it cannot be made."""
        return None if self._narrowed is None else self.by(self._narrowed(numbers))

    def assumptions(self, holds_in: Callable[[Memory], bool]) -> tuple[str, ...]:
        """What an answer that HOLDS_IN this memory assumes for its arithmetic to be that of integers."""
        if self._arithmetic is None:
            return ()
        return self._arithmetic().assumptions(lambda store: holds_in(self.by(store)))

    def with_numbers(self, points: isl.Set, numbers: Mapping[Variable, int]) -> isl.Set:
        """The POINTS there are where arguments are these NUMBERS."""
        name_of = self.bounds.elimination.name
        return at_values(points, {name_of(variable): chosen for variable, chosen in numbers.items()})

    def by(self, store: BoundsStore) -> Memory:
        """What is known by STORE: in which arithmetic may overflow, or arguments are certain numbers."""
        if store is self.bounds:
            return self
        if store not in self._in_machine:
            self._in_machine[store] = Memory(
                store,
                operations=self._operations,
                calls=self._summaries,
                callers=self._callers,
                like=self,
            )
        return self._in_machine[store]

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """All accesses of the function, in the order of the text; those of unknown effects last."""
        if self._like is not None:
            return self._like.sites
        return Sites(self.bounds, self.nests, self.buffers, self._calls, self.escapes).all

    def is_known_call(self, op: Operation) -> bool:
        """Whether OP is a call that does nothing but the accesses that are known of it."""
        return op in self._calls

    @cached_property
    def insides(self) -> Mapping[Operation, Inside]:
        """What is in each operation that may do more than it says."""
        return insides(self.function, self.buffers, self._calls)

    # -- pairs -----------------------------------------------------------------------------------------

    def common(self, source: Site, sink: Site) -> int:
        """How many loops are around both."""
        return self.of_pairs.common(source, sink)

    def order(self, source: Operation, sink: Operation) -> ExecutionOrder:
        """When SOURCE runs relative to SINK, within one iteration of all loops around both."""
        return self.of_pairs.order(source, sink)

    def dependence(self, source: Site, sink: Site, depth: int) -> Dependence:
        """Whether SINK depends on SOURCE at DEPTH, 1 to the number of common loops and one more.

        Raises ValueError if both are reads: no order of theirs matters.
        """
        (found,) = self._distances(source, sink, (depth,))
        return Dependence(
            source, sink, depth, kind_of(source, sink), found, self.assumed.of_pair(source, sink)
        )

    def _distances(self, source: Site, sink: Site, depths: Sequence[int]) -> list[Distances]:
        """The distances at each of DEPTHS."""
        match self.partners.alias(source.place.root, sink.place.root):
            case Alias.SAME:
                return [self._settled(source, sink, depth) for depth in depths]
            case Alias.UNKNOWN:
                return [self.of_pairs.of_unknown(source, sink, depth) for depth in depths]
            case Alias.DISTINCT | Alias.ASSUMED_DISTINCT:
                return [INDEPENDENT for _ in depths]

    def _settled(self, source: Site, sink: Site, depth: int) -> Distances:
        found = self.of_pairs.of_one_buffer(source, sink, depth)
        if self.trials is None:
            return found
        return self.trials.settled(
            found, source, sink, lambda memory: memory.dependence(source, sink, depth).distances
        )

    def shown_in(self, shown: Shown) -> Memory:
        """The memory of the executions in which a dependence of this memory is SHOWN."""
        assert self.trials is not None
        return self.trials.memory(shown)

    def dependences(self) -> Iterator[Dependence]:
        """All pairs and depths that are not independent, in the order of the text.

        But for two operations with unknown effects, which keep their order whatever they access.
        """
        for source, sink in self.partners.pairs(self.sites):
            if not (source.is_escaped and sink.is_escaped):
                yield from self.between(source, sink)

    def between(self, source: Site, sink: Site) -> tuple[Dependence, ...]:
        """All dependences of SINK on SOURCE that are not refuted, by depth."""
        pair = self._equal_pairs.key(source, sink)
        found = (*self._carried_by(pair, source, sink), *self._within(pair, source, sink))
        return self._made(source, sink, found) if found else ()

    def carried(self, source: Site, sink: Site) -> tuple[Dependence, ...]:
        """Those that a loop around both carries, or may carry."""
        return self._made(source, sink, self._carried_by(self._equal_pairs.key(source, sink), source, sink))

    def _carried_by(self, pair: Hashable, source: Site, sink: Site) -> FoundAtDepths:
        found = self._carried.get(pair)
        if found is None:
            found = self._unrefuted(source, sink, range(1, self.common(source, sink) + 1))
            self._carried[pair] = found
        return found

    def _within(self, pair: Hashable, source: Site, sink: Site) -> FoundAtDepths:
        """Those within one iteration of all loops around both."""
        found = self._in_order.get(pair)
        if source.op is sink.op or found == ():
            return ()
        order = self.of_pairs.order(source.op, sink.op)
        if order in (ExecutionOrder.AFTER, ExecutionOrder.NEVER_BOTH):
            return ()
        if found is None or order is ExecutionOrder.UNKNOWN:
            found = self._unrefuted(source, sink, (self.common(source, sink) + 1,))
            if order is ExecutionOrder.BEFORE:
                self._in_order[pair] = found
        return found

    def _unrefuted(self, source: Site, sink: Site, depths: Sequence[int]) -> FoundAtDepths:
        """The DEPTHS at which a dependence may exist, with its distances."""
        if not depths:
            return ()
        found = zip(depths, self._distances(source, sink, depths), strict=True)
        return tuple(each for each in found if each[1].verdict is not DependenceVerdict.INDEPENDENT)

    def _made(self, source: Site, sink: Site, found: FoundAtDepths) -> tuple[Dependence, ...]:
        if not found:
            return ()
        kind, assumed = kind_of(source, sink), self.assumed.of_pair(source, sink)
        return tuple(Dependence(source, sink, depth, kind, each, assumed) for depth, each in found)

    def pairs(self, source: Site, sink: Site, depth: int) -> isl.Map:
        """`{ [i] -> [j] }`: SOURCE in i and SINK in j go to one element, in the order of DEPTH."""
        common = self.common(source, sink)
        compared = self._polyhedra.compared(source, sink, common, depth)
        pairs = self._polyhedra.pairs(compared.source, compared.sink, source.levels[:common], depth)
        return at_depth(pairs, common, depth)

    # -- witnesses -------------------------------------------------------------------------------------

    def witness(self, dependence: Dependence) -> Witness | None:
        """Two iterations that prove DEPENDENCE; None if it is not proved, or they cost too much to find.

        What is proved within a small budget has its example whatever that costs, within the default one.
        """
        if dependence.verdict is not DependenceVerdict.DEPENDENT:
            return None
        shown = dependence.distances.shown
        if shown is not None:
            witness = self.shown_in(shown).witness(replace(dependence, distances=shown.distances))
            return witness and replace(witness, parameters={**shown.given, **witness.parameters})
        source, sink, depth = dependence.source, dependence.sink, dependence.depth
        numbers = dependence.distances.numbers
        witness = numbers and self._witnesses.of_numbers(numbers, depth, self.instances.relation(sink).offset)
        if witness is not None:
            return witness
        common = self.common(source, sink)
        compared = self._polyhedra.compared(source, sink, common, depth)
        found = self._witnesses.of(compared.source, compared.sink, common, depth)
        if found is None or compared.digits is None:
            return found
        return with_element(found, compared.digits, source, self.bounds)
