"""Memory of which it is known where it is written and what is stored: what else is asked is refused."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import islpy as isl
from xdsl.ir import OpResult, SSAValue

from volcli.language import questions
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.programs.provenance import Provenance
from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import BufferIndex, Origin, Root
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.flow.iteration_numbers import IterationNumbers
from volcli.model.memory.flow.writers import BufferWriters
from volcli.model.symbols import constant_global
from volcli.model.volumes.contents.carried import CarriedValues, PassedValue, block_of
from volcli.model.volumes.contents.stored import NotFollowed, StoredValues, TakenElement
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets.names import parameters_of_space
from volcli.presburger.sets.unwieldy import is_dear


class FollowedMemory:
    """The accesses of one function, of this MEMORY, whose elements are affine and rest on no data."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._provenance = Provenance(memory.function)
        self._numbers = IterationNumbers(memory.bounds.definitions.resolve)

    @cached_property
    def _flow(self) -> MemoryFlow:
        return MemoryFlow(self._memory)

    @cached_method
    def writers(self, root: Root) -> BufferWriters | None:
        """The last writers of ROOT; None if nothing accesses it. Raises NotFollowed."""
        if root.origin in (Origin.UNKNOWN, Origin.ESCAPED):
            raise NotFollowed(root.because or "it is unknown what memory it is")
        found = self._flow.writers(root)
        if found is None:
            return None
        if found.accesses.digits is not None:
            raise NotFollowed("its elements are compared by their addresses")
        if any(is_dear(each.points) for each in found.accesses.relations.values()):
            raise NotFollowed("its accesses have too many divisions")
        for site in found.accesses.writes:
            self.check(found.accesses.relations[site])
        return found

    @cached_method
    def is_constant(self, root: Root) -> bool:
        """Whether nobody changes ROOT: it is a constant, or the buffer of one."""
        if isinstance(root.held, OpResult):
            return questions.constant_fill.answers(type(root.held.op))
        return constant_global(self._memory.function, root.symbol) is not None

    def check(self, relation: Relation) -> None:
        """Raises NotFollowed if RELATION, of an access, is not exact, or rests on data."""
        if not relation.exact:
            raise NotFollowed(relation.because or "an access is not affine")
        variable = self._memory.bounds.elimination.variable
        for name in parameters_of_space(relation.points.drop_unused_params()):
            if self._provenance.is_loaded(variable(name)):
                text = self._memory.bounds.name_of(variable(name).value)
                raise NotFollowed(f"{text}, which selects elements, is loaded from data")

    @cached_property
    def stored(self) -> StoredValues:
        """What writes store."""
        return StoredValues(self._memory.function, self._memory.sites)

    @cached_property
    def _carried(self) -> CarriedValues:
        return CarriedValues(self._memory)

    def levels(self, value: SSAValue) -> tuple[Level, ...]:
        """The loops around VALUE."""
        return self._carried.levels(value)

    def taken(self, element: TakenElement) -> isl.Map:
        """The element of a tensor that ELEMENT is, in each iteration. Raises NotFollowed."""
        operand, op = element.operand, element.op
        around = block_of(operand)
        if around is None or around.parent_op() is not self._memory.function:
            raise NotFollowed("elements of a tensor that a loop or a branch computes are not followed")
        access = MemoryAccess(Effect.READ, operand, element.index)
        place = BufferIndex(Root(Origin.ALLOCATION, operand), element.index, (), ())
        site = Site(-1, op, access, place, self._memory.nests.levels(op.parent))
        relation = self._memory.instances.of_place(site, place)
        self.check(relation)
        if relation.unstable:
            raise NotFollowed(self._memory.instances.instability(relation.unstable))
        return self._numbers.numbered(relation.elements(), site)

    def alternatives(self, value: SSAValue) -> Iterator[PassedValue]:
        """What VALUE is in which iterations. Raises NotFollowed."""
        for each in self._carried.alternatives(value):
            self.check(Relation(each.at))
            yield each
