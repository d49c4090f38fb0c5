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
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import LoopIndex, NotAffine, loops, value_of
from volcli.language.expressions import loop as index
from volcli.language.loops import Carried, Choice, Reduced, While
from volcli.language.programs.choices import (
    chosen_operands,
    is_free,
    over_numbers,
    values_in,
    with_numbers,
)
from volcli.language.programs.known_loops import counted_loop, iteration_of, known_loop, step_of
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.volumes.contents.iterations import LoopIterations
from volcli.model.volumes.contents.stored import NotFollowed
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class PassedValue:
    """The value is `scalar`, which `user` passes on, `at` iterations of `levels`: `{ [own] -> [other] }`.

    It combines such, if it `is_copy` of none; `inexact` is why it need not be what these are.
    """

    at: isl.Map
    scalar: SSAValue
    user: Operation
    levels: tuple[Level, ...]
    is_copy: bool = True
    inexact: str | None = None


class CarriedValues:
    """The values of one function, of this MEMORY, that are others in other iterations."""

    def __init__(self, memory: Memory, iterations: LoopIterations) -> None:
        self._memory = memory
        self._iterations = iterations

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
            if around is not None and isinstance(until := known_loop(around), While):
                return list(self._in_while(until, value))
        elif isinstance(value, OpResult) and value.op.regions:
            carried = _carried(value.op, value)
            if carried is not None:
                return list(self._of_loop(value.op, carried))
            known = known_loop(value.op)
            if isinstance(known, While):
                return list(self._of_while(known, value))
            for reduced in () if known is None else known.reduced:
                if reduced.result is value:
                    return list(self._of_reduction(value.op, reduced))
            return list(self._of_branches(value.op, value))
        elif isinstance(value, OpResult) and (choices := chosen_operands(value)) is not None:
            return list(self._of_operands(value, choices))
        raise NotFollowed("a value that a loop or a branch passes is not followed")

    def _in_loop(self, block: Block, carried: Carried) -> Iterator[PassedValue]:
        runs, levels = self._iterations.domain(block), self._memory.nests.levels(block)
        around = block.parent_op()
        assert around is not None, "a loop"
        if not levels[-1].sequential:
            count = len(self._memory.nests.levels(around.parent))
            outside = build.relation(runs.dim(DIM.set), loops(count)).intersect_domain(runs)
            yield PassedValue(outside, carried.initial, around, levels[:count])
            return
        self._check_step(levels[-1], levels)
        depth = runs.dim(DIM.set)
        before = build.relation(depth, (*loops(depth - 1), index(depth - 1) - 1))
        before = before.intersect_domain(runs).intersect_range(runs)
        yield self._passed(before, carried.yielded, block)
        first = build.relation(depth, loops(depth - 1)).intersect_domain(runs.subtract(before.domain()))
        yield PassedValue(first, carried.initial, around, levels[:-1])

    def _of_loop(self, op: Operation, carried: Carried) -> Iterator[PassedValue]:
        block = op.regions[0].blocks[0]
        runs, outer = self._iterations.domain(block), self._iterations.domain(op.parent)
        depth = outer.dim(DIM.set)
        if runs.dim(DIM.set) != depth + 1:
            raise NotFollowed("a loop of several variables carries a value")
        inside = build.relation(depth + 1, loops(depth)).intersect_domain(runs).reverse()
        last = inside.lexmax()
        yield self._passed(last, carried.yielded, block)
        none = outer.subtract(last.domain()).identity()
        yield PassedValue(none, carried.initial, op, self._memory.nests.levels(op.parent))

    def _in_while(self, loop: While, argument: BlockArgument) -> Iterator[PassedValue]:
        """What an argument of the first region, or of the second one, is."""
        block, position = argument.block, argument.index
        first, second = (_block_of(each[0]) for each in (loop.before, loop.after))
        if block is second:
            yield self._passed(self._iterations.domain(block).identity(), loop.forwarded[position], first)
            return
        runs, levels = self._iterations.domain(block), self._memory.nests.levels(block)
        depth, start = runs.dim(DIM.set), self._start(loop, levels)
        before = build.relation(depth, (*loops(depth - 1), index(depth - 1) - step_of(loop)))
        before = before.intersect_domain(runs).intersect_range(self._iterations.domain(second))
        around = block.parent_op()
        assert around is not None, "a loop"
        at_first = runs.subtract(before.domain()) if start is None else runs.intersect(start)
        yield self._passed(before.subtract_domain(at_first), loop.yielded[position], second)
        outside = build.relation(depth, loops(depth - 1)).intersect_domain(at_first)
        yield PassedValue(outside, loop.initial[position], around, levels[:-1])

    def _start(self, loop: While, levels: tuple[Level, ...]) -> isl.Set | None:
        """The first iterations, if it is unknown how many there are; None where these have none before them.

        Raises NotFollowed if they are not known.
        """
        block = _block_of(loop.before[0])
        if self._iterations.doubt(block) is None:
            return None
        number = iteration_of(loop)
        assert number is not None, "a loop with a number"
        first = self._memory.bounds.definitions.resolve(value_of(loop.initial[loop.before.index(number)]))
        if not first.is_constant:
            raise NotFollowed(self._iterations.doubt(block) or "")
        last = index(len(levels) - 1)
        return build.nonnegative(len(levels), (last - first, first - last))

    def _of_while(self, loop: While, result: OpResult) -> Iterator[PassedValue]:
        """What is forwarded in the last iteration; in any, if it is unknown which one is the last."""
        block, outer = _block_of(loop.before[0]), self._iterations.domain(result.op.parent)
        if (initial := _unchanged(loop, result.index)) is not None:
            levels = self._memory.nests.levels(result.op.parent)
            yield PassedValue(outer.identity(), initial, result.op, levels)
            return
        runs, doubt = self._iterations.domain(block), self._iterations.doubt(block)
        depth = outer.dim(DIM.set)
        inside = build.relation(depth + 1, loops(depth)).intersect_domain(runs).reverse()
        if doubt is not None:
            yield replace(self._passed(inside, loop.forwarded[result.index], block), inexact=doubt)
            yield replace(self._passed(inside, loop.condition, block), is_copy=False)
        elif not inside.range().is_bounded():
            raise NotFollowed("a loop that may have no end passes a value")
        else:
            yield self._passed(inside.lexmax(), loop.forwarded[result.index], block)

    def _of_reduction(self, op: Operation, reduced: Reduced) -> Iterator[PassedValue]:
        """What is combined: all iterations, in any order, and what is there at first."""
        block, outer = op.regions[0].blocks[0], self._iterations.domain(op.parent)
        runs = self._iterations.domain(block)
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
        if not questions.guards.answers(type(op)):
            yield from self._of_choices(op, choices[value.index])
            return
        regions = [region for region in op.regions if region.blocks]
        if len(regions) != len(op.regions) or any(len(region.blocks) != 1 for region in regions):
            raise NotFollowed("a value that a branch gives is not followed")
        for region in regions:
            runs, last = self._iterations.domain(region.blocks[0]), region.blocks[0].last_op
            if last is None or len(last.operands) != len(op.results):
                raise NotFollowed("a value that a branch gives is not followed")
            yield self._passed(runs.identity(), last.operands[value.index], region.blocks[0])

    def _of_choices(self, op: Operation, choices: Sequence[Choice]) -> Iterator[PassedValue]:
        """The values that CHOICES say, of which nothing says that the regions of OP run where they hold."""
        try:
            pairs = [(w, each.value) for each in choices for w in over_numbers(with_numbers(each.when))]
        except NotAffine as error:
            raise NotFollowed("a value that a branch gives is not followed") from error
        if any(is_free(v) or isinstance(v.type, ShapedType) for w, _ in pairs for v in values_in((w,))):
            raise NotFollowed("data decides which value a branch gives")
        for where, chosen in pairs:
            at = self._iterations.placed(op, chosen, (), where).domain().identity()
            yield PassedValue(at, chosen, op, self._iterations.levels(chosen))

    def _of_operands(self, value: OpResult, choices: Sequence[Choice]) -> Iterator[PassedValue]:
        """The operands that CHOICES say, where their conditions hold."""
        levels = self._memory.nests.levels(value.op.parent)
        for choice in choices:
            for where in choice.when:
                at = self._iterations.placed(value.op, choice.value, (), where).domain().identity()
                yield PassedValue(at, choice.value, value.op, levels)

    def _passed(self, at: isl.Map, scalar: SSAValue, block: Block) -> PassedValue:
        """SCALAR, which the end of BLOCK passes on, AT iterations of that."""
        assert block.last_op is not None, "an end"
        return PassedValue(at, scalar, block.last_op, self._memory.nests.levels(block))

    def _check_step(self, level: Level, levels: tuple[Level, ...]) -> None:
        """Raises NotFollowed unless the numbers of iterations of LEVEL follow each other without a gap."""
        induction, numbers = level.induction, self._iterations.numbers.of(levels)
        step = None if induction is None else self._memory.bounds.definitions.resolve(induction.step)
        position = LoopIndex(len(levels) - 1)
        counted = 1 if numbers is None else dict(numbers[-1].terms).get(position)
        if step is None or not step.is_constant or step.constant != counted:
            raise NotFollowed("the step of a loop that carries a value is not known")


def _unchanged(loop: While, position: int) -> SSAValue | None:
    """The initial value of what LOOP forwards at POSITION, if that goes around as it is."""
    for argument, initial, following in zip(loop.before, loop.initial, loop.yielded, strict=True):
        if loop.forwarded[position] is argument and following in loop.after:
            return initial if loop.forwarded[loop.after.index(following)] is argument else None
    return None


def _block_of(argument: SSAValue) -> Block:
    """The block that ARGUMENT is one of."""
    assert isinstance(argument, BlockArgument)
    return argument.block


def _carried(op: Operation, value: SSAValue) -> Carried | None:
    """What the loop OP carries, if VALUE is its argument or its result."""
    known = counted_loop(op)
    carried = () if known is None else known.carried
    return next((each for each in carried if value in (each.argument, each.result)), None)
