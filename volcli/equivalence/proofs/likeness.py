"""What a number is roughly made of: which operations, a few steps back, whatever the points.

    %s = arith.addf %p, %acc,  %p = arith.mulf %x, %w        addf(mulf(x, w), {addf, 0})

Two operands of a commutative operation are told apart by it. It decides what is tried, and shows nothing.
"""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.ir import OpResult

from volcli.equivalence.paths.ends import Ends, Left
from volcli.equivalence.paths.leaves import Leaf
from volcli.equivalence.proofs.steps import Steps
from volcli.equivalence.results.operations import is_elementwise, made_last
from volcli.language import questions
from volcli.limits import equivalence as limits


class Likeness:
    """The likeness of numbers in the function of STEPS."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._known: dict[tuple[OpResult, int], Hashable] = {}

    def of(self, ends: Ends, steps: int = limits.LIKENESS_STEPS) -> frozenset[Hashable]:
        """What a number may be that is made from ENDS."""
        return frozenset(self.leaf(key, steps) for key in ends if isinstance(key, Leaf))

    def leaf(self, leaf: Leaf, steps: int = limits.LIKENESS_STEPS) -> Hashable:
        """What a number may be that LEAF is."""
        match leaf.what:
            case OpResult() as result:
                if (result, steps) not in self._known:
                    self._known[result, steps] = self._made(made_last(result), steps)
                return self._known[result, steps]
            case Left(op):
                return leaf.kind, op.name
            case _:
                return leaf

    def _made(self, result: OpResult, steps: int) -> Hashable:
        """The operation that makes RESULT, and what its operands are like."""
        op = result.op
        if not steps or not is_elementwise(result):
            return op.name
        operands = [self.of(self._steps.operand(result, k), steps - 1) for k in range(len(op.operands))]
        is_commutative = questions.combines(op) is not None
        return op.name, frozenset(operands) if is_commutative else tuple(operands)
