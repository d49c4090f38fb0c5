"""What one operation of a function is computed from, at all points at which it runs: one step back.

From `%s = arith.addf %x, %y` at (i, j) a step leads to the operations that have made %x and %y, at the points
where they did, or to elements of inputs: through all copies, loops and buffers in between.
"""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl
from xdsl.ir import Block, Operation, OpResult, SSAValue

from volcli.equivalence.backward.function import FunctionSources
from volcli.equivalence.paths.ends import Ends, Key, Left
from volcli.equivalence.paths.paths import Paths
from volcli.language import questions
from volcli.language.expressions import Expression, loops
from volcli.language.loops import While
from volcli.language.memory import MemoryAccess
from volcli.language.reads import rank_of
from volcli.model.memory.buffers.roots import Root
from volcli.presburger.limits.budget import budget
from volcli.presburger.sets import build


class Steps:
    """The steps of FUNCTION, whose paths are followed to operations. Each may raise NotAffine.

    Each is a query of its own, of at most OPERATIONS of isl.
    """

    def __init__(self, function: FunctionSources, operations: int) -> None:
        self._function = function
        self._operations = operations
        self._backward = function.backward
        self._places = function.backward.places
        self._known: dict[object, Ends] = {}

    def operand(self, result: OpResult, position: int) -> Ends:
        """Where the operand at POSITION of an operation comes from that computes each element of RESULT."""
        op, depth, rank = result.op, self._places.numbers.around(result.op), rank_of(result)
        operand = op.operands[position]
        index = loops(rank) if rank_of(operand) else ()
        step = self._places.element(operand, index, depth, rank)
        start: Ends = {operand: Paths.of(step).uncounted}
        return self._once((result, position), lambda: self._backward.before(op, start))

    def used(self, op: Operation, value: SSAValue) -> Ends:
        """Where all elements of VALUE, which OP uses, come from: from the points of OP, and elements."""
        depth, rank = self._places.numbers.around(op), rank_of(value)
        start: Ends = {value: Paths.of(self._places.to_value(value, depth, rank)).uncounted}
        return self._once((op, value), lambda: self._backward.before(op, start))

    def body(self, result: OpResult) -> Ends:
        """Where the elements of RESULT come from, by the scalar body of its operation."""
        return self._once(result, lambda: self._backward.expanded(result))

    def memory(self, op: Operation, root: Root) -> Ends:
        """Where what the buffer ROOT holds before OP comes from."""
        start = self._every(root, self._places.numbers.around(op))
        return self._once((op, root), lambda: self._backward.before(op, {root: start}))

    def accessed(self, op: Operation) -> tuple[Root, MemoryAccess] | None:
        """The buffer that OP, which has one access, goes to, if it does not go there through a view."""
        (access,) = questions.accesses(op) or (None,)
        root = None if access is None else self._places.buffers.root(access.memref)
        if access is None or root is None or not self._places.is_known(root):
            return None
        return (root, access) if access.memref in (root.value, root.made) or root.symbol else None

    def branch(self, left: Left, number: int) -> Ends:
        """Where what the region NUMBER of an operation leaves comes from, from its points and elements.

        Memory is left as it was by a region that is not there.
        """
        guards, depth = questions.guards(left.op) or (), self._places.numbers.around(left.op)
        if number >= len(guards):
            return self.memory(left.op, left.key) if isinstance(left.key, Root) else {}
        block = guards[number].region.block
        if isinstance(left.key, OpResult):
            value = (questions.choices(left.op) or ())[left.key.index][number].value
            return self._at_end(block, value, depth)
        return self._at_end(block, left.key, depth)

    def iteration(self, left: Left, stated: While) -> Ends:
        """Where what the first region of a loop leaves comes from, from the points in it and elements."""
        key, depth = left.key, self._places.numbers.around(left.op) + 1
        if isinstance(key, OpResult):
            key = stated.forwarded[key.index]
        return self._at_end(left.op.regions[0].block, key, depth)

    def condition(self, op: Operation, stated: While) -> Ends:
        """Where the condition of a loop comes from, from the points of its first region."""
        return self._at_end(op.regions[0].block, stated.condition, self._places.numbers.around(op) + 1)

    def depth(self, left: Left) -> int:
        """How many loops are around an operation."""
        return self._places.numbers.around(left.op)

    def depth_of(self, result: OpResult) -> int:
        """How many loops are around the operation of RESULT."""
        return self._places.numbers.around(result.op)

    def points(self, key: OpResult | Left) -> isl.Set:
        """The points at which KEY is made or left, and its elements."""
        made = key if isinstance(key, OpResult) else key.key
        value = made.value if isinstance(made, Root) else made
        assert isinstance(value, SSAValue)
        block = key.op.parent
        assert block is not None
        return self._backward.points(block).flat_product(build.box(self.sizes(value)))

    def sizes(self, value: SSAValue) -> tuple[Expression, ...]:
        """The sizes of VALUE."""
        return self._function.sizes(value)

    # -- starts ----------------------------------------------------------------------------------------

    def _at_end(self, block: Block, key: Key, depth: int) -> Ends:
        start = self._every(key, depth)
        return self._once((block, key), lambda: self._backward.behind(block, {key: start}))

    def _every(self, key: Key, depth: int) -> Paths:
        """Paths to all elements of KEY, from the points of DEPTH coordinates."""
        rank = self._places.rank(key)
        if isinstance(key, SSAValue):
            return Paths.of(self._places.to_value(key, depth, rank)).uncounted
        return Paths.of(build.relation(depth + rank, loops(depth + rank))).uncounted

    def _once(self, what: object, found: Callable[[], Ends]) -> Ends:
        if what not in self._known:
            with budget(self._operations):
                self._known[what] = self._function.leaves(found())
        return self._known[what]
