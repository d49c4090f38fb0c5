"""Sparsity regions: the partition of a volume's domain by what its elements depend on.

IMPACT 2023, section 5.3 and figure 2, with errata E000-3. The regions of a volume are disjoint and cover its
domain. For the layer of figure 1 (one 256x256 plane): dense 254*254 = 64,516 elements, sparse of degree 1
(edges) 1,016, of degree 2 (corners) 4, static none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import islpy as isl
from xdsl.ir import SSAValue

from volcli.language.expressions import constant, loop
from volcli.limits import volumes as limits
from volcli.model.volumes.domains.parts import Part, as_set, difference, intersection
from volcli.model.volumes.knowledge.boundaries import GAPS, Halfspace
from volcli.model.volumes.knowledge.element_facts import ElementFacts
from volcli.model.volumes.knowledge.sparsity import ElementFlow
from volcli.presburger.measures import box
from volcli.presburger.sets import build
from volcli.presburger.sets.shared import once, shared


@dataclass(frozen=True, eq=False)
class Region:
    """Elements that depend on data and constants in the same way.

    `degree` is the number of boundary halfspaces that the elements touch (sparse regions only), `phase`
    the residues (dimension, residue, modulus) where constants lie between the data, `count` the number of
    elements (None if it depends on parameters). `assumes` are the fastmath flags that operations lack for a
    region to be static; `zero` says whether all elements are then 0, and if not, `zero_assumes` under which
    further flags they are.
    """

    kind: str
    degree: int
    points: isl.Set
    count: int | None
    phase: tuple[tuple[int, int, int], ...] = ()
    zero: bool = False
    assumes: tuple[str, ...] = ()
    zero_assumes: tuple[str, ...] = ()


Levels = Sequence[tuple[frozenset[str], ElementFacts]]
"""The facts of one volume under more and more assumed flags, of which the first is under none."""


def regions_of(flow: ElementFlow, value: SSAValue, domain: isl.Set) -> list[Region]:
    """The regions of VALUE, where they are static each with the fewest flags that must be assumed.

    The facts are computed under each union of flags that some operation lacked. Where nothing is static
    under all of them, nothing is under fewer.
    """
    facts = flow.facts(value)
    if facts.reaching is True or not facts.needs:
        return regions(facts, domain)
    flags = {frozenset[str]()}
    for needed in sorted(facts.needs, key=sorted):
        flags |= {each | needed for each in flags}
    *fewer, most = sorted(flags, key=lambda each: (len(each), sorted(each)))
    return regions(facts, domain, [*((each, flow.under(each).facts(value)) for each in fewer), (most, facts)])


def regions(facts: ElementFacts, domain: isl.Set, levels: Levels = ()) -> list[Region]:
    """The non-empty regions of a volume with FACTS over DOMAIN.

    Dense first, then sparse by degree (and phase), then static by LEVELS, the last of which has FACTS.
    """
    reaching = as_set(facts.reaching, domain).intersect(domain)
    touched = {b: _counted(b, part, facts.periods, reaching) for b, part in facts.boundaries.items()}
    halfspaces = [p for b, p in touched.items() if b is not GAPS and not p.is_empty()]
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
    return [*found, *_static(levels or [(frozenset(), facts)], domain)]


def reached_by_data(facts: ElementFacts, domain: isl.Set) -> tuple[isl.Set, isl.Set]:
    """The elements of DOMAIN that depend on data, and those of them that depend on no constant around it."""
    reaching = shared(as_set(intersection(facts.reaching, domain), domain))
    dense: Part = reaching
    touched = (_counted(b, part, facts.periods, reaching) for b, part in facts.boundaries.items())
    for part in {id(part): part for part in touched}.values():
        dense = difference(dense, part, lambda: domain)
    return reaching, once("coalesce", isl.Set.coalesce, as_set(dense, domain))


def reaching_all(facts: ElementFacts, domain: isl.Set) -> int:
    """How many foreign boundaries reach every element that depends on data: no degree counts them.

    34 for the logits of a network of 34 padded layers after a mean over height and width.
    """
    reaching = as_set(facts.reaching, domain).intersect(domain)
    foreign = [part for boundary, part in facts.boundaries.items() if boundary.origin is not None]
    return sum(_separated(part, reaching).is_empty() for part in foreign) if not reaching.is_empty() else 0


def _counted(boundary: Halfspace, part: Part, periods: Sequence[int], reaching: isl.Set) -> isl.Set:
    """The elements REACHING data for which BOUNDARY counts, which PART of the domain touches.

    A boundary of the volume's own dimensions says on which side of it they lie. One that has none here tells
    elements apart or it says nothing; so do gaps without phases.
    """
    periodic = any(period > 1 for period in periods)
    if boundary.origin is None and (boundary is not GAPS or periodic):
        return as_set(intersection(part, reaching), reaching)
    return _separated(part, reaching)


def _separated(part: Part, reaching: isl.Set) -> isl.Set:
    """The elements of PART among those REACHING data, at the parameters for which there are others."""
    if isinstance(part, bool):
        return once("nothing", _nothing, reaching)
    return once("separated", _among_others, part, reaching)


def _nothing(points: isl.Set) -> isl.Set:
    return points.subtract(points)


def _among_others(points: isl.Set, reaching: isl.Set) -> isl.Set:
    return points.intersect(reaching).intersect_params(reaching.subtract(points).params())


def _static(levels: Levels, domain: isl.Set) -> Iterator[Region]:
    """What is static under the first of LEVELS, then what also is under the next one, and so on."""
    rest = domain
    for number, (flags, facts) in enumerate(levels):
        reaching = as_set(facts.reaching, domain)
        for region in _region("static", 0, rest.subtract(reaching)):
            nonzero = ((f, as_set(stronger.nonzero, domain)) for f, stronger in levels[number:])
            zero = next((f for f, part in nonzero if region.points.is_disjoint(part)), None)
            further = in_order(frozenset() if zero is None or zero == flags else zero)
            yield replace(region, zero=zero == flags, assumes=in_order(flags), zero_assumes=further)
        rest = rest.intersect(reaching)


def in_order(flags: frozenset[str]) -> tuple[str, ...]:
    """FLAGS in MLIR's order."""
    return tuple(flag for flag in ("nnan", "ninf", "nsz") if flag in flags)


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
    if not periodic or prod(p for _, p in periodic) > limits.PHASES:
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
        yield Region(kind, degree, simple, once("count", box.count, simple), phase)
