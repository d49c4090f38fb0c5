"""One proof that elements of two functions are equal: see `lockstep`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import islpy as isl
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.equivalence.paths.ends import Ends, Left
from volcli.equivalence.paths.leaves import UNDEFINED
from volcli.equivalence.proofs.goals import (
    NotShown,
    Pair,
    each_iteration,
    has_body,
    is_same_element,
    itself,
    made_by,
    parts_of,
    points_of,
)
from volcli.equivalence.proofs.likeness import Likeness
from volcli.equivalence.proofs.steps import Steps
from volcli.equivalence.proofs.sums import SumProofs
from volcli.equivalence.proofs.termwise import TermLevel, Termwise
from volcli.equivalence.results.operations import (
    is_elementwise,
    same_on_elements,
    same_statement,
    used_by_both,
)
from volcli.language import questions
from volcli.language.expressions import LoopIndex
from volcli.language.loops import While
from volcli.language.memory import Effect, is_memref
from volcli.language.reads import rank_of
from volcli.limits.equivalence import GOAL_GROWTH
from volcli.presburger.limits.budget import budget
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True)
class ProofLimits:
    """Whether whole tensors are compared, how often goals grow until they are widened, what one may cost."""

    whole: bool
    exact: int
    operations: int
    terms: TermLevel | None = None


class Proof:
    """One proof: GOALS are shown, or will be when nothing is pending."""

    def __init__(
        self,
        steps: tuple[Steps, Steps],
        like: tuple[Likeness, Likeness],
        context: isl.Set,
        shown: dict[Pair, isl.Map],
        limits: ProofLimits,
        sums: SumProofs | None = None,
    ) -> None:
        self.goals = dict(shown)
        self.uses_undefined = False
        self.mismatch: tuple[Operation, Operation] | None = None
        self._old, self._new = steps
        self._like = like
        self._context = context
        self._limits = limits
        self._sums = sums
        self._termwise = None if limits.terms is None else Termwise(steps, like, limits.terms)
        self._times: dict[Pair, int] = {}
        self._pending: list[tuple[Pair, isl.Map]] = []

    def show(self, relation: isl.Map, old: Ends, new: Ends) -> None:
        """Show that what is related by RELATION, and made from OLD and NEW, is equal. Raises NotShown."""
        self._split(relation, old, new)
        self._finish()

    def show_used(
        self, one: Operation, other: Operation, points: isl.Map, pairs: Sequence[tuple[SSAValue, SSAValue]]
    ) -> None:
        """Show that what ONE and OTHER use, in PAIRS, is equal at POINTS of the two. Raises NotShown."""
        self._used(one, other, points, pairs)
        self._finish()

    def _finish(self) -> None:
        while self._pending:
            pair, goal = self._pending.pop()
            with budget(self._limits.operations):
                try:
                    self._reduce(pair, goal)
                except NotShown:
                    one, other = map(made_by, pair)
                    if one is not None and other is not None:
                        self.mismatch = one.op, other.op
                    raise

    def _split(self, relation: isl.Map, old: Ends, new: Ends) -> None:
        """Need the goals that make all pairs of RELATION equal."""
        for pair, goal in parts_of(relation, old, new):
            self._need(pair, goal)

    def _parts(self, goal: isl.Map, old: Ends, new: Ends) -> list[tuple[Pair, isl.Map]]:
        """The goals that GOAL is split into, for operands of operations on elements."""
        if UNDEFINED in old and not goal.intersect_domain(old[UNDEFINED].support.domain()).is_empty():
            self.uses_undefined = True
        return parts_of(goal, old, new)

    def _need(self, pair: Pair, goal: isl.Map) -> None:
        """Show GOAL, too."""
        known = self.goals.get(pair)
        if known is not None and goal.is_subset(known):
            return
        together = coalesced(goal if known is None else known.union(goal))
        self._times[pair] = self._times.get(pair, 0) + 1
        if self._times[pair] > GOAL_GROWTH:
            raise NotShown
        if self._times[pair] > self._limits.exact:
            goal = together = self._widened(pair, together)
        self._pending.append((pair, goal))
        self.goals[pair] = together

    def _widened(self, pair: Pair, goal: isl.Map) -> isl.Map:
        hull = isl.Map.from_basic_map(goal.affine_hull()).intersect_params(self._context)
        one, other = map(made_by, pair)
        if one is not None:
            hull = hull.intersect_domain(self._old.points(one))
        if other is not None:
            hull = hull.intersect_range(self._new.points(other))
        return coalesced(hull.union(goal))

    # -- one goal ------------------------------------------------------------------------------------------

    def _reduce(self, pair: Pair, goal: isl.Map) -> None:
        """What GOAL, of PAIR, follows from. Raises NotShown if it follows from nothing."""
        for way in (self._sums, self._termwise):
            if way is not None and (found := way.follows_from(pair, goal)) is not None:
                for each in found:
                    self._need(*each)
                return
        one, other = map(made_by, pair)
        if isinstance(one, OpResult) and isinstance(other, OpResult):
            if is_elementwise(one) and is_elementwise(other):
                self._elements(one, other, goal)
                return
            is_body = has_body(one) or has_body(other)
            if (self._limits.whole or not is_body) and self._tensors(one, other, goal):
                return
        if isinstance(one, OpResult) and has_body(one):
            self._split(goal, self._old.body(one), itself(pair[1]))
        elif isinstance(other, OpResult) and has_body(other):
            self._split(goal, itself(pair[0]), self._new.body(other))
        elif isinstance(one, Left) and isinstance(other, Left) and same_statement(one.op, other.op):
            self._left(one, other, goal)
        else:
            raise NotShown

    def _elements(self, one: OpResult, other: OpResult, goal: isl.Map) -> None:
        """Two operations on elements."""
        if not same_on_elements(one, other):
            raise NotShown
        mine = [self._old.operand(one, k) for k in range(len(one.op.operands))]
        theirs = [self._new.operand(other, k) for k in range(len(other.op.operands))]
        orders = [theirs]
        if questions.combines(one.op) is not None:
            orders.append(theirs[::-1])
            alike = self._like[0].of(mine[0]), self._like[0].of(mine[1])
            orders.sort(key=lambda order: alike != tuple(map(self._like[1].of, order)))
        for order in orders:
            with suppress(NotShown):
                pairs = list(zip(mine, order, strict=True))
                parts = [part for old, new in pairs for part in self._parts(goal, old, new)]
                for part in parts:
                    self._need(*part)
                return
        raise NotShown

    def _tensors(self, one: OpResult, other: OpResult, goal: isl.Map) -> bool:
        """Whether ONE and OTHER are equal if all elements of all that their operations use are."""
        rank = rank_of(one)
        pairs = used_by_both(one, other)
        if pairs is None or not is_same_element(goal, rank):
            return False
        if any(self._box(mine, theirs) is None for mine, theirs in pairs):
            return False
        self._used(one.op, other.op, points_of(goal, rank), pairs)
        return True

    def _used(
        self, one: Operation, other: Operation, points: isl.Map, pairs: Sequence[tuple[SSAValue, SSAValue]]
    ) -> None:
        """All elements of what ONE and OTHER use, in PAIRS, are equal at POINTS of the two."""
        for mine, theirs in pairs:
            box = self._box(mine, theirs)
            if box is None:
                raise NotShown
            related = points.flat_product(box.identity())
            self._split(related, self._old.used(one, mine), self._new.used(other, theirs))

    def _box(self, mine: SSAValue, theirs: SSAValue) -> isl.Set | None:
        """The elements of two values of the same sizes; None if these are not, or depend on loops."""
        sizes = self._old.sizes(mine)
        in_loops = any(isinstance(atom, LoopIndex) for size in sizes for atom in size.atoms())
        return None if in_loops or sizes != self._new.sizes(theirs) else build.box(sizes)

    # -- what depends on data ------------------------------------------------------------------------------

    def _left(self, one: Left, other: Left, goal: isl.Map) -> None:
        """Two branches, loops, or accesses that data decides: the data is equal, and what they leave is."""
        rank = goal.dim(DIM.in_) - self._old.depth(one)
        if goal.dim(DIM.out) - self._new.depth(other) != rank:
            raise NotShown
        points = points_of(goal, rank)
        loop, loops_too = questions.loop(one.op), questions.loop(other.op)
        if isinstance(loop, While) and isinstance(loops_too, While):
            inside = each_iteration(goal, rank)
            conditions = self._old.condition(one.op, loop), self._new.condition(other.op, loops_too)
            self._split(each_iteration(points, 0), *conditions)
            self._split(inside, self._old.iteration(one, loop), self._new.iteration(other, loops_too))
            return
        if questions.guards.answers(type(one.op)):
            count = max(len(questions.guards(each.op) or ()) for each in (one, other))
            for number in range(count):
                self._split(goal, self._old.branch(one, number), self._new.branch(other, number))
        else:
            if not is_same_element(goal, rank):  # of a vector, or a tensor, that is read at once
                raise NotShown
            self._access(one, other, goal, points)
        pairs = list(zip(one.op.operands, other.op.operands, strict=True))
        self._used(one.op, other.op, points, [pair for pair in pairs if not is_memref(pair[0])])

    def _access(self, one: Left, other: Left, goal: isl.Map, points: isl.Map) -> None:
        """Two accesses, at an index that is data: the buffers hold the same before."""
        old, new = self._old.accessed(one.op), self._new.accessed(other.op)
        if old is None or new is None or old[1].effect is not new[1].effect:
            raise NotShown
        (root, access), (its_root, _) = old, new
        box = self._box(root.value, its_root.value)
        if box is None:
            raise NotShown
        related = goal if access.effect is Effect.WRITE else points.flat_product(box.identity())
        self._split(related, self._old.memory(one.op, root), self._new.memory(other.op, its_root))
