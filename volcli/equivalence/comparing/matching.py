"""Operations of one function that another one executes too, on the same operands.

What may be undefined for some data is so in both, if the first function executes the same operation on the
same operands whenever the second one does:

    before: affine.for %i = 0 to %n { arith.divsi %x[%i], %y[%i] }
    after:  the same loop                                       in each iteration
    after:  the first quotient in front of the loop             not, as the loop may have no iteration

Operands are equal as `lockstep` shows it, at the same points of the loops around both operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import islpy as isl
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.equivalence.backward.function import FunctionSources
from volcli.equivalence.backward.requirements import is_decided
from volcli.equivalence.comparing.comparing import OutputPairs
from volcli.equivalence.proofs.goals import NotShown, each_iteration, made_by
from volcli.equivalence.proofs.likeness import Likeness
from volcli.equivalence.proofs.proof import Proof, ProofLimits
from volcli.equivalence.proofs.steps import Steps
from volcli.equivalence.results.operations import same_statement
from volcli.equivalence.results.same import needed_alignment
from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.loops import While
from volcli.language.memory import is_memref
from volcli.language.programs.known_loops import is_while
from volcli.limits import equivalence as limits
from volcli.model.stated_effects import effects_of, has_unknown_effects
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.build import DIM

_Related = tuple[Operation, Operation, isl.Map]
"""Two operations, and points at which they make equal elements."""

_Control = tuple[Operation, int]
"""A branch or a loop with a condition, and the number of its region that an operation is in."""


class MatchedOperations:
    """The operations of the function NEW that OLD executes too, for the arguments of CONTEXT."""

    def __init__(self, old: Operation, new: Operation, context: isl.Set, operations: int) -> None:
        self._old, self._new = (FunctionSources(each, operations, to_operations=True) for each in (old, new))
        self._steps = Steps(self._old, operations), Steps(self._new, operations)
        self._context = context
        self._operations = operations
        self._limits = ProofLimits(whole=False, exact=1, operations=operations)

    def is_executed(self, op: Operation) -> bool:
        """Whether OLD executes an operation like OP, of NEW, on the same operands whenever NEW does."""
        return any(self._is_same(one, op) for one in self._like(op))

    def ends_as_before(self, op: Operation) -> bool:
        """Whether OP, a loop of NEW with a condition, ends where OLD does.

        It does if a loop of OLD, which runs whenever OP does, has an equal condition in each iteration.
        """
        loops = (one for one in self._old.function.walk() if is_while(one))
        return any(
            self._is_shown(one, op, points, self._is_decided_alike)
            for one, _ in zip(loops, range(limits.TRIED_OPERATIONS), strict=False)
            for points in self._relations(one, op)
        )

    def frees_as_before(self, position: int) -> bool:
        """Whether OLD frees the argument at POSITION whenever NEW does."""
        for op in self._new.function.walk():
            freed = _freed(self._new, op)
            if freed is None:
                return False
            likely = (one for one in self._like(op) if position in (_freed(self._old, one) or ()))
            if position in freed and not any(self._is_same(one, op) for one in likely):
                return False
        return True

    def _like(self, op: Operation) -> Iterator[Operation]:
        made = _made_by(op)
        candidates = (one for one in self._old.function.walk() if same_statement(one, op))
        found = (one for one in candidates if _made_by(one) == made)
        yield from (one for one, _ in zip(found, range(limits.TRIED_OPERATIONS), strict=False))

    def _is_same(self, one: Operation, op: Operation) -> bool:
        relations = self._relations(one, op)
        return any(self._is_shown(one, op, points, self._are_equal) for points in relations)

    def _is_shown(
        self,
        one: Operation,
        op: Operation,
        points: isl.Map,
        alike: Callable[[Operation, Operation, isl.Map], bool],
    ) -> bool:
        """Whether ONE runs at a point of POINTS if OP does, and the two are ALIKE there."""
        try:
            with budget(self._operations):
                return self._runs(one, op, points) and alike(one, op, points)
        except (NotAffine, NotShown, BudgetExceeded):
            return False

    def _relations(self, one: Operation, op: Operation) -> Iterator[isl.Map]:
        """Points of OP, each with points of ONE that may do the same: the same ones, or those of goals."""
        assert one.parent is not None
        assert op.parent is not None
        try:
            with budget(self._operations):
                mine = self._old.backward.points(one.parent)
                theirs = self._new.backward.points(op.parent).intersect_params(self._context)
                if mine.dim(DIM.set) == theirs.dim(DIM.set) and theirs.is_subset(mine):
                    yield theirs.identity()
                related = self._related.get((one.parent, op.parent), [])
                for _, _, points in sorted(related, key=lambda each: each[:2] != (one, op))[
                    : limits.TRIED_OPERATIONS
                ]:
                    points = points.intersect_domain(mine).intersect_range(theirs)
                    if theirs.is_subset(points.range()):
                        yield points
        except (NotAffine, BudgetExceeded):
            return

    @cached_property
    def _related(self) -> dict[tuple[Block, Block], list[_Related]]:
        """The points of two blocks at which their operations make equal elements, by what outputs need."""
        try:
            with budget(self._operations):
                goals = OutputPairs(self._old, self._new, self._operations).goals()
        except (NotAffine, BudgetExceeded):
            return {}
        found: dict[tuple[Block, Block], list[_Related]] = {}
        for pair, goal in goals.items():
            one, other = map(made_by, pair)
            if one is None or other is None or one.op.parent is None or other.op.parent is None:
                continue
            key = one.op.parent, other.op.parent
            found.setdefault(key, []).append((one.op, other.op, self._outside(goal, one.op, other.op)))
        return found

    def _runs(self, one: Operation, op: Operation, points: isl.Map) -> bool:
        """Whether ONE runs at a point of POINTS if OP does, as the same data decides.

        Each branch and loop around ONE has one around OP; others around OP do not matter.
        """
        assert one.parent is not None
        if is_decided(one.parent, self._old.backward):
            return True
        around = _deciding(op)
        return all(any(self._decides(own, each, points) for each in around) for own in _deciding(one))

    def _decides(self, own: _Control, its: _Control, points: isl.Map) -> bool:
        """Whether the branches or loops OWN and ITS, around what is related by POINTS, decide alike."""
        (one, region), (other, its_region) = own, its
        if region != its_region or not same_statement(one, other):
            return False
        if isinstance(questions.loop(one), While):
            own_at, its_at = self._depths(one, other)
            if not points.is_subset(points.equate(DIM.in_, own_at, DIM.out, its_at)):
                return False  # another iteration may be one that does not run
        try:
            return self._is_decided_alike(one, other, self._outside(points, one, other))
        except NotShown:
            return False

    def _is_decided_alike(self, one: Operation, other: Operation, points: isl.Map) -> bool:
        """Whether the same data decides about ONE and OTHER at POINTS. Raises NotShown."""
        mine, theirs = questions.loop(one), questions.loop(other)
        if not isinstance(mine, While) or not isinstance(theirs, While):
            return self._are_equal(one, other, points)
        conditions = self._steps[0].condition(one, mine), self._steps[1].condition(other, theirs)
        proof = self._proof()
        proof.show(each_iteration(points, 0), *conditions)
        return not proof.uses_undefined

    def _outside(self, points: isl.Map, one: Operation, other: Operation) -> isl.Map:
        """POINTS of ONE and OTHER, or of what is inside them, at the points of the loops around both."""
        depths = self._depths(one, other)
        points = points.project_out(DIM.in_, depths[0], points.dim(DIM.in_) - depths[0])
        return points.project_out(DIM.out, depths[1], points.dim(DIM.out) - depths[1])

    def _depths(self, one: Operation, other: Operation) -> tuple[int, int]:
        """How many loops are around ONE and OTHER."""
        old, new = (each.backward.places.numbers for each in (self._old, self._new))
        return old.around(one), new.around(other)

    def _proof(self) -> Proof:
        likeness = Likeness(self._steps[0]), Likeness(self._steps[1])
        return Proof(self._steps, likeness, self._context, {}, self._limits)

    def _are_equal(self, one: Operation, op: Operation, points: isl.Map) -> bool:
        """Whether the operands of ONE and OP are equal at POINTS; of buffers, the sizes. Raises NotShown."""
        pairs = list(zip(one.operands, op.operands, strict=True))
        buffers = [pair for pair in pairs if is_memref(pair[0])]
        if any(not self._same_sizes(*pair) for pair in buffers):
            return False
        if needed_alignment(op) and not all(self._is_as_aligned(*pair) for pair in buffers):
            return False
        proof = self._proof()
        proof.show_used(one, op, points, _numbers(pairs))
        return not proof.uses_undefined

    def _is_as_aligned(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether ONE and OTHER are the same memory, or new memory of which the second is aligned as well."""
        mine, theirs = (
            side.backward.places.buffers.root(value) for side, value in ((self._old, one), (self._new, other))
        )
        if mine.origin is not theirs.origin or not self._old.backward.places.is_known(mine):
            return False
        match mine.value, theirs.value:
            case BlockArgument() as first, BlockArgument() as second:
                return first.index == second.index
            case OpResult() as first, OpResult() as second:
                is_same = mine.symbol == theirs.symbol
                return is_same and needed_alignment(first.op) <= needed_alignment(second.op)
            case _:
                return False

    def _same_sizes(self, one: SSAValue, other: SSAValue) -> bool:
        return self._steps[0].sizes(one) == self._steps[1].sizes(other)


