"""The graph of a region's blocks: natural loops, and where ways meet again.

An edge u -> h is a *back edge* if h dominates u: every way to u goes through h. The *natural loop* of the
header h is h with all blocks from which a back edge to h can be reached without h. Where every cycle is one
of a back edge, the graph is *reducible*, and it is one of loops and branches (Hecht and Ullman, 1974).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Region, SSAValue

from volcli.language import questions
from volcli.language.loops import Branch
from volcli.language.programs.blocks import blocks_around, dominators, home, natural_loops, successors


class NotStructured(Exception):
    """A region whose blocks are not a nest of loops and branches, as far as is seen."""


@dataclass(frozen=True)
class NaturalLoop:
    """A loop of blocks: its header, and all of them."""

    header: Block
    blocks: frozenset[Block]

    def exits(self) -> list[tuple[Block, Block]]:
        """The edges that leave it: from a block of it, to one that is not."""
        return [
            (block, successor)
            for block in _in_order(self.blocks, self.header)
            for successor in successors(block)
            if successor not in self.blocks
        ]

    def known_at(self, end: Block, values: Iterable[SSAValue]) -> frozenset[SSAValue]:
        """Those of VALUES that are computed on every way on which the loop is left for END."""
        region = self.header.parent
        assert region is not None
        above = dominators(region.blocks)
        left_at = [above[block] for block, successor in self.exits() if successor is end]
        certain = left_at[0].intersection(*left_at[1:])
        return frozenset(value for value in values if home(value) in certain)

    def latches(self) -> list[Block]:
        """The blocks that branch back to the header."""
        return [b for b in _in_order(self.blocks, self.header) if self.header in successors(b)]


def _in_order(blocks: Iterable[Block], header: Block) -> list[Block]:
    """BLOCKS in the order of the text."""
    members, region = frozenset(blocks), header.parent
    return [] if region is None else [block for block in region.blocks if block in members]


def ways(block: Block) -> list[tuple[Branch, Block]]:
    """The branches that end BLOCK, and where they go. Raises NotStructured if it is not known when."""
    last = block.last_op
    found = None if last is None else questions.branches(last)
    if found is None:
        raise NotStructured
    return list(zip(found, successors(block), strict=True))


def loops(region: Region) -> Mapping[Block, NaturalLoop]:
    """The natural loops of REGION by their headers."""
    return {header: NaturalLoop(header, found) for header, found in natural_loops(region.blocks).items()}


def cycles(blocks: Sequence[Block]) -> list[list[Block]]:
    """The largest sets of BLOCKS in which a way leads from each to each; of one, if it branches to itself."""
    members = frozenset(blocks)
    after = {block: [each for each in successors(block) if each in members] for block in blocks}
    before: dict[Block, list[Block]] = {block: [] for block in blocks}
    for block, to in after.items():
        for each in to:
            before[each].append(block)
    found: list[list[Block]] = []
    seen: set[Block] = set()
    for block in blocks:
        if block not in seen:
            both = _reached(block, after) & _reached(block, before)
            seen |= both
            if both:
                found.append([each for each in blocks if each in both])
    return found


def _reached(block: Block, following: Mapping[Block, Iterable[Block]]) -> set[Block]:
    """The blocks that come after BLOCK by what is FOLLOWING; BLOCK itself, if it comes after itself."""
    found: set[Block] = set()
    pending = [block]
    while pending:
        new = set(following[pending.pop()]) - found
        found |= new
        pending += new
    return found


def meeting(block: Block, following: Callable[[Block], Iterable[Block]]) -> Block | None:
    """The first block that every way from BLOCK goes through; None if there is none.

    FOLLOWING are the successors of a block among those that count; of one without any, the way ends.
    Raises NotStructured if there is a cycle.
    """
    order = _topological(block, following)
    behind: dict[Block, frozenset[Block]] = {}
    for each in reversed(order):
        ways = [behind[successor] for successor in following(each)]
        common = ways[0].intersection(*ways[1:]) if ways else frozenset[Block]()
        behind[each] = common | {each}
    return max(behind[block] - {block}, key=lambda each: len(behind[each]), default=None)


def shared(block: Block, following: Callable[[Block], Iterable[Block]]) -> list[Block]:
    """The blocks after BLOCK in which ways from different ones of its successors come together, in order.

    Each of these is the beginning of what several ways have in common: behind it, ways are alike until
    others join. FOLLOWING are the successors of a block among those that count.
    """
    order = _topological(block, following)
    met: dict[Block, set[Block]] = {each: set() for each in order}
    found: list[Block] = []
    for each in order:
        if len(met[each]) > 1:
            found.append(each)
            met[each] = {each}
        for successor in following(each):
            met[successor] |= {successor} if each is block else met[each]
    return found


def _topological(block: Block, following: Callable[[Block], Iterable[Block]]) -> list[Block]:
    """The blocks that can be reached from BLOCK, each before those that FOLLOWING says come after it."""
    finished: dict[Block, None] = {}
    open_blocks: set[Block] = set()
    stack = [(block, iter(following(block)))]
    open_blocks.add(block)
    while stack:
        current, rest = stack[-1]
        successor = next(rest, None)
        if successor is None:
            stack.pop()
            open_blocks.discard(current)
            finished[current] = None
        elif successor in open_blocks:
            raise NotStructured
        elif successor not in finished:
            open_blocks.add(successor)
            stack.append((successor, iter(following(successor))))
    return list(reversed(finished))


def used_behind(loop: NaturalLoop) -> list[SSAValue]:
    """The values that LOOP computes and that operations after it use by name, in the order of the text."""
    made = [
        value
        for block in _in_order(loop.blocks, loop.header)
        for value in (*block.args, *(result for op in block.ops for result in op.results))
    ]
    return [value for value in made if any(not _is_in(use.operation.parent, loop) for use in value.uses)]


def passed_from_before(loop: NaturalLoop, end: Block) -> list[SSAValue | None]:
    """What LOOP passes to each argument of END whenever it is left for it, if that is from before it."""
    leaving = dict.fromkeys(block for block, successor in loop.exits() if successor is end)
    passed = [branch.passed for block in leaving for branch, to in ways(block) if to is end]
    columns = [[*dict.fromkeys(each)] for each in zip(*passed, strict=True)]
    return [
        column[0] if len(column) == 1 and home(column[0]) not in loop.blocks else None for column in columns
    ]


def _is_in(block: Block | None, loop: NaturalLoop) -> bool:
    """Whether BLOCK is one of LOOP, or in a region of an operation of one."""
    return any(each in loop.blocks for each in blocks_around(block))
