"""Volume element maps and their composition (IMPACT 2023, sections 4.2, 4.3 and appendix A).

The element map of an operation relates its result elements to the operand elements that they depend on,
`{ R[r] -> O[x] }`, one piece per result and operand. Its implied context is the product of the index domains
(lemma 4.12), so that it is printed as its gist. The element map of a program, from its results to its
inputs, is the lenient composition of its operations' maps in a single pass over the use-def graph from the
uses to the definitions (lemma A.5); no transitive closure is needed.

What is multiplied by a zero that a constant's numbers or a fact of the user say is not read (`narrowing`).

Composition is written in the order of application, "A, then B" (isl's apply_range), erratum E000-6.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

import islpy as isl
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.memory import is_memref
from volcli.language.reads import rank_of
from volcli.language.unchanged import cached_method
from volcli.limits import volumes as limits
from volcli.model.memory.buffers.effects import reads_beyond_values
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.contents.buffer_contents import BufferContents
from volcli.model.volumes.contents.contents import MemorySteps
from volcli.model.volumes.knowledge.narrowing import Narrowing
from volcli.model.volumes.knowledge.sparsity import is_constant
from volcli.model.volumes.maps.composed import ElementMap, VolumeUse, default_names, words
from volcli.model.volumes.maps.defined import context_of
from volcli.model.volumes.maps.inner_values import definitions_before, is_scalar_of_body, map_of_scalar
from volcli.model.volumes.relations.relations import Relations
from volcli.model.volumes.relations.statements import Remaining
from volcli.presburger.limits.budget import TooLarge
from volcli.presburger.measures.widths import within_words
from volcli.presburger.sets.names import identifier, is_name, named_map, parameters_of_space


class FunctionMaps:
    """Element maps of the values of one function, without what NARROWING leaves out (None: nothing)."""

    def __init__(
        self,
        store: Sizes,
        relations: Relations,
        narrowing: Narrowing | None = None,
        contents: MemorySteps | None = None,
    ) -> None:
        self._contents = contents
        self.store = store
        self.relations = relations
        self.narrowing = narrowing
        self._names: dict[VolumeUse, str] = {}
        self._taken: set[str] = set()

    @property
    def followed(self) -> Mapping[Operation, None]:
        """The operations that read memory of which it is known what it contains."""
        return {} if self._contents is None else self._contents.followed

    def of_operation(self, value: SSAValue) -> ElementMap:
        """From VALUE's elements to those of the operands of the operation that defines it."""
        if (scalar := map_of_scalar(value, self.store, self.relations)) is not None:
            around, points, reads = scalar
            read = {self._use(operand, around): relation for operand, relation in reads.items()}
            reason = self.relations.of(around.results[0]).inexact
            return ElementMap(value, read, reason, points=points)
        if (stored := self._from_memory(value)) is not None:
            return stored
        targets: dict[VolumeUse, isl.Map] = {}
        if not isinstance(value, OpResult) or is_constant(value.op):
            return ElementMap(value, targets)
        relation = self.relations.of(value)
        remaining = Remaining(lambda: self.store.domain(value))
        assumes: frozenset[str] = frozenset()
        for statement in relation.statements:
            remaining.enter(statement)
            read_at = statement.relation
            if self.narrowing is not None:
                read_at, needed = self.narrowing.relations_of(relation, statement)
                assumes |= needed
            for read in statement.reads:
                piece = read_at(read).intersect_range(self.store.domain(read.operand))
                _add(targets, self._use(read.operand, value.op), remaining.of_map(piece))
            remaining.leave()
        return ElementMap(value, targets, relation.inexact or relation.sized, assumes)

    def _from_memory(self, value: SSAValue) -> ElementMap | None:
        """From VALUE's elements to those that its memory was computed from; None if that is not known."""
        found = self._in_memory(value)
        if found is None or isinstance(found, str):
            return None
        targets: dict[VolumeUse, isl.Map] = {}
        for (source, user), relation in found.sources.items():
            use = VolumeUse(source) if user is None else self._use(source, user)
            _add(targets, use, relation.intersect_range(self.store.domain(source)))
        return ElementMap(value, targets, found.inexact, stated=found.assumptions)

    def _in_memory(self, value: SSAValue) -> BufferContents | str | None:
        """What VALUE is computed from, if it is or comes from memory, or why that is not known."""
        steps = self._contents
        return steps.of(value) if steps is not None and steps.is_step(value) else None

    def to_inputs(self, value: SSAValue) -> ElementMap:
        """From VALUE's elements to those of the function's inputs: its arguments and constants.

        Lemma A.5: the definitions are visited from VALUE backwards, each after all of its uses, and each
        replaces its own volume by its operands; volumes that are not defined here stay (the lenient part).
        What may read memory may depend on all inputs: who has stored there is not followed.
        """
        return self._composed(value, ())

    def to_values(self, value: SSAValue, targets: Collection[SSAValue]) -> ElementMap:
        """From VALUE's elements to those of TARGETS, as if these were the inputs of the function."""
        found = self._composed(value, targets)
        kept = {use: relation for use, relation in found.targets.items() if use.volume in targets}
        return replace(found, targets=kept)

    def _composed(self, value: SSAValue, targets: Collection[SSAValue]) -> ElementMap:
        """From VALUE's elements to those of the inputs, and of TARGETS, whose definitions do not count."""
        start = self._start(value)
        if start.unknown is not None:
            return start
        frontier, inexact, stated = dict(start.targets), start.inexact, dict.fromkeys(start.stated)
        memory: str | None = None
        assumes: frozenset[str] = frozenset()
        for result in definitions_before(value) if not is_memref(value) else self._definitions():
            if result in targets or is_memref(result):
                continue
            incoming = frontier.pop(VolumeUse(result), None)
            if incoming is None:
                continue
            step = self.of_operation(result)
            if self._may_read_memory(result):
                memory = self._why_any_input(result)
                volumes = dict.fromkeys((*self.store.blocks[0].args, *targets))
                self._add_all(frontier, incoming.domain(), volumes)
            inexact = memory or inexact or step.inexact
            assumes |= step.assumes
            stated.update(dict.fromkeys(step.stated))
            for use, relation in step.targets.items():
                _add(frontier, use, incoming.apply_range(relation).coalesce())
            if len(frontier) > limits.MAPPED_VOLUMES:
                raise TooLarge(f"more than {limits.MAPPED_VOLUMES} volumes that it depends on")
        kept = {use: frontier[use] for use in self._inputs_in_order(frontier)}
        return ElementMap(value, kept, inexact, assumes, tuple(stated), points=start.points)

    def _start(self, value: SSAValue) -> ElementMap:
        """Where the composition begins: at VALUE, at what a scalar reads, or at what memory contains."""
        if is_scalar_of_body(value, self.relations):
            return self.of_operation(value)
        if not is_memref(value):
            return ElementMap(value, {VolumeUse(value): self.store.domain(value).identity()})
        found = self._in_memory(value)
        if isinstance(found, str):
            return ElementMap(value, {}, unknown=found)
        return self._from_memory(value) or ElementMap(value, {}, unknown="its memory is not followed")

    def _definitions(self) -> Iterator[OpResult]:
        """The results in the function's block, last first."""
        for op in reversed(self.store.blocks[0].ops):
            if not is_constant(op):
                yield from reversed(op.results)

    def _may_read_memory(self, result: OpResult) -> bool:
        """Whether RESULT may be computed from more than its operation's operands and what it captures."""
        known = self._in_memory(result)
        if known is not None and not isinstance(known, str):
            return False
        is_inexact = self.relations.of(result).inexact is not None
        return is_inexact and any(map(reads_beyond_values, result.op.walk()))

    def _why_any_input(self, result: OpResult) -> str:
        """Why RESULT, which may be computed from more than it names, may depend on any input."""
        relation, name = self.relations.of(result), self.store.name_of(result)
        if isinstance(known := self._in_memory(result), str):
            return f"{name} is read from memory, of which it is not known what it contains: {known}"
        if questions.callee.answers(type(result.op)):
            return f"{relation.inexact}; {name} may depend on any input"
        return f"{name} may be read from memory, which may depend on any input"

    def _add_all(
        self, frontier: dict[VolumeUse, isl.Map], elements: isl.Set, volumes: Iterable[SSAValue]
    ) -> None:
        """ELEMENTS depend on every element of VOLUMES."""
        for volume in volumes:
            everything = isl.Map.from_domain_and_range(elements, self.store.domain(volume))
            _add(frontier, VolumeUse(volume), everything)

    def _inputs_in_order(self, frontier: Mapping[VolumeUse, isl.Map]) -> list[VolumeUse]:
        """Arguments as they are declared, then other volumes, then constants in the order of their uses."""

        def position(use: VolumeUse) -> tuple[int, int]:
            if isinstance(use.volume, BlockArgument):
                return (0, use.volume.index)
            return (1 if use.user is None else 2, 0)

        uses = [use for use, relation in frontier.items() if not relation.is_empty()]
        constants_first_used_first = reversed(uses)
        return sorted(constants_first_used_first, key=position)

    def _use(self, operand: SSAValue, user: Operation) -> VolumeUse:
        scalar = isinstance(operand, OpResult) and is_constant(operand.op) and rank_of(operand) == 0
        return VolumeUse(operand, user) if scalar else VolumeUse(operand)

    # -- text ------------------------------------------------------------------------------------------

    def volume_name(self, use: VolumeUse) -> str:
        """The name of a volume in printed sets, unlike that of any other volume of the function.

        A constant's use is named after its user too: `cst0_pad0` is %cst0 as %pad0 uses it.
        """
        if not self._names:
            for block in self.store.blocks:
                for value in (*block.args, *(r for op in block.ops for r in op.results)):
                    self._name(VolumeUse(value), identifier(self.store.name_of(value)))
        if use not in self._names:
            own = self._names.get(VolumeUse(use.volume)) or identifier(self.store.name_of(use.volume))
            self._name(use, own if use.user is None else f"{own}_{self._user_name(use.user)}")
        return self._names[use]

    def _user_name(self, user: Operation) -> str:
        named = [result for result in user.results if is_name(self.store.name_of(result))]
        return self.volume_name(VolumeUse(named[0])) if named else "use"

    def _name(self, use: VolumeUse, wanted: str) -> None:
        name, number = wanted, 0
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        self._names[use] = name

    def union_map(self, element_map: ElementMap, names: Mapping[SSAValue, tuple[str, ...]]) -> isl.UnionMap:
        """ELEMENT_MAP with volumes and dimensions named; NAMES are those of the dimensions."""
        result = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
        for piece in self.named(element_map, names):
            result = result.union(piece.to_union_map())
        return result

    def named(self, element_map: ElementMap, names: Mapping[SSAValue, tuple[str, ...]]) -> Iterator[isl.Map]:
        """ELEMENT_MAP with volumes and dimensions named, a relation per volume."""
        source = element_map.source
        relations = {use: r.coalesce().drop_unused_params() for use, r in element_map.targets.items()}
        parameters = dict.fromkeys(p for r in relations.values() for p in parameters_of_space(r))
        for use, relation in relations.items():
            yield named_map(
                relation,
                self.volume_name(VolumeUse(source)),
                names.get(source, default_names(source)),
                self.volume_name(use),
                names.get(use.volume, default_names(use.volume)),
                parameters,
            )

    @cached_method
    def context(self, value: SSAValue) -> isl.Set:
        """What is known of the parameters where VALUE is computed, and is defined."""
        return context_of(self.store, value)

    def in_context(self, element_map: ElementMap) -> ElementMap:
        """ELEMENT_MAP for the parameter values that are possible."""
        context = self.context(element_map.source)
        return self._each(element_map, lambda _, relation: self._plain(relation.intersect_params(context)))

    def gist(self, element_map: ElementMap) -> ElementMap:
        """ELEMENT_MAP without what the domains of its volumes imply (lemma 4.12)."""
        context = self.context(element_map.source)
        domain = element_map.points
        source = (self.store.domain(element_map.source) if domain is None else domain).intersect_params(
            context
        )

        def simplified(use: VolumeUse, relation: isl.Map) -> isl.Map:
            around = isl.Map.from_domain_and_range(source, self.store.domain(use.volume))
            return self._plain(self._plain(relation).gist(around))

        return self._each(element_map, simplified)

    def _plain(self, relation: isl.Map) -> isl.Map:
        return within_words(relation, *words(self.store, relation))

    @staticmethod
    def _each(element_map: ElementMap, change: Callable[[VolumeUse, isl.Map], isl.Map]) -> ElementMap:
        changed = {use: change(use, relation) for use, relation in element_map.targets.items()}
        targets = {use: relation for use, relation in changed.items() if not relation.is_empty()}
        return replace(element_map, targets=targets)


def _add(relations: dict[VolumeUse, isl.Map], use: VolumeUse, piece: isl.Map) -> None:
    known = relations.get(use)
    relations[use] = piece if known is None else known.union(piece)
