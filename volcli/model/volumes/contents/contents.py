"""What memory contains at a point of a function, by value-based flow.

The last writer w of an element e is an instance of an access, [j]. What it stores is computed from reads, of
which each has a last writer again, or reads what was there before the function. With the relations of flow

    F = { [e] -> w[j] }      D = { w[j] -> w'[j'] }      L = { w[j] -> an element of an argument or constant }

the element e is computed from F * (L + D * L + D * D * L + ...), and from itself where nothing writes it.

    for i = 1 to 8 { %m[i] = f(%m[i - 1], %a[i]) }      %m[d] from %m[0], and from %a[1], ..., %a[d]

Where it rests on data which elements are written, or it is not known what is stored, there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import islpy as isl
from xdsl.ir import Operation, OpResult

from volcli.language.expressions import Expression, parameter
from volcli.language.unchanged import cached_method
from volcli.model.memory.buffers.buffers import Root
from volcli.model.memory.buffers.layouts import layout_of
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.last_writers import LastWrites
from volcli.model.volumes.contents.buffer_contents import BufferContents
from volcli.model.volumes.contents.followed import FollowedMemory
from volcli.model.volumes.contents.graph import Graph
from volcli.model.volumes.contents.operands import Operands
from volcli.model.volumes.contents.stored import NotFollowed
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
