"""Values that loops carry and that branches give, over the iterations in which they are computed.

The value %s in an iteration of the loops around it is another value in an iteration of the loops around that:

    %r = for %i = 0 to 8 iter_args(%s = %z) { ...; yield %t }
        %s in [0] is %z in [],     %s in [i] is %t in [i - 1]     %r in [] is %t in [7]
    %r = parallel for %i { ..; reduce %t }             %r in [] combines %t in all [i]
    %r = if %c { yield %x } else { yield %y }          %r in [i] is %x in [i] where %c holds, else %y in [i]

An iteration is the number of it, as `model.memory.flow` counts them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import islpy as isl
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Index, LoopIndex, NotAffine, loop, loops
from volcli.language.loops import Carried, Choice, Reduced
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.programs.choices import chosen_operands
from volcli.language.programs.known_loops import counted_loop
from volcli.language.reads import Conjunction
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import BufferIndex, Origin, Root
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.iteration_numbers import IterationNumbers
from volcli.model.volumes.contents.stored import NotFollowed
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class PassedValue:
    """The value is `scalar`, which `user` passes on, `at` iterations of `levels`: `{ [own] -> [other] }`.

    It combines such, if it `is_copy` of none.
    """

    at: isl.Map
    scalar: SSAValue
    user: Operation
    levels: tuple[Level, ...]
    is_copy: bool = True


class CarriedValues:
    """The values of one function, of this MEMORY, that are others in other iterations."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._numbers = IterationNumbers(memory.bounds.definitions.resolve)

    def levels(self, value: SSAValue) -> tuple[Level, ...]:
        """The loops around VALUE."""
        return self._memory.nests.levels(block_of(value))

    def is_passed(self, value: SSAValue) -> bool:
        """Whether VALUE is one that a loop or a branch passes, and not one that an operation computes."""
        if isinstance(value, BlockArgument) or chosen_operands(value) is not None:
            return True
        if not isinstance(value, OpResult) or not value.op.regions:
            return False
        loop = counted_loop(value.op)
        if loop is not None and any(each.result is value for each in loop.reduced):
            return True
        is_parallel = loop is not None and not all(each.sequential for each in loop.inductions)
        return not is_parallel and any(q.answers(type(value.op)) for q in (questions.loop, questions.choices))

    def alternatives(self, value: SSAValue) -> list[PassedValue]:
        """What VALUE is. Raises NotFollowed if that is not known."""
        if isinstance(value, BlockArgument):
            around = value.block.parent_op()
            carried = None if around is None else _carried(around, value)
            if carried is not None:
                return list(self._in_loop(value.block, carried))
        elif isinstance(value, OpResult) and value.op.regions:
            carried = _carried(value.op, value)
            if carried is not None:
                return list(self._of_loop(value.op, carried))
            known = counted_loop(value.op)
            for reduced in () if known is None else known.reduced:
                if reduced.result is value:
                    return list(self._of_reduction(value.op, reduced))
            return list(self._of_branches(value.op, value))
        elif isinstance(value, OpResult) and (choices := chosen_operands(value)) is not None:
            return list(self._of_operands(value, choices))
        raise NotFollowed("a value that a loop or a branch passes is not followed")

    def _in_loop(self, block: Block, carried: Carried) -> Iterator[PassedValue]:
        runs, levels = self.domain(block), self._memory.nests.levels(block)
        around = block.parent_op()
        assert around is not None, "a loop"
        if not levels[-1].sequential:
            count = len(self._memory.nests.levels(around.parent))
            outside = build.relation(runs.dim(DIM.set), loops(count)).intersect_domain(runs)
            yield PassedValue(outside, carried.initial, around, levels[:count])
            return
        self._check_step(levels[-1], levels)
        depth = runs.dim(DIM.set)
        before = build.relation(depth, (*loops(depth - 1), loop(depth - 1) - 1))
        before = before.intersect_domain(runs).intersect_range(runs)
        yield self._passed(before, carried.yielded, block)
        first = build.relation(depth, loops(depth - 1)).intersect_domain(runs.subtract(before.domain()))
        yield PassedValue(first, carried.initial, around, levels[:-1])

    def _of_loop(self, op: Operation, carried: Carried) -> Iterator[PassedValue]:
        block = op.regions[0].blocks[0]
        runs, outer = self.domain(block), self.domain(op.parent)
        depth = outer.dim(DIM.set)
        if runs.dim(DIM.set) != depth + 1:
            raise NotFollowed("a loop of several variables carries a value")
        inside = build.relation(depth + 1, loops(depth)).intersect_domain(runs).reverse()
        last = inside.lexmax()
        yield self._passed(last, carried.yielded, block)
        none = outer.subtract(last.domain()).identity()
        yield PassedValue(none, carried.initial, op, self._memory.nests.levels(op.parent))

    def _of_reduction(self, op: Operation, reduced: Reduced) -> Iterator[PassedValue]:
        """What is combined: all iterations, in any order, and what is there at first."""
        block, outer = op.regions[0].blocks[0], self.domain(op.parent)
        runs = self.domain(block)
        every = build.relation(runs.dim(DIM.set), loops(outer.dim(DIM.set))).intersect_domain(runs).reverse()
        yield replace(self._passed(every, reduced.yielded, block), is_copy=False)
        if reduced.initial is not None:
            levels = self._memory.nests.levels(op.parent)
            yield PassedValue(outer.identity(), reduced.initial, op, levels, is_copy=False)

    def _of_branches(self, op: Operation, value: OpResult) -> Iterator[PassedValue]:
        """The results of an operation whose regions are its branches, and the number of what is yielded."""
        try:
            choices = questions.choices(op)
        except NotAffine:
            choices = None
        if choices is None or value.index >= len(choices):
            raise NotFollowed("a value that a branch gives is not followed")
        regions = [region for region in op.regions if region.blocks]
        if len(regions) != len(op.regions) or any(len(region.blocks) != 1 for region in regions):
            raise NotFollowed("a value that a branch gives is not followed")
        for region in regions:
            runs, last = self.domain(region.blocks[0]), region.blocks[0].last_op
            if last is None or len(last.operands) != len(op.results):
                raise NotFollowed("a value that a branch gives is not followed")
            yield self._passed(runs.identity(), last.operands[value.index], region.blocks[0])

    def _of_operands(self, value: OpResult, choices: Sequence[Choice]) -> Iterator[PassedValue]:
        """The operands that CHOICES say, where their conditions hold."""
        levels = self._memory.nests.levels(value.op.parent)
        for choice in choices:
            for where in choice.when:
                at = self.placed(value.op, choice.value, (), where).domain().identity()
                yield PassedValue(at, choice.value, value.op, levels)

    def placed(
        self, op: Operation, operand: SSAValue, index: tuple[Index, ...], where: Conjunction = ()
    ) -> isl.Map:
        """`{ [i] -> INDEX of OPERAND }` of the iterations in which OP runs, and WHERE holds.

        Raises NotFollowed where that is not known.
        """
        access = MemoryAccess(Effect.READ, operand, index)
        place = BufferIndex(Root(Origin.ALLOCATION, operand), index, (), where)
        site = Site(-1, op, access, place, self._memory.nests.levels(op.parent))
        relation = self._memory.instances.of_place(site, place)
        if not relation.exact:
            raise NotFollowed(relation.because or "an access is not affine")
        if relation.unstable:
            raise NotFollowed(self._memory.instances.instability(relation.unstable))
        return self._numbers.numbered(relation.elements(), site)

    def _passed(self, at: isl.Map, scalar: SSAValue, block: Block) -> PassedValue:
        """SCALAR, which the end of BLOCK passes on, AT iterations of that."""
        assert block.last_op is not None, "an end"
        return PassedValue(at, scalar, block.last_op, self._memory.nests.levels(block))

    def domain(self, block: Block | None) -> isl.Set:
        """The iterations in which BLOCK runs. Raises NotFollowed if they are not known exactly."""
        assert block is not None, "a block of the function"
        if block.last_op is None:
            raise NotFollowed("a block without an end")
        found = self._memory.instances.domains.of(block.last_op)
        if not found.exact:
            raise NotFollowed(found.because or "it is not known when a branch is taken")
        return self._numbered(found.points, self._memory.nests.levels(block))

    def _numbered(self, points: isl.Set, levels: tuple[Level, ...]) -> isl.Set:
        """POINTS by the numbers of iterations."""
        numbers = self._numbers.of(levels)
        if numbers is None:
            return points
        return points.apply(build.relation(len(levels), numbers).reverse())

    def _check_step(self, level: Level, levels: tuple[Level, ...]) -> None:
        """Raises NotFollowed unless the numbers of iterations of LEVEL follow each other without a gap."""
        induction, numbers = level.induction, self._numbers.of(levels)
        step = None if induction is None else self._memory.bounds.definitions.resolve(induction.step)
        position = LoopIndex(len(levels) - 1)
        counted = 1 if numbers is None else dict(numbers[-1].terms).get(position)
        if step is None or not step.is_constant or step.constant != counted:
            raise NotFollowed("the step of a loop that carries a value is not known")


def _carried(op: Operation, value: SSAValue) -> Carried | None:
    """What the loop OP carries, if VALUE is its argument or its result."""
    known = counted_loop(op)
    carried = () if known is None else known.carried
    return next((each for each in carried if value in (each.argument, each.result)), None)


def block_of(value: SSAValue) -> Block | None:
    """The block that defines VALUE."""
    if isinstance(value, BlockArgument):
        return value.block
    return value.op.parent if isinstance(value, OpResult) else None
