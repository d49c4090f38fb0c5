"""Segments: between two operations that may end the execution, what one operation demands holds for all.

An *event* is an operation of the first block that may be the last one that runs: an assertion, a loop that
may not end, what has unknown effects, as a call, or what has one of these inside. Whoever gets to a place of
segment s, behind the first s events, comes by every operation of the first block before the next event. So

    %n = tensor.dim %t, %c0          segment 0: %n = 4
    linalg.copy ins(%a : tensor<4xf32>) outs(%t : tensor<?xf32>)
    cf.assert %k                     the event
    linalg.copy ins(%b : tensor<5xf32>) outs(%u : tensor<?xf32>)       dim(%u, 0) = 5 in segment 1, not before

All other blocks of the function are in the last segment: they run behind the first block.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from xdsl.ir import Block, Operation

from volcli.model.entry import entry_of
from volcli.model.values.outline.outline import Outline


class Segments:
    """The segments of the function of an OUTLINE."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._function = outline.function

    @property
    def entry(self) -> Block:
        """The first block."""
        return entry_of(self._function)

    @property
    def last(self) -> int:
        """The segment behind all events."""
        return len(self.ends)

    def of(self, block: Block | None, time: int) -> int:
        """The segment of a place at TIME in BLOCK; the first one if it is not inside of the function."""
        if block is None:
            return 0
        while (parent := block.parent_op()) is not None and parent is not self._function:
            if parent.parent is None:
                return 0
            block = parent.parent
        return bisect_left(self.ends, time) if block is self.entry else self.last

    def behind(self, op: Operation) -> int:
        """The first segment in which it is certain that OP, of the first block, runs or has run."""
        return (
            bisect_right(self.ends, self._outline.numbering.place(op))
            if op.parent is self.entry
            else self.last
        )

    @property
    def ends(self) -> list[int]:
        """When the events are over, in order."""
        return self._outline.ends
