"""Blocks of one region: where they branch to, and through which of them every way goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Block


def successors(block: Block) -> Sequence[Block]:
    """Where BLOCK may branch to."""
    return () if block.last_op is None else tuple(block.last_op.successors)


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
