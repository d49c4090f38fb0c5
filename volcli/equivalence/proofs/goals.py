"""Goals of a comparison: relations between what two functions make, that are to be shown to be equal.

    { x -> y }: the element x of what an operation of the first function makes is y of one of the second

x and y are the points of the loops around the operations, and then the indices of an element.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import islpy as isl
from xdsl.ir import OpResult

from volcli.equivalence.paths.ends import Ends, Left
from volcli.equivalence.paths.leaves import UNDEFINED, Leaf, LeafKind
from volcli.equivalence.paths.paths import Paths
from volcli.equivalence.paths.points import is_identity
from volcli.equivalence.results.constants import same_numbers
from volcli.language.expressions import loops
from volcli.language.programs.definitions import own_body
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

_MADE = (LeafKind.MADE, LeafKind.LEFT)
_GIVEN = (LeafKind.INPUT, LeafKind.NUMBER, LeafKind.CONSTANT)
_NUMBERS = frozenset((LeafKind.NUMBER, LeafKind.CONSTANT))

Pair = tuple[Leaf, Leaf]


class NotShown(Exception):
    """Something is not equal, or not shown to be."""


def parts_of(relation: isl.Map, old: Ends, new: Ends) -> list[tuple[Pair, isl.Map]]:
    """The goals that make all pairs of RELATION equal; what was undefined before may be anything.

    Raises NotShown if one of them is about two given elements that are not the same.
    """
    if (undefined := old.get(UNDEFINED)) is not None:
        relation = relation.subtract_domain(undefined.support.domain())
    if not (_covers(old, relation.domain()) and _covers(new, relation.range())):
        raise NotShown
    found: list[tuple[Pair, isl.Map]] = []
    for one, paths in _leaves(old):
        left = paths.support.reverse().apply_range(relation)
        for other, others in _leaves(new):
            goal = left.apply_range(others.support)
            if not goal.is_empty() and _is_open((one, other), goal):
                found.append(((one, other), goal))
    return found


def made_by(leaf: Leaf) -> OpResult | Left | None:
    """The result, or what is left of an operation, that LEAF is; None if it is given."""
    return cast("OpResult | Left", leaf.what) if leaf.kind in _MADE else None


def has_body(result: OpResult) -> bool:
    """Whether the elements of RESULT are computed by a body of scalars."""
    return own_body(result.op) is not None


def _is_open(pair: Pair, goal: isl.Map) -> bool:
    """Whether GOAL of PAIR is still to be shown; what is given is equal, or not. Raises NotShown."""
    one, other = pair
    if one.kind in _MADE or other.kind in _MADE:
        if not {one.kind, other.kind} <= {*_MADE, *_GIVEN}:
            raise NotShown
        return True
    if one == other and one.kind in _GIVEN and is_identity(goal):
        return False
    if not ({one.kind, other.kind} <= _NUMBERS and same_numbers(one, other, goal)):
        raise NotShown
    return False


def itself(leaf: Leaf) -> Ends:
    """LEAF, made from itself."""
    return {leaf: Paths.of(build.relation(leaf.rank, loops(leaf.rank)))}


def _leaves(ends: Ends) -> Iterator[tuple[Leaf, Paths]]:
    for key, paths in ends.items():
        if not isinstance(key, Leaf) or key.kind in (LeafKind.COMPUTED, LeafKind.ABSORBED):
            raise NotShown
        if key != UNDEFINED:
            yield key, paths


def _covers(ends: Ends, points: isl.Set) -> bool:
    """Whether each of POINTS has a path to one of ENDS that is not UNDEFINED."""
    for _, paths in _leaves(ends):
        points = points.subtract(paths.support.domain())
    return bool(points.is_empty())


def points_of(goal: isl.Map, rank: int) -> isl.Map:
    """`{ [p] -> [q] }` of a goal `{ [p, e] -> [q, f] }` on elements of RANK coordinates."""
    for side in (DIM.in_, DIM.out):
        goal = goal.project_out(side, goal.dim(side) - rank, rank)
    return goal


def is_same_element(goal: isl.Map, rank: int) -> bool:
    """Whether e = f in all of `{ [p, e] -> [q, f] }`, e and f of RANK coordinates."""
    before, behind = goal.dim(DIM.in_) - rank, goal.dim(DIM.out) - rank
    if min(before, behind) < 0:
        return False
    every = isl.Map.universe(isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, before, behind))
    element = isl.Map.identity(isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, rank, rank))
    return bool(goal.is_subset(every.flat_product(element)))


def each_iteration(goal: isl.Map, rank: int) -> isl.Map:
    """`{ [p, i, e] -> [q, i, f] : i >= 0 }` of `{ [p, e] -> [q, f] }`."""
    before, behind = goal.dim(DIM.in_) - rank, goal.dim(DIM.out) - rank
    found = goal.insert_dims(DIM.in_, before, 1).insert_dims(DIM.out, behind, 1)
    found = found.equate(DIM.in_, before, DIM.out, behind)
    return found.lower_bound_val(DIM.in_, before, build.number(0))


def part(points: isl.Set, start: int, count: int) -> isl.Map:
    """`{ [p] -> [p_start, ..] }`: COUNT coordinates of POINTS."""
    found = isl.Map.from_domain(points).add_dims(DIM.out, count)
    for k in range(count):
        found = found.equate(DIM.in_, start + k, DIM.out, k)
    return found
