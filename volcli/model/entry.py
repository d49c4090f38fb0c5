"""Where the execution of an operation's body begins."""

from __future__ import annotations

from xdsl.ir import Block, Operation


def entry_of(op: Operation) -> Block:
    """The first block of OP; a malformed operation may have empty regions before it.

    Raises ValueError if all of its regions are empty: then it is no function (see `functions`).
    """
    for region in op.regions:
        if (block := region.first_block) is not None:
            return block
    raise ValueError(f"{op.name} has no block")
