"""The iterations in which the blocks of a function run, and the numbers that values are in them.

An iteration is the number of it, as `model.memory.flow` counts them. Where data decides how often a loop
runs, its iterations are those that it may have, and the `doubt` says so.

    while %i < 8 and f(%a[%i]) { ... }       [i] : 0 <= i < 8, in doubt
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import islpy as isl
from xdsl.ir import Block, Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import Dim, Expression, Index, NotAffine, Value, expression_of_atom, loop
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.programs.blocks import home
from volcli.language.programs.choices import over_numbers
from volcli.language.programs.provenance import Provenance
from volcli.language.reads import Conjunction
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import BufferIndex, Origin, Root
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.iteration_numbers import IterationNumbers
from volcli.model.values.terms.variables import Variable
from volcli.model.volumes.contents.stored import NotFollowed
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space

Points = TypeVar("Points", isl.Set, isl.Map)


class LoopIterations:
    """The iterations of the loops of one function, of this MEMORY."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.numbers = IterationNumbers(memory.bounds.definitions.resolve)
        self.provenance = Provenance(memory.function)

    def levels(self, value: SSAValue) -> tuple[Level, ...]:
        """The loops around VALUE."""
        return self._memory.nests.levels(home(value))

    def domain(self, block: Block | None) -> isl.Set:
        """The iterations in which BLOCK runs: those in which it may, if there is a `doubt`.

        Raises NotFollowed if it is not known when a branch is taken, or what a loop's bounds are.
        """
        assert block is not None, "a block of the function"
        if block.last_op is None:
            raise NotFollowed("a block without an end")
        found, levels = self._memory.instances.domains.of(block.last_op), self._memory.nests.levels(block)
        if found.exact:
            return self._numbered(found.points, levels)
        is_known = found.within_loops and all(level.variable is not None for level in levels)
        if not is_known or any(map(self._is_free_branch, _around(block))):
            raise NotFollowed(found.because or "it is not known when a branch is taken")
        return self._numbered(self._without_conditions(found.points), levels)

    def doubt(self, block: Block | None) -> str | None:
        """Why it is not known in which iterations BLOCK runs, where a loop under a condition is around it."""
        assert block is not None
        assert block.last_op is not None
        found = self._memory.instances.domains.of(block.last_op)
        return None if found.exact else found.because or "it is not known how often a loop runs"

    def _is_free_branch(self, op: Operation) -> bool:
        """Whether data decides which region of OP, no loop, runs."""
        guards = () if questions.loop.answers(type(op)) else questions.guards(op) or ()
        try:
            return self._is_data(
                e for each in guards for where in over_numbers(each.condition) for e in where
            )
        except NotAffine:
            return True

    def _without_conditions(self, points: Points) -> Points:
        """POINTS for any outcome of the conditions of loops, which are other ones in other iterations."""
        variable, determined = self._memory.bounds.elimination.variable, self._memory.instances.determined
        for name in parameters_of_space(points):
            if determined.levels(variable(name)):
                points = points.project_out(DIM.param, points.find_dim_by_name(DIM.param, name), 1)
        return points

    def _numbered(self, points: isl.Set, levels: tuple[Level, ...]) -> isl.Set:
        """POINTS by the numbers of iterations."""
        numbers = self.numbers.of(levels)
        if numbers is None:
            return points
        return points.apply(build.relation(len(levels), numbers).reverse())

    def placed(
        self, op: Operation, operand: SSAValue, index: tuple[Index, ...], where: Conjunction = ()
    ) -> isl.Map:
        """`{ [i] -> INDEX of OPERAND }` of the iterations in which OP runs, and WHERE holds.

        Raises NotFollowed where that is not known.
        """
        access, rank = MemoryAccess(Effect.READ, operand, index), len(index)
        place = BufferIndex(Root(Origin.ALLOCATION, operand), (*index, *where), (), ())
        site = Site(-1, op, access, place, self._memory.nests.levels(op.parent))
        relation = self._memory.instances.of_place(site, place)
        if not relation.exact:
            if self.doubt(op.parent) is None or self._is_data((*index, *where)):
                raise NotFollowed(relation.because or "an access is not affine")
            self.domain(op.parent)
        elements = relation.elements() if relation.exact else self._without_conditions(relation.elements())
        if unstable := [each for each in relation.unstable if each[0] in parameters_of_space(elements)]:
            raise NotFollowed(self._memory.instances.instability(unstable))
        holds = build.nonnegative(rank + len(where), tuple(loop(rank + k) for k in range(len(where))))
        elements = elements.intersect_range(holds).project_out(DIM.out, rank, len(where))
        return self.numbers.numbered(elements, site)

    def number(self, variable: Variable, block: Block) -> isl.Map:
        """`{ [i] -> [x] }`: the number x that VARIABLE is in the iterations in which BLOCK runs.

        Raises NotFollowed where it is not one number in each.
        """
        assert block.last_op is not None
        found = self.placed(block.last_op, variable.value, (expression_of_atom(variable),))
        if not found.is_single_valued():
            raise NotFollowed(f"{self._memory.bounds.name_of(variable.value)} is not known in each iteration")
        return found

    def _is_data(self, forms: Iterable[Index]) -> bool:
        """Whether data takes part in one of FORMS."""
        atoms = (a for e in forms for a in (e.atoms() if isinstance(e, Expression) else ()))
        return any(isinstance(a, Value | Dim) and self.provenance.is_loaded(a) for a in atoms)


def _around(block: Block) -> Iterator[Operation]:
    """The operations around BLOCK, the function the last."""
    op = block.parent_op()
    while op is not None:
        yield op
        op = op.parent_op()
