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
from xdsl.ir import OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import Value, loop, parameter
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.iteration_numbers import IterationNumbers
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.contents.stored import NotFollowed
from volcli.model.volumes.relations.relations import Relations
from volcli.model.volumes.relations.remaining import Remaining
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space


class Operands:
    """The operands of the operations of one function, of the sizes of STORE, in the iterations of MEMORY."""

    def __init__(self, store: Sizes, relations: Relations, memory: Memory) -> None:
        self._store = store
        self._relations = relations
        self._memory = memory
        self._numbers = IterationNumbers(memory.bounds.definitions.resolve)

    def domain(self, value: SSAValue, levels: tuple[Level, ...]) -> isl.Set:
        """The elements of VALUE in iterations of LEVELS: `{ [i, r] }`."""
        kind = value.type
        if isa(kind, VectorType) and any(kind.get_scalable_dims()):
            raise NotFollowed("a scalable vector")
        points = self._store.domain(value)
        return self._in_iterations(isl.Map.from_range(points).reverse(), levels).domain()

    def of(self, value: OpResult, levels: tuple[Level, ...]) -> Iterator[tuple[SSAValue, isl.Map, bool]]:
        """The elements of operands that those of VALUE, inside of LEVELS, are computed from, or copy.

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
                yield read.operand, self._in_iterations(remaining.of_map(piece), levels), is_copy
            remaining.leave()

    def _in_iterations(self, relation: isl.Map, levels: tuple[Level, ...]) -> isl.Map:
        """RELATION `{ [r] -> [x] }` over parameters, `{ [i, r] -> [x] }` of the iterations i of LEVELS."""
        relation = relation.drop_unused_params()
        numbers = self._numbers.of(levels)
        position = {level.variable: k for k, level in enumerate(levels) if level.variable is not None}
        relation = relation.insert_dims(DIM.in_, 0, len(levels))
        names: dict[str, str] = {}
        for name in parameters_of_space(relation):
            variable = self._store.origin(name)
            k = position.get(variable.value) if isinstance(variable, Value) else None
            if k is not None:
                distance = parameter(name) - (loop(k) if numbers is None else numbers[k])
                equal = build.nonnegative(relation.dim(DIM.in_), (distance, -distance))
                relation = relation.intersect_domain(equal)
                relation = relation.project_out(DIM.param, relation.find_dim_by_name(DIM.param, name), 1)
            elif self._memory.instances.determined.levels(variable):
                raise NotFollowed(
                    f"{self._memory.bounds.name_of(variable.value)} is another number in each iteration"
                )
            else:
                names[name] = self._memory.bounds.elimination.name(variable)
        for at, name in enumerate(parameters_of_space(relation)):
            relation = relation.set_dim_name(DIM.param, at, names[name])
        return relation
