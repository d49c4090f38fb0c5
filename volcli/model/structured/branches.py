"""Blocks that branch as regions: from a branch to the block at which its ways meet, an scf.if.

    cf.cond_br %c, ^a, ^b,  which meet in ^m(%x)           %x = scf.if %c { ... } else { ... }

Loops are left to `structure`. A block that is reached twice, but at the end of its region, is not structured.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from xdsl.ir import Attribute, Block, Operation

from volcli.language.loops import Branch
from volcli.language.programs.blocks import successors
from volcli.model.structured.copying import Copier, OperationNamed, Values
from volcli.model.structured.decisions import Decision, decisions
from volcli.model.structured.graph import NaturalLoop, NotStructured, loops, meeting, ways

Targets = Mapping[Block, Callable[[Values], Values]]
"""The blocks at which a region ends: what it yields there, from what is passed to the block."""


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
            self.bind(successor.args, passed)
            block = successor

    def _branch(
        self, block: Block, targets: Targets, types: Sequence[Attribute], into: Block, last: Block | None
    ) -> Values | tuple[Block, Values]:
        """From the end of BLOCK to where its ways meet: that block and its arguments, or what is yielded."""
        out = ways(block)
        if len(out) == 1:
            return out[0][1], self.mapped(out[0][0].passed)
        end = meeting(block, lambda each: self._following(each, block, targets, last))
        return self._up_to(
            end, targets, types, lambda to, kinds: self._choice(decisions(out), to, kinds, into)
        )

    @staticmethod
    def _up_to(
        end: Block | None,
        targets: Targets,
        types: Sequence[Attribute],
        emit: Callable[[Targets, Sequence[Attribute]], Values],
    ) -> Values | tuple[Block, Values]:
        """END, where ways meet, and what they pass to it; what is yielded, if they meet at one of TARGETS."""
        inner: Targets = targets if end is None or end in targets else {end: lambda passed: passed}
        if end is None or inner is targets:
            if not inner:
                raise NotStructured  # several ends of the function
            return emit(targets, types)
        return end, emit(inner, [argument.type for argument in end.args])

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
        passed = self._choice(ways, {successor: lambda passed: passed}, kinds, into)
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
        self.bind(successor.args, passed)
        return self._emit(successor, targets, types, into)

    def _following(self, block: Block, start: Block, targets: Targets, last: Block | None) -> Iterator[Block]:
        """Where control goes from BLOCK, up to the LAST one; after a loop, where the loop is left for."""
        if block in targets or block is last:
            return
        loop = self._loops.get(block)
        if loop is None or block in self._open or block is start:
            yield from dict.fromkeys(successors(block))
        else:
            yield from dict.fromkeys(successor for _, successor in loop.exits())

    @abstractmethod
    def _emit_loop(
        self, loop: NaturalLoop, targets: Targets, types: Sequence[Attribute], into: Block, last: Block | None
    ) -> Values | tuple[Block, Values]:
        """LOOP, whose header's arguments are bound; what is after it, as `_branch` says it."""
