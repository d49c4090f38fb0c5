"""Memory of which it is known where it is written and what is stored: what else is asked is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce

import islpy as isl
from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import loop, loops
from volcli.language.programs.blocks import home
from volcli.language.reads import rank_of
from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.flow.writers import BufferWriters
from volcli.model.symbols import constant_global
from volcli.model.volumes.contents.carried import CarriedValues
from volcli.model.volumes.contents.operands import Operands
from volcli.model.volumes.contents.stored import NotFollowed, StoredValues, TakenElement
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space
from volcli.presburger.sets.unwieldy import is_dear


@dataclass(frozen=True, eq=False)
class ComputedPart:
    """What is computed from elements of `value`, which `user` uses, or from those that `read` reads.

    It is the element `at` the end of an iteration of `levels`: `{ [own] -> [iteration, element] }`.
    """

    at: isl.Map
    value: SSAValue
    user: Operation
    levels: tuple[Level, ...]
    read: Site | None = None
    is_copy: bool = True
    inexact: str | None = None


class FollowedMemory:
    """The accesses of one function, of this MEMORY, whose elements are affine and rest on no data.

    OPERANDS say what the elements of tensors and vectors are computed from.
    """

    def __init__(self, memory: Memory, operands: Operands) -> None:
        self._memory = memory
        self._operands = operands
        self.operations: dict[Operation, None] = {}
        """Those that give values which were followed."""
        self._iterations = operands.iterations

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
            if (because := self._flow.may_be_written(root)) is not None:
                raise NotFollowed(because)
            return None
        if found.accesses.digits is not None:
            raise NotFollowed("its elements are compared by their addresses")
        points = (each.points for each in found.accesses.relations.values())
        if any(is_dear(each) and is_dear(_moving(each)) for each in points):
            raise NotFollowed("its accesses have too many divisions")
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
            if self._iterations.provenance.is_loaded(variable(name)):
                text = self._memory.bounds.name_of(variable(name).value)
                raise NotFollowed(f"{text}, which selects elements, is loaded from data")

    @cached_property
    def stored(self) -> StoredValues:
        """What writes store."""
        return StoredValues(self._memory.function, self._memory.sites)

    @cached_property
    def _carried(self) -> CarriedValues:
        return CarriedValues(self._memory, self._iterations)

    def levels(self, value: SSAValue) -> tuple[Level, ...]:
        """The loops around VALUE."""
        return self._iterations.levels(value)

    def taken(self, element: TakenElement) -> isl.Map:
        """The element of a tensor that ELEMENT is, in each iteration. Raises NotFollowed."""
        found = self._iterations.placed(element.op, element.operand, element.index)
        self.check(Relation(found))
        return found

    def is_leaf(self, value: SSAValue) -> bool:
        """Whether VALUE is followed no further: an argument, a constant, a tensor that no loop computes."""
        around = home(value)
        is_outer = around is not None and around.parent_op() is self._memory.function
        is_argument = isinstance(value, BlockArgument) or isinstance(value.type, TensorType)
        return self.is_number(value) or (is_outer and is_argument)

    @staticmethod
    def is_number(value: SSAValue) -> bool:
        """Whether VALUE is a constant."""
        return isinstance(value, OpResult) and questions.constant_fill.answers(type(value.op))

    def parts(self, value: SSAValue) -> Iterator[ComputedPart]:
        """What the elements of VALUE are in which iterations. Raises NotFollowed."""
        levels = self.levels(value)
        if self._carried.is_passed(value):
            own = isl.Set.universe(build.space((), rank_of(value))).identity()
            elements = self._operands.domain(value)
            for each in self._carried.alternatives(value):
                self.check(Relation(each.at))
                if not each.at.is_empty():
                    at = each.at.flat_product(own).intersect_domain(elements)
                    yield ComputedPart(
                        at, each.scalar, each.user, each.levels, is_copy=each.is_copy, inexact=each.inexact
                    )
            return
        assert isinstance(value, OpResult), "a value"
        self.operations[value.op] = None
        runs, rank = self._iterations.domain(value.op.parent), rank_of(value)
        self.check(Relation(runs.identity()))
        points = runs.flat_product(isl.Set.universe(build.space((), rank)))
        if reads := self.stored.reading(value):
            rest = points.intersect(self._operands.domain(value))
            for read in reads:
                found = self._lanes_read(value, read, rest)
                rest = rest.subtract(found.at.domain())
                yield found
            yield from self._not_read(value, reads[0], rest)
            return
        around = build.relation(len(levels) + rank, loops(len(levels))).intersect_domain(points)
        for operand, relation, is_copy in self._operands.of(value):
            at = around.flat_range_product(relation)
            yield ComputedPart(at, operand, value.op, levels, is_copy=is_copy)

    def _lanes_read(self, value: OpResult, read: Site, lanes: isl.Set) -> ComputedPart:
        """Which of LANES of VALUE READ reads."""
        writers = self.writers(read.place.root)
        if writers is None or read.access.partial:
            raise NotFollowed(read.access.partial or "it is unknown what memory it is")
        relation = writers.accesses.relations[read]
        self.check(relation)
        count, depth = lanes.dim(DIM.set), lanes.dim(DIM.set) - rank_of(value)
        along = range(rank_of(value)) if read.access.along is None else read.access.along
        own = tuple(loop(depth + d) for d in along)
        at = build.relation(count, (*loops(depth), *own)).intersect_domain(lanes)
        inside = at.intersect_range(relation.points.domain())
        return ComputedPart(inside, value, value.op, read.levels, read)

    def _not_read(self, value: OpResult, read: Site, lanes: isl.Set) -> Iterator[ComputedPart]:
        """What VALUE is in LANES, which READ, as all others of its operation, leaves out."""
        other, count, depth = read.access.otherwise, lanes.dim(DIM.set), len(read.levels)
        if lanes.is_empty():
            return
        if other is None:
            raise NotFollowed("lanes that are never read are not followed")
        at = lanes.identity().apply_range(build.relation(count, loops(count if rank_of(other) else depth)))
        yield ComputedPart(at, other, value.op, read.levels)


def _moving(points: isl.Map) -> isl.Set:
    """POINTS without what is said of parameters alone, as that an i32 has 32 bits: it makes nothing dear."""
    found = points.wrap().flatten()
    parts = [
        isl.Set.from_basic_set(each.drop_constraints_not_involving_dims(DIM.set, 0, each.dim(DIM.set)))
        for each in found.get_basic_sets()
    ]
    return reduce(isl.Set.union, parts, found.subtract(found))
