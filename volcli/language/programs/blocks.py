"""Blocks: which one a value is of, what they are in, where they branch to, what every way goes through."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue


def home(value: SSAValue) -> Block | None:
    """The block that VALUE is an argument of, or that its operation stands in."""
    owner = value.owner
    return owner.parent if isinstance(owner, Operation) else owner


def blocks_around(block: Block | None) -> Iterator[Block]:
    """BLOCK, and the blocks that it is in, from the inside out."""
    while block is not None:
        yield block
        block = block.parent_block()


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether VALUE is defined in a region of OP."""
    block = home(value)
    return block is not None and op.is_ancestor(block)


def successors(block: Block) -> Sequence[Block]:
    """Where BLOCK may branch to."""
    return () if block.last_op is None else tuple(block.last_op.successors)


def has_branches(op: Operation) -> bool:
    """Whether a region of OP has several blocks."""
    return any(len(region.blocks) > 1 for region in op.regions)


def dominators(blocks: Sequence[Block]) -> Mapping[Block, frozenset[Block]]:
    """Of each of BLOCKS that can be reached from the first, the blocks that every way to it goes through."""
    found = {blocks[0]: frozenset({blocks[0]})}
    pending = [blocks[0]]
    while pending:
        block = pending.pop()
        for following in successors(block):
            ways = found[block] | {following}
            before = found.get(following)
            now = ways if before is None else before & ways
            if now != before:
                found[following] = now
                pending.append(following)
    return found


def natural_loops(blocks: Sequence[Block]) -> Mapping[Block, frozenset[Block]]:
    """The headers of the loops of BLOCKS, the first of which is entered, each with the blocks of its loop.

    An edge u -> h is a back edge if h dominates u; the loop of h are the blocks from which one is reached
    without h.
    """
    above = dominators(blocks)
    incoming: dict[Block, list[Block]] = defaultdict(list)
    for block in above:
        for successor in successors(block):
            incoming[successor].append(block)
    found: dict[Block, set[Block]] = {}
    for block in above:
        for header in successors(block):
            if header in above[block]:
                members = found.setdefault(header, {header})
                pending = [block]
                while pending:
                    member = pending.pop()
                    if member not in members:
                        members.add(member)
                        pending += incoming[member]
    return {header: frozenset(members) for header, members in found.items()}
