"""What tensors and vectors in loops are computed from, in each iteration: `{ [i, r] -> [x] }` of operands.

The relations of an operation are over parameters, of which the variables of the loops around it are some:
`%u = tensor.insert %z into %t[%i]` is `[i] -> { [r] -> t[r] : r != i }`. An iteration is a point here,

    { [n, r] -> t[r] : r != 2 * n }        for %i = 0 to 8 step 2

by its number, as `model.memory.flow` counts them, so that what is computed in other iterations can follow.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import loop, loops, parameter
from volcli.language.programs.blocks import home
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.values.terms.variables import Variable
from volcli.model.volumes.contents.iterations import LoopIterations
from volcli.model.volumes.contents.stored import NotFollowed
from volcli.model.volumes.relations.relations import Relations
from volcli.model.volumes.relations.statements import Remaining
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space


class Operands:
    """The operands of the operations of one function, of the sizes of STORE, in the iterations of MEMORY."""

    def __init__(self, store: Sizes, relations: Relations, memory: Memory) -> None:
        self._store = store
        self._relations = relations
        self._memory = memory
        self.iterations = LoopIterations(memory)

    def domain(self, value: SSAValue) -> isl.Set:
        """The elements of VALUE in the iterations of the loops around it: `{ [i, r] }`."""
        kind = value.type
        if isa(kind, VectorType) and any(kind.get_scalable_dims()):
            raise NotFollowed("a scalable vector")
        points = self._store.domain(value)
        return self._in_iterations(isl.Map.from_range(points).reverse(), home(value)).domain()

    def of(self, value: OpResult) -> Iterator[tuple[SSAValue, isl.Map, bool]]:
        """The elements of operands that those of VALUE are computed from, or copy, in each iteration.

        Raises NotFollowed.
        """
        relation = self._relations.of(value)
        if (reason := relation.inexact or relation.sized) is not None:
            raise NotFollowed(reason)
        remaining = Remaining(lambda: self._store.domain(value))
        for statement in relation.statements:
            remaining.enter(statement)
            for read in statement.reads:
                piece = statement.relation(read).intersect_range(self._store.domain(read.operand))
                is_copied = statement.source.yields is None or statement.source.yields in statement.scalars
                is_copy = is_copied and len(statement.reads) == 1
                yield read.operand, self._in_iterations(remaining.of_map(piece), value.op.parent), is_copy
            remaining.leave()

    def _in_iterations(self, relation: isl.Map, block: Block | None) -> isl.Map:
        """RELATION `{ [r] -> [x] }` over parameters, `{ [i, r] -> [x] }` of the iterations i of BLOCK.

        A number that differs from iteration to iteration is what it is in each: `r != 2 * n` of `r != %i`.
        """
        assert block is not None, "a block of the function"
        levels = self._memory.nests.levels(block)
        relation = relation.drop_unused_params().insert_dims(DIM.in_, 0, len(levels))
        moving: dict[str, Variable] = {}
        for at, name in enumerate(parameters_of_space(relation)):
            variable = self._store.origin(name)
            new = self._memory.bounds.elimination.name(variable)
            if self._memory.instances.determined.levels(variable):
                new = f"in each iteration: {new}"
                moving[new] = variable
            relation = relation.set_dim_name(DIM.param, at, new)
        for name, variable in moving.items():
            relation = relation.intersect_domain(self._where_equal(name, variable, block, relation))
            relation = relation.project_out(DIM.param, relation.find_dim_by_name(DIM.param, name), 1)
        return relation

    def _where_equal(self, name: str, variable: Variable, block: Block, relation: isl.Map) -> isl.Set:
        """The points [i, r] of RELATION for which VARIABLE in iteration i is the parameter of this NAME."""
        levels, count = self._memory.nests.levels(block), relation.dim(DIM.in_)
        numbers = self.iterations.numbers.of(levels)
        for k, level in enumerate(levels):
            if level.variable is variable.value:
                distance = parameter(name) - (loop(k) if numbers is None else numbers[k])
                return build.nonnegative(count, (distance, -distance))
        distance = parameter(name) - loop(0)
        equal = build.nonnegative(1, (distance, -distance))
        number = self.iterations.number(variable, block).intersect_range(equal).domain()
        return number.apply(build.relation(count, loops(len(levels))).reverse())
