"""How often, and in which order, the regions of an operation run, as far as that matters to lifetimes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.memref import AllocaScopeOp
from xdsl.ir import Block, Operation, Region

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.loops import Induction, Loop, While
from volcli.model.memory.lifetimes.frees import number_of


@dataclass(frozen=True)
class Runs:
    """The `regions` of an operation: one after the other, or one of them (`exclusive`).

    They run `least` to `most` times, None: any number of times. An exclusive operation whose regions do not
    cover all cases may run none. If it is not `known`, not even their order is.
    """

    regions: Sequence[Region]
    least: int = 1
    most: int | None = 1
    exclusive: bool = False
    known: bool = True


def runs_of(op: Operation) -> Runs:
    """How the regions of OP run; of an unknown operation, in any order and any number of times."""
    regions = [region for region in op.regions if region.blocks]
    unknown = Runs(regions, 0, None, known=False)
    try:
        counted = questions.loop(op)
        guards = questions.guards(op) if questions.guards.answers(type(op)) else None
    except NotAffine:
        return unknown
    if isinstance(counted, While):
        return Runs(regions, 0, None)
    if isinstance(counted, Loop):
        count = _count(counted.inductions)
        return Runs(regions, 0, None) if count is None else Runs(regions, count, count)
    if guards:
        is_complete = len(regions) == len(op.regions) > 1
        return Runs(regions, 1 if is_complete else 0, 1, exclusive=True)
    runs_once = guards is not None or isinstance(op, AllocaScopeOp) or questions.choices.answers(type(op))
    return Runs(regions) if runs_once else unknown


def runs_always(op: Operation, around: Operation) -> bool:
    """Whether OP runs whenever AROUND, an operation around it, runs its regions."""
    while (block := op.parent) is not None:
        if block.parent is None or len(block.parent.blocks) > 1:
            return False
        parent = block.parent_op()
        if parent is None or parent is around:
            return parent is around
        runs = runs_of(parent)
        if not runs.known or runs.exclusive or not runs.least:
            return False
        op = parent
    return False


def _count(inductions: Sequence[Induction]) -> int | None:
    """How many iterations there are; None if that is not a constant."""
    counts = [_of_one(each) for each in inductions]
    known = [each for each in counts if each is not None]
    return prod(known) if len(known) == len(counts) else None


def _of_one(induction: Induction) -> int | None:
    lower, upper = ([number_of(e) for e in ends] for ends in (induction.lower, induction.upper))
    step = number_of(induction.step)
    first, last = ([n for n in ends if n is not None] for ends in (lower, upper))
    if not step or step < 0 or len(first) < len(lower) or len(last) < len(upper):
        return None
    return max(0, -((max(first) - min(last)) // step))


def in_order(region: Region) -> Iterator[tuple[Block, list[Block], bool]]:
    """The blocks of REGION that may run, each before those after it; the blocks before each.

    And whether an execution may come back to it.
    """
    order = _postorder(region)[::-1]
    place = {block: number for number, block in enumerate(order)}
    before: dict[Block, list[Block]] = {block: [] for block in order}
    for block in order:
        for successor in _successors(block):
            before[successor].append(block)
    for block in order:
        yield block, before[block], any(place[each] >= place[block] for each in before[block])


def _successors(block: Block) -> Sequence[Block]:
    return () if block.last_op is None else block.last_op.successors


def _postorder(region: Region) -> list[Block]:
    first = region.first_block
    assert first is not None
    found: list[Block] = []
    seen, pending = {first}, [(first, iter(_successors(first)))]
    while pending:
        block, rest = pending[-1]
        following = next((each for each in rest if each not in seen), None)
        if following is None:
            found.append(block)
            pending.pop()
        else:
            seen.add(following)
            pending.append((following, iter(_successors(following))))
    return found
