"""The loops around each operation, and what holds whenever it runs: iteration domains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from xdsl.ir import Block, Operation, Region, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.loops import Induction, While
from volcli.language.programs.known_loops import is_while, iteration_of
from volcli.language.unchanged import cached_method


@dataclass(frozen=True, eq=False)
class Level:
    """One loop around an access, or one induction variable of a loop that has several.

    Without an `induction`, it goes on as long as something holds, and `number` grows from iteration to
    iteration. Without that, nothing is known of how often the region runs, and `because` says why; its
    iterations are numbered 0, 1, 2, ... all the same.
    """

    op: Operation
    induction: Induction | None = None
    because: str | None = None
    number: SSAValue | None = None

    @property
    def variable(self) -> SSAValue | None:
        return self.number if self.induction is None else self.induction.variable

    @property
    def sequential(self) -> bool:
        """Whether the iterations run one after the other."""
        return self.induction is None or self.induction.sequential


class LoopLevels:
    """The levels around each block of one function, outermost first; each found once."""

    def __init__(self, function: Operation) -> None:
        self.function = function
        self._levels: dict[Block, tuple[Level, ...]] = {}
        self._flow: dict[Region, Level] = {}

    def levels(self, block: Block | None) -> tuple[Level, ...]:
        """The loops around the operations of BLOCK, within the function."""
        if block is None:
            return ()
        known = self._levels.get(block)
        if known is None and not self.function.is_ancestor(block):
            return ()
        if known is None:
            region = block.parent
            op = block.parent_op()
            known = ()
            if region is not None and op is not None:
                outer = () if op is self.function else self.levels(op.parent)
                known = (*outer, *self._of_region(op, region))
            self._levels[block] = known
        return known

    @cached_method
    def of_operation(self, op: Operation) -> tuple[Level, ...]:
        """The loops that OP itself is: one for each induction variable; none if it is not a loop."""
        if op is self.function or not op.regions:
            return ()
        name = operation_name(op)
        try:
            loop = questions.loop(op)
            if isinstance(loop, While):
                number = iteration_of(loop)
                because = None if number is not None else f"how often {name} runs its regions is unknown"
                return (Level(op, because=because, number=number),)
            if loop is not None:
                return tuple(Level(op, induction) for induction in loop.inductions)
        except NotAffine as error:
            return (Level(op, because=f"{name}: {error}"),)
        if questions.loop.answers(type(op)):
            return (Level(op, because=f"the iterations of {name} are not understood"),)
        runs_once = questions.guards.answers(type(op)) or questions.choices.answers(type(op))
        return () if runs_once else (Level(op, because=f"how often {name} runs its regions is unknown"),)

    def common(self, left: Block | None, right: Block | None) -> int:
        """How many loops are around both blocks."""
        count = 0
        for a, b in zip(self.levels(left), self.levels(right), strict=False):
            if a is not b:
                break
            count += 1
        return count

    @staticmethod
    def branches(block: Block) -> bool:
        """Whether BLOCK has neighbours: the innermost loop around it is that they branch to each other."""
        return block.parent is not None and len(block.parent.blocks) > 1

    def _of_region(self, op: Operation, region: Region) -> tuple[Level, ...]:
        """The levels that OP puts around REGION, the same objects for all its blocks."""
        return (*self.of_operation(op), *self._of_flow(op, region))

    def _of_flow(self, op: Operation, region: Region) -> tuple[Level, ...]:
        """Branches between blocks may form a loop."""
        if len(region.blocks) < 2:
            return ()
        if region not in self._flow:
            self._flow[region] = Level(op, because=f"the blocks of {operation_name(op)} branch to each other")
        return (self._flow[region],)


class ExecutionOrder(Enum):
    """When one operation runs relative to another one, within one iteration of all loops around both."""

    BEFORE = "before"
    AFTER = "after"
    NEVER_BOTH = "never both"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class _Inner:
    """Two operations of one block, around operations of two others; None: each of these stands in it."""

    first: Operation | None
    second: Operation | None


class Orders:
    """The order of operations, from where they stand: `place` numbers them as they follow in the text.

    They stand in different operations of one block, of which the first one runs first; or in different
    regions of one operation, of which only one runs if it is a branch.
    """

    def __init__(self, place: Callable[[Operation], int]) -> None:
        self._place = place
        self._paths: dict[Block, tuple[tuple[Block, Operation], ...]] = {}
        self._inner: dict[tuple[int, int], _Inner | ExecutionOrder | None] = {}

    def of(self, source: Operation, sink: Operation) -> ExecutionOrder:
        """When SOURCE runs relative to SINK; an operation has no order relative to itself."""
        if source.parent is sink.parent:
            return self._in_sequence(source, sink)
        key = id(source.parent), id(sink.parent)  # of blocks that the function has
        if key not in self._inner:
            self._inner[key] = self._innermost(source, sink)
        inner = self._inner[key]
        if isinstance(inner, ExecutionOrder):
            return inner
        if inner is None:
            return self._in_branches(source, sink)
        first, second = inner.first, inner.second
        return self._in_sequence(source if first is None else first, sink if second is None else second)

    def _in_sequence(self, source: Operation, sink: Operation) -> ExecutionOrder:
        if source is sink:
            return ExecutionOrder.UNKNOWN
        return ExecutionOrder.BEFORE if self._place(source) < self._place(sink) else ExecutionOrder.AFTER

    def _innermost(self, source: Operation, sink: Operation) -> _Inner | ExecutionOrder | None:
        """What stands for operations of the blocks of SOURCE and SINK in the innermost block around both.

        Its order, if that is other ones for both.
        """
        for (block, first), (other, second) in zip(self._path(source), self._path(sink), strict=False):
            if block is not other:
                return None
            is_first, is_second = first is source, second is sink
            if first is not second and not is_first and not is_second:
                return self._in_sequence(first, second)
            if is_first or is_second:
                return _Inner(None if is_first else first, None if is_second else second)
        return None

    def _in_branches(self, source: Operation, sink: Operation) -> ExecutionOrder:
        """Where no block holds both: by the innermost operation around them."""
        inner = source
        for (block, first), (other, _) in zip(self._path(source), self._path(sink), strict=False):
            if block is not other:
                break
            inner = first
        return self._in_regions(inner, source, sink)

    def _path(self, op: Operation) -> tuple[tuple[Block, Operation], ...]:
        """The blocks around OP, the outermost first, each with the operation in it that holds OP."""
        block = op.parent
        if block is None:
            return ()
        around = self._paths.get(block)
        if around is None:
            parent = block.parent_op()
            around = self._paths[block] = () if parent is None else self._path(parent)
        return (*around, (block, op))

    @staticmethod
    def _in_regions(op: Operation, source: Operation, sink: Operation) -> ExecutionOrder:
        """In different regions, or different blocks, of OP."""
        regions = [_region_around(op, each) for each in (source, sink)]
        if regions[0] is regions[1] or None in regions:
            return ExecutionOrder.UNKNOWN
        if is_while(op):  # which has a guard, too: its condition is one of its second region
            return ExecutionOrder.BEFORE if regions[0] is op.regions[0] else ExecutionOrder.AFTER
        if questions.guards.answers(type(op)):
            return ExecutionOrder.NEVER_BOTH
        return ExecutionOrder.UNKNOWN


def _ancestors(op: Operation) -> Iterator[tuple[Operation, Block]]:
    """OP and the operations around it, each with its block, from the inside."""
    current: Operation | None = op
    while current is not None and current.parent is not None:
        yield current, current.parent
        current = current.parent_op()


def _region_around(op: Operation, inner: Operation) -> Region | None:
    """The region of OP that INNER is in."""
    for _, block in _ancestors(inner):
        if block.parent_op() is op:
            return block.parent
    return None
