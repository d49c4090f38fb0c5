"""Sparsity regions: the partition of a volume's domain by what its elements depend on.

IMPACT 2023, section 5.3 and figure 2, with errata E000-3. The regions of a volume are disjoint and cover its
domain. For the layer of figure 1 (one 256x256 plane): dense 254*254 = 64,516 elements, sparse of degree 1
(edges) 1,016, of degree 2 (corners) 4, static none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import islpy as isl

from volcli.expressions import constant, loop
from volcli.model.boundaries import GAPS
from volcli.model.parts import as_set
from volcli.model.sparsity import ElementFacts
from volcli.presburger import box, build

_MOST_PHASES = 64


@dataclass(frozen=True, eq=False)
class Region:
    """Elements that depend on data and constants in the same way.

    `degree` is the number of boundary halfspaces that the elements touch (sparse regions only), `phase`
    the residues (dimension, residue, modulus) where constants lie between the data, `count` the number of
    elements (None if it depends on parameters), `zero` whether all elements are the number 0.
    """

    kind: str
    degree: int
    points: isl.Set
    count: int | None
    phase: tuple[tuple[int, int, int], ...] = ()
    zero: bool = False
    assumes_finite: bool = False


def regions(facts: ElementFacts, domain: isl.Set) -> list[Region]:
    """The non-empty regions of a volume with FACTS over DOMAIN.

    Dense first, then sparse by degree (and phase), then static.
    """
    reaching = as_set(facts.reaching, domain).intersect(domain)
    touched = {b: points.intersect(reaching) for b, points in facts.boundaries.items()}
    halfspaces = [points for boundary, points in touched.items() if boundary is not GAPS]
    by_degree = _by_degree(reaching, halfspaces)
    gaps = touched.get(GAPS)
    found: list[Region] = []
    untouched = by_degree[0]
    if gaps is not None:
        by_degree[0], untouched = untouched.intersect(gaps), untouched.subtract(gaps)
    else:
        by_degree[0] = untouched.subtract(untouched)
    found += _region("dense", 0, untouched)
    for degree, points in enumerate(by_degree):
        found += _sparse(degree, points, facts.periods)
    static = domain.subtract(reaching)
    nonzero = as_set(facts.nonzero, domain)
    for region in _region("static", 0, static):
        is_zero = bool(region.points.is_disjoint(nonzero))
        found.append(Region("static", 0, region.points, region.count, (), is_zero, facts.assumes_finite))
    return found


def _by_degree(everything: isl.Set, halfspaces: Sequence[isl.Set]) -> list[isl.Set]:
    """`result[k]`: the points of EVERYTHING that lie in exactly k of HALFSPACES."""
    exactly = [everything]
    for halfspace in halfspaces:
        inside = [points.intersect(halfspace).coalesce() for points in exactly]
        outside = [points.subtract(halfspace).coalesce() for points in exactly]
        exactly = [outside[0]]
        exactly += [o.union(i).coalesce() for o, i in zip(outside[1:], inside[:-1], strict=True)]
        if not inside[-1].is_empty():
            exactly.append(inside[-1])
    return exactly


def _sparse(degree: int, points: isl.Set, periods: Sequence[int]) -> Iterator[Region]:
    """The sparse region, split by phase where the constants lie between the data."""
    if points.is_empty():
        return
    periodic = [(d, p) for d, p in enumerate(periods) if p > 1]
    if not periodic or prod(p for _, p in periodic) > _MOST_PHASES:
        yield from _region("sparse", degree, points)
        return
    for residues in product(*(range(p) for _, p in periodic)):
        phase = tuple((d, r, p) for (d, p), r in zip(periodic, residues, strict=True))
        selected = points
        for dimension, residue, modulus in phase:
            remainder = loop(dimension) % modulus
            conditions = (remainder - constant(residue), constant(residue) - remainder)
            selected = selected.intersect(build.nonnegative(len(periods), conditions))
        yield from _region("sparse", degree, selected, phase)


def _region(
    kind: str, degree: int, points: isl.Set, phase: tuple[tuple[int, int, int], ...] = ()
) -> Iterator[Region]:
    if not points.is_empty():
        simple = points.coalesce()
        yield Region(kind, degree, simple, box.count(simple), phase)