def _made_by(op: Operation) -> list[object]:
    """The types that OP makes, which a cast requires; of memory the sizes alone."""
    kinds = ((value.type, is_memref(value)) for value in op.results)
    return [kind.get_shape() if memory and isinstance(kind, ShapedType) else kind for kind, memory in kinds]


def _freed(function: FunctionSources, op: Operation) -> frozenset[int] | None:
    """The arguments of FUNCTION that OP frees, its regions apart; None if that is not known."""
    places, stated = function.backward.places, effects_of(op)
    roots = list(map(places.buffers.root, stated.frees))
    if has_unknown_effects(op) or (roots and stated.conditional) or not all(map(places.is_known, roots)):
        return None
    arguments = enumerate(function.arguments)
    return frozenset(k for k, value in arguments if roots and places.buffers.root(value) in roots)


def _numbers(pairs: Sequence[tuple[SSAValue, SSAValue]]) -> list[tuple[SSAValue, SSAValue]]:
    return [pair for pair in pairs if not is_memref(pair[0])]


def _deciding(op: Operation) -> list[_Control]:
    """The branches around OP and loops with conditions, with the number of the region that OP is in."""
    found: list[_Control] = []
    block = op.parent
    while block is not None and (around := block.parent_op()) is not None and around.parent is not None:
        if isinstance(questions.loop(around), While) or questions.guards.answers(type(around)):
            found.append((around, next(k for k, r in enumerate(around.regions) if r is block.parent)))
        block = around.parent
    return found
