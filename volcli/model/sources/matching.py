"""Operations of one function that another one executes too, on the same operands.

What may be undefined for some data is so in both, if the first function executes the same operation on the same
operands whenever the second one does:

    before: affine.for %i = 0 to 8 { arith.divsi %x[%i], %y[%i] }   and the same loop after:    in each iteration
    after: the quotient in front of a loop                          not, as the loop may have no iteration

Operands are equal as `lockstep` shows it, at the same points of the loops around both operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.loops import While
from volcli.language.memory import is_memref
from volcli.model.sources.function import FunctionSources
from volcli.model.sources.goals import NotShown
from volcli.model.sources.likeness import Likeness
from volcli.model.sources.operations import same_statement
from volcli.model.sources.proof import Proof, ProofLimits
from volcli.model.sources.requirements import is_decided
from volcli.model.sources.steps import Steps
from volcli.presburger.budget import BudgetExceeded, budget

_MOST = 16
"""So many operations are tried for one."""


@dataclass(frozen=True, eq=False)
class _Side:
    function: FunctionSources
    steps: Steps


class Matching:
    """The operations of the function NEW that OLD executes too, for the arguments of CONTEXT."""

    def __init__(
        self, old: Operation, new: Operation, context: isl.Set, operations: int
    ) -> None:
        self._sides = tuple(_side(function, operations) for function in (old, new))
        self._context = context
        self._operations = operations
        self._limits = ProofLimits(whole=False, exact=1, operations=operations)

    def is_executed(self, op: Operation) -> bool:
        """Whether OLD executes an operation like OP, of NEW, on the same operands whenever NEW does."""
        return any(self._is_same(one, op) for one in self._like(op))

    def _like(self, op: Operation) -> Iterator[Operation]:
        found = (one for one in self._sides[0].function.function.walk() if same_statement(one, op))
        yield from (one for one, _ in zip(found, range(_MOST), strict=False))

    def _is_same(self, one: Operation, op: Operation) -> bool:
        try:
            with budget(self._operations):
                points = self._points(one, op)
                return points is not None and self._are_equal(one, op, points)
        except (NotAffine, NotShown, BudgetExceeded):
            return False

    def _points(self, one: Operation, op: Operation) -> isl.Map | None:
        """`{ [p] -> [p] }` for all points at which OP runs, if ONE runs there."""
        old, new = self._sides
        assert one.parent is not None
        assert op.parent is not None
        places = old.function.backward, new.function.backward
        mine, theirs = places[0].points(one.parent), places[1].points(op.parent)
        theirs = theirs.intersect_params(self._context)
        if mine.dim(isl.dim_type.set) != theirs.dim(isl.dim_type.set) or not theirs.is_subset(mine):
            return None
        if is_decided(one.parent, places[0]):
            return theirs.identity()
        around = [_deciding(each) for each in (one, op)]
        if len(around[0]) != len(around[1]):
            return None
        for (control, region), (other, its_region) in zip(*around, strict=True):
            is_while = isinstance(questions.loop(control), While)
            if is_while or region != its_region or not same_statement(control, other):
                return None
            inside = self._points(control, other)
            if inside is None or not self._are_equal(control, other, inside):
                return None
        return theirs.identity()

    def _are_equal(self, one: Operation, op: Operation, points: isl.Map) -> bool:
        """Whether the operands of ONE and OP are equal at POINTS; of buffers, the sizes. Raises NotShown."""
        steps = self._sides[0].steps, self._sides[1].steps
        pairs = list(zip(one.operands, op.operands, strict=True))
        if any(not self._same_sizes(*pair) for pair in pairs if is_memref(pair[0])):
            return False
        proof = Proof(steps, (Likeness(steps[0]), Likeness(steps[1])), self._context, {}, self._limits)
        proof.show_used(one, op, points, _numbers(pairs))
        return not proof.uses_undefined

    def _same_sizes(self, one: SSAValue, other: SSAValue) -> bool:
        return self._sides[0].steps.sizes(one) == self._sides[1].steps.sizes(other)


def _side(function: Operation, operations: int) -> _Side:
    found = FunctionSources(function, operations, to_operations=True)
    return _Side(found, Steps(found, operations))


def _numbers(pairs: Sequence[tuple[SSAValue, SSAValue]]) -> list[tuple[SSAValue, SSAValue]]:
    return [pair for pair in pairs if not is_memref(pair[0])]


def _deciding(op: Operation) -> list[tuple[Operation, int]]:
    """The branches around OP and loops with conditions, with the number of the region that OP is in."""
    found: list[tuple[Operation, int]] = []
    block = op.parent
    while block is not None and (around := block.parent_op()) is not None and around.parent is not None:
        if isinstance(questions.loop(around), While) or questions.guards.answers(type(around)):
            found.append((around, next(k for k, r in enumerate(around.regions) if r is block.parent)))
        block = around.parent
    return found
