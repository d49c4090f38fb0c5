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
from functools import cached_property

from xdsl.ir import Block, Operation

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.loops import While
from volcli.model.entry import entry_of
from volcli.model.stated_effects import has_unknown_effects
from volcli.model.values.numbering import Numbering


class Segments:
    """The segments of FUNCTION, whose operations are NUMBERED."""

    def __init__(self, function: Operation, numbering: Numbering) -> None:
        self._function = function
        self._numbering = numbering

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
        return bisect_right(self.ends, self._numbering.place(op)) if op.parent is self.entry else self.last

    @cached_property
    def ends(self) -> list[int]:
        """When the events are over, in order."""
        return [self._numbering.place(op) for op in self.entry.ops if any(map(_may_end, op.walk()))]


def is_event(op: Operation) -> bool:
    """Whether OP asserts something, or goes on until something holds."""
    return questions.assumptions.answers(type(op)) or is_while(op)


def is_while(op: Operation) -> bool:
    """Whether OP is a loop that goes on until something holds."""
    if not questions.loop.answers(type(op)):
        return False
    try:
        return isinstance(questions.loop(op), While)
    except NotAffine:
        return False


def _may_end(op: Operation) -> bool:
    """Whether the execution may end at OP, apart from what is in its regions."""
    return is_event(op) or has_unknown_effects(op)
