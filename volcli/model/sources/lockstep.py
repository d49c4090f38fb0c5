"""Whether two functions do the same operations on the same numbers, instance by instance.

An element x of a value of the first function is equal to an element y of the second one, if

    both are the same element of an input, or the same constant; or
    the same operation makes both, and its operands are equal, one by one.

Copies on the way are followed on each side alone, through loops and memory, so that an operand is what some
operation has made at other points, or an element of an input. A goal is a relation { x -> y } between two
operations' points, and what it needs are further goals. Each is assumed while it is shown:

    for t, i: a[i] = f(a[i - 1], a[i])      goal { [t, i] -> [t, j, k] : i = 4 j + k }: f, and the operands
                                            are the goal itself at (t - 1, i) and (t, i - 1), or inputs

This is an induction over time: operands are made before, in both programs, and copies go back, too (Barthou,
Feautrier and Redon 2002). A goal that grows is widened to its affine hull (Verdoolaege, Janssens and
Bruynooghe 2012), so that there are finitely many. What the hull adds must be shown as well: if that fails, no
difference is found, and nothing is known. The order of sums is compared, as all operations are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import islpy as isl
from xdsl.ir import OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import LoopIndex, NotAffine, loops
from volcli.language.loops import While
from volcli.language.memory import Effect, is_memref
from volcli.language.reads import rank_of
from volcli.model.sources.ends import Ends, Left
from volcli.model.sources.function import Asked, FunctionSources
from volcli.model.sources.leaves import UNDEFINED, Leaf, LeafKind
from volcli.model.sources.operations import (
    is_elementwise,
    same_on_elements,
    same_on_tensors,
    same_statement,
    used_by,
)
from volcli.model.sources.paths import Paths
from volcli.model.sources.steps import Steps
from volcli.presburger import build
from volcli.presburger.budget import BudgetExceeded, budget
from volcli.presburger.build import DIM
from volcli.presburger.coalescing import coalesced

_ATTEMPTS = ((True, 1), (False, 1), (False, 3))
"""Whether whole tensors are compared, and how often a goal grows before it is widened."""
_MOST = 12
"""So often it grows at all."""

_MADE = (LeafKind.MADE, LeafKind.LEFT)
_GIVEN = (LeafKind.INPUT, LeafKind.NUMBER, LeafKind.CONSTANT)

Pair = tuple[Leaf, Leaf]


class _NotShown(Exception):
    """Something is not equal, or not shown to be."""


class Lockstep:
    """Comparison of the functions OLD and NEW, followed to their operations, for the sizes of CONTEXT.

    An output may cost so many OPERATIONS of isl.
    """

    def __init__(self, old: FunctionSources, new: FunctionSources, context: isl.Set, operations: int) -> None:
        self._old = old
        self._new = new
        self._steps = Steps(old), Steps(new)
        self._context = context
        self._operations = operations
        self._shown: dict[Pair, isl.Map] = {}

    def shows(self, one: Asked, other: Asked) -> bool:
        """Whether the outputs are shown to be equal: tensors as a whole where that is enough."""
        old, new = self._old.output(one), self._new.output(other)
        if old.elements is None or new.elements is None:
            return False
        try:
            with budget(self._operations):
                elements = old.elements.intersect_params(self._context)
                if not elements.is_equal(new.elements.intersect_params(self._context)):
                    return False
                return any(self._shows(elements, old.ends, new.ends, *each) for each in _ATTEMPTS)
        except (NotAffine, BudgetExceeded):
            return False

    def _shows(self, elements: isl.Set, old: Ends, new: Ends, whole: bool, exact: int) -> bool:
        induction = _Induction(self._steps, self._context, self._shown, whole, exact)
        try:
            induction.show(elements.identity(), old, new)
        except _NotShown:
            return False
        self._shown = induction.goals
        return True


class _Induction:
    """One proof: GOALS are shown, or will be when nothing is pending. WHOLE tensors are compared first.

    A goal grows EXACT times before it is widened.
    """

    def __init__(
        self,
        steps: tuple[Steps, Steps],
        context: isl.Set,
        shown: dict[Pair, isl.Map],
        whole: bool,
        exact: int,
    ) -> None:
        self.goals = dict(shown)
        self._old, self._new = steps
        self._context = context
        self._whole = whole
        self._exact = exact
        self._times: dict[Pair, int] = {}
        self._pending: list[tuple[Pair, isl.Map]] = []

    def show(self, relation: isl.Map, old: Ends, new: Ends) -> None:
        """Show that what is related by RELATION, and made from OLD and NEW, is equal. Raises _NotShown."""
        self._split(relation, old, new)
        while self._pending:
            pair, goal = self._pending.pop()
            self._reduce(pair, goal)

    def _split(self, relation: isl.Map, old: Ends, new: Ends) -> None:
        """The goals that make all pairs of RELATION equal; what was undefined before may be anything."""
        if (undefined := old.get(UNDEFINED)) is not None:
            relation = relation.subtract_domain(undefined.support.domain())
        if not (_covers(old, relation.domain()) and _covers(new, relation.range())):
            raise _NotShown
        for one, paths in _leaves(old):
            left = paths.support.reverse().apply_range(relation)
            for other, others in _leaves(new):
                goal = left.apply_range(others.support)
                if not goal.is_empty():
                    self._need((one, other), goal)

    def _need(self, pair: Pair, goal: isl.Map) -> None:
        one, other = pair
        if not (one.kind in _MADE or other.kind in _MADE):
            if one != other or one.kind not in _GIVEN or not _is_identity(goal):
                raise _NotShown
            return
        if not {one.kind, other.kind} <= {*_MADE, *_GIVEN}:
            raise _NotShown
        known = self.goals.get(pair)
        if known is not None and goal.is_subset(known):
            return
        together = coalesced(goal if known is None else known.union(goal))
        self._times[pair] = self._times.get(pair, 0) + 1
        if self._times[pair] > _MOST:
            raise _NotShown
        if self._times[pair] > self._exact:
            goal = together = self._widened(pair, together)
        self._pending.append((pair, goal))
        self.goals[pair] = together

    def _widened(self, pair: Pair, goal: isl.Map) -> isl.Map:
        hull = isl.Map.from_basic_map(goal.affine_hull()).intersect_params(self._context)
        one, other = map(_made, pair)
        if one is not None:
            hull = hull.intersect_domain(self._old.points(one))
        if other is not None:
            hull = hull.intersect_range(self._new.points(other))
        return coalesced(hull.union(goal))

    # -- one goal ------------------------------------------------------------------------------------------

    def _reduce(self, pair: Pair, goal: isl.Map) -> None:
        """What GOAL, of PAIR, follows from. Raises _NotShown if it follows from nothing."""
        one, other = map(_made, pair)
        if isinstance(one, OpResult) and isinstance(other, OpResult):
            if is_elementwise(one) and is_elementwise(other):
                self._elements(one, other, goal)
                return
            is_body = _has_body(one) or _has_body(other)
            if (self._whole or not is_body) and self._tensors(one, other, goal):
                return
        if isinstance(one, OpResult) and _has_body(one):
            self._split(goal, self._old.body(one), _itself(pair[1]))
        elif isinstance(other, OpResult) and _has_body(other):
            self._split(goal, _itself(pair[0]), self._new.body(other))
        elif isinstance(one, Left) and isinstance(other, Left) and same_statement(one.op, other.op):
            self._left(one, other, goal)
        else:
            raise _NotShown

    def _elements(self, one: OpResult, other: OpResult, goal: isl.Map) -> None:
        """Two operations on elements."""
        if not same_on_elements(one, other):
            raise _NotShown
        for position in range(len(one.op.operands)):
            self._split(goal, self._old.operand(one, position), self._new.operand(other, position))

    def _tensors(self, one: OpResult, other: OpResult, goal: isl.Map) -> bool:
        """Whether ONE and OTHER are equal if all elements of all that their operations use are."""
        rank = rank_of(one)
        if not same_on_tensors(one, other) or not _is_same_element(goal, rank):
            return False
        points = _points(goal, rank)
        pairs = list(zip(used_by(one.op), used_by(other.op), strict=True))
        boxes = [self._box(mine, theirs) for mine, theirs in pairs]
        for (mine, theirs), box in zip(pairs, boxes, strict=True):
            if box is None:
                return False
            related = points.flat_product(box.identity())
            self._split(related, self._old.used(one.op, mine), self._new.used(other.op, theirs))
        return True

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
            raise _NotShown
        points = _points(goal, rank)
        loop, loops_too = questions.loop(one.op), questions.loop(other.op)
        if isinstance(loop, While) and isinstance(loops_too, While):
            inside = _each_iteration(goal, rank)
            conditions = self._old.condition(one.op, loop), self._new.condition(other.op, loops_too)
            self._split(_each_iteration(points, 0), *conditions)
            self._split(inside, self._old.iteration(one, loop), self._new.iteration(other, loops_too))
            return
        if questions.guards.answers(type(one.op)):
            count = max(len(questions.guards(each.op) or ()) for each in (one, other))
            for number in range(count):
                self._split(goal, self._old.branch(one, number), self._new.branch(other, number))
        else:
            self._access(one, other, goal, points)
        for mine, theirs in zip(one.op.operands, other.op.operands, strict=True):
            if not is_memref(mine):
                self._split(points, self._old.used(one.op, mine), self._new.used(other.op, theirs))

    def _access(self, one: Left, other: Left, goal: isl.Map, points: isl.Map) -> None:
        """Two accesses, at an index that is data: the buffers hold the same before."""
        old, new = self._old.accessed(one.op), self._new.accessed(other.op)
        if old is None or new is None or old[1].effect is not new[1].effect:
            raise _NotShown
        (root, access), (its_root, _) = old, new
        box = self._box(root.value, its_root.value)
        if box is None or (access.effect is Effect.WRITE and not _is_same_element(goal, rank_of(root.value))):
            raise _NotShown
        related = goal if access.effect is Effect.WRITE else points.flat_product(box.identity())
        self._split(related, self._old.memory(one.op, root), self._new.memory(other.op, its_root))


def _made(leaf: Leaf) -> OpResult | Left | None:
    """The result, or what is left of an operation, that LEAF is; None if it is given."""
    return cast("OpResult | Left", leaf.what) if leaf.kind in _MADE else None


def _has_body(result: OpResult) -> bool:
    return questions.scalar_body(result.op) is not None


def _itself(leaf: Leaf) -> Ends:
    return {leaf: Paths.of(build.relation(leaf.rank, loops(leaf.rank)))}


def _leaves(ends: Ends) -> Iterator[tuple[Leaf, Paths]]:
    for key, paths in ends.items():
        if not isinstance(key, Leaf) or key.kind is LeafKind.COMPUTED:
            raise _NotShown
        if key != UNDEFINED:
            yield key, paths


def _covers(ends: Ends, points: isl.Set) -> bool:
    """Whether each of POINTS has a path to one of ENDS that is no UNDEFINED."""
    for _, paths in _leaves(ends):
        points = points.subtract(paths.support.domain())
    return bool(points.is_empty())


def _is_identity(goal: isl.Map) -> bool:
    return bool(goal.is_subset(isl.Map.identity(goal.get_space())))


def _points(goal: isl.Map, rank: int) -> isl.Map:
    """`{ [p] -> [q] }` of a goal `{ [p, e] -> [q, f] }` on elements of RANK coordinates."""
    for side in (DIM.in_, DIM.out):
        goal = goal.project_out(side, goal.dim(side) - rank, rank)
    return goal


def _is_same_element(goal: isl.Map, rank: int) -> bool:
    """Whether e = f in all of `{ [p, e] -> [q, f] }`, e and f of RANK coordinates."""
    before, behind = goal.dim(DIM.in_) - rank, goal.dim(DIM.out) - rank
    if min(before, behind) < 0:
        return False
    every = isl.Map.universe(isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, before, behind))
    element = isl.Map.identity(isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, rank, rank))
    return bool(goal.is_subset(every.flat_product(element)))


def _each_iteration(goal: isl.Map, rank: int) -> isl.Map:
    """`{ [p, i, e] -> [q, i, f] : i >= 0 }` of `{ [p, e] -> [q, f] }`."""
    before, behind = goal.dim(DIM.in_) - rank, goal.dim(DIM.out) - rank
    found = goal.insert_dims(DIM.in_, before, 1).insert_dims(DIM.out, behind, 1)
    found = found.equate(DIM.in_, before, DIM.out, behind)
    return found.lower_bound_val(DIM.in_, before, build.number(0))
