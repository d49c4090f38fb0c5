"""Boundary halfspaces: where structural constants surround data, and how that travels through operations.

A volume that mixes data and constants (a padded tensor, a slice inserted into zeros) has a *boundary*. Let
F be its constant elements that no earlier boundary explains, C the others, and [lo, hi] the box hull of C.
Then F is covered by the halfspaces `e_d < lo_d` and `e_d > hi_d` and by the *gaps* inside the box
(a slice inserted with stride 2 leaves gaps). A halfspace is known by its dimension and side, so that the
lower edges of two nested paddings are one boundary, and an edge stays an edge through several layers.

Example (IMPACT 2023, figure 2): padding 512x512 with low 1 and high 2 has four halfspaces, h < 1, h > 512,
w < 1 and w > 512; an element of the 5x5, stride 2 convolution of it touches 0, 1 or 2 of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd, lcm

import islpy as isl

from volcli.language.expressions import Expression, Index, LoopIndex
from volcli.limits import volumes as limits
from volcli.model.volumes.domains.parts import Part
from volcli.presburger.measures import box
from volcli.presburger.sets.unwieldy import within


@dataclass(frozen=True)
class Halfspace:
    """One boundary: below (side -1) or above (side 1) the data along a dimension.

    `origin` is None while the dimension is one of the volume's own; a boundary of a dimension that an
    operation mixed or reduced keeps the name of the volume where it last was one.
    """

    dimension: int
    side: int
    origin: str | None = None


GAPS = Halfspace(-1, 0)
"""Constants inside the box hull of the data: they belong to no halfspace."""

Boundaries = Mapping[Halfspace, Part]
"""Per boundary, the elements that touch it."""


@dataclass(frozen=True)
class Track:
    """Where a dimension of an operand goes: result dimension, orientation, and the strides on both sides.

    The operand's index along the dimension is `operand_step * l + ...` and the result's
    `result_step * l + ...` for one loop l that no other result dimension mixes in.
    """

    dimension: int
    operand_step: int
    result_step: int

    def halfspace(self, boundary: Halfspace) -> Halfspace:
        """The boundary as one of the result."""
        flip = 1 if self.operand_step * self.result_step > 0 else -1
        return Halfspace(self.dimension, boundary.side * flip)

    def period(self, period: int) -> int:
        """The period of the operand's dimension as one of the result's."""
        return period // gcd(period, self.operand_step) * abs(self.result_step)


@lru_cache(maxsize=4096)
def tracks(
    element: tuple[Expression, ...], index: tuple[Index, ...], unit_loops: frozenset[int]
) -> tuple[Track | None, ...]:
    """Per operand dimension the result dimension that it follows, or None where there is no such one.

    Loops of extent 1 (`unit_loops`) count as absent.

    >>> from volcli.language.expressions import loop
    >>> tracks((loop(0), loop(1)), (2 * loop(1) + loop(2), loop(2)), frozenset())
    (Track(dimension=1, operand_step=2, result_step=1), None)
    """
    results: dict[LoopIndex, tuple[int, int] | None] = {}
    for dimension, expression in enumerate(element):
        found = _loops(expression, unit_loops)
        for atom, step in found.items():
            alone = len(found) == 1 and step != 0 and atom not in results
            results[atom] = (dimension, step) if alone else None
    return tuple(_track(expression, results, unit_loops) for expression in index)


def _track(
    expression: Index, results: Mapping[LoopIndex, tuple[int, int] | None], unit_loops: frozenset[int]
) -> Track | None:
    if not isinstance(expression, Expression):
        return None
    shared = [(a, c) for a, c in _loops(expression, unit_loops).items() if a in results]
    if len(shared) != 1:
        return None
    atom, step = shared[0]
    target = results[atom]
    return Track(target[0], step, target[1]) if target is not None and step else None


def _loops(expression: Expression, unit_loops: frozenset[int]) -> dict[LoopIndex, int]:
    """The loops in EXPRESSION with their coefficients; 0 for a loop inside a division."""
    found: dict[LoopIndex, int] = {}
    for atom in expression.atoms():
        if isinstance(atom, LoopIndex) and atom.position not in unit_loops:
            found[atom] = 0
    for atom, c in expression.terms:
        if isinstance(atom, LoopIndex) and atom in found:
            found[atom] = c
    nested = [a for outer, _ in expression.terms if not isinstance(outer, LoopIndex)
              for a in Expression(((outer, 1),), 0).atoms() if isinstance(a, LoopIndex)]  # fmt: skip
    found.update((a, 0) for a in nested if a in found)
    return found


def transported(boundary: Halfspace, track: Sequence[Track | None], operand_name: str) -> Halfspace:
    """BOUNDARY of an operand as a boundary of the result."""
    if boundary is GAPS or boundary.origin is not None:
        return boundary
    target = track[boundary.dimension] if boundary.dimension < len(track) else None
    if target is None:
        return Halfspace(boundary.dimension, boundary.side, operand_name)
    return target.halfspace(boundary)


def fresh_boundaries(fresh: isl.Set, others: isl.Set) -> dict[Halfspace, isl.Set]:
    """The halfspaces (and gaps) of the constants FRESH around the box hull of OTHERS.

    What is beyond an end with many quotients took 4 s for 2,000,000 steps, and ended in no answer.
    """
    with within(limits.DEAR_BOUNDARIES, fresh, others):
        return _boundaries(fresh, others)


def _boundaries(fresh: isl.Set, others: isl.Set) -> dict[Halfspace, isl.Set]:
    found: dict[Halfspace, isl.Set] = {}
    hull = box.ranges(others)
    rest = fresh = fresh.intersect_params(others.params())  # where all is constant there is no boundary
    for dimension, bounds in enumerate(hull or ()):
        for side, points in zip((-1, 1), box.outside(fresh, dimension, bounds), strict=True):
            if not points.is_empty():
                found[Halfspace(dimension, side)] = points.coalesce()
                rest = rest.subtract(points)
    if not rest.is_empty():
        found[GAPS] = rest.coalesce()
    return found


def merged_periods(periods: Sequence[Sequence[int]], rank: int) -> tuple[int, ...]:
    """The common period per dimension."""
    return tuple(lcm(*(p[d] for p in periods)) if periods else 1 for d in range(rank))
