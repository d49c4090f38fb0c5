"""The order of a function's values and operations, and its parts between operations that may end it.

Each value and each operation is numbered where it is complete.

*Segments*: between two operations that may end the execution, what one operation demands holds for all.

An *event* is an operation of the first block that may be the last one that runs: an assertion, a loop that
may not end, what has unknown effects, as a call, or what has one of these inside. Whoever gets to a place of
segment s, after the first s events, comes by every operation of the first block before the next event. So

    %n = tensor.dim %t, %c0          segment 0: %n = 4
    linalg.copy ins(%a : tensor<4xf32>) outs(%t : tensor<?xf32>)
    cf.assert %k                     the event
    linalg.copy ins(%b : tensor<5xf32>) outs(%u : tensor<?xf32>)       dim(%u, 0) = 5 in segment 1, not before

All other blocks of the function are in the last segment: they run after the first block.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from volcli.model.symbols import entry_of


class Numbering:
    """When each value and operation of FUNCTION is complete: the result of a loop after its body."""

    def __init__(self, function: Operation) -> None:
        self._values: dict[SSAValue, int] = {}
        self._places: dict[Operation, int] = {}
        self._next = 0
        for region in function.regions:
            for block in region.blocks:
                self._block(block)

    def __len__(self) -> int:
        return self._next

    def place(self, op: Operation) -> int:
        """When OP has run, in the order of the text; a loop runs before what is in it, and ends after it."""
        return self._places.get(op, -1)

    def position(self, value: SSAValue) -> int:
        """When VALUE is complete."""
        return self._values.get(value, -1)

    def _block(self, block: Block) -> None:
        for argument in block.args:
            self._values[argument] = self._fresh()
        for op in block.ops:
            for region in op.regions:
                for inner in region.blocks:
                    self._block(inner)
            self._places[op] = self._fresh()
            for result in op.results:
                self._values[result] = self._fresh()

    def _fresh(self) -> int:
        self._next += 1
        return self._next - 1


class Segments:
    """The segments of FUNCTION, with its NUMBERING, whose events are over when they END, in order."""

    def __init__(self, function: Operation, numbering: Numbering, ends: Sequence[int]) -> None:
        self._function = function
        self._numbering = numbering
        self.ends = ends

    @property
    def entry(self) -> Block:
        """The first block."""
        return entry_of(self._function)

    @property
    def last(self) -> int:
        """The segment after all events."""
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
        return bisect_right(self.ends, self._numbering.place(op)) if op.parent is self.entry else self.last
