"""What memory contains at a point of a function, by value-based flow.

The last writer w of an element e is an instance of an access, [j]. What it stores is computed from reads, of
which each has a last writer again, or reads what was there before the function. With the relations of flow

    F = { [e] -> w[j] }      D = { w[j] -> w'[j'] }      L = { w[j] -> an element of an argument or constant }

the element e is computed from F * (L + D * L + D * D * L + ...), and from itself where nothing writes it.

    for i = 1 to 8 { %m[i] = f(%m[i - 1], %a[i]) }      %m[d] from %m[0], and from %a[1], ..., %a[d]

Where it rests on data which elements are written, or it is not known what is stored, there is no answer.

Values that are memory or come from it are steps of element maps. A memref is what its buffer contains when
the function ends: b[d] is a[d] in `memref.copy %a, %b; return %b`. What is loaded, and a tensor in a buffer,
is what that contains where it is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import islpy as isl
from xdsl.dialects.builtin import ShapedType, TensorType, VectorType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import ANY, Expression, Index, NotAffine, constant, loops, parameter
from volcli.language.memory import Effect, MemoryAccess, is_memref
from volcli.language.programs.known_loops import known_loop
from volcli.language.reads import rank_of
from volcli.language.unchanged import cached_method
from volcli.limits import volumes as limits
from volcli.model.memory.buffers.buffers import Root
from volcli.model.memory.buffers.layouts import layout_of
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.last_writers import LastWrites
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.values.terms.variables import own
from volcli.model.volumes.contents.buffer_contents import BufferContents
from volcli.model.volumes.contents.followed import FollowedMemory
from volcli.model.volumes.contents.graph import Graph
from volcli.model.volumes.contents.operands import Operands
from volcli.model.volumes.contents.stored import NotFollowed
from volcli.model.volumes.relations.relations import Relations
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space


class MemoryContents:
    """What the memory of one function contains; OPERANDS follow tensors.

    NUMBER gives the name of a parameter of memory among those of volumes, and the number that it is there.
    """

    def __init__(
        self, memory: Memory, number: Callable[[str], tuple[str, Expression]], operands: Operands
    ) -> None:
        self._memory = memory
        self._number = number
        self._followed = FollowedMemory(memory, operands)
        self._graph = Graph(self._followed, self._renamed)

    @property
    def followed(self) -> Mapping[Operation, None]:
        """The operations that give numbers and vectors which were followed."""
        return self._followed.operations

    @cached_method
    def at_end(self, root: Root) -> BufferContents:
        """What ROOT contains when the function ends. Raises NotFollowed."""
        writers = self._followed.writers(root)
        return self._of(root, None if writers is None else writers.at_end())

    @cached_method
    def before(self, op: Operation, root: Root) -> BufferContents:
        """What ROOT contains when OP, in no loop, runs. Raises NotFollowed."""
        site = next((s for s in self._memory.sites if s.op is op and s.place.root == root), None)
        if site is None or site.levels:
            raise NotFollowed("what is read in a loop is not followed")
        if site.is_one_of:
            raise NotFollowed("it is one of several buffers")
        writers = self._followed.writers(root)
        return self._of(root, None if writers is None else writers.before_operation(site))

    @cached_method
    def read(self, op: Operation) -> BufferContents:
        """What OP, in no loop, loads: one element. Raises NotFollowed."""
        own = [site for site in self._memory.sites if site.op is op]
        if len(own) != 1 or own[0].is_write or own[0].levels or own[0].access.extents:
            raise NotFollowed("what is read in a loop is not followed")
        return self._graph.of_read(own[0])

    @cached_method
    def passed(self, value: OpResult) -> BufferContents:
        """What VALUE, a number, a vector or a tensor of no loop, is. Raises NotFollowed."""
        if value.op.parent is None or self._memory.nests.levels(value.op.parent):
            raise NotFollowed("what a loop gives in a loop is not followed")
        return self._graph.of_value(value)

    def _of(self, root: Root, last: LastWrites | None) -> BufferContents:
        if layout_of(root.value.type).places is not None:
            raise NotFollowed("its elements are known by their addresses")
        return self._graph.of_buffer(root, last)

    def _renamed(self, relation: isl.Map) -> isl.Map:
        """RELATION over the parameters of volumes: of sizes that are equal, one."""
        relation = relation.drop_unused_params()
        known = [self._number(name) for name in parameters_of_space(relation)]
        for position, (name, _) in enumerate(known):
            relation = relation.set_dim_name(DIM.param, position, name)
        for name, number in known:
            if number != (own := parameter(name)):
                equal = build.nonnegative(0, (number - own, own - number)).params()
                relation = relation.intersect_params(equal)
                position = relation.find_dim_by_name(DIM.param, name)
                relation = relation.project_out(DIM.param, position, 1)
        return relation


class MemorySteps:
    """The steps of the function of STORE through its MEMORY, where RELATIONS of operations are not exact."""

    def __init__(self, store: Sizes, memory: Callable[[], Memory], relations: Relations) -> None:
        self._store = store
        self._make = memory
        self._relations = relations
        self._followed: dict[Operation, None] = {}

    @property
    def is_used(self) -> bool:
        """Whether something was asked of memory."""
        return "_memory" in self.__dict__

    @property
    def followed(self) -> Mapping[Operation, None]:
        """The operations that give what comes from memory, and whose results were followed."""
        return {**self._followed, **(self._memory[1].followed if self.is_used else {})}

    def is_step(self, value: SSAValue) -> bool:
        """Whether VALUE is memory, loaded, a tensor in a buffer, or a number that a loop or branch gives."""
        if not isinstance(value, OpResult):
            return is_memref(value)
        return is_memref(value) or _source(value) is not None or self._is_followed(value)

    def _is_followed(self, value: OpResult) -> bool:
        """Whether VALUE is a vector, a tensor that a loop or a number that it or a branch gives; followed."""
        kind, has_regions = value.type, bool(value.op.regions)
        is_number = has_regions and not isinstance(kind, ShapedType)
        is_carried = has_regions and isinstance(kind, TensorType) and known_loop(value.op) is not None
        if not (is_number or is_carried or isinstance(kind, VectorType)):
            return False
        return self._relations.of(value).inexact is not None and isinstance(self.of(value), BufferContents)

    @cached_method
    def of(self, value: SSAValue) -> BufferContents | str:
        """What the elements of VALUE, which is a step, are computed from; or why it is not known."""
        try:
            with budget(limits.MEMORY_OPERATIONS):
                found = self._of(value)
        except (NotFollowed, NotAffine) as error:
            return str(error)
        except BudgetExceeded as error:
            return error.reason
        if isinstance(value, OpResult):
            self._followed[value.op] = None
        return found

    def _of(self, value: SSAValue) -> BufferContents:
        if len(self._store.blocks) != 1:
            raise NotFollowed("control flow between blocks")
        memory, contents = self._memory
        if is_memref(value):
            return self._through(memory, value, contents.at_end(memory.buffers.root(value)))
        assert isinstance(value, OpResult)
        memref = _source(value)
        if memref is None:
            return contents.passed(value)
        if not isinstance(value.type, ShapedType):
            return contents.read(value.op)
        return self._through(memory, memref, contents.before(value.op, memory.buffers.root(memref)))

    @cached_property
    def _memory(self) -> tuple[Memory, MemoryContents]:
        memory = self._make()
        variable = memory.bounds.elimination.variable
        operands = Operands(self._store, self._relations, memory)

        def number(name: str) -> tuple[str, Expression]:
            own_name = self._store.parameter(variable(name))
            try:
                return own_name, self._store.resolve(own(variable(name)))
            except NotAffine:
                return own_name, parameter(own_name)

        return memory, MemoryContents(memory, number, operands)

    def _through(self, memory: Memory, memref: SSAValue, found: BufferContents) -> BufferContents:
        """What FOUND says of a buffer, of the elements of MEMREF, a view of it."""
        rank = rank_of(memref)
        whole = MemoryAccess(Effect.READ, memref, loops(rank), (constant(0),) * rank)
        place = memory.buffers.place(whole)
        if place.because is not None or len(place.extents) > rank or ANY in place.index:
            raise NotFollowed("it is not known which elements of a buffer it has")
        elements = build.relation(rank, tuple(map(self._resolved, place.index))).intersect_domain(
            self._store.domain(memref)
        )
        return found.of_view(elements)

    def _resolved(self, index: Index) -> Expression:
        assert isinstance(index, Expression), "an index that is known"
        return self._store.resolve(index)


def _source(result: OpResult) -> SSAValue | None:
    """The memref that RESULT is loaded from, or that its elements are in."""
    op = result.op
    memrefs = [operand for operand in op.operands if is_memref(operand)]
    if len(memrefs) != 1 or len(op.results) != 1 or op.regions:
        return None
    if isinstance(result.type, TensorType):
        return memrefs[0] if questions.in_place.answers(type(op)) else None
    is_read = not isinstance(result.type, ShapedType) and questions.accesses.answers(type(op))
    return memrefs[0] if is_read else None
