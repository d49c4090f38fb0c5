r"""Iterations that are a polyhedron with periodic holes: loops with steps, and guards such as `i mod 3 = 0`.

A statement inside tiled loops may leave some of their iterations out. Where that happens with a period, its
iterations are P ∩ R, with P a polyhedron and R invariant under the lattice m·Z^d:

    { (i, j) : 0 <= i < 99, i mod 2 = 0 }  =  { 0 <= i < 99 }  ∩  { i mod 2 = 0 }          m = 2

P says how far the loops run, and R which points a tile has, wherever it is. A tile's points move with it by
the vectors v for which R + v = R, and by no others: these are a lattice, too.

>>> halves = split(isl.Set("{ [i, j] : 0 <= i <= 98 and 0 <= j < 9 and (i + j) mod 2 = 0 }"))
>>> halves.polyhedron
Set("{ [i, j] : 0 <= i <= 98 and 0 <= j <= 8 }")
>>> lattice_of([halves.residues], 2)
((1, 1), (0, 2))
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import flint
import islpy as isl

from volcli.limits import mars as limits
from volcli.model.mars.tilings.vectors import Offset, affine_map, unit
from volcli.presburger.sets.build import DIM, number
from volcli.presburger.sets.coalescing import coalesced


class NotPeriodic(ValueError):
    """The iterations have holes that do not repeat; the text says so."""


@dataclass(frozen=True)
class Residues:
    """The points that are one of `kept` modulo `period`, in each coordinate."""

    period: int
    kept: frozenset[Offset]

    def holds(self, point: Sequence[int]) -> bool:
        """Whether POINT is one of them."""
        return tuple(x % self.period for x in point) in self.kept


@dataclass(frozen=True, eq=False)
class PeriodicIterations:
    """`polyhedron` ∩ `runs`; `residues` are those of `runs`, None if it is all of Z^d."""

    polyhedron: isl.Set
    runs: isl.Set
    residues: Residues | None = None


def split(points: isl.Set) -> PeriodicIterations:
    """POINTS as a polyhedron with periodic holes. Raises NotPeriodic."""
    parts = coalesced(points).compute_divs().get_basic_sets()
    (part,) = parts if len(parts) == 1 else (None,)
    if part is None:
        raise NotPeriodic("its iterations are not a convex set")
    part = part.detect_equalities().remove_redundancies()
    polyhedron = isl.BasicSet.universe(part.get_space())
    for constraint in part.get_constraints():
        if not constraint.involves_dims(DIM.div, 0, part.dim(DIM.div)):
            polyhedron = polyhedron.add_constraint(_without_divs(constraint))
    hull = isl.Set.from_basic_set(polyhedron)
    if hull.is_equal(points):
        return PeriodicIterations(hull, isl.Set.universe(points.get_space()))
    for runs in (points.gist(hull), isl.Set.from_basic_set(points.affine_hull()).gist(hull)):
        residues = _residues(coalesced(runs))
        if residues is not None and hull.intersect(runs).is_equal(points):
            return PeriodicIterations(hull, coalesced(runs), residues)
    raise NotPeriodic("the iterations in which it runs have holes that do not repeat")


def _without_divs(constraint: isl.Constraint) -> isl.Constraint:
    """CONSTRAINT, which involves no division, in a space without divisions."""
    form = constraint.get_aff()
    plain = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(form.get_domain_space()))
    for kind in (DIM.param, DIM.in_):
        for position in range(form.dim(kind)):
            plain = plain.set_coefficient_val(kind, position, form.get_coefficient_val(kind, position))
    plain = plain.set_constant_val(form.get_constant_val())
    make = (
        isl.Constraint.equality_from_aff if constraint.is_equality() else isl.Constraint.inequality_from_aff
    )
    return make(plain)


def _residues(points: isl.Set) -> Residues | None:
    """POINTS by residues; None if they are not periodic, or the period is large."""
    rank = points.dim(DIM.set)
    if points.involves_dims(DIM.param, 0, points.dim(DIM.param)):
        return None
    period = 1
    for part in points.compute_divs().get_basic_sets():
        for position in range(part.dim(DIM.div)):
            period = math.lcm(period, part.get_div(position).get_denominator_val().to_python())
    if period**rank > limits.RESIDUES:
        return None
    for position in range(rank):
        step = [period * int(k == position) for k in range(rank)]
        if not points.apply(affine_map(unit(rank), step)).is_equal(points):
            return None
    within = points.drop_unused_params()
    kept = [point for point in itertools.product(range(period), repeat=rank) if _holds(within, point)]
    return Residues(period, frozenset(kept)) if kept else None


def _holds(points: isl.Set, point: Sequence[int]) -> bool:
    for position, coordinate in enumerate(point):
        points = points.fix_val(DIM.set, position, number(coordinate))
    return not points.is_empty()


def lattice_of(every: Iterable[Residues | None], rank: int) -> tuple[Offset, ...] | None:
    """A basis of the vectors v with R + v = R for EVERY set of residues R; None if these are all of Z^d.

    Raises NotPeriodic if they are too many to try.
    """
    found = [each for each in every if each is not None]
    period = math.lcm(1, *(each.period for each in found))
    if period == 1:
        return None
    if period**rank > limits.RESIDUES:
        raise NotPeriodic(f"the iterations in which it runs repeat after {period} only")
    moves = [
        vector
        for vector in itertools.product(range(period), repeat=rank)
        if all(_keeps(each, vector) for each in found)
    ]
    everything = [[period * entry for entry in row] for row in unit(rank)]
    reduced = flint.fmpz_mat([*map(list, moves), *everything]).hnf()
    return tuple(tuple(int(reduced[r, c]) for c in range(rank)) for r in range(rank))


def _keeps(residues: Residues, vector: Sequence[int]) -> bool:
    return all(residues.holds([x + v for x, v in zip(point, vector, strict=True)]) for point in residues.kept)
