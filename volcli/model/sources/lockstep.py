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

import islpy as isl
from xdsl.ir import OpResult

from volcli.language import questions
from volcli.language.expressions import LoopIndex, NotAffine, loops
from volcli.language.reads import rank_of
from volcli.model.sources.ends import Ends
from volcli.model.sources.function import Asked, FunctionSources
from volcli.model.sources.leaves import UNDEFINED, Leaf, LeafKind
from volcli.model.sources.operations import is_elementwise, same_on_elements, same_on_tensors, used_by
from volcli.model.sources.paths import Paths
from volcli.presburger import build
from volcli.presburger.budget import BudgetExceeded, budget
from volcli.presburger.build import DIM
from volcli.presburger.coalescing import coalesced

_EXACT = 1
"""So often a goal grows before it is widened."""
_MOST = 12
"""So often it grows at all."""

Pair = tuple[Leaf, Leaf]


class _NotShown(Exception):
    """Something is not equal, or not shown to be."""


class Lockstep:
    """Comparison of the functions OLD and NEW, followed to their operations, for the sizes of CONTEXT.

    An output may cost so many OPERATIONS of isl.
    """

    def __init__(
        self, old: FunctionSources, new: FunctionSources, context: isl.Set, operations: int
    ) -> None:
        self._old = old
        self._new = new
        self._context = context
        self._operations = operations
        self._shown: dict[Pair, isl.Map] = {}

    def shows(self, one: Asked, other: Asked) -> bool:
        """Whether the outputs are shown to be equal: tensors as a whole where that is enough."""
        return any(self._shows(one, other, whole=whole) for whole in (True, False))

    def _shows(self, one: Asked, other: Asked, *, whole: bool) -> bool:
        old, new = self._old.output(one), self._new.output(other)
        if old.elements is None or new.elements is None:
            return False
        induction = _Induction(self._old, self._new, self._context, self._shown, whole=whole)
        try:
            with budget(self._operations):
                elements = old.elements.intersect_params(self._context)
                if not elements.is_equal(new.elements.intersect_params(self._context)):
                    return False
                induction.show(elements.identity(), old.ends, new.ends)
        except (NotAffine, BudgetExceeded, _NotShown):
            return False
        self._shown = induction.goals
        return True


class _Induction:
    """One proof: GOALS are shown, or will be when nothing is pending. WHOLE tensors are compared first."""

    def __init__(
        self,
        old: FunctionSources,
        new: FunctionSources,
        context: isl.Set,
        shown: dict[Pair, isl.Map],
        *,
        whole: bool,
    ) -> None:
        self.goals = dict(shown)
        self._old = old
        self._new = new
        self._context = context
        self._whole = whole
        self._times: dict[Pair, int] = {}
        self._pending: list[tuple[Pair, isl.Map]] = []
        self._operands: dict[tuple[OpResult, int], Ends] = {}
        self._bodies: dict[OpResult, Ends] = {}

    def show(self, relation: isl.Map, old: Ends, new: Ends) -> None:
        """Show that what is related by RELATION, and made from OLD and NEW, is equal. Raises _NotShown."""
        self._split(relation, old, new)
        while self._pending:
            pair, fresh = self._pending.pop()
            self._reduce(pair, fresh)

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
        if LeafKind.MADE not in (one.kind, other.kind):
            if one != other or one.kind not in (LeafKind.INPUT, LeafKind.NUMBER, LeafKind.CONSTANT):
                raise _NotShown
            if not goal.is_subset(isl.Map.identity(goal.get_space())):
                raise _NotShown
            return
        if not {one.kind, other.kind} <= {LeafKind.MADE, LeafKind.INPUT, LeafKind.NUMBER, LeafKind.CONSTANT}:
            raise _NotShown
        known = self.goals.get(pair)
        if known is not None and goal.is_subset(known):
            return
        together = coalesced(goal if known is None else known.union(goal))
        self._times[pair] = self._times.get(pair, 0) + 1
        if self._times[pair] > _MOST:
            raise _NotShown
        if self._times[pair] > _EXACT:
            goal = together = self._widened(pair, together)
        self._pending.append((pair, goal))
        self.goals[pair] = together

    def _widened(self, pair: Pair, goal: isl.Map) -> isl.Map:
        hull = isl.Map.from_basic_map(goal.affine_hull()).intersect_params(self._context)
        one, other = (leaf.what for leaf in pair)
        if isinstance(one, OpResult):
            hull = hull.intersect_domain(self._old.points(one))
        if isinstance(other, OpResult):
            hull = hull.intersect_range(self._new.points(other))
        return coalesced(hull.union(goal))

    # -- one goal ------------------------------------------------------------------------------------------

    def _reduce(self, pair: Pair, goal: isl.Map) -> None:
        """What GOAL, of PAIR, follows from."""
        one, other = (leaf.what if leaf.kind is LeafKind.MADE else None for leaf in pair)
        if isinstance(one, OpResult) and isinstance(other, OpResult):
            if is_elementwise(one) and is_elementwise(other):
                if not same_on_elements(one, other):
                    raise _NotShown
                for position in range(len(one.op.operands)):
                    old = self._operand(self._old, one, position)
                    self._split(goal, old, self._operand(self._new, other, position))
                return
            is_body = _has_body(one) or _has_body(other)
            if (self._whole or not is_body) and self._tensors(one, other, goal):
                return
        if isinstance(one, OpResult) and _has_body(one):
            self._split(goal, self._body(self._old, one), _itself(pair[1]))
        elif isinstance(other, OpResult) and _has_body(other):
            self._split(goal, _itself(pair[0]), self._body(self._new, other))
        else:
            raise _NotShown

    def _tensors(self, one: OpResult, other: OpResult, goal: isl.Map) -> bool:
        """Whether ONE and OTHER are equal if all elements of all that their operations use are."""
        rank = rank_of(one)
        before, behind = goal.dim(DIM.in_) - rank, goal.dim(DIM.out) - rank
        if not same_on_tensors(one, other) or not goal.is_subset(_same_element(before, behind, rank)):
            return False
        points = goal.project_out(DIM.in_, before, rank).project_out(DIM.out, behind, rank)
        for mine, theirs in zip(used_by(one.op), used_by(other.op), strict=True):
            sizes = self._old.sizes(mine), self._new.sizes(theirs)
            if sizes[0] != sizes[1] or any(isinstance(atom, LoopIndex) for e in sizes[0] for atom in e.atoms()):
                return False
            related = points.flat_product(build.box(sizes[0]).identity())
            self._split(related, self._old.whole(one.op, mine), self._new.whole(other.op, theirs))
        return True

    def _operand(self, side: FunctionSources, result: OpResult, position: int) -> Ends:
        if (result, position) not in self._operands:
            self._operands[result, position] = side.operand(result, position)
        return self._operands[result, position]

    def _body(self, side: FunctionSources, result: OpResult) -> Ends:
        if result not in self._bodies:
            self._bodies[result] = side.expanded(result)
        return self._bodies[result]


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


def _same_element(before: int, behind: int, rank: int) -> isl.Map:
    """`{ [p, e] -> [q, e] }`"""
    every = isl.Map.universe(isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, before, behind))
    element = isl.Map.identity(isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, rank, rank))
    return every.flat_product(element)
