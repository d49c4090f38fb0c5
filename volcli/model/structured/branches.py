"""Blocks that branch as regions: from a branch to the block at which its ways meet, an scf.if.

    cf.cond_br %c, ^a, ^b,  which meet in ^m(%x)           %x = scf.if %c { ... } else { ... }

Loops are left to `structure`. What some of the ways have in common, but not all, comes after them under a
condition: each block is made once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, Operation

from volcli.language.loops import Branch
from volcli.language.programs.blocks import successors
from volcli.model.structured.copying import Copier, OperationNamed, Values
from volcli.model.structured.decisions import Decision, decisions
from volcli.model.structured.graph import NaturalLoop, NotStructured, loops, meeting, shared, ways

Targets = Mapping[Block, Callable[[Values], Values]]
"""The blocks at which a region ends: what it yields there, from what is passed to the block."""
Emit = Callable[[Targets, Sequence[Attribute]], Values]
"""What makes ways up to targets, where values of these types are yielded: those are the result."""


@dataclass(frozen=True)
class Surroundings:
    """The targets of a region, what types it yields, where it is made, and its last block, if it has one."""

    targets: Targets
    types: Sequence[Attribute]
    into: Block
    last: Block | None


class BranchCopier(Copier, ABC):
    """Copies the blocks of a function into regions; how a loop is copied is left open."""

    def __init__(self, function: Operation, operation: OperationNamed) -> None:
        super().__init__(function, operation)
        self._source = function
        self._loops = loops(function.regions[0])
        self._open: set[Block] = set()
        self._met: set[Block] = set()

    def _emit(
        self,
        block: Block,
        targets: Targets,
        types: Sequence[Attribute],
        into: Block,
        last: Block | None = None,
    ) -> Values:
        """What runs from BLOCK, whose arguments are bound, to one of TARGETS: what is yielded, of TYPES.

        If a LAST block is given, what runs to its end, and nothing is yielded.
        """
        while True:
            loop = self._loops.get(block)
            if loop is not None and block not in self._open:
                arrival = self._emit_loop(loop, targets, types, into, last)
                if not isinstance(arrival, tuple):
                    return arrival
            else:
                if block in self._met:
                    raise NotStructured
                self._met.add(block)
                end = self.copy_before_end(block, into)
                if block is last:
                    return []
                if not end.successors:
                    if targets:
                        raise NotStructured
                    self.copy(end, into)
                    return []
                arrival = self._branch(block, targets, types, into, last)
                if not isinstance(arrival, tuple):
                    return arrival
            successor, passed = arrival
            if successor in targets:
                return targets[successor](passed)
            self._enter(successor, passed, into)
            block = successor

    def _branch(
        self, block: Block, targets: Targets, types: Sequence[Attribute], into: Block, last: Block | None
    ) -> Values | tuple[Block, Values]:
        """From the end of BLOCK to where its ways meet: that block and its arguments, or what is yielded."""
        out = ways(block)
        if len(out) == 1:
            return out[0][1], self.mapped(out[0][0].passed)
        return self._up_to(
            [successor for _, successor in out],
            lambda to, kinds: self._choice(decisions(out), to, kinds, into),
            Surroundings(targets, types, into, last),
        )

    def _up_to(
        self,
        first: Sequence[Block],
        emit: Emit,
        region: Surroundings,
    ) -> Values | tuple[Block, Values]:
        """Where the ways that FIRST lead to these blocks meet, and what they pass to it; or what is yielded.

        EMIT makes these ways, up to targets. What several of them have in common, but not all, comes after.
        """
        start = Block()  # the first blocks may be entered again from where they are targets
        ends: set[Block] = set()

        def following(block: Block) -> Iterable[Block]:
            return dict.fromkeys(first) if block is start else self._following(block, region, ends)

        end = meeting(start, following)
        targets, types = region.targets, region.types
        is_inner = end is not None and end not in targets
        if end is not None and is_inner:
            ends.add(end)
            targets, types = {end: _as_passed}, list(end.arg_types)
        if not targets:
            raise NotStructured  # several ends of the function
        for each in shared(start, following):
            if each not in targets:
                emit = partial(self._before, each, emit, region.into)
        yielded = emit(targets, types)
        return (end, yielded) if end is not None and is_inner else yielded

    def _before(
        self, common: Block, emit: Emit, into: Block, targets: Targets, types: Sequence[Attribute]
    ) -> Values:
        """What is yielded after what EMIT makes, and after the COMMON block if that leads to it.

        EMIT's ways yield whether they do, what they pass to it, and what is yielded where they do not.
        """
        false, true = (self.number(number, i1) for number in (0, 1))
        unused, untaken = self.nothing(types, into), self.nothing(common.arg_types, into)
        at = self.at

        def elsewhere(yields: Callable[[Values], Values], passed: Values) -> Values:
            return [false, *untaken, *yields(passed)]

        inner: dict[Block, Callable[[Values], Values]] = {
            block: partial(elsewhere, yields) for block, yields in targets.items()
        }
        inner[common] = lambda passed: [true, *passed, *unused]
        flag, *values = emit(inner, [i1, *common.arg_types, *types])
        passed, rest = values[: len(common.args)], values[len(common.args) :]
        here, other = Block(), Block()
        self.at = at
        yielded = self._with(passed, common, targets, types, here)
        self.at = at
        self.make("scf.yield", here, yielded)
        self.make("scf.yield", other, rest)
        return list(self.make("scf.if", into, (flag,), types, (here, other)).results)

    def _choice(
        self, decided: Sequence[Decision], targets: Targets, types: Sequence[Attribute], into: Block
    ) -> Values:
        """What is yielded by the first of DECIDED whose condition holds; the last one has none."""
        first, *others = decided
        if not first.when:
            return self._arrive(first, targets, types, into)
        at = self.at
        condition = self.holds(first.when, into)
        regions: list[Block] = []
        for arm in ([replace(first, when=())], others):
            region = Block()
            yielded = self._choice(arm, targets, types, region)
            self.at = at
            self.make("scf.yield", region, yielded)
            regions.append(region)
        return list(self.make("scf.if", into, (condition,), types, regions).results)

    def _arrive(
        self, decision: Decision, targets: Targets, types: Sequence[Attribute], into: Block
    ) -> Values:
        """What is yielded after the ways of DECISION: which one is taken decides what is passed."""
        successor = decision.successor
        if len(decision.ways) == 1:
            return self._go(decision.ways[0][0], successor, targets, types, into)
        ways = [Decision(successor, ((branch, ()),), when) for branch, when in decision.ways]
        kinds = [argument.type for argument in successor.args]
        passed = self._choice(ways, {successor: _as_passed}, kinds, into)
        return self._with(passed, successor, targets, types, into)

    def _go(
        self, branch: Branch, successor: Block, targets: Targets, types: Sequence[Attribute], into: Block
    ) -> Values:
        """What is yielded after the BRANCH to SUCCESSOR, which may be one of TARGETS."""
        return self._with(self.mapped(branch.passed), successor, targets, types, into)

    def _with(
        self, passed: Values, successor: Block, targets: Targets, types: Sequence[Attribute], into: Block
    ) -> Values:
        """What is yielded after SUCCESSOR, one of TARGETS or not, to which this was PASSED."""
        if successor in targets:
            return targets[successor](passed)
        self._enter(successor, passed, into)
        return self._emit(successor, targets, types, into)

    def _enter(self, block: Block, passed: Values, into: Block) -> None:
        """What is PASSED to BLOCK becomes its arguments; a loop says itself what its header's are."""
        self.bind(block.args, passed)
        if block not in self._loops or block in self._open:
            self.made.occur(block.args, passed, into)

    def _following(self, block: Block, region: Surroundings, ends: Container[Block]) -> Iterable[Block]:
        """Where control goes from BLOCK, up to the last ones; after a loop, where the loop is left for."""
        if block in region.targets or block is region.last or block in ends:
            return ()
        loop = self._loops.get(block)
        if loop is None or block in self._open:
            return dict.fromkeys(successors(block))
        return dict.fromkeys(successor for _, successor in loop.exits())

    @abstractmethod
    def _emit_loop(
        self, loop: NaturalLoop, targets: Targets, types: Sequence[Attribute], into: Block, last: Block | None
    ) -> Values | tuple[Block, Values]:
        """LOOP, whose header's arguments are bound; what is after it, as `_branch` says it."""


def _as_passed(passed: Values) -> Values:
    return passed
